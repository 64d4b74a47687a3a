//! Requests of other threads, and what a system shares with them.

use std::sync::Arc;

use mote::artifact::Effect;
use mote::gpu::readback::read_words;
use mote::host::{Placement, Pose, StageError, Stop, Swap};
use mote::system::{CommandError, Commands, ParticleSystem, SystemDescriptor, SystemError, Whom};

use crate::door::{descriptor, gusty, heated, sparks, step};
use crate::support::gpu;

fn system(commands: u32) -> ParticleSystem {
    let (gpu, _) = gpu();
    let descriptor = SystemDescriptor {
        commands,
        ..descriptor()
    };
    ParticleSystem::new(gpu, descriptor).unwrap()
}

#[test]
fn commands_of_many_threads_are_carried_out_in_the_next_step() {
    fn shared<T: Send + Sync>() {}
    shared::<ParticleSystem>();
    shared::<Commands>();
    let mut system = system(1_024);
    let threads: Vec<_> = (0..8)
        .map(|thread| {
            let commands = system.commands();
            std::thread::spawn(move || {
                let pose = Pose::at([thread as f32, 0.0, 0.0]);
                let mut asked = Vec::new();
                for _ in 0..10 {
                    let placement = Placement::default();
                    let one = commands.place(sparks(9.0, 4), placement).unwrap();
                    commands.set_pose(one, pose).unwrap();
                    commands.burst(one, 0, 0).unwrap();
                    asked.push(one);
                }
                commands.stop(asked[0], Stop::Now).unwrap();
                asked
            })
        })
        .collect();
    let asked: Vec<_> = threads.into_iter().flat_map(|t| t.join().unwrap()).collect();
    assert!(asked.iter().all(|&one| system.instance(one).is_none()));
    step(&mut system);
    assert_eq!(system.refusals().count(), 0);
    assert_eq!(system.stage().instance_count(), 72);
    for (index, &one) in asked.iter().enumerate() {
        assert_eq!(system.instance(one).is_none(), index % 10 == 0);
    }
    step(&mut system);
    assert_eq!(system.read_stats(&gpu().0).unwrap().living, 72 * 4);
}

#[test]
fn commands_that_find_no_room_or_no_sense_are_given_back() {
    let mut system = system(3);
    let commands = system.commands();
    let once = commands.play_once(heated(), Placement::default()).unwrap();
    commands.set_parameter(once, "nothing", [1.0; 4]).unwrap();
    commands.set_global("gust", &[f32::NAN]).unwrap();
    assert_eq!(commands.restart(once), Err(CommandError::Full));
    step(&mut system);
    let refused: Vec<_> = system.refusals().collect();
    assert!(matches!(
        refused[0].error,
        SystemError::Stage(StageError::NoParameter { .. })
    ));
    assert_eq!(refused[0].whom, Some(Whom::Asked(once)));
    assert_eq!(refused[1].whom, None);
    let id = system.instance(once).unwrap();
    commands.set_parameter(id, "heat", [0.5; 4]).unwrap();
    commands.set_time_scale(once, 0.5).unwrap();
    step(&mut system);
    assert_eq!(system.refusals().count(), 0);
    system.remove(id).unwrap();
    commands.teleport(once, Pose::IDENTITY).unwrap();
    step(&mut system);
    let gone = system.refusals().next().unwrap().error;
    assert!(matches!(gone, SystemError::Stage(StageError::NoInstance)));
    drop(system);
    assert_eq!(commands.set_global("gust", &[1.0]), Err(CommandError::Gone));
    // One that takes no commands says so and goes on.
    let mut deaf = self::system(0);
    assert_eq!(
        deaf.commands().set_global("gust", &[1.0]),
        Err(CommandError::Full)
    );
    step(&mut deaf);
}

#[test]
fn commands_and_the_game_reload_every_instance_of_an_effect() {
    let (gpu, _) = gpu();
    let mut system = system(64);
    let old = sparks(5.0, 8);
    let others = system.place(gusty(1), Placement::default()).unwrap();
    let mut ids = Vec::new();
    system
        .place_many(&old, &[Placement::default(); 3], &mut ids)
        .unwrap();
    step(&mut system);
    let new = sparks(7.0, 8);
    let swapped = system.reload_all(&old, &new).unwrap();
    assert_eq!(
        swapped,
        ids.iter().map(|&id| (id, Swap::Kept)).collect::<Vec<_>>()
    );
    step(&mut system);
    let playing = |system: &ParticleSystem, id| Arc::clone(system.stage().instance_effect(id).unwrap());
    assert!(ids.iter().all(|&id| playing(&system, id) == new));
    assert_eq!(playing(&system, others), gusty(1));
    // One that cannot be placed changes nothing.
    let mut bad = Effect::clone(&new);
    bad.programs[0].registers = 10_000;
    assert!(system.reload_all(&new, &Arc::new(bad)).is_err());
    assert!(ids.iter().all(|&id| playing(&system, id) == new));
    let commands = system.commands();
    commands.reload(ids[0], sparks(2.0, 8)).unwrap();
    step(&mut system);
    assert_eq!(playing(&system, ids[0]), sparks(2.0, 8));
    read_words(gpu, system.pool().counters()).unwrap();
}

#[test]
fn door_starts_no_thread_unless_it_is_asked() {
    let (gpu, _) = gpu();
    let quiet = SystemDescriptor {
        background: false,
        ..descriptor()
    };
    assert!(!SystemDescriptor::new(quiet.targets).background);
    let system = ParticleSystem::new(gpu, quiet).unwrap();
    assert!(system.ready(), "all pipelines are there at once");
}
