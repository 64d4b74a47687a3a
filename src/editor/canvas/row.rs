//! A node's rows: outputs, choices, and inputs with their editors.

use egui::{Align2, Color32, Id as UiId, Rect, Sense, Ui, pos2, vec2};

use super::edits::Target;
use super::model::{Input, NodeModel, Row, RowKind};
use super::node::{Around, problem_lines};
use crate::base::diag::{Diagnostic, FlowKind};
use crate::document::Edit;
use crate::editor::action::Actions;
use crate::editor::widgets::input::InputEditor;
use crate::editor::widgets::look::{Look, ROW, centred};
use crate::editor::widgets::number::shown_unit;
use crate::editor::widgets::settings::SettingEditor;
use crate::graph::Node;

/// Where a row's title ends and its field begins, from the node's left.
fn title_end(model: &NodeModel) -> f32 {
    if model.rect.width() > 280.0 { 112.0 } else { 96.0 }
}

#[allow(
    clippy::too_many_arguments,
    reason = "a place, a node, a row and what is around it"
)]
pub(super) fn show(
    ui: &mut Ui,
    rect: Rect,
    id: UiId,
    look: &Look<'_>,
    around: &Around<'_, '_>,
    model: &NodeModel,
    node: &Node,
    row: Row,
    problems: &[&Diagnostic],
    actions: &mut Actions,
) {
    let tokens = look.tokens;
    let top = rect.top() + look.px(row.top);
    let whole = Rect::from_min_max(
        pos2(rect.left() + look.px(12.0), top),
        pos2(rect.right() - look.px(8.0), top + look.px(row.height)),
    );
    let field = Rect::from_min_max(pos2(rect.left() + look.px(title_end(model)), top), whole.max);
    let first = Rect::from_min_size(whole.min, vec2(whole.width(), look.px(ROW)));
    let title = |ui: &Ui, text: &str, color: Color32, width: f32| {
        look.text(
            ui.painter(),
            first.left_center(),
            Align2::LEFT_CENTER,
            text,
            look.font(12.0),
            color,
            width,
        )
    };
    let (document, emitter_id) = (around.input.document, around.input.emitter);
    match row.kind {
        RowKind::Output(index) => {
            let Some(output) = model.outputs.get(index) else {
                return;
            };
            let at = first.right_center() - vec2(look.px(4.0), 0.0);
            look.text(
                ui.painter(),
                at,
                Align2::RIGHT_CENTER,
                &output.port.title,
                look.font(12.0),
                tokens.text,
                first.width(),
            );
        }
        RowKind::Setting(name) => {
            let (Some(special), Some(emitter)) = (model.special, document.emitter(emitter_id)) else {
                return;
            };
            let shown = crate::editor::widgets::settings::title(special, node, name);
            title(
                ui,
                &shown,
                tokens.text,
                field.left() - first.left() - look.px(4.0),
            );
            let editor = SettingEditor {
                title: &model.title,
                node,
                special,
                name,
                emitter,
                scope: &around.model.scope,
                parameters: document.parameters(),
            };
            let place = centred(field, look.px(crate::editor::widgets::look::FIELD));
            let edited = editor.show_at(ui, place, id.with(("setting", name)), look);
            edited.send(
                actions,
                &format!("Change {} of {}", shown.to_lowercase(), model.title),
                |value| {
                    vec![Edit::SetSetting {
                        emitter: emitter_id.clone(),
                        node: model.id.clone(),
                        name: name.to_owned(),
                        value: Some(value),
                    }]
                },
            );
        }
        RowKind::Input(index) => {
            let Some(input) = model.inputs.get(index) else {
                return;
            };
            let bad = problems
                .iter()
                .any(|d| d.place.port.as_deref() == Some(&input.port.name));
            let color = if bad { tokens.error } else { tokens.text };
            let room = if input.source.is_some() {
                first.width() * 0.6
            } else {
                field.left() - first.left() - look.px(4.0)
            };
            let shown = title(ui, &input.port.title, color, room);
            let in_field = input.edits.width() == 1 && input.source.is_none() && !input.port.unit.is_empty();
            let in_field =
                in_field && !matches!(mode_of(node, input), crate::graph::InputMode::Random { .. });
            if !input.port.unit.is_empty() && !in_field {
                let at = pos2(shown.right() + look.px(4.0), first.center().y);
                let left = room - shown.width() - look.px(4.0);
                let unit = look.font(10.5);
                if left > look.width(ui, shown_unit(&input.port.unit), unit.clone()) {
                    look.text(
                        ui.painter(),
                        at,
                        Align2::LEFT_CENTER,
                        shown_unit(&input.port.unit),
                        unit,
                        tokens.text_dim,
                        left,
                    );
                }
            }
            let hover = Rect::from_min_max(first.min, pos2(field.left(), first.bottom()));
            let doc = ui.interact(hover, id.with(("doc", index)), Sense::hover());
            doc.on_hover_ui(|ui| {
                for problem in problems
                    .iter()
                    .filter(|d| d.place.port.as_deref() == Some(&input.port.name))
                {
                    problem_lines(ui, &[problem], tokens);
                }
                let unit = if input.port.unit.is_empty() {
                    String::new()
                } else {
                    format!(", in {}", shown_unit(&input.port.unit))
                };
                ui.label(format!("{}{unit}", input.port.title));
                if !input.port.doc.is_empty() {
                    ui.label(&input.port.doc);
                }
            });
            if let Some(source) = &input.source {
                let text = around.model.title(&source.node);
                let at = first.right_center();
                look.text(
                    ui.painter(),
                    at,
                    Align2::RIGHT_CENTER,
                    &text,
                    look.font(11.0),
                    tokens.text_dim,
                    first.width() * 0.5,
                );
                return;
            }
            let name = model.port_name(&input.port);
            let editor = InputEditor {
                name: &name,
                port: &input.port,
                ty: input.edits,
                mode: mode_of(node, input),
                parameters: document.parameters(),
                over_life: around.input.flow == FlowKind::EveryFrame,
            };
            if let Some(edited) = editor.show_at(ui, field, id.with(("input", &input.port.name)), look) {
                let target = Target {
                    document,
                    emitter: emitter_id,
                    flow: around.input.flow,
                };
                let label = format!("Change {} of {}", input.port.title.to_lowercase(), model.title);
                edited.send(actions, &label, |mode| {
                    target.set_input(&model.id, &input.port.name, mode)
                });
            }
        }
    }
}

fn mode_of<'a>(node: &'a Node, input: &'a Input) -> &'a crate::graph::InputMode {
    node.inputs.get(&input.port.name).unwrap_or(&input.port.default)
}
