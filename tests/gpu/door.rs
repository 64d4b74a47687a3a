//! The door for a game: what ends, what grows, what is refused, what a lost device leaves.

use std::sync::Arc;

use mote::artifact::effect::{Parameter, ParameterRead};
use mote::artifact::{Burst, Effect, Emission, Emitter};
use mote::base::id::Id;
use mote::draw::Targets;
use mote::gpu::readback::read_words;
use mote::gpu::{Gpu, GrowError, Snapshot, requirements};
use mote::host::heap::{HeapError, LEAST_WORDS};
use mote::host::rows::Counter;
use mote::host::{InstanceId, Placement, Pose, PoseChannel, PoseSource, StageError, Stop, Swap};
use mote::isa::asm::assemble;
use mote::layout::{EmitterLayout, FieldType};
use mote::play::{Driver, Player, Shown, SwapReport};
use mote::render::OrbitCamera;
use mote::system::{ParticleSystem, SystemDescriptor, SystemError};
use wgpu::util::DeviceExt as _;

use crate::pixels::kit;
use crate::support::{Pair, counting, drift, effect, gpu, layout};

const STEP: f64 = 1.0 / 60.0;

pub(crate) fn descriptor() -> SystemDescriptor {
    let targets = Targets {
        color: wgpu::TextureFormat::Rgba8Unorm,
        depth: None,
        reversed: false,
        samples: 1,
    };
    SystemDescriptor {
        background: true,
        ..SystemDescriptor::new(targets)
    }
}

pub(crate) fn step_on(gpu: &Gpu, system: &mut ParticleSystem, dt: f64) {
    let mut encoder = gpu.device.create_command_encoder(&Default::default());
    system.step(gpu, &mut encoder, dt, &[]);
    gpu.queue.submit([encoder.finish()]);
}

pub(crate) fn step(system: &mut ParticleSystem) {
    step_on(&gpu().0, system, STEP);
}

pub(crate) fn sparks(lifetime: f32, count: u32) -> Arc<Effect> {
    effect(
        &drift(lifetime),
        Emission {
            duration: Some(0.05),
            loops: 1,
            bursts: vec![Burst::once(count)],
            capacity: count,
            ..Emission::default()
        },
    )
}

/// Steps until something is told to have ended; what and after how many steps.
fn until_finished(system: &mut ParticleSystem) -> (InstanceId, u32) {
    for steps in 1..200 {
        step(system);
        // Late by some frames, never by more than the device is behind.
        read_words(&gpu().0, system.pool().counters()).unwrap();
        if let Some(id) = system.finished().next() {
            return (id, steps);
        }
    }
    panic!("nothing was told to have ended in 200 steps");
}

/// Reads the global field into the size.
pub(crate) fn gusty(width: u32) -> Arc<Effect> {
    let text = format!(
        ".registers 4\n.global gust {width}\ninit:\n load_builtin.1 r0, global[0]\n store_field.1 w7, r0\nupdate:\n"
    );
    let emission = Emission {
        bursts: vec![Burst::once(1)],
        ..Emission::default()
    };
    effect(&text, emission)
}

/// Reads a parameter into the size.
pub(crate) fn heated() -> Arc<Effect> {
    let text = ".registers 4\ninit:\n load_builtin.1 r0, emitter[0]\n store_field.1 w7, r0\nupdate:\n";
    let emission = Emission {
        bursts: vec![Burst::once(1)],
        ..Emission::default()
    };
    let mut heated = Effect {
        emitters: vec![Emitter::new(Id::new("a").unwrap(), layout(), emission)],
        programs: vec![assemble(text).unwrap()],
        ..Effect::default()
    };
    heated.emitters[0].emitter_layout = EmitterLayout::pack([("heat", FieldType::Float)]).unwrap();
    heated.emitters[0].emitter_fields = vec![0];
    heated.parameters.push(Parameter {
        id: Id::new("heat").unwrap(),
        name: "heat".to_owned(),
        ty: FieldType::Float,
        default: [0.0; 4],
        range: None,
        unit: String::new(),
        read: ParameterRead::default(),
    });
    Arc::new(heated)
}

