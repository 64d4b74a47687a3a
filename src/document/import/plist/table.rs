//! A property list as its keys and values: one dictionary, read event by event, so that what is nested is walked
//! over and never built.

use std::collections::BTreeMap;
use std::io::Cursor;

use ::plist::stream::{BinaryReader, OwnedEvent, XmlReader};

use super::super::ImportError;

/// Most arrays and dictionaries inside each other.
const MAX_DEPTH: u32 = 16;
/// Most keys, values and ends of lists in a file. Particle files have about 130.
const MAX_EVENTS: usize = 20_000;
/// Longest part of a value that a message shows, in characters.
const SHOWN: usize = 40;
/// Largest number on either side of 0 that is taken.
const LARGEST: f64 = 1e9;

/// A value.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Value {
    /// A real or whole number.
    Number(f64),
    /// True or false.
    Switch(bool),
    /// A text.
    Text(String),
    /// Bytes, a date, an array, a dictionary: what no key of the format holds.
    Other(&'static str),
}

/// The file's dictionary. What is asked for is taken out of it; what is left nobody knows.
#[derive(Debug)]
pub(super) struct Table<'a> {
    bytes: &'a [u8],
    values: BTreeMap<String, Value>,
}

/// Whether bytes are a binary property list.
pub(super) fn is_binary(bytes: &[u8]) -> bool {
    bytes.starts_with(b"bplist")
}

/// Reads a property list whose root is a dictionary.
pub(super) fn read(bytes: &[u8]) -> Result<Table<'_>, ImportError> {
    let mut walk = Walk::new(bytes.len());
    if is_binary(bytes) {
        for event in BinaryReader::new(Cursor::new(bytes)) {
            walk.take(event.map_err(|error| malformed(None, &reason(&error)))?)
                .map_err(|what| malformed(None, &what))?;
        }
    } else {
        let text = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
        if std::str::from_utf8(text).is_err() {
            return Err(malformed(
                None,
                "it is neither a binary property list nor text in UTF-8",
            ));
        }
        // A slice moves on as it is read: what is left of it says where the reader stands.
        let mut reader = XmlReader::new(text);
        loop {
            let result = match reader.next() {
                None => break,
                Some(Ok(event)) => walk.take(event),
                Some(Err(error)) => Err(reason(&error)),
            };
            if let Err(what) = result {
                let read = text.len() - reader.into_inner().len();
                return Err(malformed(Some(line_and_column(text, read)), &what));
            }
        }
    }
    let values = walk.finish().map_err(|what| malformed(None, &what))?;
    Ok(Table { bytes, values })
}

fn malformed(at: Option<(u32, u32)>, what: &str) -> ImportError {
    ImportError::Malformed {
        at,
        message: format!(
            "this is no property list that can be read: {what}. Export the file again from the tool that made it"
        ),
    }
}

/// The crate names its reasons like `InvalidRealString (offset 12)`: in words, and the place is told apart.
fn reason(error: &::plist::Error) -> String {
    let text = error.to_string();
    let name = text.split(['(', ' ', '{']).next().unwrap_or_default();
    let mut words = String::new();
    for letter in name.chars() {
        if letter.is_ascii_uppercase() && !words.is_empty() {
            words.push(' ');
        }
        words.push(letter.to_ascii_lowercase());
    }
    if words.is_empty() {
        "it is damaged".to_owned()
    } else {
        words
    }
}

fn line_and_column(text: &[u8], offset: usize) -> (u32, u32) {
    let before = &text[..offset.min(text.len())];
    let line = before.iter().filter(|&&b| b == b'\n').count() + 1;
    let start = before.iter().rposition(|&b| b == b'\n').map_or(0, |at| at + 1);
    let column = String::from_utf8_lossy(&before[start..]).chars().count() + 1;
    (line as u32, column as u32)
}

/// Where the reader stands between events.
#[derive(Debug)]
struct Walk {
    values: BTreeMap<String, Value>,
    key: Option<String>,
    depth: u32,
    events: usize,
    /// Bytes that texts and data may still have together: a binary file can name one of them often.
    left: usize,
    done: bool,
}

impl Walk {
    fn new(bytes: usize) -> Self {
        Self {
            values: BTreeMap::new(),
            key: None,
            depth: 0,
            events: 0,
            left: 2 * bytes + 1024,
            done: false,
        }
    }

