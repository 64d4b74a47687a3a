//! The transforms and the field bindings on the device, against their twins, bit for bit on software Vulkan.

use std::sync::OnceLock;

use bytemuck::{cast_slice, cast_slice_mut};
use mote::gpu::kernel::{FIELD_BIND, Kernel, Source, TRANSFORMS};
use mote::host::rows::{FrameParams, TRANSFORM_WORDS};
use mote::host::transforms::{Composed, MAX_DEPTH};
use mote::host::{FieldBinding, FieldBindings, Pose, PoseChannel, PoseSource, TransformTable};
use mote::reference::field_bind::field_bind;
use mote::reference::transforms::{Matrix, transforms};

use crate::support::{Rolls, counting, gpu};

/// Where fields start in the program buffer of these tests, and how many words they have.
const FIELD_BASE: u32 = 48;
const FIELD_WORDS: u32 = 1_200;

fn kernel(source: Source) -> &'static Kernel {
    static KERNELS: [OnceLock<Kernel>; 2] = [OnceLock::new(), OnceLock::new()];
    KERNELS[usize::from(source.path == FIELD_BIND.path)].get_or_init(|| {
        let _counting = counting();
        Kernel::new(&gpu().0, source).unwrap()
    })
}

/// A module and what is done to its text.
type Fault = (Source, fn(String) -> String);

/// A table of rows with what belongs to it, on both sides.
struct World {
    rolls: Rolls,
    table: TransformTable,
    claimed: Vec<u32>,
    matrices: Vec<Matrix>,
    bindings: FieldBindings,
    composed: Vec<Composed>,
    composed_gpu: Vec<u32>,
    program: Vec<u32>,
    program_gpu: Vec<u32>,
}

impl World {
    fn new(seed: u32) -> Self {
        let program: Vec<u32> = (0..FIELD_BASE + FIELD_WORDS).collect();
        let mut world = Self {
            rolls: Rolls(seed),
            table: TransformTable::new(),
            claimed: Vec::new(),
            matrices: Vec::new(),
            bindings: FieldBindings::new(),
            composed: Vec::new(),
            composed_gpu: Vec::new(),
            program_gpu: program.clone(),
            program,
        };
        for _ in 0..7 {
            let pose = world.pose();
            let axis = |i: usize, w: f32| [pose.0[0][i], pose.0[1][i], pose.0[2][i], w];
            // The last row of a matrix is not read.
            world
                .matrices
                .push([axis(0, 0.5), axis(1, f32::NAN), axis(2, 0.0), axis(3, 1.0)]);
        }
        world
    }

    fn number(&mut self, reach: f32) -> f32 {
        (self.rolls.next() as f32 / u32::MAX as f32 * 2.0 - 1.0) * reach
    }

    /// A pose of any kind: turned, sheared, mirrored, flat, tiny, huge, not finite.
    fn pose(&mut self) -> Pose {
        let place = [(); 3].map(|()| self.number(10.0));
        let mut columns = [[(); 3]; 3].map(|c| c.map(|()| self.number(1.0)));
        match self.rolls.below(4) {
            // Axes that may change places and signs, exactly.
            0 => {
                let first = self.rolls.below(3) as usize;
                let step = 1 + self.rolls.below(2) as usize;
                columns = [0, 1, 2].map(|i| {
                    let mut axis = [0.0; 3];
                    axis[(first + step * i) % 3] = if self.rolls.below(2) == 0 { 1.0 } else { -1.0 };
                    axis
                });
            }
            // A turn about two axes.
            1 => {
                let (a, b) = (self.number(3.2), self.number(3.2));
                let turn = glam::Mat3::from_rotation_y(a) * glam::Mat3::from_rotation_x(b);
                columns = turn.to_cols_array_2d();
            }
            _ => {}
        }
        for column in &mut columns {
            let scale = match self.rolls.below(90) {
                0 => 0.0,
                1 => -0.0,
                2 => 1e-20,
                3 => 1e18,
                4..30 => -1.3,
                _ => 0.9,
            };
            *column = column.map(|c| c * scale);
        }
        let [x, y, z] = columns;
        let mut pose = Pose::from_columns([x, y, z, place]);
        if self.rolls.below(120) == 0 {
            let bad = [f32::NAN, f32::INFINITY, -3e38, f32::from_bits(0x7fa0_0001)];
            let (row, column) = (self.rolls.below(3) as usize, self.rolls.below(4) as usize);
            pose.0[row][column] = bad[self.rolls.below(4) as usize];
        }
        pose
    }

    fn source(&mut self) -> PoseSource {
        match self.rolls.below(8) {
            0 => PoseSource::Row(self.rolls.below(10)),
            1 => PoseSource::At(Pose::IDENTITY),
            _ => PoseSource::At(self.pose()),
        }
    }

