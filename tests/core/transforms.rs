//! The hierarchy of transforms: rows, holders, chains, and what the twin composes of them.

use std::collections::BTreeMap;

use mote::host::transforms::{Composed, FLAG_FRESH, FLAG_TELEPORT, MAX_DEPTH};
use mote::host::{Pose, PoseSource, TransformError, TransformTable};
use mote::isa::Builtin;
use mote::reference::transforms::{Matrix, transforms};

use crate::probe::{Dice, Probe};
use crate::support::Rolls;

const NONE: PoseSource = PoseSource::At(Pose::IDENTITY);

fn at(x: f32, y: f32, z: f32) -> PoseSource {
    PoseSource::At(Pose::at([x, y, z]))
}

/// A table and what the twin makes of it.
#[derive(Default)]
struct World {
    table: TransformTable,
    matrices: Vec<Matrix>,
    composed: Vec<Composed>,
}

impl World {
    fn claim(&mut self, source: PoseSource, parent: Option<u32>) -> u32 {
        self.table.claim(source, parent).unwrap()
    }

    fn step(&mut self) {
        self.composed
            .resize(self.table.row_count() as usize, Composed::default());
        transforms(self.table.rows(), &self.matrices, &mut self.composed, 1.0 / 60.0);
        self.table.end_step();
    }

    fn now(&self, row: u32) -> [f32; 3] {
        self.composed[row as usize].now.position()
    }

    fn last(&self, row: u32) -> [f32; 3] {
        self.composed[row as usize].last.position()
    }
}

#[test]
fn transforms_children_follow_their_parents() {
    let mut world = World::default();
    let root = world.claim(at(10.0, 0.0, 0.0), None);
    // A quarter turn about +Z and twice the size.
    let turned = Pose::from_columns([
        [0.0, 2.0, 0.0],
        [-2.0, 0.0, 0.0],
        [0.0, 0.0, 2.0],
        [0.0, 1.0, 0.0],
    ]);
    let arm = world.claim(PoseSource::At(turned), Some(root));
    let hand = world.claim(at(3.0, 0.0, 0.0), Some(arm));
    world.step();
    assert_eq!(
        (world.now(root), world.now(arm), world.now(hand)),
        ([10.0, 0.0, 0.0], [10.0, 1.0, 0.0], [10.0, 7.0, 0.0])
    );
    assert_eq!(
        world.last(hand),
        world.now(hand),
        "a new row has no way behind it"
    );
    world.table.set(root, at(0.0, 0.0, 5.0)).unwrap();
    world.step();
    assert_eq!(
        (world.now(hand), world.last(hand)),
        ([0.0, 7.0, 5.0], [10.0, 7.0, 0.0])
    );
    world.step();
    assert_eq!(world.last(hand), [0.0, 7.0, 5.0], "it stands");
    world.table.set_parent(hand, Some(root)).unwrap();
    world.step();
    assert_eq!(
        (world.now(hand), world.last(hand)),
        ([3.0, 0.0, 5.0], [0.0, 7.0, 5.0])
    );
}

#[test]
fn transforms_a_teleport_cuts_the_way_of_all_that_hangs_on_the_row() {
    let mut world = World::default();
    let root = world.claim(NONE, None);
    let child = world.claim(at(1.0, 0.0, 0.0), Some(root));
    let other = world.claim(NONE, None);
    world.step();
    for row in [root, other] {
        world.table.set(row, at(0.0, 9.0, 0.0)).unwrap();
    }
    world.table.teleport(root).unwrap();
    world.step();
    assert_eq!(world.last(child), [1.0, 9.0, 0.0]);
    assert_eq!(world.last(other), [0.0; 3]);
    world.table.set(root, at(0.0, 10.0, 0.0)).unwrap();
    world.step();
    assert_eq!(world.last(child), [1.0, 9.0, 0.0], "the mark is of one step");
    assert_eq!(world.now(child), [1.0, 10.0, 0.0]);
    assert!(
        world
            .table
            .rows()
            .iter()
            .all(|row| row.flags & (FLAG_TELEPORT | FLAG_FRESH) == 0)
    );
}