    fn take(&mut self, event: OwnedEvent) -> Result<(), String> {
        self.events += 1;
        if self.events > MAX_EVENTS {
            return Err(format!("it has more than {MAX_EVENTS} keys and values"));
        }
        let held = match &event {
            OwnedEvent::String(text) => text.len(),
            OwnedEvent::Data(data) => data.len(),
            _ => 0,
        };
        self.left = self
            .left
            .checked_sub(held)
            .ok_or("its texts are longer than the file")?;
        if self.done {
            return Err("something follows its end".to_owned());
        }
        match event {
            OwnedEvent::StartDictionary(_) | OwnedEvent::StartArray(_) => {
                let array = matches!(event, OwnedEvent::StartArray(_));
                if self.depth == 0 && array {
                    return Err("a dictionary of keys belongs at its root, not an array".to_owned());
                }
                self.depth += 1;
                if self.depth > MAX_DEPTH {
                    return Err(format!("its lists are nested more than {MAX_DEPTH} deep"));
                }
                if self.depth == 2 {
                    self.put(Value::Other(if array { "an array" } else { "a dictionary" }))?;
                }
                Ok(())
            }
            OwnedEvent::EndCollection => {
                self.depth = self.depth.checked_sub(1).ok_or("a list ends that never began")?;
                self.done = self.depth == 0;
                match &self.key {
                    Some(key) if self.done => Err(format!("the key {:?} has no value", shown(key))),
                    _ => Ok(()),
                }
            }
            _ if self.depth == 0 => Err("a dictionary of keys belongs at its root".to_owned()),
            _ if self.depth > 1 => Ok(()),
            OwnedEvent::String(text) if self.key.is_none() => {
                self.key = Some(text.into_owned());
                Ok(())
            }
            OwnedEvent::String(text) => self.put(Value::Text(text.into_owned())),
            OwnedEvent::Real(number) => self.put(Value::Number(number)),
            OwnedEvent::Integer(number) => {
                let signed = number.as_signed().map(|n| n as f64);
                let number = signed.or_else(|| number.as_unsigned().map(|n| n as f64));
                self.put(number.map_or(Value::Other("a number"), Value::Number))
            }
            OwnedEvent::Boolean(on) => self.put(Value::Switch(on)),
            OwnedEvent::Date(_) => self.put(Value::Other("a date")),
            _ => self.put(Value::Other("data")),
        }
    }

    fn put(&mut self, value: Value) -> Result<(), String> {
        let key = self.key.take().ok_or("a value stands where a key belongs")?;
        self.values.insert(key, value);
        Ok(())
    }

    fn finish(self) -> Result<BTreeMap<String, Value>, String> {
        if self.done {
            Ok(self.values)
        } else if self.events == 0 {
            Err("there is nothing in it".to_owned())
        } else {
            Err("it ends in the middle".to_owned())
        }
    }
}

/// The start of a text, for a message.
fn shown(text: &str) -> String {
    let mut start: String = text.chars().take(SHOWN).collect();
    if start.len() < text.len() {
        start.push('…');
    }
    start
}

impl Table<'_> {
    /// Whether a key is there.
    pub(super) fn has(&self, key: &str) -> bool {
        self.values.contains_key(key)
    }

    /// The number of a key, which other tools may have written as a text.
    pub(super) fn number(&mut self, key: &str) -> Result<Option<f64>, ImportError> {
        let Some(value) = self.values.remove(key) else {
            return Ok(None);
        };
        let number = match &value {
            Value::Number(number) => Some(*number),
            Value::Switch(on) => Some(f64::from(u8::from(*on))),
            Value::Text(text) => text.trim().parse().ok(),
            Value::Other(_) => None,
        };
        match number {
            Some(number) if number.abs() <= LARGEST => Ok(Some(number)),
            Some(number) => Err(self.bad(
                key,
                number.to_string(),
                format!("a number from -{LARGEST} to {LARGEST}"),
            )),
            None => Err(self.bad(key, described(&value), "a number".to_owned())),
        }
    }

    /// The text of a key; none where it is empty.
    pub(super) fn text(&mut self, key: &str) -> Result<Option<String>, ImportError> {
        match self.values.remove(key) {
            None => Ok(None),
            Some(Value::Text(text)) if text.trim().is_empty() => Ok(None),
            Some(Value::Text(text)) => Ok(Some(text)),
            Some(Value::Number(number)) => Ok(Some(number.to_string())),
            Some(value) => Err(self.bad(key, described(&value), "a text".to_owned())),
        }
    }

    /// Takes a key out, whatever it holds; whether it was there and held something.
    pub(super) fn drop(&mut self, key: &str) -> bool {
        match self.values.remove(key) {
            None => false,
            Some(Value::Text(text)) => !text.is_empty(),
            Some(_) => true,
        }
    }

    /// The keys that nobody has asked for.
    pub(super) fn rest(&self) -> impl Iterator<Item = String> + '_ {
        self.values.keys().map(|key| shown(key))
    }

    /// A value that is of no use.
    pub(super) fn bad(&self, key: &str, found: String, expected: String) -> ImportError {
        ImportError::BadValue {
            key: key.to_owned(),
            line: self.line(key),
            found,
            expected,
        }
    }

    /// The line a key of the format stands in, in a file that has lines.
    pub(super) fn line(&self, key: &str) -> Option<u32> {
        let mark = format!("<key>{key}</key>");
        let found = self
            .bytes
            .windows(mark.len())
            .position(|part| part == mark.as_bytes())?;
        Some(line_and_column(self.bytes, found).0)
    }
}

fn described(value: &Value) -> String {
    match value {
        Value::Number(number) => number.to_string(),
        Value::Switch(on) => on.to_string(),
        Value::Text(text) => format!("the text {:?}", shown(text)),
        Value::Other(what) => (*what).to_owned(),
    }
}