    fn any(&mut self) -> Option<u32> {
        let count = self.claimed.len() as u32;
        (count > 0).then(|| self.claimed[self.rolls.below(count) as usize])
    }

    /// Some changes of every kind; what the table refuses is refused.
    fn edit(&mut self) {
        for _ in 0..40 {
            let row = self.any();
            match (self.rolls.below(12), row) {
                (0..5, _) | (_, None) if self.claimed.len() < 400 => {
                    // Mostly under the newest, so that chains grow long.
                    let newest = self.claimed.last().copied();
                    let parent = if self.rolls.below(5) > 0 { newest } else { row };
                    let source = self.source();
                    let claimed = self.table.claim(source, parent);
                    self.claimed
                        .extend(claimed.or_else(|_| self.table.claim(source, None)).ok());
                }
                (5..8, Some(row)) => {
                    let source = self.source();
                    self.table.set(row, source).unwrap();
                }
                (8, Some(row)) => self.table.teleport(row).unwrap(),
                (9, Some(row)) => {
                    let parent = self.any();
                    // A refusal leaves the row where it hangs.
                    let _ = self.table.set_parent(row, parent);
                }
                (10, Some(row)) => {
                    self.claimed.retain(|&claimed| claimed != row);
                    self.table.release(row).unwrap();
                }
                (_, Some(row)) => {
                    let channel = PoseChannel::ALL[self.rolls.below(4) as usize];
                    let binding = FieldBinding {
                        owner: self.rolls.below(9),
                        word: self.rolls.below(FIELD_WORDS - 4),
                        source: row,
                        channel,
                    };
                    if self.bindings.len() > 150 {
                        self.bindings.release_owner(&mut self.table, binding.owner);
                    }
                    // A field that is bound already stays as it is.
                    let _ = self.bindings.bind(&mut self.table, binding, channel.width());
                }
                _ => {}
            }
        }
    }

    /// One step on both sides.
    fn step(&mut self, compose: &Kernel, bind: &Kernel) {
        let count = self.table.row_count();
        self.composed.resize(count as usize, bytemuck::Zeroable::zeroed());
        self.composed_gpu.resize((count * TRANSFORM_WORDS) as usize, 0);
        // Some steps are pauses.
        let dt = [0.0, 1.0 / 60.0, 0.1][self.rolls.below(3) as usize];
        transforms(self.table.rows(), &self.matrices, &mut self.composed, dt);
        field_bind(
            self.bindings.rows(),
            &self.composed,
            &mut self.program[FIELD_BASE as usize..],
        );
        let frame = FrameParams {
            dt,
            transform_count: count,
            matrix_count: self.matrices.len() as u32,
            binding_count: self.bindings.row_count(),
            global_base: FIELD_BASE,
            ..FrameParams::default()
        };
        let mut rows = self.table.words().to_vec();
        // Matrices the caller's count does not name are not read.
        let mut matrices: Vec<u32> = cast_slice(&self.matrices).to_vec();
        matrices.resize(matrices.len() + 64, f32::NAN.to_bits());
        let places = &mut self.composed_gpu;
        compose
            .run(&frame, count, &mut [&mut rows, &mut matrices, places])
            .unwrap();
        let mut bound = self.bindings.words().to_vec();
        bind.run(
            &frame,
            self.bindings.row_count().max(1),
            &mut [&mut bound, places, &mut self.program_gpu],
        )
        .unwrap();
        self.table.end_step();
        self.bindings.clear_dirty();
    }

    /// The first row or word in which the two sides differ.
    fn difference(&self) -> Option<String> {
        let gpu: Vec<Composed> = {
            let mut rows = vec![Composed::default(); self.composed.len()];
            cast_slice_mut::<_, u32>(&mut rows).copy_from_slice(&self.composed_gpu);
            rows
        };
        let exact = crate::support::gpu().0.is_software();
        let differ = |a: u32, b: u32| {
            let (x, y) = (f32::from_bits(a), f32::from_bits(b));
            a != b && (exact || ((x - y).abs() > 1e-3 * x.abs().max(1.0)))
        };
        let words = |c: &Composed| -> Vec<u32> { cast_slice(std::slice::from_ref(c)).to_vec() };
        for (row, (cpu, gpu)) in self.composed.iter().zip(&gpu).enumerate() {
            if words(cpu).iter().zip(words(gpu)).any(|(&a, b)| differ(a, b)) {
                let depth = self.table.depth(row as u32);
                return Some(format!(
                    "row {row} of depth {depth:?}: {cpu:?} on the device {gpu:?}"
                ));
            }
        }
        let words = self.program.iter().zip(&self.program_gpu).enumerate();
        for (word, (&cpu, &gpu)) in words {
            if differ(cpu, gpu) {
                return Some(format!("word {word}: {cpu:#x} on the device {gpu:#x}"));
            }
        }
        None
    }
}

