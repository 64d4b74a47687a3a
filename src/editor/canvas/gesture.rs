//! What is in hand: nodes being moved, a marquee, a wire.

use std::collections::BTreeSet;

use egui::{Key, Pos2, Rect, Stroke, StrokeKind, Ui, pos2};

use super::CanvasInput;
use super::edits::{self, End, Target};
use super::model::Model;
use super::node::{Event, Wanted};
use super::view::View;
use super::wires;
use crate::base::id::Id;
use crate::document::Edit;
use crate::editor::action::{Action, Actions};
use crate::graph::Socket;

/// Steps that nodes are moved in, in canvas points.
const STEP: f32 = 4.0;

/// A drag in progress.
#[derive(Debug, Clone, Default)]
pub enum Drag {
    /// None.
    #[default]
    None,
    /// Nodes are being moved.
    Move {
        /// Where the pointer took them, on the canvas.
        from: Pos2,
        /// Where they were.
        start: Vec<(Id, Pos2)>,
        /// Whether they have moved: a gesture is then open.
        moved: bool,
    },
    /// A marquee is being drawn.
    Marquee {
        /// Its first corner, on the canvas.
        from: Pos2,
        /// What was selected before and stays so.
        kept: BTreeSet<Id>,
    },
    /// A wire is in hand.
    Wire(Wire),
}

/// A wire in hand.
#[derive(Debug, Clone)]
pub struct Wire {
    /// The end that is fixed.
    pub fixed: End,
    /// The input it was taken off.
    pub taken_off: Option<Socket>,
    /// Ports that would take it, as far as their types tell.
    pub fits: BTreeSet<Socket>,
    /// The port it is over, and the edits that would connect it or why not.
    pub over: Option<(Socket, Result<Vec<Edit>, String>)>,
}

/// What a finished drag asks the canvas for.
#[derive(Debug, Clone)]
pub enum Finished {
    /// Nothing more.
    Nothing,
    /// A palette, for a wire that was dropped on nothing.
    Palette(End),
}

impl Drag {
    /// Whether nothing is in hand.
    #[must_use]
    pub const fn is_none(&self) -> bool {
        matches!(self, Self::None)
    }

    /// Begins what an event of the canvas begins.
    pub fn begin(
        &mut self,
        event: &Event,
        input: &CanvasInput<'_>,
        model: &Model,
        from: Pos2,
        actions: &mut Actions,
    ) {
        match event {
            Event::Click(..) => {}
            Event::Drag(id) => {
                let selection = &input.selection.nodes;
                let ours = input.selection.emitter.as_ref() == Some(input.emitter);
                let mut nodes = BTreeSet::from([id.clone()]);
                if ours && selection.contains(id) {
                    nodes.extend(selection.iter().cloned());
                } else {
                    edits::select(input.emitter, nodes.clone(), actions);
                }
                let here = model.nodes.iter().filter(|node| nodes.contains(&node.id));
                *self = Self::Move {
                    from,
                    start: here.map(|node| (node.id.clone(), node.rect.min)).collect(),
                    moved: false,
                };
            }
            Event::FromOutput(socket) => *self = Self::wire(End::Output(socket.clone()), None, model),
            Event::FromInput(socket) => {
                let source = model.input(socket).and_then(|(_, input)| input.source.clone());
                *self = match source {
                    Some(source) => Self::wire(End::Output(source), Some(socket.clone()), model),
                    None => Self::wire(End::Input(socket.clone()), None, model),
                };
            }
        }
    }

    fn wire(fixed: End, taken_off: Option<Socket>, model: &Model) -> Self {
        let mut fits = BTreeSet::new();
        match &fixed {
            End::Output(from) => {
                let ty = model.output(from).map(|(_, output)| output.ty);
                for node in model.nodes.iter().filter(|node| node.id != from.node) {
                    for input in &node.inputs {
                        if ty.is_some_and(|ty| edits::takes(input.port.ty, ty)) {
                            fits.insert(Socket::new(&node.id, &input.port.name));
                        }
                    }
                }
            }
            End::Input(to) => {
                let port = model.input(to).map(|(_, input)| input.port.ty);
                for node in model.nodes.iter().filter(|node| node.id != to.node) {
                    for output in &node.outputs {
                        if port.is_some_and(|port| edits::takes(port, output.ty)) {
                            fits.insert(Socket::new(&node.id, &output.port.name));
                        }
                    }
                }
            }
        }
        Self::Wire(Wire {
            fixed,
            taken_off,
            fits,
            over: None,
        })
    }

    /// What ports should know of the wire in hand.
    #[must_use]
    pub fn wanted(&self) -> Option<Wanted> {
        let Self::Wire(wire) = self else { return None };
        let (inputs, node) = match &wire.fixed {
            End::Output(from) => (true, from.node.clone()),
            End::Input(to) => (false, to.node.clone()),
        };
        Some(Wanted {
            inputs,
            node,
            fits: wire.fits.clone(),
            snapped: wire.over.as_ref().map(|(socket, _)| socket.clone()),
        })
    }

