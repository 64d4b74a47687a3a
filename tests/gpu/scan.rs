//! Scans of plain numbers and of emitter rows against their serial twins.

use bytemuck::{bytes_of, cast_slice, pod_collect_to_vec};
use mote::base::gpu_struct::GpuStruct as _;
use mote::gpu::readback::read_words;
use mote::gpu::scan::{Job, Publish, Request, ScanError, Way, texts};
use mote::gpu::shader::check::{check, storage_buffers, workgroup_bytes};
use mote::gpu::shader::generated::compose_pass;
use mote::gpu::{BufferId, Pass, PassId, Scan, VARIANTS};
use mote::host::rows::{
    COUNTER_HEADER_WORDS, Counter, EmitterRow, EmitterState, FrameParams, SCAN_LIMIT, SCAN_ONE_MAX,
    SCAN_PARTIALS, SCAN_PUBLISHED, SCAN_TILE, WORKGROUP_SIZE, args, scan_groups,
};
use mote::reference::scan::{inclusive, scan};

use crate::support::{Rolls, counting, gpu};

const STORAGE: wgpu::BufferUsages = wgpu::BufferUsages::STORAGE
    .union(wgpu::BufferUsages::COPY_SRC)
    .union(wgpu::BufferUsages::COPY_DST);

fn filled(words: &[u32], usage: wgpu::BufferUsages) -> wgpu::Buffer {
    let (gpu, _) = gpu();
    let made = gpu.device.create_buffer(&wgpu::BufferDescriptor {
        label: None,
        size: (words.len() as u64 * 4).max(16),
        usage,
        mapped_at_creation: false,
    });
    gpu.queue.write_buffer(&made, 0, cast_slice(words));
    made
}

fn run(record: impl FnOnce(&mut wgpu::CommandEncoder)) {
    let (gpu, _) = gpu();
    let mut encoder = gpu.device.create_command_encoder(&Default::default());
    record(&mut encoder);
    gpu.queue.submit([encoder.finish()]);
}

/// A scan of numbers, and its output.
struct Bed {
    job: Job,
    output: wgpu::Buffer,
    expected: Vec<u32>,
}

impl Bed {
    fn new(scan: &Scan, values: &[u32], way: Way, publish: Publish) -> Self {
        let input = filled(values, STORAGE);
        // What nobody writes shows.
        let output = filled(&vec![u32::MAX; values.len() + 7], STORAGE);
        let expected = inclusive(values);
        let request = Request {
            input: &input,
            output: &output,
            length: values.len() as u32,
            most: expected.last().copied().unwrap_or(0).into(),
            way,
            publish,
        };
        let job = scan.job(&gpu().0, &request).unwrap();
        Self {
            job,
            output,
            expected,
        }
    }

    fn check(&self, what: &str) {
        run(|encoder| self.job.record(encoder));
        let found = read_words(&gpu().0, &self.output).unwrap();
        let (sums, rest) = found.split_at(self.expected.len());
        let wrong = sums.iter().zip(&self.expected).position(|(f, e)| f != e);
        assert_eq!(wrong, None, "{what}");
        assert!(
            rest[..7.min(rest.len())].iter().all(|&word| word == u32::MAX),
            "{what}"
        );
    }

    fn fallbacks(&self) -> u32 {
        read_words(&gpu().0, self.job.scratch()).unwrap()[1]
    }
}

fn lengths() -> Vec<u32> {
    let tile = SCAN_TILE;
    let mut lengths = vec![0, 1, 63, 255, 256, 257];
    lengths.extend([tile - 1, tile, tile + 1, 2 * tile - 1, 2 * tile, 2 * tile + 1]);
    lengths.extend([SCAN_ONE_MAX - 1, SCAN_ONE_MAX, SCAN_ONE_MAX + 1]);
    lengths.extend([65_535, 65_536, 65_537, 1 << 20]);
    lengths
}

/// Kinds of numbers, each with a total that every way holds.
fn values(kind: u32, length: u32, rolls: &mut Rolls) -> Vec<u32> {
    match kind {
        0 => vec![0; length as usize],
        1 => vec![1; length as usize],
        2 => (0..length).map(|_| rolls.below(256)).collect(),
        _ => {
            let mut values = vec![0; length as usize];
            if length > 0 {
                values[rolls.below(length) as usize] = 1 << 29;
            }
            values
        }
    }
}

fn scans() -> Scan {
    let _alone = counting();
    Scan::new(&gpu().0)
}

#[test]
fn scan_modules_are_valid_and_bind_few_buffers() {
    for (name, composed) in texts().unwrap() {
        let module = check(&composed).unwrap_or_else(|error| panic!("{name}: {error}"));
        assert!(storage_buffers(&module) <= 8, "{name}");
        assert!(workgroup_bytes(&module) <= 16_384, "{name}");
    }
    for pass in [PassId::ScanReduce.pass(), PassId::Scan.pass()] {
        let module = check(&compose_pass(pass, VARIANTS[0]).unwrap());
        assert!(storage_buffers(&module.unwrap()) <= 8, "{}", pass.name);
    }
}

