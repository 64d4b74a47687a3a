//! A node on the canvas: its frame, header and ports.

use std::collections::HashMap;

use egui::{
    Align2, Color32, CornerRadius, Id as UiId, PointerButton, Pos2, Rect, Sense, Stroke, StrokeKind, Ui,
    UiBuilder, WidgetInfo, WidgetType, pos2, vec2,
};

use super::CanvasInput;
use super::model::{HEADER, Model, NodeModel};
use super::row;
use super::view::View;
use crate::base::diag::{Diagnostic, FlowKind, Severity};
use crate::base::id::Id;
use crate::document::Edit;
use crate::editor::action::Actions;
use crate::editor::theme::Tokens;
use crate::editor::widgets::look::{Look, faded};
use crate::editor::widgets::menu::icon_button;
use crate::graph::{Node, Socket};

/// Under this zoom nodes show no rows, only their titles.
pub const FAR: f32 = 0.45;

/// What the pointer did to nodes and ports in a pass.
#[derive(Debug, Clone, PartialEq)]
pub enum Event {
    /// A node was clicked; whether to add it to the selection.
    Click(Id, bool),
    /// A drag of a node began.
    Drag(Id),
    /// A drag of a wire out of an output began.
    FromOutput(Socket),
    /// A drag of a wire at an input began.
    FromInput(Socket),
}

/// What is known of all nodes while they are painted.
#[derive(Debug)]
pub struct Around<'a, 'b> {
    /// What the canvas was given.
    pub input: &'a CanvasInput<'b>,
    /// The flow.
    pub model: &'a Model,
    /// Pan and zoom.
    pub view: &'a View,
    /// Problems by node.
    pub problems: HashMap<&'a Id, Vec<&'a Diagnostic>>,
    /// Instructions by node.
    pub costs: HashMap<&'a Id, u32>,
    /// The inputs or outputs that the wire in hand could go to, by whether they are inputs.
    pub wanted: Option<Wanted>,
    /// Nodes on a loop that the wire in hand would close.
    pub looped: Vec<Id>,
}

/// What the wire in hand looks for.
#[derive(Debug, Clone, PartialEq)]
pub struct Wanted {
    /// Whether it looks for inputs.
    pub inputs: bool,
    /// The node it comes from.
    pub node: Id,
    /// Ports that fit, by node and port.
    pub fits: std::collections::BTreeSet<Socket>,
    /// The port it would snap to.
    pub snapped: Option<Socket>,
}

/// Problems of a flow by the node of the flow that they are in or inside of.
#[must_use]
pub fn problems<'a>(input: &CanvasInput<'a>) -> HashMap<&'a Id, Vec<&'a Diagnostic>> {
    let mut by_node: HashMap<&Id, Vec<&Diagnostic>> = HashMap::new();
    for diagnostic in &input.compiled.diagnostics {
        let place = &diagnostic.place;
        if place.emitter.as_ref() == Some(input.emitter)
            && place.flow.is_none_or(|flow| flow == input.flow)
            && let Some(node) = place.node.first()
        {
            by_node.entry(node).or_default().push(diagnostic);
        }
    }
    by_node
}

/// Instructions of a flow by node.
#[must_use]
pub fn costs<'a>(input: &CanvasInput<'a>) -> HashMap<&'a Id, u32> {
    let here = input
        .compiled
        .costs
        .iter()
        .filter(|c| c.emitter == *input.emitter && c.flow == input.flow);
    here.map(|cost| (&cost.node, cost.instructions)).collect()
}

/// The colour of the worst of some problems.
#[must_use]
pub fn problem_color(problems: &[&Diagnostic], tokens: &Tokens) -> Option<Color32> {
    let worst = problems.iter().map(|d| d.severity).max()?;
    Some(match worst {
        Severity::Error => tokens.error,
        Severity::Warning => tokens.warning,
        Severity::Note => tokens.selection,
    })
}

/// The problems as text for a tooltip.
pub fn problem_lines(ui: &mut Ui, problems: &[&Diagnostic], tokens: &Tokens) {
    for problem in problems {
        let color = problem_color(&[problem], tokens).unwrap_or(tokens.text);
        ui.colored_label(color, &problem.message);
        if let Some(help) = &problem.help {
            ui.label(help);
        }
    }
}