#[test]
fn transforms_what_is_moved_in_a_pause_is_not_movement() {
    let mut world = World::default();
    let row = world.claim(NONE, None);
    world.step();
    world.table.set(row, at(1.0, 0.0, 0.0)).unwrap();
    world.step();
    world.table.set(row, at(5.0, 0.0, 0.0)).unwrap();
    transforms(world.table.rows(), &world.matrices, &mut world.composed, 0.0);
    assert_eq!((world.now(row), world.last(row)), ([5.0, 0.0, 0.0], [0.0; 3]));
    world.table.clear_dirty();
    world.step();
    assert_eq!(
        (world.now(row), world.last(row)),
        ([5.0, 0.0, 0.0], [5.0, 0.0, 0.0])
    );
}

#[test]
fn transforms_rows_of_the_callers_buffer_are_world_matrices() {
    let mut world = World::default();
    let column = |x: f32| {
        [
            [1.0, 0.0, 0.0, 0.0],
            [0.0, 1.0, 0.0, 0.0],
            [0.0, 0.0, 1.0, 0.0],
            [x, 2.0, 3.0, 1.0],
        ]
    };
    world.matrices = vec![column(1.0), column(2.0)];
    let root = world.claim(at(100.0, 0.0, 0.0), None);
    let joint = world.claim(PoseSource::Row(1), Some(root));
    let child = world.claim(at(0.5, 0.0, 0.0), Some(joint));
    let outside = world.claim(PoseSource::Row(2), None);
    let far = world.claim(PoseSource::Row(u32::MAX), None);
    world.step();
    assert_eq!(world.now(joint), [2.0, 2.0, 3.0], "the parent does not count");
    assert_eq!(world.now(child), [2.5, 2.0, 3.0]);
    for row in [outside, far] {
        assert_eq!(world.composed[row as usize].now, Pose::IDENTITY);
    }
    world.matrices[1] = column(4.0);
    world.step();
    assert_eq!(
        (world.now(child), world.last(child)),
        ([4.5, 2.0, 3.0], [2.5, 2.0, 3.0])
    );
    world.table.set(joint, at(1.0, 0.0, 0.0)).unwrap();
    world.step();
    assert_eq!(world.now(joint), [101.0, 0.0, 0.0], "and counts again");
    assert_eq!(world.table.source(far), Ok(PoseSource::Row(u32::MAX)));
}

#[test]
fn transforms_what_is_not_finite_leaves_the_last_good_pose() {
    let mut world = World::default();
    let root = world.claim(at(1.0, 0.0, 0.0), None);
    let child = world.claim(at(1.0, 0.0, 0.0), Some(root));
    let born_bad = world.claim(at(f32::NAN, 0.0, 0.0), None);
    world.step();
    assert_eq!(world.composed[born_bad as usize].now, Pose::IDENTITY);
    for bad in [f32::NAN, f32::INFINITY, 3e38] {
        world.table.set(root, at(bad, 0.0, 0.0)).unwrap();
        world.table.set(child, at(3e38, 0.0, 0.0)).unwrap();
        world.step();
        world.step();
        assert_eq!(
            (world.now(child), world.last(child)),
            ([2.0, 0.0, 0.0], [2.0, 0.0, 0.0])
        );
    }
    world.table.set(root, at(5.0, 0.0, 0.0)).unwrap();
    world.table.set(child, at(1.0, 0.0, 0.0)).unwrap();
    world.step();
    assert_eq!(
        (world.now(child), world.last(child)),
        ([6.0, 0.0, 0.0], [2.0, 0.0, 0.0])
    );
}

#[test]
fn transforms_rows_live_as_long_as_somebody_holds_them() {
    let mut table = TransformTable::new();
    let root = table.claim(NONE, None).unwrap();
    let child = table.claim(NONE, Some(root)).unwrap();
    table.hold(child).unwrap();
    assert_eq!((table.holders(root), table.holders(child)), (2, 2));
    assert_eq!(table.release(root), Ok(false), "the child hangs on it");
    assert_eq!(table.release(child), Ok(false));
    assert!(table.is_live(root) && table.is_live(child));
    assert_eq!(table.release(child), Ok(true));
    assert!(!table.is_live(root) && !table.is_live(child), "both are gone");
    assert_eq!(table.live_count(), 0);
    for row in [root, child, 99] {
        let gone = Err(TransformError::NoRow(row));
        assert_eq!(table.release(row).map(|_| ()), gone);
        assert_eq!(table.hold(row), gone);
        assert_eq!(table.set(row, NONE), gone);
        assert_eq!(table.teleport(row), gone);
        assert_eq!(table.set_parent(row, None), gone);
        assert_eq!(table.claim(NONE, Some(row)).map(|_| ()), gone);
    }
}