fn sizes(gpu: &Gpu, system: &ParticleSystem) -> Vec<f32> {
    let snapshot = Snapshot::read(gpu, system.pool(), system.stage().row_count()).unwrap();
    snapshot.live_records().map(|r| f32::from_bits(r[7])).collect()
}

#[test]
fn door_tells_what_ended_counts_what_lives_and_remembers_what_it_refused() {
    let _counting = counting();
    let (gpu, _) = gpu();
    let mut system = ParticleSystem::new(gpu, descriptor()).unwrap();
    assert!(system.stats().is_none());
    for dt in [0.0, -1.0, f64::NAN, f64::INFINITY, STEP] {
        step_on(gpu, &mut system, dt);
    }

    // What is played once goes by itself, what is placed stays.
    let kept = system.place(sparks(0.3, 8), Placement::default()).unwrap();
    let once = system.play_once(sparks(0.1, 8), Placement::default()).unwrap();
    system.burst(kept, 0, 0).unwrap();
    let (first, early) = until_finished(&mut system);
    assert_eq!(first, once);
    assert!(
        early >= 6,
        "its particles live a tenth of a second: {early} steps"
    );
    assert!(!system.is_playing(once) && system.is_playing(kept));
    let (second, _) = until_finished(&mut system);
    assert_eq!(second, kept);
    assert!(system.is_playing(kept));
    (0..10).for_each(|_| step(&mut system));
    assert_eq!(system.finished().count(), 0, "told once");
    system.restart(kept).unwrap();
    step(&mut system);
    let stats = system.read_stats(gpu).unwrap();
    assert_eq!((stats.living, stats.instances[0].born), (8, 8));
    assert_eq!(stats.alive_list + stats.dead_list, stats.capacity);
    assert_eq!(stats.budget, 8);
    for dt in [0.0, -1.0, f64::NAN, f64::INFINITY] {
        step_on(gpu, &mut system, dt);
        assert_eq!(
            system.read_stats(gpu).unwrap(),
            stats,
            "a step of {dt} is a pause"
        );
    }
    system.stats();
    step(&mut system);
    read_words(gpu, system.pool().counters()).unwrap();
    step(&mut system);
    read_words(gpu, system.pool().counters()).unwrap();
    step(&mut system);
    assert_eq!(system.stats().unwrap().instances[0].id, kept);
    step_on(gpu, &mut system, 1e30);
    system.stop(kept, Stop::Births).unwrap();

    // Many at once, on nodes, out of every view.
    let node = system.add_node(Pose::at([0.0, 1.0, 0.0]), None).unwrap();
    let hung = Placement {
        parent: Some(node),
        ..Placement::default()
    };
    let mut ids = Vec::new();
    system
        .place_many(&sparks(1.0, 8), &[hung; 300], &mut ids)
        .unwrap();
    assert_eq!(ids.len(), 300);
    system.attach(ids[0], None).unwrap();
    let camera = OrbitCamera {
        target: glam::Vec3::ZERO,
        yaw: 0.0,
        pitch: 0.0,
        distance: 10.0,
        fov_y: 0.4,
    };
    let mut encoder = gpu.device.create_command_encoder(&Default::default());
    system.step(gpu, &mut encoder, STEP, &[camera.view(64, 64)]);
    gpu.queue.submit([encoder.finish()]);
    assert_eq!(
        system.read_stats(gpu).unwrap().living,
        2_400 + sizes_of(&system, kept)
    );
    for id in ids {
        system.stop(id, Stop::Now).unwrap();
    }

    // A global field is shared, declared by whoever comes first; what wants another width is refused, once.
    system.set_global("gust", &[3.0]).unwrap();
    let windy = system.place(gusty(1), Placement::default()).unwrap();
    let nowhere = Pose::at([f32::NAN; 3]);
    assert_eq!(
        system.set_pose(windy, nowhere),
        Err(StageError::NotFinite { what: "pose" })
    );
    step(&mut system);
    assert!(sizes(gpu, &system).contains(&3.0));
    let wide = gusty(3);
    assert!(matches!(
        system.reload(windy, Arc::clone(&wide)),
        Err(SystemError::Stage(StageError::Program {
            source: HeapError::GlobalWidth { .. },
            ..
        }))
    ));
    let again = Arc::new(Effect::clone(&wide));
    for same in [wide, again] {
        assert!(matches!(system.reload(windy, same), Err(SystemError::Refused(_))));
    }
    assert!(system.reload(windy, gusty(1)).is_ok(), "it changed");
    assert!(
        system
            .bind_global_field("gust", node, PoseChannel::Position)
            .is_err()
    );
    assert!(
        system
            .bind_global_field("calm", node, PoseChannel::Position)
            .is_err()
    );

    let unknown = system.parameter("nothing");
    assert_eq!(unknown, system.parameter("nothing"));
    assert!(matches!(
        system.set(windy, unknown, [0.0; 4]),
        Err(StageError::NoParameter { .. })
    ));

    // A parameter is looked up once and is the same one in every version of the effect that has it.
    let heat = system.parameter("heat");
    let hot = system.place(heated(), Placement::default()).unwrap();
    system.set(hot, heat, [0.25, 0.0, 0.0, 0.0]).unwrap();
    step(&mut system);
    assert!(sizes(gpu, &system).contains(&0.25));
    system.reload(hot, heated()).unwrap();
    system.burst(hot, 0, 1).unwrap();
    step(&mut system);
    let kept = sizes(gpu, &system).iter().filter(|&&size| size == 0.25).count();
    assert_eq!(kept, 2, "the value outlives the version it was set on");
    system.set(hot, heat, [0.25, 0.0, 0.0, 0.0]).unwrap();
    assert!(
        system.stage().heap().dirty().is_empty(),
        "an equal value costs no upload"
    );
    system.remove(hot).unwrap();

    // More than the pool holds: it grows, what lives stays.
    let before = system.pool().capacity();
    let crowd = sparks(9.0, before);
    system.place(crowd, Placement::default()).unwrap();
    step(&mut system);
    assert!(system.pool().capacity() > before);
    assert!(sizes(gpu, &system).contains(&3.0), "what lived before the growth");
    let memory = system.memory();
    assert!(memory.total() >= u64::from(system.pool().capacity()) * 128);
    for name in ["readback.finished", "readback.stats", "draw.views"] {
        assert!(
            memory.buffers.iter().any(|&(of, bytes)| of == name && bytes > 0),
            "{name}"
        );
    }
    assert_eq!(memory.effects.iter().map(|e| e.instances).sum::<u32>(), 3);
    let far = sparks(1.0, 1 << 22);
    let refused = system.place_many(&far, &[Placement::default(); 1_100], &mut Vec::new());
    assert!(matches!(
        refused,
        Err(SystemError::Limit {
            name: "particles",
            ..
        })
    ));
}

