//! Fields bound to rows of the transforms.

use std::collections::BTreeMap;

use mote::host::bindings::{Freed, GLOBAL_OWNER};
use mote::host::transforms::Composed;
use mote::host::{
    BindError, FieldBinding, FieldBindings, Pose, PoseChannel, PoseSource, TransformError, TransformTable,
};
use mote::reference::field_bind::field_bind;

use crate::support::Rolls;

const NONE: PoseSource = PoseSource::At(Pose::IDENTITY);

fn wanted(owner: u32, word: u32, source: u32, channel: PoseChannel) -> FieldBinding {
    FieldBinding {
        owner,
        word,
        source,
        channel,
    }
}

#[test]
fn bindings_take_a_channel_of_the_fields_width_alone() {
    let mut rows = TransformTable::new();
    let source = rows.claim(NONE, None).unwrap();
    let mut bindings = FieldBindings::new();
    for channel in PoseChannel::ALL {
        for width in 0..6 {
            let word = 100 * channel as u32 + 10 * width;
            let bound = bindings.bind(&mut rows, wanted(1, word, source, channel), width);
            if width == channel.width() {
                assert!(bound.is_ok(), "{channel:?} {width}");
            } else {
                assert_eq!(
                    bound,
                    Err(BindError::Width {
                        channel,
                        found: width
                    })
                );
            }
        }
    }
    assert_eq!(
        (bindings.len(), rows.holders(source)),
        (4, 5),
        "refusals hold nothing"
    );
    assert_eq!(PoseChannel::Orientation.width(), 4);
}

#[test]
fn bindings_keep_the_first_request_for_a_field() {
    let mut rows = TransformTable::new();
    let (a, b) = (rows.claim(NONE, None).unwrap(), rows.claim(NONE, None).unwrap());
    let mut bindings = FieldBindings::new();
    let up = PoseChannel::Up;
    let row = bindings.bind(&mut rows, wanted(1, 8, a, up), 3).unwrap();
    // The field itself, and fields that overlap it.
    for word in 6..11 {
        let refused = bindings.bind(&mut rows, wanted(2, word, b, up), 3);
        assert_eq!(refused, Err(BindError::Bound { source_row: a }), "{word}");
    }
    let turn = PoseChannel::Orientation;
    assert!(bindings.bind(&mut rows, wanted(1, 5, b, turn), 4).is_err());
    for word in [5, 11] {
        bindings.bind(&mut rows, wanted(1, word, b, up), 3).unwrap();
    }
    assert_eq!(bindings.get(row), Some(wanted(1, 8, a, up)));
    let freed = bindings.unbind(&mut rows, 8);
    assert_eq!(
        freed,
        Some(Freed {
            owner: 1,
            word: 8,
            width: 3
        })
    );
    assert_eq!(bindings.unbind(&mut rows, 8), None);
    assert_eq!(
        bindings.bind(&mut rows, wanted(1, 8, b, up), 3),
        Ok(row),
        "now it may be"
    );
}

#[test]
fn bindings_hold_their_target_and_want_one_that_lives() {
    let mut rows = TransformTable::new();
    let source = rows.claim(NONE, None).unwrap();
    let mut bindings = FieldBindings::new();
    let position = PoseChannel::Position;
    bindings
        .bind(&mut rows, wanted(1, 0, source, position), 3)
        .unwrap();
    assert_eq!(rows.release(source), Ok(false));
    assert!(rows.is_live(source), "the binding holds it");
    bindings.unbind(&mut rows, 0).unwrap();
    assert!(!rows.is_live(source), "and no longer");
    let refused = bindings.bind(&mut rows, wanted(1, 0, source, position), 3);
    assert_eq!(refused, Err(TransformError::NoRow(source).into()));
    assert!(bindings.is_empty());
}

