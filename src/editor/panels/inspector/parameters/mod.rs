//! What the game may set: the effect's parameters.

mod edits;

use egui::{Id, RichText, Sense, Ui, WidgetInfo, WidgetType, vec2};

use super::field::{fields, row};
use super::section::{CARET, section};
use crate::artifact::{Parameter, ParameterRead};
use crate::document::{Document, Edit};
use crate::editor::action::{Action, Actions};
use crate::editor::panels::button;
use crate::editor::state::EditorState;
use crate::editor::theme::{Tokens, icon};
use crate::editor::widgets::look::{FIELD, Look, ROW, centred, column};
use crate::editor::widgets::menu::{checkbox, choice, icon_button, segments};
use crate::editor::widgets::number::shown_unit;
use crate::editor::widgets::value::{first_value, four, lanes_of, type_label};
use crate::editor::widgets::{Number, Text, ValueEditor};
use crate::graph::kind::PortType;
use crate::graph::{InputMode, Port};
use crate::layout::FieldType;

/// When a parameter is read.
const READS: [(ParameterRead, &str); 2] = [
    (ParameterRead::Step, "Every step"),
    (ParameterRead::Birth, "At birth"),
];

/// Says what parameters are for where there are none.
const PURPOSE: &str = "Values that the game sets while the effect plays, such as how strong the wind is or \
    the colour of a team. An input reads one in its mode Parameter.";

pub(super) fn show(ui: &mut Ui, state: &EditorState, actions: &mut Actions) {
    let document = state.document();
    let tokens = state.tokens();
    let count = match document.parameters().len() {
        0 => "none".to_owned(),
        count => count.to_string(),
    };
    section(ui, &tokens, "Parameters", &count, true, |ui| {
        if document.parameters().is_empty() {
            ui.label(RichText::new(PURPOSE).color(tokens.text_dim));
        }
        for parameter in document.parameters() {
            let card = Card {
                document,
                parameter,
                tokens: &tokens,
            };
            card.show(ui, actions);
            ui.add_space(4.0);
        }
        let add = ui.button(format!("{}  Parameter", icon::PLUS));
        button::name(&add, "Add parameter");
        if add
            .on_hover_text("Declares a value that the game may set")
            .clicked()
        {
            let parameter = edits::new(document);
            // The first thing to do with a new one is to name it.
            let id = Id::new(("parameter", &parameter.id));
            ui.data_mut(|data| data.insert_temp(id.with("open"), true));
            ui.data_mut(|data| data.insert_temp(id.with("fresh"), true));
            actions.edit("Add parameter", Edit::AddParameter { parameter });
        }
    });
}

/// Whether a type's values are measured in something.
const fn has_unit(ty: FieldType) -> bool {
    !matches!(ty, FieldType::Color | FieldType::Quat | FieldType::Bool)
}

/// One parameter: its name and default, and what else is set on it unfolded below.
struct Card<'a> {
    document: &'a Document,
    parameter: &'a Parameter,
    tokens: &'a Tokens,
}