fn sizes_of(system: &ParticleSystem, id: InstanceId) -> u32 {
    let stats = system.read_stats(&gpu().0).unwrap();
    stats
        .instances
        .iter()
        .filter(|i| i.id == id)
        .map(|i| i.living)
        .sum()
}

#[test]
fn door_goes_on_on_another_device_and_bears_a_lost_one() {
    let _counting = counting();
    let first = Gpu::headless().unwrap();
    let mut system = ParticleSystem::new(
        &first,
        SystemDescriptor {
            particles: 256,
            growth: false,
            ..descriptor()
        },
    )
    .unwrap();
    system.set_global("gust", &[5.0]).unwrap();
    let id = system.place(gusty(1), Placement::default()).unwrap();
    step_on(&first, &mut system, STEP);
    assert_eq!(sizes(&first, &system), [5.0]);
    first.device.destroy();
    for _ in 0..6 {
        step_on(&first, &mut system, STEP);
    }
    assert!(matches!(system.read_stats(&first), Err(SystemError::Read(_))));
    let (second, _) = gpu();
    system.rebuild(second).unwrap();
    step(&mut system);
    assert_eq!(
        sizes(second, &system),
        [5.0],
        "effects, values and instances are still there"
    );
    assert!(system.is_playing(id));

    // Without growth what finds no room is refused, and the error says what is full.
    let few = SystemDescriptor {
        rows: 3,
        growth: false,
        ..descriptor()
    };
    let mut few = ParticleSystem::new(second, few).unwrap();
    let mut ids = Vec::new();
    assert!(matches!(
        few.place_many(&gusty(1), &[Placement::default(); 4], &mut ids),
        Err(SystemError::Stage(StageError::RowsFull { most: 3 }))
    ));
    assert!(ids.is_empty());
    few.place_many(&gusty(1), &[Placement::default(); 3], &mut ids)
        .unwrap();
    few.place_many(&gusty(1), &[], &mut ids).unwrap();
    step(&mut few);
    let words = SystemDescriptor {
        program_words: LEAST_WORDS,
        growth: false,
        ..descriptor()
    };
    drop(few);
    let mut words = ParticleSystem::new(second, words).unwrap();
    words.place(gusty(1), Placement::default()).unwrap();
    let long = drift(1.0) + &"    load_builtin.1 r0, delta_time\n".repeat(2_500);
    let long = effect(&long, Emission::default());
    assert!(matches!(
        words.place(long, Placement::default()),
        Err(SystemError::Stage(StageError::Program {
            source: HeapError::Full { .. },
            ..
        }))
    ));
    drop(words);

    // Births that find no slot are refused and counted.
    system.place(sparks(9.0, 1_000), Placement::default()).unwrap();
    step(&mut system);
    let stats = system.read_stats(second).unwrap();
    assert_eq!((stats.living, stats.dropped, stats.capacity), (256, 745, 256));
}