#[test]
fn bindings_go_with_owner_target_and_field_and_give_back_their_words() {
    let mut rows = TransformTable::new();
    let (a, b) = (rows.claim(NONE, None).unwrap(), rows.claim(NONE, None).unwrap());
    let mut bindings = FieldBindings::new();
    let (position, turn) = (PoseChannel::Position, PoseChannel::Orientation);
    for (owner, word, source, channel) in [
        (1, 0, a, position),
        (1, 4, b, turn),
        (2, 10, a, turn),
        (GLOBAL_OWNER, 20, a, position),
        (3, 30, b, position),
    ] {
        bindings
            .bind(&mut rows, wanted(owner, word, source, channel), channel.width())
            .unwrap();
    }
    let words = |freed: &[Freed]| {
        freed
            .iter()
            .map(|f| (f.owner, f.word, f.width))
            .collect::<Vec<_>>()
    };
    assert_eq!(
        words(bindings.release_owner(&mut rows, 1)),
        [(1, 0, 3), (1, 4, 4)]
    );
    assert_eq!(words(bindings.release_owner(&mut rows, 1)), []);
    assert_eq!(
        words(bindings.release_target(&mut rows, a)),
        [(2, 10, 4), (GLOBAL_OWNER, 20, 3)]
    );
    assert_eq!((rows.holders(a), rows.holders(b)), (1, 2));
    assert_eq!(
        words(bindings.retain(&mut rows, |kept| kept.word != 30)),
        [(3, 30, 3)]
    );
    assert!(bindings.is_empty());
    assert_eq!(bindings.row_count(), 5, "rows are kept for the next ones");
    bindings.clear_dirty();
    assert!(bindings.release_owner(&mut rows, 3).is_empty());
    assert!(bindings.dirty().is_empty());
}

#[test]
fn bindings_move_with_their_blocks() {
    let mut rows = TransformTable::new();
    let source = rows.claim(NONE, None).unwrap();
    let mut bindings = FieldBindings::new();
    let up = PoseChannel::Up;
    let mut bind = |bindings: &mut FieldBindings, owner, word| {
        bindings
            .bind(&mut rows, wanted(owner, word, source, up), 3)
            .unwrap()
    };
    let first = bind(&mut bindings, 1, 2);
    let second = bind(&mut bindings, 1, 5);
    let other = bind(&mut bindings, 2, 12);
    // Two blocks of ten words change places, one after the other.
    bindings.move_block(1, &(0..10), 10);
    bindings.move_block(2, &(10..20), 0);
    let word = |bindings: &FieldBindings, row| bindings.get(row).unwrap().word;
    assert_eq!(
        [first, second, other].map(|row| word(&bindings, row)),
        [12, 15, 2]
    );
    assert_eq!(bindings.find(12).unwrap().0, first);
    assert_eq!(bindings.find(5), None);
    bindings.clear_dirty();
    assert!(bindings.move_word(first, 12) && !bindings.move_word(99, 12));
    assert!(bindings.dirty().is_empty(), "an equal place costs nothing");
    assert!(bindings.move_word(first, 40));
    assert_eq!(bindings.dirty().ranges().len(), 1);
    assert_eq!(bindings.find(40).unwrap().0, first);
}

