//! The comparison of two runs and the digest: that they see what differs.

use mote::artifact::Emission;
use mote::inspect::compare;
use mote::reference::digest;
use mote::reference::digest::live_particles;

use crate::support::{Solo, drift, effect};

#[test]
fn comparing_sees_a_word_a_missing_particle_and_nothing_else() {
    let emission = Emission {
        rate: 100.0,
        ..Emission::default()
    };
    let mut solo = Solo::with(&effect(&drift(5.0), emission), 500);
    (0..60).for_each(|_| solo.step(1.0 / 60.0));
    let stage = &solo.stage;
    let whole = live_particles(stage, solo.reference.live_records());
    let same = compare(stage, &whole, &whole);
    assert!(same.identical() && same.within(1.0, 0.0) && same.matched == 100 && same.words == 900);
    assert_eq!(digest(stage, &whole), digest(stage, &whole.clone()));

    // One bit of one word of one field.
    let mut bent = whole.clone();
    bent[7].record[4] ^= 1;
    let found = compare(stage, &whole, &bent);
    assert!(!found.identical() && found.within(1.0, 1e-3) && !found.within(1.0, 0.0));
    let difference = &found.differences[0];
    assert_eq!(
        (difference.field.as_str(), difference.words, difference.ordinal),
        ("position", 1, 7)
    );
    assert_ne!(digest(stage, &whole), digest(stage, &bent));

    // A word that no field owns is nobody's difference.
    let mut stray = whole.clone();
    stray[7].record[31] ^= 1;
    assert!(compare(stage, &whole, &stray).identical());
    assert_eq!(digest(stage, &whole), digest(stage, &stray));

    // Far off, not a number, missing.
    bent[7].record[4] = 1e9f32.to_bits();
    assert!(!compare(stage, &whole, &bent).within(0.0, 0.5));
    bent[7].record[4] = f32::NAN.to_bits();
    assert!(!compare(stage, &whole, &bent).within(0.0, 1e9));
    bent.remove(3);
    let fewer = compare(stage, &whole, &bent);
    assert!(!fewer.within(0.0, f32::INFINITY) && fewer.matched == 99 && fewer.share() < 1.0);
}