#[test]
fn door_says_what_a_device_lacks() {
    let (gpu, _) = gpu();
    let limits = |descriptor| match ParticleSystem::new(gpu, descriptor) {
        Err(SystemError::Limit {
            name,
            wanted,
            available,
        }) => (name, wanted > available),
        other => panic!("{other:?}"),
    };
    let particles = SystemDescriptor {
        particles: u32::MAX,
        ..descriptor()
    };
    assert_eq!(limits(particles), ("particles", true));
    let rows = SystemDescriptor {
        rows: 70_000,
        ..descriptor()
    };
    assert_eq!(limits(rows), ("emitters", true));
    let words = SystemDescriptor {
        program_words: 100,
        ..descriptor()
    };
    let error = ParticleSystem::new(gpu, words).unwrap_err().to_string();
    assert!(error.starts_with("100 program words are too few, "), "{error}");
    let needs = requirements(&gpu.adapter);
    let (device, queue) = pollster::block_on(gpu.adapter.request_device(&wgpu::DeviceDescriptor {
        required_limits: wgpu::Limits {
            max_storage_buffers_per_shader_stage: 4,
            ..needs.limits
        },
        ..Default::default()
    }))
    .unwrap();
    let small = Gpu::from_parts(gpu.instance.clone(), gpu.adapter.clone(), device, queue);
    let error = ParticleSystem::new(&small, descriptor()).unwrap_err().to_string();
    assert_eq!(
        error,
        "8 storage buffers of a shader stage are wanted, 4 are the most on this device"
    );
}

fn fountain() -> Arc<Effect> {
    effect(
        &drift(0.4),
        Emission {
            rate: 900.0,
            capacity: 600,
            ..Emission::default()
        },
    )
}

