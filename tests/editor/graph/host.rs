//! A window with the block list and the canvas over a history that the actions change.

use egui::{Event, Modifiers, PointerButton, Pos2, vec2};
use egui_kittest::Harness;
use egui_kittest::kittest::Queryable;
use mote::base::diag::FlowKind;
use mote::base::id::Id;
use mote::compiler::{Compiled, compile};
use mote::document::{Document, Edit, Emitter, History};
use mote::editor::action::{Action, Actions, Selection};
use mote::editor::blocks;
use mote::editor::canvas::{self, CanvasInput, CanvasState};
use mote::editor::theme::Tokens;
use mote::graph::{Flow, InputMode, Node, Socket};

pub(crate) struct Host {
    pub(crate) history: History,
    pub(crate) emitter: Id,
    pub(crate) flow: FlowKind,
    pub(crate) selection: Selection,
    pub(crate) compiled: Compiled,
    pub(crate) state: CanvasState,
    pub(crate) said: Vec<String>,
    pub(crate) refused: Vec<String>,
    pub(crate) tokens: Tokens,
    pub(crate) list: bool,
    ready: bool,
}

impl Host {
    pub(crate) fn new(document: Document) -> Self {
        let emitter = document.emitters()[0].id().clone();
        Self {
            compiled: compile(&document),
            history: History::new(document),
            selection: Selection {
                emitter: Some(emitter.clone()),
                nodes: Default::default(),
            },
            emitter,
            flow: FlowKind::EveryFrame,
            state: CanvasState::default(),
            said: Vec::new(),
            refused: Vec::new(),
            tokens: Tokens::dark(),
            list: false,
            ready: false,
        }
    }

    pub(crate) fn ui(&mut self, ui: &mut egui::Ui) {
        if !self.ready {
            self.ready = true;
            let mut fonts = egui::FontDefinitions::default();
            egui_phosphor::add_to_fonts(&mut fonts, egui_phosphor::Variant::Regular);
            ui.ctx().set_fonts(fonts);
            ui.ctx().all_styles_mut(|style| style.animation_time = 0.0);
        }
        let mut actions = Actions::default();
        let document = self.history.document().clone();
        let input = CanvasInput {
            document: &document,
            emitter: &self.emitter,
            flow: self.flow,
            compiled: &self.compiled,
            selection: &self.selection,
            tokens: &self.tokens,
        };
        let frame = egui::Frame::new().fill(self.tokens.surface).inner_margin(8.0);
        if self.list {
            egui::Panel::left("list")
                .exact_size(320.0)
                .resizable(false)
                .frame(frame)
                .show(ui, |ui| {
                    egui::ScrollArea::vertical().show(ui, |ui| blocks::show(ui, &input, &mut actions));
                });
        }
        egui::CentralPanel::default()
            .frame(egui::Frame::NONE)
            .show(ui, |ui| {
                canvas::show(ui, &mut self.state, &input, &mut actions);
            });
        self.carry_out(actions);
    }

    fn carry_out(&mut self, mut actions: Actions) {
        let mut compiles = false;
        for action in actions.take() {
            let outcome = match action {
                Action::Step { label, edits } => self.history.step(&label, &edits).map(|_| ()),
                Action::Begin { label } => {
                    self.history.begin(&label);
                    Ok(())
                }
                Action::Update(edit) => self.history.update(&edit).map(|_| ()),
                Action::Commit => {
                    self.history.commit();
                    Ok(())
                }
                Action::Cancel => {
                    self.history.cancel();
                    Ok(())
                }
                Action::Select(selection) => {
                    self.selection = selection;
                    continue;
                }
                Action::ShowFlow(flow) => {
                    self.flow = flow;
                    continue;
                }
                Action::Say(sentence) => {
                    self.said.push(sentence);
                    continue;
                }
                _ => continue,
            };
            compiles = true;
            if let Err(error) = outcome {
                self.refused.push(error.to_string());
            }
        }
        if compiles {
            self.compiled = compile(self.history.document());
        }
    }

    pub(crate) fn flow(&self) -> &Flow {
        self.history
            .document()
            .emitter(&self.emitter)
            .unwrap()
            .flow(self.flow)
    }

    pub(crate) fn emitter(&self) -> &Emitter {
        self.history.document().emitter(&self.emitter).unwrap()
    }