/// Paints a node and reports what was done to it.
pub fn show(
    ui: &mut Ui,
    around: &Around<'_, '_>,
    model: &NodeModel,
    node: &Node,
    actions: &mut Actions,
    out: &mut Vec<Event>,
) {
    let (view, input) = (around.view, around.input);
    let rect = view.rect_to_screen(model.rect);
    let id = UiId::new(("canvas-node", input.emitter, flow_index(input.flow), &model.id));
    let mut child = ui.new_child(UiBuilder::new().id(id.with("ui")).max_rect(rect));
    let ui = &mut child;
    let look = Look {
        tokens: input.tokens,
        scale: view.zoom,
    };
    let selected =
        input.selection.emitter.as_ref() == Some(input.emitter) && input.selection.nodes.contains(&model.id);
    let problems = around.problems.get(&model.id).map_or(&[][..], Vec::as_slice);

    let body = ui.interact(rect, id, Sense::click_and_drag());
    body.widget_info(|| WidgetInfo::selected(WidgetType::SelectableLabel, true, selected, &model.title));
    if body.drag_started_by(PointerButton::Primary) {
        out.push(Event::Drag(model.id.clone()));
    } else if body.clicked() {
        let add = ui.input(|i| i.modifiers.shift || i.modifiers.command);
        out.push(Event::Click(model.id.clone(), add));
    }

    let opacity = if model.muted { 0.5 } else { 1.0 };
    let ring = if around.looped.contains(&model.id) {
        Some(input.tokens.error)
    } else {
        problem_color(problems, input.tokens)
    };
    frame(ui, rect, &look, model, selected, body.hovered(), ring, opacity);
    if view.zoom < FAR {
        far_title(ui, rect, &look, model);
    } else {
        header(ui, rect, id, &look, around, model, problems, actions);
        for line in &model.rows {
            ui.set_opacity(opacity);
            row::show(ui, rect, id, &look, around, model, node, *line, problems, actions);
        }
        ui.set_opacity(1.0);
    }
    ports(ui, rect, id, &look, around, model, problems, out);
}

fn flow_index(flow: FlowKind) -> u8 {
    match flow {
        FlowKind::Birth => 0,
        FlowKind::EveryFrame => 1,
    }
}

fn header_color(model: &NodeModel, tokens: &Tokens) -> Color32 {
    match model.color {
        Some([r, g, b]) => Color32::from_rgb(r, g, b),
        None => tokens.category(&model.category),
    }
}

#[allow(clippy::too_many_arguments, reason = "one look, many states")]
fn frame(
    ui: &Ui,
    rect: Rect,
    look: &Look<'_>,
    model: &NodeModel,
    selected: bool,
    hovered: bool,
    ring: Option<Color32>,
    opacity: f32,
) {
    let tokens = look.tokens;
    let painter = ui.painter();
    let round = look.px(5.0);
    let shade = rect.translate(vec2(0.0, look.px(2.0))).expand(look.px(1.0));
    painter.rect_filled(
        shade,
        round,
        Color32::from_black_alpha(if tokens.dark { 70 } else { 28 }),
    );
    painter.rect_filled(rect, round, tokens.surface_high);
    let color = header_color(model, tokens);
    let color = if model.muted {
        Color32::from_gray(color.r() / 3 + color.g() / 3 + color.b() / 3)
    } else {
        color
    };
    let radius = round.clamp(0.0, 255.0) as u8;
    let head = Rect::from_min_size(rect.min, vec2(rect.width(), look.px(HEADER).min(rect.height())));
    let tall = rect.height() > head.height() + 1.0;
    let corners = CornerRadius {
        nw: radius,
        ne: radius,
        sw: if tall { 0 } else { radius },
        se: if tall { 0 } else { radius },
    };
    if model.block.is_some() {
        painter.rect_filled(head, corners, faded(color, opacity.max(0.6)));
    } else {
        // A value node has its colour as an edge along its top.
        let edge = Rect::from_min_size(rect.min, vec2(rect.width(), look.px(3.0)));
        let corners = CornerRadius {
            nw: radius,
            ne: radius,
            sw: 0,
            se: 0,
        };
        painter
            .with_clip_rect(edge.intersect(painter.clip_rect()))
            .rect_filled(
                Rect::from_min_size(rect.min, vec2(rect.width(), look.px(12.0))),
                corners,
                faded(color, opacity.max(0.6)),
            );
    }
    let line = if hovered { tokens.text_dim } else { tokens.line };
    painter.rect_stroke(rect, round, Stroke::new(1.0, line), StrokeKind::Outside);
    if let Some(color) = ring {
        let outer = rect.expand(look.px(2.5));
        painter.rect_stroke(
            outer,
            round * 1.3,
            Stroke::new(look.px(2.0).max(1.5), color),
            StrokeKind::Outside,
        );
    }
    if selected {
        let stroke = Stroke::new(look.px(2.0).max(1.5), tokens.selection);
        painter.rect_stroke(rect.expand(look.px(0.5)), round, stroke, StrokeKind::Outside);
    }
}