    /// The input whose wire is in hand and not to be painted.
    #[must_use]
    pub fn hidden(&self) -> Option<&Socket> {
        match self {
            Self::Wire(wire) => wire.taken_off.as_ref(),
            _ => None,
        }
    }

    /// Follows the pointer and paints what is in hand.
    pub fn follow(
        &mut self,
        ui: &Ui,
        input: &CanvasInput<'_>,
        model: &Model,
        view: &View,
        actions: &mut Actions,
    ) {
        let Some(pointer) = ui.input(|i| i.pointer.latest_pos()) else {
            return;
        };
        let at = view.to_canvas(pointer);
        let tokens = input.tokens;
        match self {
            Self::None => {}
            Self::Move { from, start, moved } => {
                let delta = ((at - *from) / STEP).round() * STEP;
                let positions: Vec<(Id, [f32; 2])> = start
                    .iter()
                    .map(|(id, place)| (id.clone(), (*place + delta).into()))
                    .collect();
                let now = |id: &Id| model.node(id).map(|node| <[f32; 2]>::from(node.rect.min));
                if positions
                    .iter()
                    .any(|(id, place)| now(id).is_some_and(|now| now != *place))
                {
                    if !*moved {
                        let label = match start.as_slice() {
                            [(only, _)] => format!("Move {}", model.title(only)),
                            many => format!("Move {} nodes", many.len()),
                        };
                        actions.push(Action::Begin { label });
                        *moved = true;
                    }
                    actions.push(Action::Update(Edit::SetNodePositions {
                        emitter: input.emitter.clone(),
                        positions: positions
                            .into_iter()
                            .filter(|(id, _)| model.node(id).is_some())
                            .collect(),
                    }));
                }
            }
            Self::Marquee { from, kept } => {
                let area = Rect::from_two_pos(*from, at);
                let mut nodes = kept.clone();
                nodes.extend(
                    model
                        .nodes
                        .iter()
                        .filter(|n| n.rect.intersects(area))
                        .map(|n| n.id.clone()),
                );
                if nodes != input.selection.nodes {
                    edits::select(input.emitter, nodes, actions);
                }
                let shown = Rect::from_two_pos(view.to_screen(*from), pointer);
                let painter = ui.painter();
                painter.rect(
                    shown,
                    2.0,
                    tokens.selection.gamma_multiply(0.12),
                    Stroke::new(1.0, tokens.selection),
                    StrokeKind::Inside,
                );
            }
            Self::Wire(wire) => wire.follow(ui, input, model, view, pointer),
        }
    }

    /// Lets go of what is in hand, or takes it back on Escape.
    pub fn finish(
        &mut self,
        ui: &Ui,
        input: &CanvasInput<'_>,
        model: &Model,
        actions: &mut Actions,
    ) -> Finished {
        if self.is_none() {
            return Finished::Nothing;
        }
        if ui.input_mut(|i| i.consume_key(egui::Modifiers::NONE, Key::Escape)) {
            if matches!(self, Self::Move { moved: true, .. }) {
                actions.push(Action::Cancel);
            }
            ui.ctx().stop_dragging();
            *self = Self::None;
            return Finished::Nothing;
        }
        if ui.input(|i| i.pointer.primary_down()) {
            return Finished::Nothing;
        }
        match std::mem::take(self) {
            Self::None | Self::Marquee { .. } => Finished::Nothing,
            Self::Move { moved, .. } => {
                if moved {
                    actions.push(Action::Commit);
                }
                Finished::Nothing
            }
            Self::Wire(wire) => wire.finish(input, model, actions),
        }
    }
}

impl Wire {
    fn follow(&mut self, ui: &Ui, input: &CanvasInput<'_>, model: &Model, view: &View, pointer: Pos2) {
        let over = self.target(model, view, pointer);
        if over.as_ref() != self.over.as_ref().map(|(socket, _)| socket) {
            self.over = over.map(|socket| {
                let verdict = self.verdict(input, &socket);
                (socket, verdict)
            });
        }
        let tokens = input.tokens;
        let (fixed, ty) = match &self.fixed {
            End::Output(from) => match model.output(from) {
                Some((at, output)) => (at, output.ty),
                None => return,
            },
            End::Input(to) => match model.input(to) {
                Some((at, input)) => (at, input.ty),
                None => return,
            },
        };
        let fixed = view.to_screen(fixed);
        let mut loose = pointer;
        let mut color = tokens.port(ty);
        if let Some((socket, verdict)) = &self.over {
            let at = match self.fixed {
                End::Output(_) => model.input(socket).map(|(at, _)| at),
                End::Input(_) => model.output(socket).map(|(at, _)| at),
            };
            if let Some(at) = at {
                loose = view.to_screen(at);
            }
            if let Err(sentence) = verdict {
                color = tokens.error;
                refusal(ui, pointer, sentence, tokens);
            }
        }
        let (from, to) = match self.fixed {
            End::Output(_) => (fixed, loose),
            End::Input(_) => (loose, fixed),
        };
        wires::paint(ui.painter(), wires::curve(from, to, view.zoom), color, 2.5);
        ui.painter().circle_filled(loose, 4.0, color);
    }