fn live(snapshot: &Snapshot) -> Vec<[u32; 32]> {
    let mut records: Vec<_> = snapshot.live_records().copied().collect();
    records.sort_unstable();
    records
}

#[test]
fn pool_growth_keeps_the_living_and_the_order_of_births() {
    let (gpu, _) = gpu();
    let fountain = fountain();
    let (mut small, mut large) = (Pair::with(&fountain, 400), Pair::with(&fountain, 1_500));
    // Before the small pool is full the two are the same.
    for frame in 0..60 {
        if frame == 20 {
            small.pool.grow_particles(gpu, 1_500).unwrap();
            small.reference.grow(1_500);
            small.stage.set_pool_capacity(1_500);
        }
        small.step(STEP);
        large.step(STEP);
        if frame % 10 == 9 {
            let (a, b) = (small.snapshot(), large.snapshot());
            assert_eq!(live(&a), live(&b), "frame {frame}");
            let mut twin: Vec<_> = small.reference.live_records().copied().collect();
            twin.sort_unstable();
            assert_eq!(live(&a), twin, "frame {frame}");
            let lists = a.counter(Counter::AliveIn) + a.counter(Counter::Dead);
            assert_eq!(lists, small.pool.capacity());
            let mut slots: Vec<u32> = a.alive.iter().chain(&a.dead).copied().collect();
            slots.sort_unstable();
            assert!(
                slots.iter().copied().eq(0..small.pool.capacity()),
                "each slot once"
            );
        }
    }
    let refused = small.pool.grow_particles(gpu, u32::MAX);
    assert!(matches!(refused, Err(GrowError::TooMany { .. })));
    assert_eq!(small.pool.capacity(), 1_500);
}

#[test]
fn player_grows_where_an_edit_outgrows_the_pool_and_knows_when_it_is_over() {
    let mut player = Player::new(Some(kit()), Shown::Split);
    player.load(fountain()).unwrap();
    (0..20).for_each(|_| player.step_once());
    let before = player.pool_capacity();
    let mut edited = Effect::clone(&fountain());
    edited.emitters[0].emission.capacity = before + 5_000;
    assert_eq!(player.swap(Arc::new(edited)).unwrap(), SwapReport::Kept);
    assert!(player.pool_capacity() > before);
    (0..20).for_each(|_| player.step_once());
    let (gpu, cpu) = (
        player.stats(Driver::Gpu).unwrap(),
        player.stats(Driver::Cpu).unwrap(),
    );
    assert_eq!(gpu, cpu);
    assert_eq!(gpu.born, 600, "forty steps' births: it never started over");
    for shown in [Shown::Cpu, Shown::Gpu] {
        player.show(shown).unwrap();
        player.load(sparks(0.1, 8)).unwrap();
        player.step_once();
        assert!(!player.is_finished());
        for _ in 0..40 {
            player.step_once();
            if shown == Shown::Gpu {
                player.stats(Driver::Gpu).unwrap();
            }
        }
        assert!(player.is_finished(), "{shown:?}");
    }
}

#[test]
fn step_of_more_workgroups_than_an_axis_has_goes_on_along_the_next() {
    let (gpu, _) = gpu();
    let crowd = sparks(0.2, 2_000);
    let (mut narrow, mut wide) = (Pair::with(&crowd, 2_500), Pair::with(&crowd, 2_500));
    for frame in 0..16 {
        let mut begun = narrow.stage.begin_step(STEP).unwrap();
        begun.params.max_groups_x = 3;
        let mut encoder = gpu.device.create_command_encoder(&Default::default());
        narrow
            .simulation
            .step(gpu, &mut encoder, &mut narrow.pool, &narrow.stage, &begun);
        gpu.queue.submit([encoder.finish()]);
        narrow.stage.end_step();
        wide.step(STEP);
        if frame % 5 == 0 {
            assert_eq!(live(&narrow.snapshot()), live(&wide.snapshot()), "frame {frame}");
        }
    }
}