/// The title over the whole node, as large as can be read.
fn far_title(ui: &Ui, rect: Rect, look: &Look<'_>, model: &NodeModel) {
    let tokens = look.tokens;
    let size = (12.0 * look.scale).max(9.0) / look.scale;
    let color = if model.block.is_some() {
        tokens.on_category()
    } else {
        tokens.text
    };
    let at = pos2(rect.left() + 4.0, rect.top() + look.px(HEADER) * 0.5);
    look.text(
        ui.painter(),
        at,
        Align2::LEFT_CENTER,
        &model.title,
        look.font(size),
        color,
        rect.width() - 8.0,
    );
}

#[allow(clippy::too_many_arguments, reason = "a place, a node and what is around it")]
fn header(
    ui: &mut Ui,
    rect: Rect,
    id: UiId,
    look: &Look<'_>,
    around: &Around<'_, '_>,
    model: &NodeModel,
    problems: &[&Diagnostic],
    actions: &mut Actions,
) {
    let tokens = look.tokens;
    let head = Rect::from_min_size(rect.min, vec2(rect.width(), look.px(HEADER)));
    let ink = if model.block.is_some() {
        tokens.on_category()
    } else {
        tokens.text
    };
    let mut right = head.right() - look.px(if model.outputs.len() == 1 { 16.0 } else { 6.0 });
    let side = look.px(18.0);
    let hovered = ui.rect_contains_pointer(rect);

    if hovered || model.muted {
        let at = Rect::from_center_size(pos2(right - side * 0.5, head.center().y), vec2(side, side));
        let (icon, name) = if model.muted {
            (
                egui_phosphor::regular::EYE_SLASH,
                format!("Unmute {}", model.title),
            )
        } else {
            (egui_phosphor::regular::EYE, format!("Mute {}", model.title))
        };
        let on_head = Tokens {
            text: ink,
            text_dim: faded(ink, 0.75),
            ..*tokens
        };
        let button = Look {
            tokens: &on_head,
            scale: look.scale,
        };
        let response = icon_button(ui, at, id.with("mute"), &button, icon, &name);
        if response.on_hover_text(format!("{name} (M)")).clicked() {
            let label = name;
            actions.edit(
                &label,
                Edit::SetMuted {
                    emitter: around.input.emitter.clone(),
                    node: model.id.clone(),
                    muted: !model.muted,
                },
            );
        }
    }
    right -= side + look.px(2.0);
    if let Some(cost) = around.costs.get(&model.id) {
        let text = cost.to_string();
        let font = look.mono(10.0);
        let width = look.width(ui, &text, font.clone());
        let pill = Rect::from_min_max(
            pos2(right - width - look.px(10.0), head.center().y - look.px(7.5)),
            pos2(right, head.center().y + look.px(7.5)),
        );
        let (ground, on_pill) = if model.block.is_some() {
            (Color32::from_black_alpha(60), faded(ink, 0.85))
        } else {
            (tokens.surface_low, tokens.text_dim)
        };
        ui.painter().rect_filled(pill, look.px(7.5), ground);
        ui.painter()
            .text(pill.center(), Align2::CENTER_CENTER, &text, font, on_pill);
        let tip = if *cost == 1 {
            "1 instruction a particle".to_owned()
        } else {
            format!("{text} instructions a particle")
        };
        ui.interact(pill, id.with("cost"), Sense::hover())
            .on_hover_text(tip);
        right = pill.left() - look.px(4.0);
    }
    let mut left = head.left() + look.px(10.0);
    if let Some(color) = problem_color(problems, tokens) {
        let color = if model.block.is_some() { ink } else { color };
        let at = pos2(left, head.center().y);
        let icon = egui_phosphor::regular::WARNING_CIRCLE;
        let shown = ui
            .painter()
            .text(at, Align2::LEFT_CENTER, icon, look.font(14.0), color);
        left = shown.right() + look.px(5.0);
    }
    let ink = if model.muted { faded(ink, 0.6) } else { ink };
    let at = pos2(left, head.center().y);
    let shown = look.text(
        ui.painter(),
        at,
        Align2::LEFT_CENTER,
        &model.title,
        look.font(13.0),
        ink,
        right - left,
    );
    if model.muted {
        let stroke = Stroke::new(look.px(1.0), ink);
        ui.painter()
            .hline(shown.x_range(), shown.center().y + look.px(1.0), stroke);
    }
    let title = Rect::from_min_max(head.min, pos2(right, head.bottom()));
    let hover = ui.interact(title, id.with("title"), Sense::hover());
    hover.on_hover_ui(|ui| {
        problem_lines(ui, problems, tokens);
        if !model.known {
            ui.label("This version does not know this kind of node. It is kept as it is.");
        } else if !model.description.is_empty() {
            ui.label(&model.description);
        }
    });
}

