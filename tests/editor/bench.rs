//! A window on the bench: with a device for pictures, without one for logic.

use std::sync::{Mutex, MutexGuard, OnceLock, PoisonError};

use eframe::egui_wgpu::{WgpuSetup, WgpuSetupExisting};
use egui::accesskit::Role;
use egui_kittest::Harness;
use egui_kittest::kittest::{NodeT as _, Queryable as _};
use mote::base::diag::FlowKind;
use mote::base::id::Id;
use mote::document::Emitter;
use mote::editor::EditorApp;
use mote::editor::action::{Action, FileRequest};
use mote::editor::state::EditorState;
use mote::gpu::Gpu;

pub(crate) type Window = Harness<'static, EditorApp>;

/// A window with no device: the CPU plays, nothing is drawn.
pub(crate) fn window() -> Window {
    sized([1280.0, 800.0])
}

pub(crate) fn sized(size: [f32; 2]) -> Window {
    Harness::builder()
        .with_size(size)
        .with_step_dt(1.0 / 60.0)
        .build_eframe(|cc| EditorApp::new(cc))
}

/// One device for the whole binary: a missing adapter fails the tests.
pub(crate) fn device() -> &'static Gpu {
    static GPU: OnceLock<Gpu> = OnceLock::new();
    GPU.get_or_init(|| Gpu::headless().unwrap_or_else(|error| panic!("{error}")))
}

/// Windows on the device take turns: pipelines are counted for the whole process.
pub(crate) fn alone() -> MutexGuard<'static, ()> {
    static TURN: Mutex<()> = Mutex::new(());
    TURN.lock().unwrap_or_else(PoisonError::into_inner)
}

/// A window on a real device, with all its pipelines there.
pub(crate) fn window_on_gpu(size: [f32; 2]) -> Window {
    let gpu = device();
    let window = Harness::builder()
        .with_size(size)
        .with_step_dt(1.0 / 60.0)
        .wgpu_setup(WgpuSetup::Existing(WgpuSetupExisting {
            instance: gpu.instance.clone(),
            adapter: gpu.adapter.clone(),
            device: gpu.device.clone(),
            queue: gpu.queue.clone(),
        }))
        .build_eframe(|cc| EditorApp::new(cc));
    let pipelines = &state(&window).player().kit().unwrap().pipelines;
    while !pipelines.all_ready() {
        std::thread::sleep(std::time::Duration::from_millis(5));
    }
    window
}

/// The same window showing a preset.
pub(crate) fn with_preset(mut window: Window, preset: &str) -> Window {
    act(&mut window, Action::File(FileRequest::New(preset.to_owned())));
    window
}

pub(crate) fn state(window: &Window) -> &EditorState {
    window.state().state()
}

/// An action the way panels ask for it, and the frame after it.
pub(crate) fn act(window: &mut Window, action: Action) {
    window.state_mut().state_mut().carry_out(action);
    window.step();
}

pub(crate) fn command(window: &mut Window, id: &'static str) {
    act(window, Action::Command(id));
}

pub(crate) fn emitter(window: &Window) -> &Emitter {
    state(window).emitter().expect("an emitter is selected")
}

/// The node of a kind in the selected emitter.
pub(crate) fn node_of(window: &Window, kind: &str) -> (FlowKind, Id) {
    let emitter = emitter(window);
    FlowKind::ALL
        .into_iter()
        .find_map(|flow| {
            let node = emitter.flow(flow).nodes().find(|node| node.kind == kind)?;
            Some((flow, node.id.clone()))
        })
        .unwrap_or_else(|| panic!("no {kind}"))
}

/// Clicks what has this role and name.
pub(crate) fn click(window: &mut Window, role: Role, label: &str) {
    window.get_by_role_and_label(role, label).click();
    window.run_steps(2);
}

/// Names in the accessibility tree.
pub(crate) fn names(window: &Window) -> Vec<String> {
    window
        .root()
        .children_recursive()
        .filter_map(|node| node.accesskit_node().label())
        .collect()
}

/// How many steps of the history can be taken back.
pub(crate) fn steps(window: &Window) -> usize {
    state(window).history().past().count()
}

/// The last step's name.
pub(crate) fn last_step(window: &Window) -> String {
    state(window)
        .history()
        .past()
        .last()
        .unwrap_or_default()
        .to_owned()
}

/// Drags a number of the inspector by so many points in small moves.
pub(crate) fn drag(window: &mut Window, label: &str, by: f32) {
    let start = window
        .get_by_role_and_label(Role::SpinButton, label)
        .rect()
        .center();
    window.drag_at(start);
    window.step();
    for part in 1..=10 {
        window.hover_at(start + egui::vec2(by * part as f32 / 10.0, 0.0));
        window.step();
    }
    window.drop_at(start + egui::vec2(by, 0.0));
    window.run_steps(2);
}

/// Replaces what stands in a field, and presses Enter.
pub(crate) fn type_into(window: &mut Window, role: Role, label: &str, text: &str) {
    // Two clicks in a moment are a double click, which takes a number's default back.
    window.run_steps(30);
    click(window, role, label);
    type_over(window, text);
}

/// Replaces what stands in the field that has the focus, and presses Enter.
pub(crate) fn type_over(window: &mut Window, text: &str) {
    window.key_press_modifiers(egui::Modifiers::COMMAND, egui::Key::A);
    window.step();
    if text.is_empty() {
        window.key_press(egui::Key::Backspace);
    } else {
        window.event(egui::Event::Text(text.to_owned()));
    }
    window.step();
    window.key_press(egui::Key::Enter);
    window.run_steps(2);
}

/// Opens a list and takes one of its choices.
pub(crate) fn choose(window: &mut Window, list: &str, choice: &str) {
    click(window, Role::ComboBox, list);
    window.run_steps(2);
    let choices = window.get_all_by_label(choice);
    choices.last().unwrap().click();
    window.run_steps(4);
}

/// Selects a single node.
pub(crate) fn select_node(window: &mut Window, node: &Id) {
    let selection = mote::editor::action::Selection {
        emitter: Some(emitter(window).id().clone()),
        nodes: [node.clone()].into(),
    };
    act(window, Action::Select(selection));
    window.run_steps(2);
}

/// What the status bar says.
pub(crate) fn said(window: &Window) -> String {
    state(window)
        .message()
        .map(|message| message.text.clone())
        .unwrap_or_default()
}