#[test]
fn transforms_a_freed_row_is_handed_out_again_after_a_step_and_starts_anew() {
    let mut world = World::default();
    let first = world.claim(at(1.0, 0.0, 0.0), None);
    world.step();
    world.table.release(first).unwrap();
    assert_ne!(world.claim(NONE, None), first, "not in the step it was freed in");
    world.step();
    let again = world.claim(at(7.0, 0.0, 0.0), None);
    assert_eq!(again, first);
    world.step();
    assert_eq!(world.last(again), [7.0, 0.0, 0.0], "nothing of the row before");
    world.composed.fill(Composed::default());
    world.table.forget_poses();
    world.step();
    assert_eq!(world.last(again), [7.0, 0.0, 0.0], "nor of another table");
}

#[test]
fn transforms_cycles_and_too_deep_chains_are_refused() {
    let mut table = TransformTable::new();
    let mut chain = vec![table.claim(NONE, None).unwrap()];
    while chain.len() < MAX_DEPTH as usize {
        chain.push(table.claim(NONE, chain.last().copied()).unwrap());
    }
    let (root, last) = (chain[0], chain[chain.len() - 1]);
    let before = table.words().to_vec();
    let too_deep = TransformError::TooDeep {
        row: MAX_DEPTH,
        depth: MAX_DEPTH + 1,
    };
    assert_eq!(table.claim(NONE, Some(last)), Err(too_deep));
    for parent in [root, chain[5], last] {
        let cycle = TransformError::Cycle { row: root, parent };
        assert_eq!(table.set_parent(root, Some(parent)), Err(cycle));
    }
    assert_eq!(table.words(), before, "nothing was changed");
    assert_eq!(table.holders(last), 1);

    let other = table.claim(NONE, None).unwrap();
    let refused = table.set_parent(root, Some(other)).unwrap_err();
    assert!(refused.to_string().contains("65 rows"), "{refused}");
    table.set_parent(chain[1], Some(other)).unwrap();
    assert_eq!((table.depth(last), table.holders(root)), (Ok(MAX_DEPTH), 1));
    table.set_parent(chain[40], None).unwrap();
    assert_eq!((table.depth(last), table.parent(chain[40])), (Ok(24), Ok(None)));
    assert!(table.set_parent(chain[40], Some(chain[39])).is_ok());
}

#[test]
fn transforms_only_what_changed_is_marked() {
    let mut table = TransformTable::new();
    let rows: Vec<u32> = (0..100)
        .map(|i| table.claim(at(i as f32, 0.0, 0.0), None).unwrap())
        .collect();
    table.end_step();
    assert!(!table.dirty().is_empty(), "the marks come off");
    table.end_step();
    assert!(table.dirty().is_empty());
    for &row in &rows {
        table.set(row, at(row as f32, 0.0, 0.0)).unwrap();
        table.set_parent(row, None).unwrap();
    }
    assert!(table.dirty().is_empty(), "equal values cost nothing");
    table.set(rows[50], at(50.0, 1.0, 0.0)).unwrap();
    let span = table.dirty().ranges()[0].clone();
    assert_eq!((table.dirty().ranges().len(), span.len()), (1, 1));
    assert_eq!(table.words()[span.start as usize], 1.0f32.to_bits());
    table.clear_dirty();
    assert!(table.dirty().is_empty());
}

/// What a row should be.
#[derive(Clone)]
struct Known {
    parent: Option<u32>,
    claims: u32,
}

fn depth(model: &BTreeMap<u32, Known>, row: u32) -> u32 {
    model[&row].parent.map_or(1, |parent| depth(model, parent) + 1)
}

