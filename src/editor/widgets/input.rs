//! An unwired input: the editor of its mode's values, and the menu that changes the mode.

use egui::{Align2, Id, Popup, PopupCloseBehavior, Rect, Ui, pos2, vec2};

use super::curve::{Over, curve_field};
use super::edited::Edited;
use super::gradient::gradient_field;
use super::lanes::widened;
use super::look::{FIELD, Look, ROW, column};
use super::menu::{choice, icon_button};
use super::modes::{ModeKind, changed, value_of};
use super::value::ValueEditor;
use crate::artifact::Parameter;
use crate::editor::theme::Tokens;
use crate::graph::types::converts;
use crate::graph::{InputMode, Lanes, Port};
use crate::layout::FieldType;

/// A change of an input; none inside takes the default back.
pub type InputEdit = Edited<Option<InputMode>>;

/// An unwired input to edit.
#[derive(Debug, Clone, Copy)]
pub struct InputEditor<'a> {
    /// The name for those who cannot see it, such as `Gravity · acceleration`.
    pub name: &'a str,
    /// The input.
    pub port: &'a Port,
    /// What it takes.
    pub ty: FieldType,
    /// What it holds.
    pub mode: &'a InputMode,
    /// The effect's parameters.
    pub parameters: &'a [Parameter],
    /// Whether a curve over the particle's life makes sense here: not at birth.
    pub over_life: bool,
}

/// What a menu says where no parameter can be read. Only this mode can lack something to change to.
const NO_PARAMETER: &str = "No parameter fits. Add one under\nParameters in the inspector.";

/// Rows that a mode's editor takes.
#[must_use]
pub fn rows(mode: &InputMode, ty: FieldType) -> usize {
    match mode {
        InputMode::Random { .. } if ty.width() > 1 && ty != FieldType::Color => 2,
        _ => 1,
    }
}

/// Edits an unwired input in the rows at the top of `ui`.
pub fn input_editor(
    ui: &mut Ui,
    port: &Port,
    ty: FieldType,
    mode: &InputMode,
    parameters: &[Parameter],
    tokens: &Tokens,
) -> Option<InputEdit> {
    let editor = InputEditor {
        name: &port.title,
        port,
        ty,
        mode,
        parameters,
        over_life: true,
    };
    let id = ui.id().with(("input", &port.name));
    let size = vec2(ui.available_width().min(260.0), ROW * rows(mode, ty) as f32);
    let (_, rect) = ui.allocate_space(size);
    editor.show_at(ui, rect, id, &Look::panel(tokens))
}