#[test]
fn emitters_without_room_or_births_change_nothing_for_others() {
    let none = effect(
        &drift(1.0),
        Emission {
            rate: 100.0,
            capacity: 0,
            ..Emission::default()
        },
    );
    let mut pair = Pair::with(&none, 1);
    pair.stage.place(sparks(1.0, 1), Placement::default()).unwrap();
    for _ in 0..5 {
        pair.step(STEP);
    }
    let snapshot = pair.snapshot();
    assert_eq!(live(&snapshot).len(), 1);
    assert_eq!((snapshot.states[0].living, snapshot.states[1].living), (0, 1));
    assert!(snapshot.states[0].dropped > 0);
}

#[test]
fn door_shows_a_prewarm_in_its_first_step_and_in_a_pause() {
    let smoke = effect(
        &drift(2.0),
        Emission {
            rate: 20.0,
            prewarm: 5.0,
            ..Emission::default()
        },
    );
    let (gpu, _) = gpu();
    for (dt, age) in [(0.0, 5.0), (STEP, 5.0 + STEP)] {
        let mut system = ParticleSystem::new(gpu, descriptor()).unwrap();
        system.place(Arc::clone(&smoke), Placement::default()).unwrap();
        step_on(gpu, &mut system, dt);
        let snapshot = Snapshot::read(gpu, system.pool(), 1).unwrap();
        let state = snapshot.states[0];
        assert!((39..=41).contains(&state.living), "{} after {dt}", state.living);
        assert!(
            (f64::from(state.age_hi) - age).abs() < 1e-4,
            "{} after {dt}",
            state.age_hi
        );
        step_on(gpu, &mut system, STEP);
        let after = Snapshot::read(gpu, system.pool(), 1).unwrap().states[0];
        assert!((f64::from(after.age_hi) - age - STEP).abs() < 1e-4);
    }
}

#[test]
fn door_refuses_what_is_no_number_and_bursts_of_what_was_stopped() {
    let (gpu, _) = gpu();
    let mut system = ParticleSystem::new(gpu, descriptor()).unwrap();
    let heat = system.parameter("heat");
    let id = system.place(heated(), Placement::default()).unwrap();
    for odd in [f32::NAN, f32::INFINITY] {
        let time = system.set_time_scale(id, odd).unwrap_err();
        assert_eq!(time.to_string(), "the time scale has a number that is not finite");
        assert!(system.set(id, heat, [odd, 0.0, 0.0, 0.0]).is_err());
        assert!(matches!(
            system.set_global("gust", &[odd]),
            Err(HeapError::GlobalNotFinite { .. })
        ));
        let placement = Placement {
            time_scale: odd,
            ..Placement::default()
        };
        assert!(system.place(heated(), placement).is_err());
    }
    assert!(matches!(
        system.set_global("", &[1.0]),
        Err(HeapError::GlobalUnnamed)
    ));
    step(&mut system);
    assert_eq!(system.stage().instance_count(), 1);
    assert!(system.burst(id, 0, 5).is_ok());
    for how in [Stop::Births, Stop::Fade(f32::INFINITY), Stop::Fade(2.0)] {
        system.restart(id).unwrap();
        system.stop(id, how).unwrap();
        assert_eq!(system.burst(id, 0, 5), Err(StageError::Stopped), "{how:?}");
        step(&mut system);
        assert!(system.is_playing(id));
    }
}

#[test]
fn door_says_where_a_reload_kept_nothing() {
    let (gpu, _) = gpu();
    let mut system = ParticleSystem::new(gpu, descriptor()).unwrap();
    let id = system.place(sparks(1.0, 8), Placement::default()).unwrap();
    step(&mut system);
    assert_eq!(system.reload(id, sparks(2.0, 8)).unwrap(), Swap::Kept);
    let mut other = (*sparks(1.0, 8)).clone();
    other.emitters[0].id = Id::new("b").unwrap();
    assert_eq!(system.reload(id, Arc::new(other)).unwrap(), Swap::Restart);
}