#[test]
fn transforms_and_bindings_agree_with_their_twins_over_random_hierarchies() {
    let (compose, bind) = (kernel(TRANSFORMS), kernel(FIELD_BIND));
    let (mut deepest, mut moving, mut mirrored, mut bound) = (0, 0, 0, 0);
    for seed in 0..8u32 {
        let mut world = World::new(seed);
        for _ in 0..MAX_DEPTH {
            let (pose, newest) = (PoseSource::At(world.pose()), world.claimed.last().copied());
            world.claimed.push(world.table.claim(pose, newest).unwrap());
        }
        for step in 0..25 {
            world.edit();
            world.step(compose, bind);
            let found = world.difference();
            assert!(found.is_none(), "seed {seed}, step {step}: {}", found.unwrap());
            assert!(
                world.composed.iter().all(|row| row.now.is_finite()),
                "seed {seed}, step {step}"
            );
        }
        for &row in &world.claimed {
            let depth = world.table.depth(row).unwrap();
            let place = &world.composed[row as usize];
            deepest = deepest.max(depth);
            moving += usize::from(depth > MAX_DEPTH / 2 && place.now != place.last);
        }
        mirrored += world
            .composed
            .iter()
            .filter(|row| row.now.determinant() < 0.0)
            .count();
        bound += world.bindings.len();
    }
    assert_eq!(deepest, MAX_DEPTH, "the longest chains were among them");
    assert!(moving > 20, "{moving} rows far down a chain moved");
    assert!(mirrored > 100 && bound > 300, "{mirrored} {bound}");
}

#[test]
fn transforms_and_bindings_planted_differences_are_found() {
    let _counting = counting();
    let changed =
        |source: Source, rewrite: fn(String) -> String| Kernel::rewritten(&gpu().0, source, rewrite).unwrap();
    let right = [TRANSFORMS, FIELD_BIND].map(|source| changed(source, |text| text));
    let wrong: [Fault; 6] = [
        (TRANSFORMS, |text| {
            text.replace(
                "pose_then(transform_own(at, here), world)",
                "pose_then(world, transform_own(at, here))",
            )
        }),
        (TRANSFORMS, |text| {
            text.replace("fresh || (all & ", "fresh || (own & ")
        }),
        (TRANSFORMS, |text| {
            text.replace("if (!pose_finite(world))", "if (false)")
        }),
        (TRANSFORMS, |text| {
            text.replace("else if (frame.dt > 0.0)", "else")
        }),
        (FIELD_BIND, |text| {
            text.replace("        x = -x;\n", "        y = -y;\n")
        }),
        (FIELD_BIND, |text| {
            text.replace("length, -length, first", "length, length, first")
        }),
    ];
    for (place, (source, rewrite)) in wrong.into_iter().enumerate() {
        assert_ne!(
            rewrite(source.compose().unwrap().text),
            source.compose().unwrap().text,
            "{place}"
        );
        let kernel = changed(source, rewrite);
        let mut world = World::new(5);
        let found = (0..25).any(|_| {
            world.edit();
            if source.path == FIELD_BIND.path {
                world.step(&right[0], &kernel);
            } else {
                world.step(&kernel, &right[1]);
            }
            world.difference().is_some()
        });
        assert!(found, "fault {place} was not found");
    }
}

#[test]
fn bindings_a_word_comes_back_when_its_field_is_let_go() {
    let (compose, bind) = (kernel(TRANSFORMS), kernel(FIELD_BIND));
    let mut world = World::new(1);
    let row = world
        .table
        .claim(PoseSource::At(Pose::at([1.0, 2.0, 3.0])), None)
        .unwrap();
    let binding = FieldBinding {
        owner: 1,
        word: 9,
        source: row,
        channel: PoseChannel::Position,
    };
    world.bindings.bind(&mut world.table, binding, 3).unwrap();
    let place = (FIELD_BASE + binding.word) as usize;
    let read = |world: &World| [0, 1, 2].map(|lane| f32::from_bits(world.program_gpu[place + lane]));
    world.step(compose, bind);
    assert_eq!(read(&world), [1.0, 2.0, 3.0]);
    // An upload that lands on a bound word is written over.
    world.program_gpu[place] = 0;
    world
        .table
        .set(row, PoseSource::At(Pose::at([4.0, 5.0, 6.0])))
        .unwrap();
    world.step(compose, bind);
    assert_eq!(read(&world), [4.0, 5.0, 6.0]);
    let freed = world.bindings.unbind(&mut world.table, binding.word).unwrap();
    for lane in 0..freed.width {
        world.program_gpu[(FIELD_BASE + freed.word + lane) as usize] = 0.25f32.to_bits();
    }
    world.step(compose, bind);
    assert_eq!(read(&world), [0.25; 3], "nothing writes there any more");
}
