//! JSON with places: a reader that knows the line and column of every item, and a canonical printer.
//!
//! Documents are written by hand, merged and diffed, so a message about one must name a place, a doubled key
//! is an error and not a silent loss, and numbers keep their text until somebody says what they are to be.
//! The printer sorts keys, puts one item a line and keeps short lists of numbers on their line.

use thiserror::Error;

/// Deepest nesting read.
pub const MAX_DEPTH: usize = 64;

/// A value.
#[derive(Debug, Clone, PartialEq)]
pub enum Json {
    /// `null`.
    Null,
    /// `true` or `false`.
    Bool(bool),
    /// A number, as written.
    Number(String),
    /// A text.
    Text(String),
    /// A list.
    Array(Vec<Item>),
    /// Named items, in the order written; names are unique.
    Object(Vec<(String, Item)>),
}

/// A value with its place. Equality does not look at the place.
#[derive(Debug, Clone)]
pub struct Item {
    /// The value.
    pub value: Json,
    /// Line, from 1; 0 for an item that was never read.
    pub line: u32,
    /// Column in characters, from 1.
    pub column: u32,
}

impl PartialEq for Item {
    fn eq(&self, other: &Self) -> bool {
        self.value == other.value
    }
}

impl From<Json> for Item {
    fn from(value: Json) -> Self {
        Self {
            value,
            line: 0,
            column: 0,
        }
    }
}

/// Why a text is no JSON.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("line {line}, column {column}: {message}")]
pub struct JsonError {
    /// Line, from 1.
    pub line: u32,
    /// Column in characters, from 1.
    pub column: u32,
    /// What is wrong.
    pub message: String,
}

impl Json {
    /// A text.
    #[must_use]
    pub fn text(text: impl Into<String>) -> Self {
        Self::Text(text.into())
    }

    /// The shortest number that reads back as `value`. What is not finite becomes `null`.
    #[must_use]
    pub fn f32(value: f32) -> Self {
        if !value.is_finite() {
            return Self::Null;
        }
        let text = format!("{value:?}");
        Self::Number(match text.strip_suffix(".0") {
            Some(whole) => whole.to_owned(),
            None => text,
        })
    }

    /// A whole number.
    #[must_use]
    pub fn u32(value: u32) -> Self {
        Self::Number(value.to_string())
    }

    /// A list.
    #[must_use]
    pub fn array(items: impl IntoIterator<Item = Self>) -> Self {
        Self::Array(items.into_iter().map(Item::from).collect())
    }

    /// Named items.
    #[must_use]
    pub fn object<K: Into<String>>(items: impl IntoIterator<Item = (K, Self)>) -> Self {
        Self::Object(items.into_iter().map(|(k, v)| (k.into(), v.into())).collect())
    }

    /// Reads a file's bytes. A UTF-8 byte order mark and any line ends are accepted.
    ///
    /// # Errors
    /// [`JsonError`] with the place; a text in another encoding is named as such.
    pub fn parse(bytes: &[u8]) -> Result<Item, JsonError> {
        let encoding = |name: &str| JsonError {
            line: 1,
            column: 1,
            message: format!("the file is written in {name}; save it as UTF-8"),
        };
        match bytes {
            [0xff, 0xfe, 0, 0, ..] | [0, 0, 0xfe, 0xff, ..] => return Err(encoding("UTF-32")),
            [0xff, 0xfe, ..] => return Err(encoding("UTF-16 (little endian)")),
            [0xfe, 0xff, ..] => return Err(encoding("UTF-16 (big endian)")),
            [b, 0, ..] if *b != 0 => return Err(encoding("UTF-16 (little endian)")),
            [0, b, ..] if *b != 0 => return Err(encoding("UTF-16 (big endian)")),
            _ => {}
        }
        let bytes = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
        match std::str::from_utf8(bytes) {
            Ok(text) => Parser::new(text).document(),
            Err(error) => {
                let good = String::from_utf8_lossy(&bytes[..error.valid_up_to()]).into_owned();
                let parser = Parser {
                    at: good.len(),
                    ..Parser::new(&good)
                };
                Err(parser.error("these bytes are not UTF-8"))
            }
        }
    }

    /// The canonical text, ended by a line end.
    #[must_use]
    pub fn print(&self) -> String {
        let mut out = String::new();
        print(self, 0, &mut out);
        out.push('\n');
        out
    }
}

struct Parser<'a> {
    text: &'a str,
    at: usize,
}

