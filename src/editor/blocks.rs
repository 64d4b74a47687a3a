//! The block list: both chains of an emitter as rows, so that an effect can be made without wires.

use std::collections::BTreeSet;

use egui::{
    Align2, CursorIcon, Id as UiId, PointerButton, Rect, Sense, Stroke, Ui, WidgetInfo, WidgetType, pos2,
    vec2,
};

use super::canvas::edits::{self, Target};
use super::canvas::model::{Model, NodeModel};
use super::canvas::{self, CanvasInput, keys, node};
use super::palette::{Outcome, Palette};
use crate::base::diag::{Diagnostic, FlowKind};
use crate::base::id::Id;
use crate::document::Edit;
use crate::editor::action::{Action, Actions};
use crate::editor::theme::Tokens;
use crate::editor::widgets::input::{InputEditor, rows};
use crate::editor::widgets::look::{FIELD, Look, ROW, centred};
use crate::editor::widgets::menu::{checkbox, icon_button};
use crate::editor::widgets::number::shown_unit;
use crate::editor::widgets::settings::{self, SettingEditor};
use crate::graph::{InputMode, Node};

/// Height of a block's row.
const BLOCK: f32 = 28.0;

/// Shows both flows' blocks from the top of `ui`.
///
/// The flow in `input` is the one that the canvas shows; the list shows both.
pub fn show(ui: &mut Ui, input: &CanvasInput<'_>, actions: &mut Actions) {
    let top = ui.cursor().min;
    for flow in FlowKind::ALL {
        let input = CanvasInput { flow, ..*input };
        section(ui, &input, actions);
        ui.add_space(8.0);
    }
    let area = Rect::from_min_max(top, pos2(ui.max_rect().right(), ui.cursor().top()));
    if ui.rect_contains_pointer(area) && !egui::DragAndDrop::has_any_payload(ui.ctx()) {
        for flow in FlowKind::ALL {
            keys::edit(ui, &CanvasInput { flow, ..*input }, actions);
        }
    }
}

fn section(ui: &mut Ui, input: &CanvasInput<'_>, actions: &mut Actions) {
    let Some(emitter) = input.document.emitter(input.emitter) else {
        return;
    };
    let model = Model::new(emitter, input.flow, input.document);
    let flow = emitter.flow(input.flow);
    let id = UiId::new(("blocks", input.emitter, input.flow.name()));
    heading(ui, input, id, model.blocks().count(), actions);
    if flow.blocks.is_empty() {
        let (_, rect) = ui.allocate_space(vec2(ui.available_width(), 116.0));
        empty(ui, input, rect, actions);
        return;
    }
    let problems = node::problems(input);
    ui.spacing_mut().item_spacing.y = 2.0;
    let mut drop_line: Option<(usize, f32)> = None;
    let held = ui.data(|data| data.get_temp::<Option<Id>>(id)).flatten();
    let pointer = ui.input(|i| i.pointer.latest_pos());
    let count = flow.blocks.len();
    for (index, (made, node)) in model.blocks().zip(&flow.blocks).enumerate() {
        let list = problems.get(&node.id).map_or(&[][..], Vec::as_slice);
        let rect = block(ui, input, &model, made, node, list, actions);
        if held.is_some()
            && let Some(at) = pointer
        {
            if at.y < rect.center().y && drop_line.is_none() {
                drop_line = Some((index, rect.top() - 1.0));
            } else if index + 1 == count && drop_line.is_none() {
                drop_line = Some((count, rect.bottom() + 1.0));
            }
        }
    }
    if let (Some(held), Some((gap, y))) = (held, drop_line) {
        let line = Stroke::new(2.0, input.tokens.accent);
        ui.painter().hline(ui.max_rect().x_range(), y, line);
        if !ui.input(|i| i.pointer.primary_down()) {
            ui.data_mut(|data| data.insert_temp::<Option<Id>>(id, None));
            drop_block(input, &held, gap, actions);
        }
    }
}