#[allow(clippy::too_many_arguments, reason = "a place, a node and what is around it")]
fn ports(
    ui: &mut Ui,
    rect: Rect,
    id: UiId,
    look: &Look<'_>,
    around: &Around<'_, '_>,
    model: &NodeModel,
    problems: &[&Diagnostic],
    out: &mut Vec<Event>,
) {
    let tokens = look.tokens;
    let wanted = around.wanted.as_ref();
    let mut port =
        |ui: &mut Ui, is_input: bool, socket: Socket, at: Pos2, color: Color32, filled: bool, name: &str| {
            let fits = wanted.is_none_or(|w| w.inputs == is_input && w.fits.contains(&socket));
            let snapped = wanted.is_some_and(|w| w.inputs == is_input && w.snapped.as_ref() == Some(&socket));
            let from_here = wanted.is_some_and(|w| w.inputs != is_input && w.node == socket.node);
            let hit = Rect::from_center_size(at, egui::Vec2::splat(look.px(16.0).max(8.0)));
            let response = ui.interact(hit, id.with(("port", is_input, &socket.port)), Sense::drag());
            response.widget_info(|| WidgetInfo::labeled(WidgetType::Other, true, name));
            if response.drag_started_by(PointerButton::Primary) {
                out.push(if is_input {
                    Event::FromInput(socket.clone())
                } else {
                    Event::FromOutput(socket.clone())
                });
            }
            let hot = snapped || (response.hovered() && wanted.is_none());
            let radius = look.px(if hot { 6.0 } else { 4.5 });
            let color = if fits || from_here || snapped {
                color
            } else {
                faded(color, 0.25)
            };
            let bad = is_input
                && problems
                    .iter()
                    .any(|d| d.place.port.as_deref() == Some(&socket.port));
            let painter = ui.painter();
            if bad {
                painter.circle_stroke(at, radius + look.px(2.5), Stroke::new(look.px(2.0), tokens.error));
            }
            let fill = if filled || hot { color } else { tokens.surface_low };
            painter.circle(at, radius, tokens.surface_low, Stroke::NONE);
            painter.circle(at, radius, fill, Stroke::new(look.px(1.8), color));
            response.on_hover_text(name.to_owned());
        };
    for input in &model.inputs {
        let socket = Socket::new(&model.id, &input.port.name);
        let at = rect.min + input.at * look.scale;
        let name = model.port_name(&input.port);
        port(
            ui,
            true,
            socket,
            at,
            tokens.port(input.ty),
            input.source.is_some(),
            &name,
        );
    }
    for output in &model.outputs {
        let socket = Socket::new(&model.id, &output.port.name);
        let at = rect.min + output.at * look.scale;
        let name = model.port_name(&output.port);
        port(ui, false, socket, at, tokens.port(output.ty), true, &name);
    }
}
