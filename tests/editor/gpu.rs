//! The editor's own path to the device.

use mote::document::Edit;
use mote::editor::action::Action;
use mote::editor::state::Latency;
use mote::gpu::pipelines::pipeline_requests;
use mote::graph::InputMode;
use mote::play::{Driver, StepMode, SwapReport};

use super::bench::*;

fn set(window: &Window, kind: &str, port: &str, mode: InputMode) -> Edit {
    let (_, node) = node_of(window, kind);
    Edit::SetInput {
        emitter: emitter(window).id().clone(),
        node,
        port: port.to_owned(),
        mode: Some(mode),
    }
}

#[test]
fn changed_constant_is_on_the_gpu_in_the_next_frame() {
    let _turn = alone();
    let mut window = with_preset(window_on_gpu([640.0, 480.0]), "fire");
    command(&mut window, "play.gpu");
    window.run_steps(20);
    let requests = pipeline_requests();
    let sizes = |window: &Window| -> Vec<(u32, f32)> {
        let player = state(window).player();
        let effect = player.effect().unwrap();
        let word = effect.emitters[0].layout.get("size").unwrap().word as usize;
        let live = player.live(Driver::Gpu).unwrap();
        live.iter()
            .map(|p| (p.ordinal, f32::from_bits(p.record[word])))
            .collect()
    };
    let before = sizes(&window);
    assert!(before.len() > 5 && before.iter().all(|&(_, size)| size < 1.0));
    let time = state(&window).player().time();

    let edit = set(&window, "grow", "growth", InputMode::value(600.0));
    let label = "Grow".to_owned();
    act(
        &mut window,
        Action::Step {
            label,
            edits: vec![edit],
        },
    );

    // One frame, one step, and every particle that lived before has grown by 600/60.
    assert!((state(&window).player().time() - time - 1.0 / 60.0).abs() < 1e-6);
    let after = sizes(&window);
    let grown = before
        .iter()
        .filter_map(|(ordinal, size)| {
            let (_, now) = after.iter().find(|(other, _)| other == ordinal)?;
            Some(now - size)
        })
        .collect::<Vec<_>>();
    assert!(grown.len() > 3);
    assert!(grown.iter().all(|by| (by - 10.0).abs() < 0.01), "{grown:?}");
    assert_eq!(state(&window).live().latency, Latency::Frames(1));
    assert_eq!(state(&window).last_swap(), Some(SwapReport::Kept));
    assert_eq!(pipeline_requests(), requests);
}

#[test]
fn layout_change_runs_the_effect_again_and_says_so() {
    let _turn = alone();
    let mut window = with_preset(window_on_gpu([640.0, 480.0]), "fire");
    window.run_steps(20);
    let time = state(&window).player().time();
    let field = mote::graph::FieldDecl::new("heat", mote::layout::FieldType::Vec4);
    let edit = Edit::AddField {
        emitter: emitter(&window).id().clone(),
        field,
    };
    let label = "Add field".to_owned();
    act(
        &mut window,
        Action::Step {
            label,
            edits: vec![edit],
        },
    );
    assert_eq!(state(&window).last_swap(), Some(SwapReport::Resimulated));
    assert!(state(&window).player().time() >= time);
    assert!(state(&window).message().unwrap().text.contains("again"));
}

#[test]
fn tiny_and_empty_windows_do_not_panic() {
    let _turn = alone();
    let mut window = with_preset(window_on_gpu([1280.0, 800.0]), "fire");
    command(&mut window, "play.split");
    for size in [
        [40.0, 30.0],
        [1.0, 1.0],
        [0.0, 0.0],
        [300.0, 120.0],
        [1280.0, 800.0],
    ] {
        window.set_size(size.into());
        window.run_steps(3);
    }
    window.set_pixels_per_point(2.0);
    window.run_steps(3);
    assert!(state(&window).player().alive().is_some());
}

#[test]
fn paused_window_asks_for_no_repaint() {
    let _turn = alone();
    let mut window = with_preset(window_on_gpu([640.0, 480.0]), "fire");
    command(&mut window, "play.toggle");
    act(&mut window, Action::Dismiss);
    act(
        &mut window,
        Action::Play(mote::editor::action::PlayChange::Mode(StepMode::Live)),
    );
    window.run_steps(20);
    let delay = window.output().viewport_output[&egui::ViewportId::ROOT].repaint_delay;
    assert!(delay > std::time::Duration::from_secs(1), "{delay:?}");
}