#[test]
fn transforms_random_histories_keep_to_the_model_and_to_their_memory() {
    for seed in 0..6u32 {
        let mut rolls = Rolls(seed);
        let mut table = TransformTable::new();
        let mut model: BTreeMap<u32, Known> = BTreeMap::new();
        let mut memory = 0;
        for round in 0..4_000 {
            let live: Vec<u32> = model.keys().copied().collect();
            let some = (!live.is_empty()).then(|| live[rolls.below(live.len().max(1) as u32) as usize]);
            match rolls.below(8) {
                0..3 if live.len() < 60 => {
                    let parent = some.filter(|_| rolls.below(3) > 0);
                    if let Ok(row) = table.claim(NONE, parent) {
                        assert!(!model.contains_key(&row), "seed {seed}, round {round}");
                        model.insert(row, Known { parent, claims: 1 });
                    }
                }
                3..5 => {
                    if let Some(row) = some {
                        let other = live[rolls.below(live.len() as u32) as usize];
                        let parent = (rolls.below(4) > 0).then_some(other);
                        if table.set_parent(row, parent).is_ok() {
                            let old = model.get_mut(&row).unwrap();
                            let released = std::mem::replace(&mut old.parent, parent);
                            forget(&mut model, released);
                        }
                    }
                }
                5 => {
                    if let Some(row) = some {
                        table.hold(row).unwrap();
                        model.get_mut(&row).unwrap().claims += 1;
                    }
                }
                6 => {
                    if let Some(row) = some.filter(|row| model[row].claims > 0) {
                        table.release(row).unwrap();
                        model.get_mut(&row).unwrap().claims -= 1;
                        forget(&mut model, Some(row));
                    }
                }
                _ => table.end_step(),
            }
            let what = format!("seed {seed}, round {round}");
            assert_eq!(table.live_count() as usize, model.len(), "{what}");
            for (&row, known) in &model {
                let children = model.values().filter(|k| k.parent == Some(row)).count() as u32;
                assert_eq!(table.holders(row), known.claims + children, "{what}: {row}");
                assert_eq!(table.parent(row), Ok(known.parent), "{what}: {row}");
                assert_eq!(table.depth(row), Ok(depth(&model, row)), "{what}: {row}");
            }
            if round == 2_000 {
                memory = table.memory();
            }
        }
        assert!(
            table.memory() <= memory * 2,
            "seed {seed}: {memory} {}",
            table.memory()
        );
    }
}

/// Takes a row nobody holds from the model, and so on up.
fn forget(model: &mut BTreeMap<u32, Known>, row: Option<u32>) {
    let Some(row) = row else {
        return;
    };
    let held = model[&row].claims > 0 || model.values().any(|k| k.parent == Some(row));
    if !held {
        let parent = model.remove(&row).unwrap().parent;
        forget(model, parent);
    }
}

#[test]
fn transforms_moving_every_row_takes_no_memory() {
    let mut table = TransformTable::new();
    let rows: Vec<u32> = (0..300).map(|_| table.claim(NONE, None).unwrap()).collect();
    table.end_step();
    table.end_step();
    let memory = table.memory();
    for step in 0..50 {
        for &row in &rows {
            table.set(row, at(step as f32, row as f32, 0.0)).unwrap();
            table.teleport(row).unwrap();
        }
        table.release(rows[7]).unwrap();
        table.end_step();
        assert_eq!(table.claim(NONE, None), Ok(rows[7]));
        assert_eq!(table.memory(), memory);
    }
}

/// The pose that turns by `q`, scales and mirrors its x axis.
fn posed(q: [f64; 4], scale: [f64; 3], mirrored: bool) -> Pose {
    let [x, y, z, w] = q;
    let mut columns = [
        [
            1.0 - 2.0 * (y * y + z * z),
            2.0 * (x * y + w * z),
            2.0 * (x * z - w * y),
        ],
        [
            2.0 * (x * y - w * z),
            1.0 - 2.0 * (x * x + z * z),
            2.0 * (y * z + w * x),
        ],
        [
            2.0 * (x * z + w * y),
            2.0 * (y * z - w * x),
            1.0 - 2.0 * (x * x + y * y),
        ],
    ];
    for (column, s) in columns.iter_mut().zip(scale) {
        *column = column.map(|c| c * s);
    }
    if mirrored {
        columns[0] = columns[0].map(|c| -c);
    }
    let [x, y, z] = columns.map(|c| c.map(|c| c as f32));
    Pose::from_columns([x, y, z, [1.0, 2.0, 3.0]])
}