#[test]
fn bindings_write_what_the_row_is_into_the_field_and_nothing_else() {
    let mut rows = TransformTable::new();
    let source = rows.claim(NONE, None).unwrap();
    // A quarter turn about +Y, twice as large: looks along −X.
    let pose = Pose::from_columns([
        [0.0, 0.0, -2.0],
        [0.0, 2.0, 0.0],
        [2.0, 0.0, 0.0],
        [5.0, 6.0, 7.0],
    ]);
    let composed = [Composed {
        now: pose,
        last: Pose::IDENTITY,
    }];
    let mut bindings = FieldBindings::new();
    for (channel, word) in PoseChannel::ALL.into_iter().zip([1, 5, 9, 12]) {
        bindings
            .bind(&mut rows, wanted(1, word, source, channel), channel.width())
            .unwrap();
    }
    let mut fields = [7.5f32.to_bits(); 18];
    field_bind(bindings.rows(), &composed, &mut fields);
    let half = 0.5f32.sqrt();
    let expected = [
        7.5, 5.0, 6.0, 7.0, 7.5, -1.0, 0.0, 0.0, 7.5, 0.0, 1.0, 0.0, 0.0, half, 0.0, half, 7.5, 7.5,
    ];
    for (word, (got, expected)) in fields.iter().zip(expected).enumerate() {
        assert!(
            (f32::from_bits(*got) - expected).abs() < 1e-7,
            "{word}: {fields:?}"
        );
    }
    // Mirrored in x it is turned the same.
    let mut mirrored = pose;
    for row in &mut mirrored.0 {
        row[0] = -row[0];
    }
    let mut again = fields;
    field_bind(
        bindings.rows(),
        &[Composed {
            now: mirrored,
            last: pose,
        }],
        &mut again,
    );
    assert_eq!(again, fields);
    // What lies past a table's end is passed over.
    field_bind(bindings.rows(), &[], &mut fields[..13]);
    field_bind(bindings.rows(), &composed, &mut fields[..13]);
    assert_eq!(again, fields);
}

#[test]
fn bindings_random_histories_keep_rows_and_memory() {
    for seed in 0..6u32 {
        let mut rolls = Rolls(seed);
        let mut rows = TransformTable::new();
        let sources: Vec<u32> = (0..8).map(|_| rows.claim(NONE, None).unwrap()).collect();
        let mut bindings = FieldBindings::new();
        let mut model: BTreeMap<u32, FieldBinding> = BTreeMap::new();
        let mut memory = 0;
        for round in 0..4_000 {
            let what = format!("seed {seed}, round {round}");
            let channel = PoseChannel::ALL[rolls.below(4) as usize];
            let binding = FieldBinding {
                owner: rolls.below(6),
                word: rolls.below(200),
                source: sources[rolls.below(8) as usize],
                channel,
            };
            match rolls.below(20) {
                0..14 => {
                    let overlaps = model.values().any(|b| {
                        b.word < binding.word + channel.width() && binding.word < b.word + b.channel.width()
                    });
                    let bound = bindings.bind(&mut rows, binding, channel.width());
                    assert_eq!(bound.is_err(), overlaps, "{what}: {binding:?}");
                    if let Ok(row) = bound {
                        assert!(model.insert(row, binding).is_none(), "{what}");
                    }
                }
                14..17 => {
                    let freed = bindings
                        .unbind(&mut rows, binding.word)
                        .map(|f| (f.owner, f.word));
                    let row = model
                        .iter()
                        .find(|(_, b)| b.word == binding.word)
                        .map(|(&row, _)| row);
                    let known = row.and_then(|row| model.remove(&row));
                    assert_eq!(freed, known.map(|b| (b.owner, b.word)), "{what}");
                }
                17 => {
                    let freed = bindings.release_owner(&mut rows, binding.owner).len();
                    let before = model.len();
                    model.retain(|_, b| b.owner != binding.owner);
                    assert_eq!(freed, before - model.len(), "{what}");
                }
                18 => {
                    let freed = bindings.release_target(&mut rows, binding.source).len();
                    let before = model.len();
                    model.retain(|_, b| b.source != binding.source);
                    assert_eq!(freed, before - model.len(), "{what}");
                }
                _ => bindings.clear_dirty(),
            }
            assert_eq!(bindings.len(), model.len(), "{what}");
            for row in 0..bindings.row_count() {
                assert_eq!(bindings.get(row), model.get(&row).copied(), "{what}: {row}");
            }
            for &source in &sources {
                let held = model.values().filter(|b| b.source == source).count() as u32;
                assert_eq!(rows.holders(source), 1 + held, "{what}: {source}");
            }
            if round == 2_000 {
                memory = bindings.memory();
            }
        }
        assert!(bindings.memory() <= memory * 2, "seed {seed}");
    }
}