impl<'a> Parser<'a> {
    fn new(text: &'a str) -> Self {
        Self { text, at: 0 }
    }

    fn document(mut self) -> Result<Item, JsonError> {
        let mut places = Places::default();
        let item = self.item(0, &mut places)?;
        self.space();
        if self.at < self.text.len() {
            return Err(self.error("something follows the end of the document"));
        }
        Ok(item)
    }

    fn error(&self, message: impl Into<String>) -> JsonError {
        self.error_at(self.at, message)
    }

    fn error_at(&self, at: usize, message: impl Into<String>) -> JsonError {
        let (line, column) = Places::default().find(self.text, at);
        JsonError {
            line,
            column,
            message: message.into(),
        }
    }

    fn peek(&self) -> Option<u8> {
        self.text.as_bytes().get(self.at).copied()
    }

    fn space(&mut self) {
        while matches!(self.peek(), Some(b' ' | b'\t' | b'\n' | b'\r')) {
            self.at += 1;
        }
    }

    fn item(&mut self, depth: usize, places: &mut Places) -> Result<Item, JsonError> {
        self.space();
        if depth > MAX_DEPTH {
            return Err(self.error(format!("nested deeper than {MAX_DEPTH} levels")));
        }
        let (line, column) = places.find(self.text, self.at);
        let value = match self.peek() {
            Some(b'{') => self.object(depth, places)?,
            Some(b'[') => self.array(depth, places)?,
            Some(b'"') => Json::Text(self.string()?),
            Some(b'-' | b'0'..=b'9') => Json::Number(self.number()?),
            Some(_) => self.word()?,
            None => return Err(self.error("the file ends where a value is expected")),
        };
        Ok(Item { value, line, column })
    }

    fn word(&mut self) -> Result<Json, JsonError> {
        for (word, value) in [
            ("true", Json::Bool(true)),
            ("false", Json::Bool(false)),
            ("null", Json::Null),
        ] {
            if self.text[self.at..].starts_with(word) {
                self.at += word.len();
                return Ok(value);
            }
        }
        let found = self.text[self.at..].chars().next().unwrap_or(' ');
        Err(self.error(format!("{found:?} starts no value")))
    }

    fn number(&mut self) -> Result<String, JsonError> {
        let start = self.at;
        let digits = |p: &mut Self| {
            let from = p.at;
            while matches!(p.peek(), Some(b'0'..=b'9')) {
                p.at += 1;
            }
            p.at - from
        };
        if self.peek() == Some(b'-') {
            self.at += 1;
        }
        let leading_zero = self.peek() == Some(b'0');
        let whole = digits(self);
        let mut good = whole > 0 && (!leading_zero || whole == 1);
        if self.peek() == Some(b'.') {
            self.at += 1;
            good &= digits(self) > 0;
        }
        if matches!(self.peek(), Some(b'e' | b'E')) {
            self.at += 1;
            if matches!(self.peek(), Some(b'+' | b'-')) {
                self.at += 1;
            }
            good &= digits(self) > 0;
        }
        if good {
            Ok(self.text[start..self.at].to_owned())
        } else {
            Err(self.error_at(start, "this is no number"))
        }
    }

    fn string(&mut self) -> Result<String, JsonError> {
        let start = self.at;
        self.at += 1;
        let mut out = String::new();
        loop {
            let rest = &self.text[self.at..];
            let Some(c) = rest.chars().next() else {
                return Err(self.error_at(start, "this text is not closed by a quote"));
            };
            self.at += c.len_utf8();
            match c {
                '"' => return Ok(out),
                '\\' => out.push(self.escape()?),
                c if c < ' ' => {
                    return Err(
                        self.error_at(self.at - 1, "a line end or control character stands in a text")
                    );
                }
                c => out.push(c),
            }
        }
    }

    fn escape(&mut self) -> Result<char, JsonError> {
        let at = self.at;
        let bad = |p: &Self| p.error_at(at, "this escape means nothing");
        let code = self.peek().ok_or_else(|| bad(self))?;
        self.at += 1;
        Ok(match code {
            b'"' => '"',
            b'\\' => '\\',
            b'/' => '/',
            b'b' => '\u{8}',
            b'f' => '\u{c}',
            b'n' => '\n',
            b'r' => '\r',
            b't' => '\t',
            b'u' => {
                let high = self.hex().ok_or_else(|| bad(self))?;
                let code = if (0xd800..0xdc00).contains(&high) {
                    let low = self.text[self.at..].starts_with("\\u").then(|| {
                        self.at += 2;
                        self.hex()
                    });
                    match low.flatten() {
                        Some(low @ 0xdc00..0xe000) => 0x1_0000 + ((high - 0xd800) << 10) + (low - 0xdc00),
                        _ => return Err(bad(self)),
                    }
                } else {
                    high
                };
                char::from_u32(code).ok_or_else(|| bad(self))?
            }
            _ => return Err(bad(self)),
        })
    }

