//! The node canvas: a flow of an emitter as nodes and wires.
//!
//! Nodes are laid out in screen space with fonts scaled by the zoom, so text is crisp and what assistive
//! technology and tests see are true screen rectangles. Only nodes in view are laid out. The canvas never
//! changes the document: it asks for actions.

mod backdrop;
pub mod edits;
pub mod gesture;
pub mod keys;
pub mod model;
pub mod node;
pub mod place;
mod row;
pub mod view;
pub mod wires;

use std::collections::{BTreeSet, HashMap};
use std::sync::Arc;

use egui::{Id as UiId, PointerButton, Pos2, Rect, Sense, Ui, UiBuilder, WidgetInfo, WidgetType, vec2};

use edits::{End, Target, fitting_port};
use gesture::{Drag, Finished};
use keys::Wish;
use model::{Cache, HEADER, Model};
use node::{Around, Event};
use view::View;

use crate::base::diag::FlowKind;
use crate::base::id::Id;
use crate::compiler::Compiled;
use crate::document::Document;
use crate::editor::action::{Action, Actions, Selection};
use crate::editor::palette::{Outcome, Palette};
use crate::editor::theme::Tokens;
use crate::graph::{NodeKind, Socket};

/// What the canvas is given.
#[derive(Debug, Clone, Copy)]
pub struct CanvasInput<'a> {
    /// The document.
    pub document: &'a Document,
    /// The emitter.
    pub emitter: &'a Id,
    /// Which of its flows.
    pub flow: FlowKind,
    /// What compiling the document gave: problems and costs.
    pub compiled: &'a Compiled,
    /// What is selected.
    pub selection: &'a Selection,
    /// Colours.
    pub tokens: &'a Tokens,
}

impl<'a> CanvasInput<'a> {
    /// The flow, for edits.
    #[must_use]
    pub const fn target(&self) -> Target<'a> {
        Target {
            document: self.document,
            emitter: self.emitter,
            flow: self.flow,
        }
    }
}

/// An open palette of the canvas.
#[derive(Debug, Clone)]
struct OpenPalette {
    palette: Palette,
    /// Where a value node goes, on the canvas.
    at: Pos2,
    /// The wire that waits for a node.
    wire: Option<End>,
}

/// What the canvas remembers between passes. A view: never part of the document.
#[derive(Debug, Default)]
pub struct CanvasState {
    views: HashMap<(Id, FlowKind), View>,
    cache: Cache,
    drag: Drag,
    palette: Option<OpenPalette>,
    /// Whether the last click was on the canvas, so that keys are meant for it.
    active: bool,
    /// Whether a wheel that turns pans, as a touchpad's does.
    wheel_pans: bool,
    panning: bool,
    laid_out: usize,
    fit: Option<Wish>,
    model: Option<Arc<Model>>,
    view: Option<View>,
}

impl CanvasState {
    /// How many nodes were laid out in the last pass.
    #[must_use]
    pub const fn laid_out(&self) -> usize {
        self.laid_out
    }

    /// Where the flow shown last is looked at.
    #[must_use]
    pub const fn view(&self) -> Option<&View> {
        self.view.as_ref()
    }

    /// Fits all nodes in the next pass.
    pub const fn fit_all(&mut self) {
        self.fit = Some(Wish::FitAll);
    }

    /// Fits the selection in the next pass.
    pub const fn fit_selection(&mut self) {
        self.fit = Some(Wish::FitSelection);
    }

    /// Whether a node, wire or marquee is in hand.
    #[must_use]
    pub const fn is_dragging(&self) -> bool {
        !self.drag.is_none()
    }

    /// Where the port of a node of the flow shown last is on the screen.
    #[must_use]
    pub fn port_on_screen(&self, socket: &Socket) -> Option<Pos2> {
        let (model, view) = (self.model.as_ref()?, self.view.as_ref()?);
        let input = model.input(socket).map(|(at, _)| at);
        let at = input.or_else(|| model.output(socket).map(|(at, _)| at))?;
        Some(view.to_screen(at))
    }