/// Where the only particle stands.
fn place_of(system: &ParticleSystem) -> [f32; 3] {
    let snapshot = Snapshot::read(&gpu().0, system.pool(), system.stage().row_count()).unwrap();
    let records: Vec<_> = snapshot.live_records().collect();
    assert_eq!(records.len(), 1);
    [4, 5, 6].map(|word| f32::from_bits(records[0][word]))
}

#[test]
fn door_follows_the_games_matrices_and_nodes() {
    let _counting = counting();
    let (gpu, _) = gpu();
    // Each step: where the emitter is, and what the global field says.
    let text = ".registers 8\n.global hand 3\ninit:\nupdate:\n load_builtin.3 r0, emitter_position\n \
                load_builtin.3 r4, global[0]\n add.3 r0, r0, r4\n store_field.3 w4, r0\n";
    let emission = Emission {
        bursts: vec![Burst::once(1)],
        ..Emission::default()
    };
    let mut system = ParticleSystem::new(gpu, descriptor()).unwrap();
    let at_row = Placement {
        pose: PoseSource::Row(1),
        ..Placement::default()
    };
    let id = system.place(effect(text, emission), at_row).unwrap();
    step(&mut system);
    assert_eq!(
        place_of(&system),
        [0.0; 3],
        "without matrices a row is the identity"
    );
    let matrices = [
        glam::Mat4::IDENTITY,
        glam::Mat4::from_translation(glam::vec3(1.0, 2.0, 3.0)),
    ];
    let buffer = gpu.device.create_buffer_init(&wgpu::util::BufferInitDescriptor {
        label: None,
        contents: bytemuck::cast_slice(&matrices.map(|m| m.to_cols_array())),
        usage: wgpu::BufferUsages::STORAGE,
    });
    let useless = gpu.device.create_buffer(&wgpu::BufferDescriptor {
        label: None,
        size: 128,
        usage: wgpu::BufferUsages::COPY_DST,
        mapped_at_creation: false,
    });
    let refused = system.set_matrices(&useless, 2).unwrap_err().to_string();
    assert_eq!(
        refused,
        "the buffer of matrices was made without the usage STORAGE"
    );
    system.set_matrices(&buffer, 9).unwrap();
    step(&mut system);
    assert_eq!(place_of(&system), [1.0, 2.0, 3.0]);

    let node = system.add_node(Pose::at([10.0, 0.0, 0.0]), None).unwrap();
    system
        .bind_global_field("hand", node, PoseChannel::Position)
        .unwrap();
    let twice = system.bind_global_field("hand", node, PoseChannel::Position);
    assert!(twice.is_err(), "the first request stands");
    step(&mut system);
    assert_eq!(place_of(&system), [11.0, 2.0, 3.0]);
    system.teleport_node(node, Pose::at([20.0, 0.0, 0.0])).unwrap();
    step(&mut system);
    assert_eq!(place_of(&system), [21.0, 2.0, 3.0]);
    system.set_global("hand", &[0.0, 5.0, 0.0]).unwrap();
    step(&mut system);
    assert_eq!(
        place_of(&system),
        [21.0, 2.0, 3.0],
        "what follows a node follows it"
    );
    system.unbind_global_field("hand");
    step(&mut system);
    assert_eq!(place_of(&system), [1.0, 7.0, 3.0], "its own value returns");

    // On another device nothing is bound to the old one's buffer.
    system.rebuild(gpu).unwrap();
    step(&mut system);
    assert_eq!(place_of(&system), [0.0, 5.0, 0.0]);
    system.set_matrices(&buffer, 2).unwrap();
    system.teleport(id, PoseSource::Row(1)).unwrap();
    step(&mut system);
    assert_eq!(place_of(&system), [1.0, 7.0, 3.0]);
    system.remove_node(node).unwrap();
    assert!(system.set_node(node, Pose::default()).is_err());
}
