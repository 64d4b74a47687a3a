//! A step at rest allocates nothing on the host.

use mote::artifact::Emission;
use mote::host::{Placement, Pose, Stage};

use crate::memory::allocations;
use crate::support::{drift, effect};

#[test]
fn stage_allocates_nothing_in_steps_at_rest_and_in_those_that_move_or_burst() {
    let mut stage = Stage::new(65_536);
    let emission = Emission {
        rate: 10.0,
        ..Emission::default()
    };
    let effect = effect(&drift(1.0), emission);
    let mut ids = Vec::new();
    stage
        .place_many(&effect, &[Placement::default(); 500], &mut ids)
        .unwrap();
    let rows: Vec<(u32, u32)> = (0..500).map(|row| (row, 0)).collect();
    let step = |stage: &mut Stage, frame: u32| {
        for &id in &ids[..50] {
            stage.set_pose(id, Pose::at([frame as f32, 0.0, 0.0])).unwrap();
        }
        stage.burst(ids[3], 0, 5).unwrap();
        assert!(stage.begin_step(1.0 / 60.0).is_some());
        stage.end_step();
        stage.note_finished(rows.iter().copied());
    };
    // Tables find their sizes in the first steps.
    (0..3).for_each(|frame| step(&mut stage, frame));
    let none = allocations(|| (3..40).for_each(|frame| step(&mut stage, frame)));
    assert_eq!(none, 0);
}

#[test]
fn stage_values_set_again_cost_no_upload() {
    let text = ".registers 4\n.global gust 1\ninit:\n load_builtin.1 r0, global[0]\n store_field.1 w7, r0\nupdate:\n";
    let mut stage = Stage::new(64);
    let id = stage
        .place(effect(text, Emission::default()), Placement::default())
        .unwrap();
    let set = |stage: &mut Stage, value: f32| {
        stage.heap_mut().set_global("gust", &[value]).unwrap();
        stage.set_pose(id, Pose::at([value; 3])).unwrap();
        stage.set_time_scale(id, value).unwrap();
    };
    let changed = |stage: &Stage| {
        let tables = [
            stage.heap().dirty(),
            stage.transforms().dirty(),
            stage.row_table().1,
        ];
        tables.map(|spans| !spans.is_empty())
    };
    for (value, expected) in [(2.0, [true; 3]), (2.0, [false; 3]), (3.0, [true; 3])] {
        set(&mut stage, value);
        assert_eq!(changed(&stage), expected, "{value}");
        // What moved stands still for a step before it is settled.
        for _ in 0..3 {
            stage.begin_step(0.01).unwrap();
            stage.end_step();
        }
    }
}