fn drop_block(input: &CanvasInput<'_>, node: &Id, gap: usize, actions: &mut Actions) {
    let flow = input.document.emitter(input.emitter).map(|e| e.flow(input.flow));
    let Some(from) = flow.and_then(|flow| flow.block_index(node)) else {
        return;
    };
    // The gap counts the block itself, which will be out of the way.
    let to = if gap > from { gap - 1 } else { gap };
    let edits = input.target().reorder(node, to);
    if !edits.is_empty() {
        let label = "Reorder blocks".to_owned();
        actions.push(Action::Step { label, edits });
    }
}

fn heading(ui: &mut Ui, input: &CanvasInput<'_>, id: UiId, count: usize, actions: &mut Actions) {
    let tokens = input.tokens;
    let look = Look::panel(tokens);
    let (_, rect) = ui.allocate_space(vec2(ui.available_width(), BLOCK));
    let name = Rect::from_min_max(rect.min, pos2(rect.right() - 30.0, rect.bottom()));
    let response = ui.interact(name, id.with("heading"), Sense::click());
    response.widget_info(|| {
        WidgetInfo::labeled(WidgetType::Button, true, format!("Show {}", input.flow.title()))
    });
    if response.on_hover_text("Show on the canvas").clicked() {
        actions.push(Action::ShowFlow(input.flow));
    }
    let at = rect.left_center() + vec2(6.0, 0.0);
    let shown = ui.painter().text(
        at,
        Align2::LEFT_CENTER,
        input.flow.title(),
        look.font(13.5),
        tokens.text,
    );
    let at = shown.right_center() + vec2(8.0, 0.0);
    ui.painter().text(
        at,
        Align2::LEFT_CENTER,
        count.to_string(),
        look.mono(11.0),
        tokens.text_dim,
    );
    let plus = Rect::from_center_size(pos2(rect.right() - 15.0, rect.center().y), vec2(22.0, 22.0));
    let label = format!("Add block to {}", input.flow.title());
    let response = icon_button(
        ui,
        plus,
        id.with("add"),
        &look,
        egui_phosphor::regular::PLUS,
        &label,
    );
    let open_id = id.with("palette");
    if response.clone().on_hover_text(label).clicked() {
        let at = pos2(plus.left() - 8.0, plus.bottom() + 4.0);
        ui.data_mut(|data| data.insert_temp(open_id, Some(Palette::new(at))));
    }
    let open = ui
        .data(|data| data.get_temp::<Option<Palette>>(open_id))
        .flatten();
    if let Some(mut palette) = open {
        let outcome = palette.show(
            ui,
            open_id.with("area"),
            input.document.registry(),
            input.flow,
            tokens,
            |kind| kind.block,
        );
        let next = match outcome {
            Outcome::Open => Some(palette),
            Outcome::Closed => None,
            Outcome::Picked(kind) => {
                canvas::add(input, &kind, [0.0; 2], None, actions);
                None
            }
        };
        ui.data_mut(|data| data.insert_temp(open_id, next));
    }
}