    fn hex(&mut self) -> Option<u32> {
        let digits = self.text.get(self.at..self.at + 4)?;
        let value = u32::from_str_radix(digits, 16).ok()?;
        self.at += 4;
        Some(value)
    }

    fn array(&mut self, depth: usize, places: &mut Places) -> Result<Json, JsonError> {
        self.at += 1;
        let mut items = Vec::new();
        self.space();
        if self.peek() == Some(b']') {
            self.at += 1;
            return Ok(Json::Array(items));
        }
        loop {
            items.push(self.item(depth + 1, places)?);
            self.space();
            match self.peek() {
                Some(b',') => self.at += 1,
                Some(b']') => {
                    self.at += 1;
                    return Ok(Json::Array(items));
                }
                _ => return Err(self.error("a list goes on with ',' or ends with ']'")),
            }
        }
    }

    fn object(&mut self, depth: usize, places: &mut Places) -> Result<Json, JsonError> {
        self.at += 1;
        let mut items: Vec<(String, Item)> = Vec::new();
        let mut names = std::collections::BTreeSet::new();
        self.space();
        if self.peek() == Some(b'}') {
            self.at += 1;
            return Ok(Json::Object(items));
        }
        loop {
            self.space();
            let start = self.at;
            if self.peek() != Some(b'"') {
                return Err(self.error("a name in quotes is expected"));
            }
            let name = self.string()?;
            if !names.insert(name.clone()) {
                return Err(self.error_at(start, format!("the name {name:?} stands here twice")));
            }
            self.space();
            if self.peek() != Some(b':') {
                return Err(self.error("':' belongs after a name"));
            }
            self.at += 1;
            items.push((name, self.item(depth + 1, places)?));
            self.space();
            match self.peek() {
                Some(b',') => self.at += 1,
                Some(b'}') => {
                    self.at += 1;
                    return Ok(Json::Object(items));
                }
                _ => return Err(self.error("an object goes on with ',' or ends with '}'")),
            }
        }
    }
}

/// Finds lines and columns of rising byte offsets in one pass.
struct Places {
    at: usize,
    line: u32,
    line_start: usize,
}

impl Default for Places {
    fn default() -> Self {
        Self {
            at: 0,
            line: 1,
            line_start: 0,
        }
    }
}

impl Places {
    fn find(&mut self, text: &str, offset: usize) -> (u32, u32) {
        let bytes = text.as_bytes();
        while self.at < offset.min(bytes.len()) {
            let lone_cr = bytes[self.at] == b'\r' && bytes.get(self.at + 1) != Some(&b'\n');
            self.at += 1;
            if bytes[self.at - 1] == b'\n' || lone_cr {
                self.line += 1;
                self.line_start = self.at;
            }
        }
        let mut column = 1;
        let mut at = self.line_start;
        // Lines are short in practice; a huge one line is measured in bytes, which costs nothing.
        if offset - self.line_start > 4_096 {
            return (self.line, (offset - self.line_start) as u32 + 1);
        }
        while at < offset.min(bytes.len()) {
            if bytes[at] & 0xc0 != 0x80 {
                column += 1;
            }
            at += 1;
        }
        (self.line, column)
    }
}

/// Longest line a container is kept on.
const LINE: usize = 100;

fn print(value: &Json, indent: usize, out: &mut String) {
    if let Some(line) = one_line(value, 0).filter(|line| indent + line.chars().count() <= LINE) {
        out.push_str(&line);
        return;
    }
    let pad = |out: &mut String, n: usize| out.extend(std::iter::repeat_n(' ', n));
    match value {
        Json::Array(items) => {
            out.push_str("[\n");
            for (i, item) in items.iter().enumerate() {
                pad(out, indent + 2);
                print(&item.value, indent + 2, out);
                out.push_str(if i + 1 < items.len() { ",\n" } else { "\n" });
            }
            pad(out, indent);
            out.push(']');
        }
        Json::Object(items) => {
            out.push_str("{\n");
            for (i, (name, item)) in sorted(items).into_iter().enumerate() {
                pad(out, indent + 2);
                quote(name, out);
                out.push_str(": ");
                print(&item.value, indent + 2, out);
                out.push_str(if i + 1 < items.len() { ",\n" } else { "\n" });
            }
            pad(out, indent);
            out.push('}');
        }
        scalar => out.push_str(&scalar_text(scalar)),
    }
}