impl Card<'_> {
    fn id(&self) -> Id {
        Id::new(("parameter", &self.parameter.id))
    }

    fn name(&self, what: &str) -> String {
        format!("Parameter {} · {what}", self.parameter.name)
    }

    fn look(&self) -> Look<'_> {
        Look::panel(self.tokens)
    }

    /// The edit that changes it.
    fn change(&self, put: impl FnOnce(&mut Parameter)) -> Vec<Edit> {
        let mut parameter = self.parameter.clone();
        put(&mut parameter);
        vec![Edit::SetParameter { parameter }]
    }

    fn label(&self, what: &str) -> String {
        format!("Change {what} of {}", self.parameter.name)
    }

    fn show(&self, ui: &mut Ui, actions: &mut Actions) {
        let open = self.head(ui, actions);
        self.default(ui, actions);
        if open {
            self.ty(ui, actions);
            if edits::has_range(self.parameter.ty) {
                self.range(ui, actions);
            }
            if has_unit(self.parameter.ty) {
                self.unit(ui, actions);
            }
            self.read(ui, actions);
        }
    }

    /// The row of its name. Says whether the card is unfolded.
    fn head(&self, ui: &mut Ui, actions: &mut Actions) -> bool {
        let look = self.look();
        let id = self.id();
        let (_, rect) = ui.allocate_space(vec2(ui.available_width(), ROW));
        let open_id = id.with("open");
        let open = ui.data(|data| data.get_temp::<bool>(open_id)).unwrap_or(false);
        let (caret, rest) = rect.split_left_right_at_x(rect.left() + CARET);
        let (name, bin) = rest.split_left_right_at_x(rest.right() - ROW);
        let response = ui.interact(caret, id.with("caret"), Sense::click());
        let title = self.name("more");
        response.widget_info(|| WidgetInfo::selected(WidgetType::CollapsingHeader, true, open, &title));
        if response.clicked() {
            ui.data_mut(|data| data.insert_temp(open_id, !open));
        }
        let color = if response.hovered() {
            self.tokens.text
        } else {
            self.tokens.text_dim
        };
        let glyph = if open { icon::CARET_DOWN } else { icon::CARET_RIGHT };
        let at = caret.left_center();
        ui.painter()
            .text(at, egui::Align2::LEFT_CENTER, glyph, look.font(11.0), color);
        response.on_hover_text("Type, range and unit");

        let title = self.name("name");
        let text = Text {
            name: &title,
            value: &self.parameter.name,
            hint: "Name",
            doc: "The name by which the game sets it",
        };
        // Only what is on the screen may be given the focus.
        if ui
            .data_mut(|data| data.remove_temp::<bool>(id.with("fresh")))
            .is_some()
        {
            ui.memory_mut(|memory| memory.request_focus(id.with("name")));
            // With room for what is unfolded below.
            ui.scroll_to_rect(rect.with_max_y(rect.bottom() + 7.0 * ROW), None);
        }
        let place = centred(name, FIELD).with_max_x(name.right() - 2.0);
        let check = |name: &str| edits::check_name(self.document, &self.parameter.id, name);
        let edited = text.show_at(ui, place, id.with("name"), &look, check);
        edited.send(actions, &format!("Rename {}", self.parameter.name), |name| {
            self.change(|p| p.name = name)
        });

        let bin = icon_button(
            ui,
            bin,
            id.with("remove"),
            &look,
            icon::TRASH,
            &self.name("remove"),
        );
        if bin.clicked() {
            actions.push(Action::Step {
                label: format!("Remove {}", self.parameter.name),
                edits: edits::remove(self.document, self.parameter),
            });
        }
        bin.on_hover_ui(|ui| {
            let tip = match edits::readers(self.document, &self.parameter.id) {
                0 => "Removes it. Nothing reads it.".to_owned(),
                1 => "Removes it. What reads it takes its default.".to_owned(),
                count => format!("Removes it. The {count} that read it take its default."),
            };
            ui.label(tip);
        });
        open
    }

    fn default(&self, ui: &mut Ui, actions: &mut Actions) {
        let p = self.parameter;
        let tip = "What it is until the game sets it";
        let unit = shown_unit(&p.unit);
        // Numbers side by side have no room for it.
        let title = if p.ty.width() > 1 && has_unit(p.ty) && !unit.is_empty() {
            format!("      default, {unit}")
        } else {
            "      default".to_owned()
        };
        row(ui, self.tokens, &title, tip, |ui| {
            let rect = fields(ui, 0.0);
            let first = InputMode::Value(lanes_of(p.ty, first_value(p.ty)));
            let port = Port {
                unit: p.unit.clone(),
                min: p.range.map(|range| range[0]),
                max: p.range.map(|range| range[1]),
                ..Port::new("default", PortType::Of(p.ty), first).doc(tip)
            };
            let mut fallback = Parameter {
                default: first_value(p.ty),
                ..p.clone()
            };
            edits::keep_in_range(&mut fallback);
            let name = self.name("default");
            let editor = ValueEditor {
                name: &name,
                port: &port,
                ty: p.ty,
                unit: true,
                default: Some(lanes_of(p.ty, fallback.default)),
            };
            let value = lanes_of(p.ty, p.default);
            let edited = editor.show_at(ui, rect, self.id().with("default"), &self.look(), value);
            edited.send(actions, &self.label("default"), |value| {
                self.change(|p| p.default = four(p.ty, value))
            });
        });
    }

    fn ty(&self, ui: &mut Ui, actions: &mut Actions) {
        let p = self.parameter;
        row(ui, self.tokens, "      type", "What it holds", |ui| {
            let rect = fields(ui, 0.0);
            let id = self.id().with("type");
            let shown = type_label(p.ty);
            let chosen = choice(
                ui,
                rect,
                id,
                &self.look(),
                &self.name("type"),
                &shown,
                &super::types(),
            );
            let chosen = chosen.and_then(|name| FieldType::ALL.into_iter().find(|ty| ty.name() == name));
            if let Some(ty) = chosen.filter(|ty| *ty != p.ty) {
                actions.push(Action::Step {
                    label: self.label("type"),
                    edits: self.change(|p| edits::set_type(p, ty)),
                });
            }
        });
    }

    fn range(&self, ui: &mut Ui, actions: &mut Actions) {
        let p = self.parameter;
        let tip = "Smallest and largest sensible value";
        row(ui, self.tokens, "      range", tip, |ui| {
            let rect = fields(ui, 0.0);
            let look = self.look();
            let (square, ends) = rect.split_left_right_at_x(rect.left() + rect.height() + 4.0);
            let square = square.with_max_x(rect.left() + rect.height());
            let id = self.id().with("range");
            if checkbox(ui, square, id, &look, &self.name("range"), p.range.is_some()) {
                let range = match p.range {
                    Some(_) => None,
                    None => Some(edits::first_range(p)),
                };
                actions.push(Action::Step {
                    label: self.label("range"),
                    edits: self.change(|p| p.range = range),
                });
            }
            let Some(range) = p.range else {
                let at = ends.left_center() + vec2(2.0, 0.0);
                let (font, dim) = (look.font(12.0), self.tokens.text_dim);
                let align = egui::Align2::LEFT_CENTER;
                look.text(ui.painter(), at, align, "any value", font, dim, ends.width());
                return;
            };
            for (end, what) in ["range min", "range max"].into_iter().enumerate() {
                let name = self.name(what);
                let number = Number {
                    unit: &p.unit,
                    unit_hidden: true,
                    doc: tip,
                    ..Number::new(&name, range[end])
                };
                let edited = number.show_at(ui, column(ends, 2, end, 3.0), id.with(end), &look);
                edited.send(actions, &self.label("range"), |value| {
                    self.change(|p| edits::set_end(p, end, value))
                });
            }
        });
    }

    fn read(&self, ui: &mut Ui, actions: &mut Actions) {
        let tip = "Whether a change reaches particles that live already, or only those born after it. Read at birth, a \
                   parameter that is used every frame takes words of the record.";
        row(ui, self.tokens, "      read", tip, |ui| {
            let rect = fields(ui, 0.0);
            let (id, look, name) = (self.id().with("read"), self.look(), self.name("read"));
            if let Some(read) = segments(ui, rect, id, &look, &name, self.parameter.read, &READS) {
                let (label, edits) = (self.label("reading"), self.change(|p| p.read = read));
                actions.push(Action::Step { label, edits });
            }
        });
    }

    fn unit(&self, ui: &mut Ui, actions: &mut Actions) {
        let p = self.parameter;
        let tip = "Stands behind the value, such as m/s. With rad the value is shown in degrees.";
        row(ui, self.tokens, "      unit", tip, |ui| {
            let rect = fields(ui, 0.0);
            let name = self.name("unit");
            let text = Text {
                name: &name,
                value: &p.unit,
                hint: "none",
                doc: tip,
            };
            let edited = text.show_at(ui, rect, self.id().with("unit"), &self.look(), |_| Ok(()));
            edited.send(actions, &self.label("unit"), |unit| {
                self.change(|p| p.unit = unit)
            });
        });
    }
}