    /// Where a node of the flow shown last is on the screen.
    #[must_use]
    pub fn node_on_screen(&self, id: &Id) -> Option<Rect> {
        let (model, view) = (self.model.as_ref()?, self.view.as_ref()?);
        Some(view.rect_to_screen(model.node(id)?.rect))
    }
}

/// Shows a flow in what is left of `ui`.
pub fn show(ui: &mut Ui, state: &mut CanvasState, input: &CanvasInput<'_>, actions: &mut Actions) {
    let screen = ui.available_rect_before_wrap();
    ui.allocate_rect(screen, Sense::hover());
    let mut child = ui.new_child(UiBuilder::new().id_salt("canvas").max_rect(screen));
    let ui = &mut child;
    ui.set_clip_rect(screen.intersect(ui.clip_rect()));
    let tint = match input.flow {
        FlowKind::Birth => input.tokens.birth_tint,
        FlowKind::EveryFrame => input.tokens.frame_tint,
    };
    ui.painter().rect_filled(screen, 0.0, tint);
    state.laid_out = 0;
    let Some(model) = state.cache.get(input.document, input.emitter, input.flow) else {
        return;
    };
    if screen.width() < 8.0 || screen.height() < 8.0 {
        return;
    }
    let key = (input.emitter.clone(), input.flow);
    let known = state.views.get(&key).copied();
    let mut view = known.unwrap_or_else(|| first_view(&model, screen));
    view.screen = screen;

    let id = UiId::new(("canvas", input.emitter, input.flow.name()));
    let ground = ui.interact(screen, id, Sense::click_and_drag());
    ground.widget_info(|| {
        WidgetInfo::labeled(WidgetType::Panel, true, format!("Canvas {}", input.flow.title()))
    });
    navigate(ui, state, &mut view);
    backdrop::grid(ui, &view, input.tokens);
    backdrop::frames(ui, input, &view);

    let hidden = state.drag.hidden().cloned();
    wires::chain(ui.painter(), &model, &view, input.tokens);
    wires::show(ui, &model, &view, input.tokens, hidden.as_ref());

    let mut events = Vec::new();
    nodes(ui, state, input, &model, &view, actions, &mut events);
    handle(ui, state, input, &model, &view, &ground, &events, actions);
    state.drag.follow(ui, input, &model, &view, actions);
    let finished = state.drag.finish(ui, input, &model, actions);
    if let Finished::Palette(end) = finished
        && let Some(at) = ui.input(|i| i.pointer.latest_pos())
    {
        open_palette(state, &view, at, Some(end));
    }
    if model.nodes.iter().all(|node| node.block.is_none()) {
        crate::editor::blocks::empty(ui, input, empty_place(&model, &view), actions);
    }
    backdrop::title(ui, input, &view);
    keys_and_wishes(ui, state, input, &model, &mut view, actions);
    palette(ui, state, input, &model, actions);
    state.views.insert(key, view);
    state.view = Some(view);
    state.model = Some(model);
}

/// At first the head of the chain is shown, no smaller than can be read.
fn first_view(model: &Model, screen: Rect) -> View {
    let bounds = model.bounds(|_| true);
    let mut view = View::fitting(bounds, screen);
    if let Some(bounds) = bounds
        && view.zoom < 0.75
    {
        view.zoom = 0.75;
        let half = screen.size() * 0.5 / view.zoom;
        let top = model
            .blocks()
            .next()
            .map_or(bounds.top(), |first| first.rect.top());
        view.center.y = top - 32.0 / view.zoom + half.y;
        if bounds.width() > half.x * 2.0 {
            let column = model
                .blocks()
                .next()
                .map_or(bounds.center().x, |first| first.rect.right());
            view.center.x = column + 24.0 / view.zoom - half.x;
        }
    }
    view
}