#[test]
fn scan_equals_its_twin_at_every_length_in_every_way() {
    let scan = scans();
    let mut rolls = Rolls(0x5ca7);
    for length in lengths() {
        for kind in 0..4 {
            let values = values(kind, length, &mut rolls);
            for way in Way::ALL.into_iter().filter(|way| length <= way.most()) {
                let bed = Bed::new(&scan, &values, way, Publish::All);
                bed.check(&format!("{length} numbers of kind {kind}, {way:?}"));
            }
        }
    }
}

#[test]
fn scan_gives_the_same_again_and_again() {
    let scan = scans();
    let mut rolls = Rolls(0xa6a1);
    let values = values(2, 40_001, &mut rolls);
    for way in [Way::Tiles, Way::LookBack] {
        let bed = Bed::new(&scan, &values, way, Publish::All);
        for round in 0..25 {
            bed.check(&format!("{way:?}, round {round}"));
        }
    }
}

#[test]
fn scan_looking_back_comes_out_right_where_tiles_are_held_back() {
    let scan = scans();
    let mut rolls = Rolls(0xb10c);
    for publish in [Publish::Every(2), Publish::Every(8), Publish::None] {
        let mut fallbacks = 0;
        for length in lengths() {
            let values = values(2, length, &mut rolls);
            let bed = Bed::new(&scan, &values, Way::LookBack, publish);
            bed.check(&format!("{length} numbers, {publish:?}"));
            fallbacks += bed.fallbacks();
        }
        assert!(fallbacks > 100, "{publish:?} fell back {fallbacks} times");
    }
}

#[test]
fn scan_sums_saturate_and_what_cannot_be_scanned_is_refused() {
    let scan = scans();
    for (length, way) in [(4_000, Way::One), (5_000, Way::Tiles)] {
        let values: Vec<u32> = (0..length).map(|i| u32::MAX >> (i % 32)).collect();
        Bed::new(&scan, &values, way, Publish::All).check("saturating");
        assert_eq!(*inclusive(&values).last().unwrap(), SCAN_LIMIT);
    }
    let (input, output) = (filled(&[0; 100], STORAGE), filled(&[0; 100], STORAGE));
    let request = Request {
        input: &input,
        output: &output,
        length: 100,
        most: 1,
        way: Way::LookBack,
        publish: Publish::All,
    };
    let refused = |request: Request<'_>| scan.job(&gpu().0, &request).unwrap_err();
    let most = 1 << 30;
    assert_eq!(refused(Request { most, ..request }), ScanError::Total { most });
    assert!(
        scan.job(
            &gpu().0,
            &Request {
                most: most - 1,
                ..request
            }
        )
        .is_ok()
    );
    assert_eq!(
        refused(Request {
            length: 101,
            ..request
        }),
        ScanError::Short {
            length: 101,
            bytes: 400
        }
    );
    let output = &input;
    assert_eq!(refused(Request { output, ..request }), ScanError::InPlace);
    for way in Way::ALL {
        let length = way.most() + 1;
        let error = refused(Request {
            length,
            way,
            ..request
        });
        assert_eq!(
            error,
            ScanError::Length {
                length,
                most: way.most()
            }
        );
    }
    assert_eq!(Way::of(0), Ok(Way::One));
    assert_eq!(Way::of(SCAN_ONE_MAX + 1), Ok(Way::Tiles));
    assert_eq!(Way::of(Way::Tiles.most() + 1), Ok(Way::LookBack));
    assert!(Way::of(u32::MAX).is_err());
}

fn pipeline(pass: &Pass) -> wgpu::ComputePipeline {
    let device = &gpu().0.device;
    let text = compose_pass(pass, VARIANTS[0]).unwrap().text;
    let module = device.create_shader_module(wgpu::ShaderModuleDescriptor {
        label: None,
        source: wgpu::ShaderSource::Wgsl(text.into()),
    });
    device.create_compute_pipeline(&wgpu::ComputePipelineDescriptor {
        label: None,
        layout: None,
        module: &module,
        entry_point: Some("main"),
        compilation_options: Default::default(),
        cache: None,
    })
}

/// The passes over emitter rows, as the step runs them.
struct Rows {
    reduce: wgpu::ComputePipeline,
    scan: wgpu::ComputePipeline,
}