    /// The port that the pointer means: the nearest close one, else the row it is in.
    fn target(&self, model: &Model, view: &View, pointer: Pos2) -> Option<Socket> {
        let at = view.to_canvas(pointer);
        let reach = (14.0 / view.zoom).max(12.0);
        let mut best: Option<(f32, Socket)> = None;
        for node in &model.nodes {
            if !node.rect.expand(reach).contains(at) {
                continue;
            }
            let ports: Vec<(Pos2, &str)> = match self.fixed {
                End::Output(_) => node
                    .inputs
                    .iter()
                    .map(|i| (node.rect.min + i.at, i.port.name.as_str()))
                    .collect(),
                End::Input(_) => node
                    .outputs
                    .iter()
                    .map(|o| (node.rect.min + o.at, o.port.name.as_str()))
                    .collect(),
            };
            let inside = node.rect.contains(at);
            for (place, name) in ports {
                let distance = (place - at).length();
                let same_row = inside && (place.y - at.y).abs() < 12.0;
                let socket = Socket::new(&node.id, name);
                let rank = if same_row {
                    distance.min(reach - 1.0)
                } else {
                    distance
                };
                if rank < reach && best.as_ref().is_none_or(|(known, _)| rank < *known) {
                    best = Some((rank, socket));
                }
            }
        }
        best.map(|(_, socket)| socket)
    }

    fn verdict(&self, input: &CanvasInput<'_>, socket: &Socket) -> Result<Vec<Edit>, String> {
        let target = Target {
            document: input.document,
            emitter: input.emitter,
            flow: input.flow,
        };
        match &self.fixed {
            End::Output(from) => target.connect(from, socket, self.taken_off.as_ref()),
            End::Input(to) => target.connect(socket, to, None),
        }
    }

    fn finish(self, input: &CanvasInput<'_>, model: &Model, actions: &mut Actions) -> Finished {
        match self.over {
            Some((socket, _)) if self.taken_off.as_ref() == Some(&socket) => Finished::Nothing,
            Some((socket, Ok(edits))) => {
                let (from, to) = match &self.fixed {
                    End::Output(from) => (from.clone(), socket),
                    End::Input(to) => (socket, to.clone()),
                };
                let label = format!("Connect {} to {}", model.title(&from.node), model.title(&to.node));
                actions.push(Action::Step { label, edits });
                Finished::Nothing
            }
            Some((_, Err(sentence))) => {
                actions.push(Action::Say(sentence));
                Finished::Nothing
            }
            None => match self.taken_off {
                Some(to) => {
                    let label = format!("Disconnect {}", model.title(&to.node));
                    actions.edit(
                        &label,
                        Edit::Disconnect {
                            emitter: input.emitter.clone(),
                            flow: input.flow,
                            to,
                        },
                    );
                    Finished::Nothing
                }
                None => Finished::Palette(self.fixed),
            },
        }
    }
}

/// Says at the pointer why the wire cannot go there.
fn refusal(ui: &Ui, at: Pos2, sentence: &str, tokens: &crate::editor::theme::Tokens) {
    let layer = egui::LayerId::new(egui::Order::Tooltip, ui.id().with("refusal"));
    let painter = ui.ctx().layer_painter(layer);
    let look = crate::editor::widgets::Look::panel(tokens);
    let galley = painter.layout(sentence.to_owned(), look.font(12.5), tokens.text, 300.0);
    let mut rect = Rect::from_min_size(
        at + egui::vec2(16.0, 14.0),
        galley.size() + egui::vec2(16.0, 10.0),
    );
    let screen = ui.ctx().content_rect();
    if rect.right() > screen.right() {
        rect = rect.translate(egui::vec2(screen.right() - rect.right() - 4.0, 0.0));
    }
    painter.rect(
        rect,
        4.0,
        tokens.surface,
        Stroke::new(1.0, tokens.error),
        StrokeKind::Inside,
    );
    painter.galley(pos2(rect.left() + 8.0, rect.top() + 5.0), galley, tokens.text);
}

/// The nodes along a loop that the wire in hand would close, for their rings.
#[must_use]
pub fn looped(drag: &Drag, input: &CanvasInput<'_>) -> Vec<Id> {
    let Drag::Wire(wire) = drag else { return Vec::new() };
    let Some((over, Err(_))) = &wire.over else {
        return Vec::new();
    };
    let (from, to) = match &wire.fixed {
        End::Output(from) => (from, over),
        End::Input(to) => (over, to),
    };
    let emitter = input.document.emitter(input.emitter);
    let path = emitter.and_then(|e| e.flow(input.flow).path(&to.node, &from.node));
    path.unwrap_or_default()
}