#[test]
fn poses_give_the_rotation_without_scale_and_mirror() {
    let mut dice = Dice::new(91);
    for round in 0..3_000 {
        let mut q = [(); 4].map(|()| f64::from(dice.between(-1.0, 1.0)));
        if round % 4 == 0 {
            // Half a turn: w is 0.
            q[3] = 0.0;
        }
        if round % 20 == 0 {
            q = [
                [1.0, 0.0, 0.0, 0.0],
                [0.0, 1.0, 0.0, 0.0],
                [0.0, 0.0, 1.0, 0.0],
                [0.0, 0.0, 0.0, 1.0],
            ][round / 20 % 4];
        }
        let length = q.iter().map(|c| c * c).sum::<f64>().sqrt();
        if length < 0.1 {
            continue;
        }
        let q = q.map(|c| c / length);
        let scale = [(); 3].map(|()| f64::from(dice.between(-6.0, 6.0).exp2()));
        let mirrored = round % 3 == 0;
        let pose = posed(q, scale, mirrored);
        let got = pose.quaternion();
        let along: f64 = got.iter().zip(q).map(|(a, b)| f64::from(*a) * b).sum();
        assert!(along.abs() > 1.0 - 1e-6, "{q:?} {scale:?} {mirrored}: {got:?}");
        let first = [got[3], got[0], got[1], got[2]].into_iter().find(|c| *c != 0.0);
        assert!(first.unwrap() > 0.0, "{got:?}");
        assert_eq!(pose.determinant() < 0.0, mirrored, "{pose:?}");
    }
}

#[test]
fn poses_without_an_axis_are_not_turned() {
    let identity = [0.0, 0.0, 0.0, 1.0];
    for axis in 0..3 {
        for scale in [0.0, 1e-13, 3e38] {
            let mut scales = [2.0; 3];
            scales[axis] = scale;
            let pose = posed([0.6, 0.0, 0.8, 0.0], scales, false);
            assert_eq!(pose.quaternion(), identity, "{axis} {scale}");
        }
    }
    assert_eq!(Pose([[0.0; 4]; 3]).quaternion(), identity);
    assert_eq!(Pose([[0.0; 4]; 3]).forward(), [0.0; 3]);
    assert_eq!(Pose([[0.0; 4]; 3]).up(), [0.0; 3]);
    // All axes along one: no rotation, but a number all the same.
    let flat = Pose::from_columns([[1.0, 1.0, 1.0]; 4]).quaternion();
    let length: f32 = flat.iter().map(|c| c * c).sum();
    assert!((length - 1.0).abs() < 1e-6, "{flat:?}");
    assert_eq!(Pose::IDENTITY.forward(), [0.0, 0.0, -1.0]);
}

#[test]
fn poses_look_and_stand_as_the_emitters_nodes_say() {
    let [mut forward, mut up] = ["emitter_direction", "emitter_up"].map(Probe::new);
    let mut dice = Dice::new(92);
    for round in 0..500 {
        let mut columns = [(); 4].map(|()| dice.point(3.0));
        if round % 25 == 0 {
            columns[1 + round / 25 % 2] = [0.0; 3];
        }
        let pose = Pose::from_columns(columns);
        for node in [&mut forward, &mut up] {
            node.particle.builtins.set3(Builtin::EmitterAxisY, columns[1]);
            node.particle.builtins.set3(Builtin::EmitterAxisZ, columns[2]);
        }
        let bits = |v: [f32; 3]| v.map(f32::to_bits);
        assert_eq!(bits(forward.vec3(&[])), bits(pose.forward()), "{columns:?}");
        assert_eq!(bits(up.vec3(&[])), bits(pose.up()), "{columns:?}");
    }
}