impl Rows {
    fn check(&self, counts: &[u32], budget: u32, groups: u32, rolls: &mut Rolls) {
        let (gpu, _) = gpu();
        let what = format!("{} rows in {groups}, {budget} free", counts.len());
        let rows = counts.len();
        let mut states: Vec<EmitterState> = counts
            .iter()
            .map(|&count| EmitterState {
                generation: 1,
                wanted: count + rolls.below(3),
                spawned: rolls.next(),
                dropped: rolls.below(100),
                ..EmitterState::default()
            })
            .collect();
        let base = rows * EmitterRow::words() as usize;
        let mut emitters = vec![0; base];
        emitters.extend(pod_collect_to_vec::<_, u32>(&states));
        let emitters = filled(&emitters, STORAGE);
        let mut sums = counts.to_vec();
        sums.resize(rows + (SCAN_PUBLISHED + SCAN_PARTIALS) as usize, u32::MAX);
        let sums = filled(&sums, STORAGE);
        let mut counters = vec![0; COUNTER_HEADER_WORDS as usize];
        counters[Counter::Dead as usize] = budget;
        counters[Counter::Budget as usize] = rolls.next();
        let counters = filled(&counters, STORAGE);
        let arguments = filled(&vec![u32::MAX; args::WORDS as usize], STORAGE);
        let params = FrameParams {
            row_count: rows as u32,
            state_base: base as u32,
            max_groups_x: mote::host::rows::MAX_GROUPS_X,
            wide_lanes: mote::host::rows::WIDE_GROUPS * mote::host::rows::WORKGROUP_SIZE,
            ..FrameParams::default()
        };
        let uniform = wgpu::BufferUsages::UNIFORM | wgpu::BufferUsages::COPY_DST;
        let frame = filled(cast_slice(bytes_of(&params)), uniform);

        run(|encoder| {
            let mut pass = encoder.begin_compute_pass(&Default::default());
            let mut dispatch = |of: &Pass, pipeline: &wgpu::ComputePipeline| {
                let entries: Vec<wgpu::BindGroupEntry<'_>> = of
                    .bindings
                    .iter()
                    .enumerate()
                    .map(|(binding, of)| wgpu::BindGroupEntry {
                        binding: binding as u32,
                        resource: match of.buffer {
                            BufferId::Frame => &frame,
                            BufferId::Emitters => &emitters,
                            BufferId::Sums => &sums,
                            BufferId::Counters => &counters,
                            _ => &arguments,
                        }
                        .as_entire_binding(),
                    })
                    .collect();
                let group = gpu.device.create_bind_group(&wgpu::BindGroupDescriptor {
                    label: None,
                    layout: &pipeline.get_bind_group_layout(0),
                    entries: &entries,
                });
                pass.set_pipeline(pipeline);
                pass.set_bind_group(0, &group, &[]);
                pass.dispatch_workgroups(groups, 1, 1);
            };
            if groups > 1 {
                dispatch(PassId::ScanReduce.pass(), &self.reduce);
            }
            dispatch(PassId::Scan.pass(), &self.scan);
        });

        let mut expected = counts.to_vec();
        let born = scan(&mut expected, &mut states, budget);
        let read = |buffer: &wgpu::Buffer| read_words(gpu, buffer).unwrap();
        assert!(read(&sums)[..rows] == expected, "{what}: sums");
        let found = &read(&emitters)[base..base + states.len() * EmitterState::words() as usize];
        assert!(found == pod_collect_to_vec::<_, u32>(&states), "{what}: states");
        let counters = read(&counters);
        let counter = |counter: Counter| counters[counter as usize];
        assert_eq!(counter(Counter::Born), born, "{what}");
        assert_eq!(counter(Counter::Budget), budget, "{what}");
        assert_eq!(counter(Counter::Dead), budget - born, "{what}");
        assert_eq!(counter(Counter::Alive), born, "{what}");
        let arguments = read(&arguments);
        let [x, y, z] = [0, 1, 2].map(|i| arguments[args::EMIT as usize + i]);
        assert!(x * y >= born.div_ceil(WORKGROUP_SIZE) && z == 1, "{what}");
    }
}

#[test]
fn scan_of_emitter_rows_equals_its_twin_in_one_workgroup_and_in_tiles() {
    let _alone = counting();
    let rows = Rows {
        reduce: pipeline(PassId::ScanReduce.pass()),
        scan: pipeline(PassId::Scan.pass()),
    };
    let seed = 0x20_0f_20;
    let mut rolls = Rolls(seed);
    let mut lengths: Vec<u32> = vec![1, 2, 255, 256, 257, 1_023, 1_024, 1_025];
    lengths.extend([
        SCAN_ONE_MAX - 1,
        SCAN_ONE_MAX,
        SCAN_ONE_MAX + 1,
        5_120,
        8_193,
        20_000,
    ]);
    lengths.extend([rolls.below(20_000) + 1, rolls.below(20_000) + 1]);
    for length in lengths {
        let counts: Vec<u32> = (0..length)
            .map(|_| if rolls.below(4) == 0 { rolls.below(500) } else { 0 })
            .collect();
        let total: u32 = counts.iter().sum();
        // Room for all, for exactly all, for some, for none.
        for budget in [total + 100, total, total / 3, 0] {
            rows.check(&counts, budget, scan_groups(length), &mut rolls);
        }
        // However many workgroups it is given: one, or a tile each.
        rows.check(&counts, total / 2, 1, &mut rolls);
        rows.check(&counts, total / 2, length.div_ceil(SCAN_TILE), &mut rolls);
    }
}
