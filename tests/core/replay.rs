//! The same moment reached in several ways.

use std::sync::Arc;
use std::time::Duration;

use mote::artifact::{Effect, Emission};
use mote::compiler::compile;
use mote::document::presets::preset;
use mote::host::Pose;
use mote::play::{Driver, Player, Shown};

use crate::support::{drift, effect};

const STEP: f64 = 1.0 / 60.0;
const LONG: Duration = Duration::from_secs(600);

/// Births by the metre that inherit the emitter's velocity: what a particle starts with comes from the way since
/// the last step.
fn trail() -> Arc<Effect> {
    let drawn = "    random.3 r0, #0x5eed, #0x0\n    sub.3 r0, r0, 0.5\n";
    let text = drift(0.8);
    assert!(text.contains(drawn));
    let text = text.replace(drawn, "    load_builtin.3 r0, emitter_velocity\n");
    let emission = Emission {
        rate: 20.0,
        rate_per_metre: 15.0,
        capacity: 400,
        ..Emission::default()
    };
    effect(&text, emission)
}

/// Runs to a time, the emitter on a circle.
fn run(player: &mut Player, time: f64) {
    while player.time() + STEP * 0.5 < time {
        let angle = (player.time() * 3.0) as f32;
        player.set_pose(Pose::at([angle.cos() * 2.0, angle.sin(), 0.0]));
        player.step(STEP);
    }
}

fn digest(player: &Player) -> String {
    player.stats(Driver::Cpu).unwrap().digest
}

#[test]
fn case_b15_a_moment_is_the_same_whichever_way_it_is_reached() {
    let bonfire = Arc::new(compile(&preset("bonfire").unwrap()).effect.unwrap());
    for effect in [bonfire, trail()] {
        let mut player = Player::new(None, Shown::Cpu);
        player.load(Arc::clone(&effect)).unwrap();
        run(&mut player, 2.0);
        let straight = digest(&player);
        let (time, alive) = (player.time(), player.alive().unwrap());
        assert!(alive > 20);

        // Back to 0.5 s and forward again.
        player.restart().unwrap();
        run(&mut player, 0.5);
        assert_ne!(digest(&player), straight);
        player.restart().unwrap();
        run(&mut player, 2.0);
        assert_eq!((&digest(&player), player.time()), (&straight, time));

        // One step back, one forward.
        player.restart().unwrap();
        run(&mut player, 2.0 - STEP);
        assert_ne!(digest(&player), straight);
        run(&mut player, 2.0);
        assert_eq!(digest(&player), straight);

        // By a player that has played something else before.
        let mut other = Player::new(None, Shown::Cpu);
        other.load(trail()).unwrap();
        run(&mut other, 0.7);
        other.load(Arc::clone(&effect)).unwrap();
        run(&mut other, 2.0);
        assert_eq!(digest(&other), straight);
    }
}

#[test]
fn case_b15_running_to_a_time_is_as_good_as_stepping_there() {
    let bonfire = Arc::new(compile(&preset("bonfire").unwrap()).effect.unwrap());
    let mut player = Player::new(None, Shown::Cpu);
    player.load(bonfire).unwrap();
    assert!(player.run_to(2.0, LONG));
    let straight = digest(&player);
    player.restart().unwrap();
    assert!(player.run_to(0.5, LONG) && player.run_to(2.0, LONG));
    assert_eq!(digest(&player), straight);
}