/// A block's row and, where it is selected, its inputs.
fn block(
    ui: &mut Ui,
    input: &CanvasInput<'_>,
    model: &Model,
    made: &NodeModel,
    node: &Node,
    problems: &[&Diagnostic],
    actions: &mut Actions,
) -> Rect {
    let tokens = input.tokens;
    let look = Look::panel(tokens);
    let id = UiId::new(("block", input.emitter, &made.id));
    let list = UiId::new(("blocks", input.emitter, input.flow.name()));
    let selected = keys::selected(input).contains(&made.id);
    let (_, rect) = ui.allocate_space(vec2(ui.available_width(), BLOCK));
    let response = ui.interact(rect, id, Sense::click_and_drag());
    let title = format!("Block {}", made.title);
    response.widget_info(|| WidgetInfo::selected(WidgetType::SelectableLabel, true, selected, &title));
    let hovered = ui.rect_contains_pointer(rect);
    let ground = if selected {
        tokens.selection.gamma_multiply(0.22)
    } else if hovered {
        tokens.surface_high
    } else {
        tokens.surface_high.gamma_multiply(0.55)
    };
    ui.painter().rect_filled(rect, 4.0, ground);
    let stripe = Rect::from_min_size(rect.min, vec2(3.0, rect.height()));
    ui.painter()
        .rect_filled(stripe, 2.0, tokens.category(&made.category));
    if response.clicked() {
        let add = ui.input(|i| i.modifiers.shift || i.modifiers.command);
        let mut nodes = BTreeSet::from([made.id.clone()]);
        if add {
            nodes.extend(keys::selected(input));
        } else if selected && input.selection.nodes.len() == 1 {
            nodes.clear();
        }
        edits::select(input.emitter, nodes, actions);
        actions.push(Action::ShowFlow(input.flow));
    }
    handle(ui, rect, id, list, &look, made, &response);
    let square = Rect::from_center_size(pos2(rect.left() + 34.0, rect.center().y), vec2(18.0, 18.0));
    let name = format!("Mute {}", made.title);
    if checkbox(ui, square, id.with("mute"), &look, &name, !made.muted) {
        let label = if made.muted {
            format!("Unmute {}", made.title)
        } else {
            name
        };
        let edit = Edit::SetMuted {
            emitter: input.emitter.clone(),
            node: made.id.clone(),
            muted: !made.muted,
        };
        actions.edit(&label, edit);
    }
    let mut right = rect.right() - 6.0;
    if hovered || selected {
        let bin = Rect::from_center_size(pos2(right - 9.0, rect.center().y), vec2(20.0, 20.0));
        let name = format!("Delete {}", made.title);
        let response = icon_button(
            ui,
            bin,
            id.with("delete"),
            &look,
            egui_phosphor::regular::TRASH,
            &name,
        );
        if response.on_hover_text(format!("{name} (Delete)")).clicked() {
            edits::delete(input.target(), &BTreeSet::from([made.id.clone()]), actions);
        }
        right -= 24.0;
    }
    if let Some(color) = node::problem_color(problems, tokens) {
        let mark = Rect::from_center_size(pos2(right - 9.0, rect.center().y), vec2(18.0, 18.0));
        let icon = egui_phosphor::regular::WARNING_CIRCLE;
        ui.painter()
            .text(mark.center(), Align2::CENTER_CENTER, icon, look.font(15.0), color);
        let hover = ui.interact(mark, id.with("problem"), Sense::hover());
        hover.on_hover_ui(|ui| node::problem_lines(ui, problems, tokens));
        right -= 22.0;
    }
    let ink = if made.muted { tokens.text_dim } else { tokens.text };
    let at = pos2(rect.left() + 50.0, rect.center().y);
    look.text(
        ui.painter(),
        at,
        Align2::LEFT_CENTER,
        &made.title,
        look.font(13.0),
        ink,
        right - at.x,
    );
    let mut whole = rect;
    if selected {
        whole = whole.union(unfolded(ui, input, model, made, node, &look, actions));
    }
    whole
}

fn handle(
    ui: &Ui,
    rect: Rect,
    id: UiId,
    list: UiId,
    look: &Look<'_>,
    made: &NodeModel,
    row: &egui::Response,
) {
    let grip = Rect::from_center_size(pos2(rect.left() + 14.0, rect.center().y), vec2(18.0, 22.0));
    let response = ui.interact(grip, id.with("grip"), Sense::drag());
    let name = format!("Drag {}", made.title);
    response.widget_info(|| WidgetInfo::labeled(WidgetType::Other, true, &name));
    let color = if response.hovered() {
        look.tokens.text
    } else {
        look.tokens.text_dim
    };
    let icon = egui_phosphor::regular::DOTS_SIX_VERTICAL;
    ui.painter()
        .text(grip.center(), Align2::CENTER_CENTER, icon, look.font(14.0), color);
    let started =
        response.drag_started_by(PointerButton::Primary) || row.drag_started_by(PointerButton::Primary);
    if started {
        ui.data_mut(|data| data.insert_temp::<Option<Id>>(list, Some(made.id.clone())));
    }
    if response.dragged() || row.dragged() {
        ui.ctx().set_cursor_icon(CursorIcon::Grabbing);
    }
    response.on_hover_cursor(CursorIcon::Grab);
}