fn navigate(ui: &Ui, state: &mut CanvasState, view: &mut View) {
    let over = ui.rect_contains_pointer(view.screen);
    let (pressed, held, clicked, delta) = ui.input(|i| {
        let either =
            |f: &dyn Fn(PointerButton) -> bool| f(PointerButton::Middle) || f(PointerButton::Secondary);
        (
            either(&|b| i.pointer.button_pressed(b)),
            either(&|b| i.pointer.button_down(b)),
            i.pointer.any_pressed(),
            i.pointer.delta(),
        )
    });
    if pressed && over {
        state.panning = true;
    }
    state.panning &= held;
    if state.panning {
        view.pan(delta);
        ui.ctx().set_cursor_icon(egui::CursorIcon::Grabbing);
    }
    if clicked {
        state.active = over;
    }
    if !over {
        return;
    }
    let (pointer, zoom, scroll, shift, unit) = ui.input(|i| {
        let unit = i.events.iter().rev().find_map(|event| match event {
            egui::Event::MouseWheel { unit, .. } => Some(*unit),
            _ => None,
        });
        (
            i.pointer.hover_pos(),
            i.zoom_delta(),
            i.smooth_scroll_delta(),
            i.modifiers.shift,
            unit,
        )
    });
    if let Some(unit) = unit {
        state.wheel_pans = unit == egui::MouseWheelUnit::Point;
    }
    let Some(pointer) = pointer else { return };
    if zoom != 1.0 {
        view.zoom_at(pointer, zoom);
    }
    if scroll != egui::Vec2::ZERO {
        if state.wheel_pans || shift {
            view.pan(scroll);
        } else {
            view.zoom_at(pointer, (scroll.y * 0.004).exp());
        }
    }
}

fn nodes(
    ui: &mut Ui,
    state: &mut CanvasState,
    input: &CanvasInput<'_>,
    model: &Model,
    view: &View,
    actions: &mut Actions,
    events: &mut Vec<Event>,
) {
    let Some(emitter) = input.document.emitter(input.emitter) else {
        return;
    };
    let flow = emitter.flow(input.flow);
    let around = Around {
        input,
        model,
        view,
        problems: node::problems(input),
        costs: node::costs(input),
        wanted: state.drag.wanted(),
        looped: gesture::looped(&state.drag, input),
    };
    let seen = view.seen().expand(12.0);
    // What is selected lies above the rest.
    let chosen = keys::selected(input);
    for above in [false, true] {
        for made in &model.nodes {
            if chosen.contains(&made.id) != above || !made.rect.intersects(seen) {
                continue;
            }
            let node = match made.block {
                Some(index) => flow.blocks.get(index),
                None => flow.values.get(&made.id),
            };
            if let Some(node) = node {
                node::show(ui, &around, made, node, actions, events);
                state.laid_out += 1;
            }
        }
    }
}

#[allow(clippy::too_many_arguments, reason = "all that a click can be about")]
fn handle(
    ui: &Ui,
    state: &mut CanvasState,
    input: &CanvasInput<'_>,
    model: &Model,
    view: &View,
    ground: &egui::Response,
    events: &[Event],
    actions: &mut Actions,
) {
    let origin = ui.input(|i| i.pointer.press_origin().or(i.pointer.latest_pos()));
    for event in events {
        if let Event::Click(id, add) = event {
            let mut nodes = BTreeSet::from([id.clone()]);
            if *add {
                let mut kept = keys::selected(input);
                if kept.remove(id) {
                    nodes = kept;
                } else {
                    nodes.extend(kept);
                }
            }
            edits::select(input.emitter, nodes, actions);
        } else if state.drag.is_none()
            && let Some(origin) = origin
        {
            state
                .drag
                .begin(event, input, model, view.to_canvas(origin), actions);
        }
    }
    let add = ui.input(|i| i.modifiers.shift || i.modifiers.command);
    if ground.drag_started_by(PointerButton::Primary)
        && state.drag.is_none()
        && let Some(origin) = origin
    {
        let kept = if add {
            keys::selected(input)
        } else {
            BTreeSet::new()
        };
        state.drag = Drag::Marquee {
            from: view.to_canvas(origin),
            kept,
        };
    }
    if ground.double_clicked()
        && let Some(at) = ground.interact_pointer_pos()
    {
        open_palette(state, view, at, None);
    } else if ground.clicked() && !add && !input.selection.nodes.is_empty() {
        edits::select(input.emitter, BTreeSet::new(), actions);
    }
}

