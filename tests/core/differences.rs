//! What differs between two JSON values.

use mote::base::diff::{Change, changes};
use mote::base::json::Json;

fn found(before: &str, after: &str) -> Vec<(String, Option<String>, Option<String>)> {
    let parse = |text: &str| Json::parse(text.as_bytes()).unwrap().value;
    let told = changes(&parse(before), &parse(after)).into_iter();
    told.map(|Change { path, before, after }| (path, before, after))
        .collect()
}

fn one(before: &str, after: &str) -> String {
    let all = found(before, after);
    assert_eq!(all.len(), 1, "{all:?}");
    let (path, before, after) = &all[0];
    let side = |text: &Option<String>| text.clone().unwrap_or("nothing".to_owned());
    format!("{path}: {} -> {}", side(before), side(after))
}

#[test]
fn differences_match_items_by_id_and_texts_as_sets() {
    assert!(found("{\"a\": [1, 2]}", "{\"a\": [1, 2]}").is_empty());
    assert_eq!(one("{\"a\": 1}", "{\"a\": 2}"), "a: 1 -> 2");
    assert_eq!(one("{\"a\": 1}", "{}"), "a: 1 -> nothing");
    let two = "[{\"id\": \"x\", \"v\": 1}, {\"id\": \"y\", \"v\": 2}]";
    assert_eq!(
        one(two, "[{\"id\": \"x\", \"v\": 1}, {\"id\": \"y\", \"v\": 3}]"),
        "[y].v: 2 -> 3"
    );
    assert_eq!(
        one(two, "[{\"id\": \"y\", \"v\": 2}, {\"id\": \"x\", \"v\": 1}]"),
        ": order: x y -> y x"
    );
    assert_eq!(
        one(two, "[{\"id\": \"y\", \"v\": 2}]"),
        "[x]: {id: x, v: 1} -> nothing"
    );
    assert_eq!(
        one("{\"w\": [\"a\", \"b\"]}", "{\"w\": [\"b\", \"a\", \"c\"]}"),
        "w: nothing -> c"
    );
    // Lists that have neither are whole values, also where a key stands twice.
    assert_eq!(one("{\"a\": [1, 2]}", "{\"a\": [2, 1]}"), "a: [1, 2] -> [2, 1]");
    let twice = "[{\"id\": \"x\"}, {\"id\": \"x\"}]";
    assert_eq!(found(twice, "[{\"id\": \"x\"}]").len(), 1);
    let long = format!("{{\"t\": \"{}\"}}", "é".repeat(500));
    assert!(one(&long, "{\"t\": \"\"}").chars().count() < 100);
}