/// Edits the choices and inputs of a node in rows from the top of `ui`, as the inspector does.
pub fn inputs(ui: &mut Ui, input: &CanvasInput<'_>, id: &Id, actions: &mut Actions) {
    let Some(emitter) = input.document.emitter(input.emitter) else {
        return;
    };
    let model = Model::new(emitter, input.flow, input.document);
    if let (Some(made), Some(node)) = (model.node(id), emitter.flow(input.flow).node(id)) {
        let look = Look::panel(input.tokens);
        unfolded(ui, input, &model, made, node, &look, actions);
    }
}

/// The choices and inputs of a selected block.
fn unfolded(
    ui: &mut Ui,
    input: &CanvasInput<'_>,
    model: &Model,
    made: &NodeModel,
    node: &Node,
    look: &Look<'_>,
    actions: &mut Actions,
) -> Rect {
    let tokens = look.tokens;
    let width = ui.available_width();
    let start = ui.cursor().min;
    let base = ui.id().with(("block-inputs", input.emitter, &made.id));
    let (document, target) = (input.document, input.target());
    let line = |ui: &mut Ui, title: &str, unit: &str, count: usize| {
        let (_, rect) = ui.allocate_space(vec2(width, ROW * count as f32));
        let first = Rect::from_min_size(rect.min, vec2(width, ROW));
        let room = (width * 0.36).clamp(80.0, 130.0);
        let at = first.left_center() + vec2(14.0, 0.0);
        let shown = look.text(
            ui.painter(),
            at,
            Align2::LEFT_CENTER,
            title,
            look.font(12.0),
            tokens.text,
            room - 18.0,
        );
        let left = room - 18.0 - shown.width();
        if !unit.is_empty() && left > look.width(ui, unit, look.font(10.5)) + 4.0 {
            let at = pos2(shown.right() + 4.0, first.center().y);
            look.text(
                ui.painter(),
                at,
                Align2::LEFT_CENTER,
                unit,
                look.font(10.5),
                tokens.text_dim,
                left,
            );
        }
        Rect::from_min_max(
            pos2(rect.left() + room, rect.top()),
            pos2(rect.right() - 6.0, rect.bottom()),
        )
    };
    if let (Some(special), Some(emitter)) = (made.special, document.emitter(input.emitter)) {
        for name in settings::names(special, node) {
            let shown = settings::title(special, node, name);
            let rect = line(ui, &shown, "", 1);
            let title = format!("{}:", made.title);
            let editor = SettingEditor {
                title: &title,
                node,
                special,
                name,
                emitter,
                scope: &model.scope,
                parameters: document.parameters(),
            };
            let edited = editor.show_at(ui, centred(rect, FIELD), base.with(("setting", name)), look);
            edited.send(actions, &format!("Change {name} of {}", made.title), |value| {
                vec![Edit::SetSetting {
                    emitter: input.emitter.clone(),
                    node: made.id.clone(),
                    name: name.to_owned(),
                    value: Some(value),
                }]
            });
        }
    }
    for entry in &made.inputs {
        let mode = node.inputs.get(&entry.port.name).unwrap_or(&entry.port.default);
        if let Some(source) = &entry.source {
            let rect = line(ui, &entry.port.title, "", 1);
            let text = format!("from {}", model.title(&source.node));
            let at = rect.left_center();
            look.text(
                ui.painter(),
                at,
                Align2::LEFT_CENTER,
                &text,
                look.font(12.0),
                tokens.text_dim,
                rect.width(),
            );
            continue;
        }
        let in_field = entry.edits.width() == 1 && !matches!(mode, InputMode::Random { .. });
        let unit = if in_field {
            ""
        } else {
            shown_unit(&entry.port.unit)
        };
        let rect = line(ui, &entry.port.title, unit, rows(mode, entry.edits));
        let name = format!("{}: {}", made.title, entry.port.title.to_lowercase());
        let editor = InputEditor {
            name: &name,
            port: &entry.port,
            ty: entry.edits,
            mode,
            parameters: document.parameters(),
            over_life: input.flow == FlowKind::EveryFrame,
        };
        if let Some(edited) = editor.show_at(ui, rect, base.with(&entry.port.name), look) {
            let label = format!("Change {} of {}", entry.port.title.to_lowercase(), made.title);
            edited.send(actions, &label, |mode| {
                target.set_input(&made.id, &entry.port.name, mode)
            });
        }
    }
    if made.inputs.is_empty() && made.special.is_none() {
        let (_, rect) = ui.allocate_space(vec2(width, ROW));
        let at = rect.left_center() + vec2(14.0, 0.0);
        let text = if made.description.is_empty() {
            "Nothing to set."
        } else {
            &made.description
        };
        look.text(
            ui.painter(),
            at,
            Align2::LEFT_CENTER,
            text,
            look.font(12.0),
            tokens.text_dim,
            width - 20.0,
        );
    }
    ui.add_space(4.0);
    Rect::from_min_max(start, pos2(start.x + width, ui.cursor().top()))
}

