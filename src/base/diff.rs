//! What differs between two JSON values: items of lists are matched by their ids or names, texts in lists as sets.

use rustc_hash::{FxHashMap, FxHashSet};

use super::json::{Item, Json};

/// A difference.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Change {
    /// Where, as `emitters[flame].birth.blocks[speed].inputs.speed`.
    pub path: String,
    /// What stood there, in short; none where it is new.
    pub before: Option<String>,
    /// What stands there now; none where it is gone.
    pub after: Option<String>,
}

/// Longest text of a value, in characters.
const LONGEST: usize = 72;

/// All differences, in the order of the newer value; what is gone comes where it stood among its likes.
#[must_use]
pub fn changes(before: &Json, after: &Json) -> Vec<Change> {
    let mut out = Vec::new();
    compare(before, after, "", &mut out);
    out
}

fn compare(before: &Json, after: &Json, path: &str, out: &mut Vec<Change>) {
    if before == after {
        return;
    }
    match (before, after) {
        (Json::Object(a), Json::Object(b)) => {
            let field = |name: &str| {
                if path.is_empty() {
                    name.to_owned()
                } else {
                    format!("{path}.{name}")
                }
            };
            matched(
                a,
                b,
                |(name, _)| Some(name.as_str()),
                |(_, item)| item,
                field,
                out,
            );
        }
        (Json::Array(a), Json::Array(b)) if keyed(a) && keyed(b) => {
            let element = |key: &str| format!("{path}[{key}]");
            matched(a, b, key_of, |item| item, element, out);
            order(a, b, path, out);
        }
        (Json::Array(a), Json::Array(b)) if texts(a) && texts(b) => {
            let place = |_: &str| path.to_owned();
            matched(a, b, text_of, |item| item, place, out);
        }
        _ => out.push(Change {
            path: path.to_owned(),
            before: Some(short(before)),
            after: Some(short(after)),
        }),
    }
}

/// Compares what has the same key, and tells what only one side has.
fn matched<'a, T>(
    before: &'a [T],
    after: &'a [T],
    key: impl Fn(&'a T) -> Option<&'a str>,
    item: impl Fn(&'a T) -> &'a Item,
    path: impl Fn(&str) -> String,
    out: &mut Vec<Change>,
) {
    let index = |all: &'a [T]| -> FxHashMap<Option<&'a str>, &'a T> {
        all.iter().map(|one| (key(one), one)).collect()
    };
    let (was, is) = (index(before), index(after));
    for one in before {
        let name = key(one);
        if !is.contains_key(&name) {
            out.push(Change {
                path: path(name.unwrap_or_default()),
                before: Some(short(&item(one).value)),
                after: None,
            });
        }
    }
    for one in after {
        let name = key(one);
        let path = path(name.unwrap_or_default());
        match was.get(&name) {
            Some(was) => compare(&item(was).value, &item(one).value, &path, out),
            None => out.push(Change {
                path,
                before: None,
                after: Some(short(&item(one).value)),
            }),
        }
    }
}

/// Tells where what both sides have stands in another order.
fn order(before: &[Item], after: &[Item], path: &str, out: &mut Vec<Change>) {
    fn common<'a>(of: &'a [Item], other: &[Item]) -> Vec<&'a str> {
        let known: FxHashSet<&str> = other.iter().filter_map(key_of).collect();
        of.iter()
            .filter_map(key_of)
            .filter(|key| known.contains(key))
            .collect()
    }
    let (a, b) = (common(before, after), common(after, before));
    if a != b {
        out.push(Change {
            path: format!("{path}: order"),
            before: Some(cut(&a.join(" "))),
            after: Some(cut(&b.join(" "))),
        });
    }
}

/// The id of a list's item, or else its name.
fn key_of(item: &Item) -> Option<&str> {
    let Json::Object(entries) = &item.value else {
        return None;
    };
    let named = |wanted: &str| entries.iter().find(|(name, _)| name == wanted);
    let (_, key) = named("id").or_else(|| named("name"))?;
    text_of(key)
}

fn text_of(item: &Item) -> Option<&str> {
    match &item.value {
        Json::Text(text) => Some(text),
        _ => None,
    }
}

fn keyed(items: &[Item]) -> bool {
    let keys: Vec<Option<&str>> = items.iter().map(key_of).collect();
    keys.iter().all(Option::is_some) && unique(keys)
}

fn texts(items: &[Item]) -> bool {
    items.iter().all(|item| text_of(item).is_some()) && unique(items.iter().map(text_of).collect())
}

fn unique(mut keys: Vec<Option<&str>>) -> bool {
    let count = keys.len();
    keys.sort_unstable();
    keys.dedup();
    keys.len() == count
}

/// A value on one line; of nodes and the like, what they are.
fn short(value: &Json) -> String {
    let text = match value {
        Json::Object(entries) => {
            let kind = entries.iter().find(|(name, _)| name == "kind" || name == "name");
            match kind {
                Some((_, item)) => short(&item.value),
                None => {
                    let parts = entries
                        .iter()
                        .map(|(name, item)| format!("{name}: {}", short(&item.value)));
                    format!("{{{}}}", parts.collect::<Vec<_>>().join(", "))
                }
            }
        }
        Json::Array(items) => {
            let parts: Vec<String> = items.iter().map(|item| short(&item.value)).collect();
            format!("[{}]", parts.join(", "))
        }
        Json::Text(text) => text.clone(),
        Json::Number(number) => number.clone(),
        Json::Bool(value) => value.to_string(),
        Json::Null => "null".to_owned(),
    };
    cut(&text)
}

fn cut(text: &str) -> String {
    match text.char_indices().nth(LONGEST) {
        Some((at, _)) => format!("{}…", &text[..at]),
        None => text.to_owned(),
    }
}