    pub(crate) fn input(&self, node: &str, port: &str) -> Option<InputMode> {
        self.flow().node(&id(node)).unwrap().inputs.get(port).cloned()
    }

    pub(crate) fn steps(&self) -> Vec<String> {
        self.history.past().map(str::to_owned).collect()
    }

    pub(crate) fn select(&mut self, nodes: &[&str]) {
        self.selection.emitter = Some(self.emitter.clone());
        self.selection.nodes = nodes.iter().map(|n| id(n)).collect();
    }
}

pub(crate) type Window = Harness<'static, Host>;

pub(crate) fn id(text: &str) -> Id {
    Id::new(text).unwrap()
}

pub(crate) fn preset(name: &str) -> Document {
    mote::document::presets::preset(name).unwrap()
}

/// A document with one emitter and the given nodes in Every frame, placed by their index.
pub(crate) fn document(nodes: &[(&str, &str, [f32; 2])]) -> Document {
    let mut document = Document::new("Test");
    let emitter = id("e");
    let add = Edit::AddEmitter {
        id: emitter.clone(),
        name: "E".to_owned(),
        index: None,
    };
    document.apply(&add).unwrap();
    for (name, kind, position) in nodes {
        document
            .apply(&Edit::AddNode {
                emitter: emitter.clone(),
                flow: FlowKind::EveryFrame,
                node: Box::new(Node::new(id(name), kind)),
                index: Some(usize::MAX),
                position: *position,
            })
            .unwrap();
    }
    document
}

pub(crate) fn wire(document: &mut Document, from: (&str, &str), to: (&str, &str)) {
    document
        .apply(&Edit::Connect {
            emitter: id("e"),
            flow: FlowKind::EveryFrame,
            from: Socket::new(&id(from.0), from.1),
            to: Socket::new(&id(to.0), to.1),
        })
        .unwrap();
}

pub(crate) fn window(document: Document) -> Window {
    window_with(Host::new(document), 1000.0, 800.0)
}

pub(crate) fn window_with(host: Host, width: f32, height: f32) -> Window {
    let mut window = Harness::builder()
        .with_size(vec2(width, height))
        .with_step_dt(0.1)
        .build_ui_state(|ui, host: &mut Host| host.ui(ui), host);
    window.run_steps(3);
    window
}

/// Presses at a place, drags to others, and lets go.
pub(crate) fn drag(window: &mut Window, path: &[Pos2]) {
    hold(window, path);
    release(window, path[path.len() - 1]);
}

pub(crate) fn hold(window: &mut Window, path: &[Pos2]) {
    window.hover_at(path[0]);
    window.step();
    window.drag_at(path[0]);
    window.step();
    for at in &path[1..] {
        window.hover_at(*at);
        window.step();
        window.step();
    }
}

pub(crate) fn release(window: &mut Window, at: Pos2) {
    window.event(Event::PointerButton {
        pos: at,
        button: PointerButton::Primary,
        pressed: false,
        modifiers: Modifiers::NONE,
    });
    window.run_steps(2);
}

pub(crate) fn click(window: &mut Window, at: Pos2) {
    hold(window, &[at]);
    release(window, at);
    // Longer than a double click takes.
    window.run_steps(5);
}

pub(crate) fn click_label(window: &mut Window, label: &str) {
    let at = window.get_by_label(label).rect().center();
    click(window, at);
}

pub(crate) fn text(window: &mut Window, text: &str) {
    window.event(Event::Text(text.to_owned()));
    window.step();
}

pub(crate) fn port(window: &Window, node: &str, port: &str) -> Pos2 {
    window
        .state()
        .state
        .port_on_screen(&Socket::new(&id(node), port))
        .unwrap()
}

pub(crate) fn node(window: &Window, node: &str) -> egui::Rect {
    window.state().state.node_on_screen(&id(node)).unwrap()
}

/// Clicks twice, faster than [`release`] would.
pub(crate) fn double_click(window: &mut Window, at: Pos2) {
    window.hover_at(at);
    window.step();
    for pressed in [true, false, true, false] {
        window.event(Event::PointerButton {
            pos: at,
            button: PointerButton::Primary,
            pressed,
            modifiers: Modifiers::NONE,
        });
        window.step();
    }
}