fn keys_and_wishes(
    ui: &Ui,
    state: &mut CanvasState,
    input: &CanvasInput<'_>,
    model: &Model,
    view: &mut View,
    actions: &mut Actions,
) {
    let over = ui.rect_contains_pointer(view.screen);
    let mut wish = state.fit.take();
    if (over || state.active) && state.palette.is_none() && state.drag.is_none() {
        wish = keys::canvas(ui, input, over, actions).or(wish);
    }
    match wish {
        Some(Wish::FitAll) => *view = View::fitting(model.bounds(|_| true), view.screen),
        Some(Wish::FitSelection) => {
            let chosen = keys::selected(input);
            let bounds = model
                .bounds(|id| chosen.contains(id))
                .or_else(|| model.bounds(|_| true));
            *view = View::fitting(bounds, view.screen);
        }
        Some(Wish::Palette) => {
            let pointer = ui.input(|i| i.pointer.hover_pos());
            open_palette(state, view, pointer.unwrap_or(view.screen.center()), None);
        }
        None => {}
    }
}

fn open_palette(state: &mut CanvasState, view: &View, at: Pos2, wire: Option<End>) {
    state.palette = Some(OpenPalette {
        palette: Palette::new(at),
        at: view.to_canvas(at),
        wire,
    });
}

fn palette(ui: &Ui, state: &mut CanvasState, input: &CanvasInput<'_>, model: &Model, actions: &mut Actions) {
    let Some(open) = &mut state.palette else { return };
    let wire = open.wire.clone();
    let keep = |kind: &NodeKind| {
        // A wire does not leave its flow.
        wire.as_ref()
            .is_none_or(|end| kind.flows.contains(&input.flow) && fitting_port(kind, end, model).is_some())
    };
    let id = UiId::new("canvas-palette");
    match open
        .palette
        .show(ui, id, input.document.registry(), input.flow, input.tokens, keep)
    {
        Outcome::Open => return,
        Outcome::Closed => {}
        Outcome::Picked(kind) => {
            let place = match &wire {
                Some(End::Input(_)) => open.at - vec2(model::VALUE_WIDTH, HEADER * 0.5),
                Some(End::Output(_)) => open.at - vec2(0.0, HEADER * 0.5),
                None => open.at,
            };
            let place = (place / 4.0).round() * 4.0;
            add(input, &kind, place.into(), wire.as_ref(), actions);
        }
    }
    state.palette = None;
}

/// Adds a node and selects it. A block of the other flow goes there, and that flow is shown.
pub fn add(
    input: &CanvasInput<'_>,
    kind: &NodeKind,
    place: [f32; 2],
    wire: Option<&End>,
    actions: &mut Actions,
) {
    let mut target = input.target();
    if !kind.flows.contains(&input.flow)
        && let Some(&flow) = kind.flows.first()
    {
        target.flow = flow;
    }
    match target.add(kind, place, wire, Vec::new()) {
        Ok((id, edits)) => {
            if target.flow != input.flow {
                actions.push(Action::ShowFlow(target.flow));
            }
            let label = format!("Add {}", kind.title);
            actions.push(Action::Step { label, edits });
            edits::select(input.emitter, BTreeSet::from([id]), actions);
        }
        Err(sentence) => actions.push(Action::Say(sentence)),
    }
}

/// Where an empty chain's hints go: clear of value nodes.
fn empty_place(model: &Model, view: &View) -> Rect {
    let size = vec2(340.0, 132.0);
    let center = match model.bounds(|_| true) {
        Some(bounds) => view.to_screen(bounds.center_bottom()) + vec2(0.0, 110.0),
        None => view.screen.center(),
    };
    Rect::from_center_size(center, size)
}