/// What an empty chain offers: kinds by id.
#[must_use]
pub const fn offers(flow: FlowKind) -> &'static [&'static str] {
    match flow {
        FlowKind::Birth => &["shape_point", "velocity_fixed", "birth_lifetime"],
        FlowKind::EveryFrame => &["gravity", "drag", "color_over_life"],
    }
}

/// Teaches what an empty chain is for, and offers three blocks to begin with.
pub fn empty(ui: &mut Ui, input: &CanvasInput<'_>, rect: Rect, actions: &mut Actions) {
    let tokens: &Tokens = input.tokens;
    let look = Look::panel(tokens);
    let text = match input.flow {
        FlowKind::Birth => {
            "Nothing is set at birth yet: particles start at the emitter and stand still. Begin with"
        }
        FlowKind::EveryFrame => "Nothing happens to particles yet. Begin with",
    };
    let width = rect.width().min(340.0) - 24.0;
    let job = egui::text::LayoutJob::simple(text.to_owned(), look.font(12.5), tokens.text_dim, width);
    let galley = ui.painter().layout_job(job);
    let at = rect.min + vec2(12.0, 6.0);
    let mut y = at.y + galley.size().y + 8.0;
    ui.painter().galley(at, galley, tokens.text_dim);
    let mut x = at.x;
    let target: Target<'_> = input.target();
    for kind in offers(input.flow)
        .iter()
        .filter_map(|id| input.document.registry().get(id))
    {
        let size = vec2(look.width(ui, &kind.title, look.font(12.5)) + 20.0, 26.0);
        if x + size.x > rect.right() && x > at.x {
            x = at.x;
            y += 30.0;
        }
        let button = Rect::from_min_size(pos2(x, y), size);
        x += size.x + 6.0;
        let id = ui.id().with(("offer", input.flow.name(), &kind.id));
        let response = ui.interact(button, id, Sense::click());
        let name = format!("Add {}", kind.title);
        response.widget_info(|| WidgetInfo::labeled(WidgetType::Button, true, &name));
        let line = if response.hovered() {
            tokens.accent
        } else {
            tokens.line
        };
        ui.painter().rect(
            button,
            4.0,
            tokens.surface_high,
            Stroke::new(1.0, line),
            egui::StrokeKind::Inside,
        );
        let color = tokens.text;
        ui.painter().text(
            button.center(),
            Align2::CENTER_CENTER,
            &kind.title,
            look.font(12.5),
            color,
        );
        if response.on_hover_text(&kind.description).clicked() {
            match target.add(kind, [0.0; 2], None, Vec::new()) {
                Ok((id, edits)) => {
                    actions.push(Action::Step { label: name, edits });
                    edits::select(input.emitter, BTreeSet::from([id]), actions);
                }
                Err(sentence) => actions.push(Action::Say(sentence)),
            }
        }
    }
}