impl InputEditor<'_> {
    /// Paints it into `rect`, which is [`rows`] high, and says what happened.
    pub fn show_at(&self, ui: &mut Ui, rect: Rect, id: Id, look: &Look<'_>) -> Option<InputEdit> {
        let button = look.px(18.0);
        let first = Rect::from_min_size(rect.min, vec2(rect.width(), look.px(ROW)));
        let corner = pos2(rect.right() - button, first.center().y - button * 0.5);
        let menu = Rect::from_min_size(corner, vec2(button, button));
        let fields = Rect::from_min_max(rect.min, pos2(menu.left() - look.px(3.0), rect.bottom()));
        let edited = self.values(ui, fields, id, look);
        edited.or(self.menu(ui, menu, id.with("mode"), look)).happened()
    }

    fn row(&self, rect: Rect, index: usize, look: &Look<'_>) -> Rect {
        let middle = rect.top() + look.px(ROW * (index as f32 + 0.5));
        let half = look.px(FIELD) * 0.5;
        Rect::from_min_max(
            pos2(rect.left(), middle - half),
            pos2(rect.right(), middle + half),
        )
    }

    fn values(&self, ui: &mut Ui, rect: Rect, id: Id, look: &Look<'_>) -> InputEdit {
        let row = self.row(rect, 0, look);
        match self.mode {
            InputMode::Value(lanes) => {
                let default = self.default_value();
                self.lanes(ui, row, id, look, self.name, *lanes, default)
                    .map(|lanes| self.or_default(InputMode::Value(lanes)))
            }
            InputMode::Random { min, max } => self.random(ui, rect, id, look, *min, *max),
            InputMode::Curve(curve) | InputMode::SpeedCurve { curve, .. } => {
                let over = match self.mode {
                    InputMode::SpeedCurve { range, .. } => Over::Speed(*range),
                    _ => Over::Life,
                };
                curve_field(ui, row, id, look, &format!("{} curve", self.name), curve, over).map(
                    |(curve, over)| {
                        self.or_default(match over {
                            Over::Speed(range) => InputMode::SpeedCurve { curve, range },
                            _ => InputMode::Curve(curve),
                        })
                    },
                )
            }
            InputMode::Gradient(gradient) => {
                gradient_field(ui, row, id, look, &format!("{} gradient", self.name), gradient)
                    .map(|gradient| self.or_default(InputMode::Gradient(gradient)))
            }
            InputMode::Parameter(parameter) => {
                let fits = |p: &&Parameter| converts(p.ty, self.ty);
                let named = |p: &Parameter| (p.id.to_string(), p.name.clone());
                let choices: Vec<_> = self.parameters.iter().filter(fits).map(named).collect();
                let known = self.parameters.iter().find(|p| p.id == *parameter);
                let shown = known.map_or_else(|| format!("{parameter} (missing)"), |p| p.name.clone());
                let name = format!("{} parameter", self.name);
                let chosen = choice(ui, row, id, look, &name, &shown, &choices);
                let id = chosen.and_then(|id| crate::base::id::Id::new(&id).ok());
                id.map_or_else(Edited::default, |id| {
                    Edited::whole(Some(InputMode::Parameter(id)))
                })
            }
            InputMode::Unknown(_) => {
                let text = "From a newer version; kept as it is";
                let tokens = look.tokens;
                let font = look.font(11.5);
                let at = row.left_center();
                look.text(
                    ui.painter(),
                    at,
                    Align2::LEFT_CENTER,
                    text,
                    font,
                    tokens.text_dim,
                    row.width(),
                );
                Edited::default()
            }
        }
    }

    fn random(&self, ui: &mut Ui, rect: Rect, id: Id, look: &Look<'_>, min: Lanes, max: Lanes) -> InputEdit {
        let one_row = rows(self.mode, self.ty) == 1;
        let gap = look.px(9.0);
        let place = |index| {
            if one_row {
                column(self.row(rect, 0, look), 2, index, gap)
            } else {
                self.row(rect, index, look)
            }
        };
        if one_row {
            let at = self.row(rect, 0, look).center();
            let dim = look.tokens.text_dim;
            ui.painter()
                .text(at, Align2::CENTER_CENTER, "–", look.font(11.0), dim);
        }
        let low = self
            .lanes(
                ui,
                place(0),
                id.with("min"),
                look,
                &format!("{} min", self.name),
                min,
                None,
            )
            .map(|min| self.or_default(InputMode::Random { min, max }));
        let high = self
            .lanes(
                ui,
                place(1),
                id.with("max"),
                look,
                &format!("{} max", self.name),
                max,
                None,
            )
            .map(|max| self.or_default(InputMode::Random { min, max }));
        low.or(high)
    }

    #[allow(clippy::too_many_arguments, reason = "a place, a name and two values")]
    fn lanes(
        &self,
        ui: &mut Ui,
        rect: Rect,
        id: Id,
        look: &Look<'_>,
        name: &str,
        value: Lanes,
        default: Option<Lanes>,
    ) -> Edited<Lanes> {
        let name = match self.ty {
            FieldType::Color => format!("{name} colour"),
            ty if ty.width() == 1 => format!("{name} value"),
            _ => name.to_owned(),
        };
        let editor = ValueEditor {
            name: &name,
            port: self.port,
            ty: self.ty,
            unit: !matches!(self.mode, InputMode::Random { .. }),
            default,
        };
        editor.show_at(ui, rect, id, look, value)
    }

    fn default_value(&self) -> Option<Lanes> {
        match &self.port.default {
            InputMode::Value(lanes) => Some(*lanes),
            _ => None,
        }
    }

    /// The mode, or none where it says what the default says.
    fn or_default(&self, mode: InputMode) -> Option<InputMode> {
        if mode == self.port.default {
            return None;
        }
        if let (InputMode::Value(value), InputMode::Value(default)) = (&mode, &self.port.default)
            && widened(*default, self.ty) == *value
        {
            return None;
        }
        Some(mode)
    }

    fn menu(&self, ui: &mut Ui, rect: Rect, id: Id, look: &Look<'_>) -> InputEdit {
        let now = ModeKind::of(self.mode);
        let icon = now.map_or(egui_phosphor::regular::WARNING, ModeKind::icon);
        let response = icon_button(ui, rect, id, look, icon, &format!("{} mode", self.name));
        let tip = format!("{}. Click to choose how this gets its value.", self.mode.title());
        let response = response.on_hover_text(tip);
        let mut edited = Edited::default();
        Popup::menu(&response)
            .close_behavior(PopupCloseBehavior::CloseOnClick)
            .show(|ui| {
                ui.set_min_width(170.0);
                for kind in ModeKind::ALL {
                    let over_life =
                        matches!(kind, ModeKind::Curve | ModeKind::SpeedCurve | ModeKind::Gradient);
                    if !kind.suits(self.ty) || (over_life && !self.over_life && now != Some(kind)) {
                        continue;
                    }
                    let to = changed(self.mode, kind, self.ty, self.parameters);
                    let text = format!("{}  {}", kind.icon(), kind.title());
                    let button = egui::Button::selectable(now == Some(kind), text);
                    let item = ui.add_enabled(to.is_some(), button);
                    item.widget_info(|| {
                        egui::WidgetInfo::labeled(egui::WidgetType::Button, to.is_some(), kind.title())
                    });
                    if to.is_none() {
                        ui.label(egui::RichText::new(NO_PARAMETER).small().weak());
                    }
                    if item.clicked() && now != Some(kind) {
                        edited = Edited::whole(to);
                    }
                }
                ui.separator();
                let set = self.or_default(self.mode.clone()).is_some();
                let text = format!(
                    "{}  Back to the default",
                    egui_phosphor::regular::ARROW_COUNTER_CLOCKWISE
                );
                let item = ui.add_enabled(set, egui::Button::new(text));
                item.widget_info(|| {
                    egui::WidgetInfo::labeled(egui::WidgetType::Button, set, "Back to the default")
                });
                if item.clicked() {
                    edited = Edited::whole(None);
                }
            });
        edited
    }
}

/// A short text of what an input holds, for tooltips.
#[must_use]
pub fn summary(mode: &InputMode, ty: FieldType, parameters: &[Parameter]) -> String {
    let value = value_of(mode, ty, parameters);
    let numbers: Vec<String> = value.values().iter().map(|v| super::number::short(*v)).collect();
    format!("{}: {}", mode.title(), numbers.join(", "))
}