fn sorted(items: &[(String, Item)]) -> Vec<(&String, &Item)> {
    let mut items: Vec<_> = items.iter().map(|(name, item)| (name, item)).collect();
    items.sort_by_key(|(name, _)| *name);
    items
}

/// The text of what may stand on one line: scalars, lists of numbers, lists of lists of scalars, and objects
/// whose items are such. Lists of texts and of objects always take a line an item.
fn one_line(value: &Json, depth: usize) -> Option<String> {
    match value {
        Json::Array(items) if items.is_empty() => Some("[]".to_owned()),
        Json::Object(items) if items.is_empty() => Some("{}".to_owned()),
        Json::Array(items) => {
            let plain = |item: &Item| match &item.value {
                Json::Text(_) => depth > 1,
                Json::Object(_) => false,
                _ => true,
            };
            if depth > 3 || !items.iter().all(plain) {
                return None;
            }
            let parts: Option<Vec<String>> = items.iter().map(|i| one_line(&i.value, depth + 1)).collect();
            Some(format!("[{}]", parts?.join(", ")))
        }
        Json::Object(items) => {
            if depth > 0 || items.iter().any(|(_, i)| matches!(i.value, Json::Object(_))) {
                return None;
            }
            let parts: Option<Vec<String>> = sorted(items)
                .into_iter()
                .map(|(name, item)| {
                    let mut text = String::new();
                    quote(name, &mut text);
                    Some(format!("{text}: {}", one_line(&item.value, depth + 1)?))
                })
                .collect();
            Some(format!("{{{}}}", parts?.join(", ")))
        }
        scalar => Some(scalar_text(scalar)),
    }
}

fn scalar_text(value: &Json) -> String {
    match value {
        Json::Bool(value) => value.to_string(),
        Json::Number(text) => text.clone(),
        Json::Text(text) => {
            let mut out = String::new();
            quote(text, &mut out);
            out
        }
        _ => "null".to_owned(),
    }
}

fn quote(text: &str, out: &mut String) {
    out.push('"');
    for c in text.chars() {
        match c {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '\n' => out.push_str("\\n"),
            '\r' => out.push_str("\\r"),
            '\t' => out.push_str("\\t"),
            c if c < ' ' => out.push_str(&format!("\\u{:04x}", u32::from(c))),
            c => out.push(c),
        }
    }
    out.push('"');
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn json_prints_what_it_reads() {
        let text = "{\"b\": [1, 2.50, -1e-7], \"a\": \"é\\n\\u00e9\\ud83d\\ude00\", \"c\": {\"x\": [{\"y\": null}]}}";
        let item = Json::parse(text.as_bytes()).unwrap();
        let printed = item.value.print();
        let again = Json::parse(printed.as_bytes()).unwrap();
        assert_eq!(again.value.print(), printed);
        assert!(printed.starts_with("{\n  \"a\": \"é\\né😀\","), "{printed}");
        assert_eq!(Json::f32(0.1), Json::Number("0.1".to_owned()));
        assert_eq!(Json::f32(5.0), Json::Number("5".to_owned()));
    }

    #[test]
    fn json_names_the_place_of_what_is_wrong() {
        let message = |bytes: &[u8]| Json::parse(bytes).unwrap_err().to_string();
        assert_eq!(
            message(b"{\n \"a\": 1,\n \"a\": 2}"),
            "line 3, column 2: the name \"a\" stands here twice"
        );
        assert!(message(b"\xff\xfe{\0}\0").contains("UTF-16"));
        assert!(message(b"{\0}\0").contains("UTF-16"));
        assert!(message(b"[1,]").starts_with("line 1, column 4"));
        assert!(message(&b"[".repeat(100_000)).contains("nested deeper"));
        assert!(message(b"[01]").contains("no number"));
        assert!(message(b"\"\xc3").contains("not UTF-8"));
        assert!(Json::parse(b"\xef\xbb\xbf{\r\n}\r\n").is_ok());
    }
}
