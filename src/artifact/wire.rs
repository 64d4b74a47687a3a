//! Checked little-endian reading and writing, and keyed entries with defaults.
//!
//! A reader never reads past its bytes and never allocates more than they justify: a count is compared with
//! what is left before anything is reserved for it.

use std::sync::Arc;

use super::error::LoadError;

/// A cursor over bytes that knows where it is in the file.
#[derive(Debug, Clone)]
pub(super) struct Reader<'a> {
    bytes: &'a [u8],
    at: usize,
    /// Offset of `bytes` in the file.
    base: usize,
}

impl<'a> Reader<'a> {
    pub(super) fn new(bytes: &'a [u8], base: usize) -> Self {
        Self { bytes, at: 0, base }
    }

    pub(super) fn offset(&self) -> usize {
        self.base + self.at
    }

    pub(super) fn is_empty(&self) -> bool {
        self.at == self.bytes.len()
    }

    pub(super) fn take(&mut self, len: usize, what: &'static str) -> Result<&'a [u8], LoadError> {
        let left = self.bytes.len() - self.at;
        if len > left {
            return Err(LoadError::Truncated {
                what,
                offset: self.offset(),
                wanted: len,
                left,
            });
        }
        let slice = &self.bytes[self.at..self.at + len];
        self.at += len;
        Ok(slice)
    }

    pub(super) fn u16(&mut self, what: &'static str) -> Result<u16, LoadError> {
        let bytes = self.take(2, what)?;
        Ok(u16::from_le_bytes([bytes[0], bytes[1]]))
    }

    pub(super) fn u32(&mut self, what: &'static str) -> Result<u32, LoadError> {
        let bytes = self.take(4, what)?;
        Ok(u32::from_le_bytes([bytes[0], bytes[1], bytes[2], bytes[3]]))
    }

    /// A count of items of at least `item` bytes each.
    pub(super) fn count(&mut self, item: usize, what: &'static str) -> Result<usize, LoadError> {
        self.count_to(item, usize::MAX, what)
    }

    /// A count of at most `most` items of at least `item` bytes each.
    pub(super) fn count_to(
        &mut self,
        item: usize,
        most: usize,
        what: &'static str,
    ) -> Result<usize, LoadError> {
        let offset = self.offset();
        let found = self.u32(what)?;
        let limit = ((self.bytes.len() - self.at) / item.max(1)).min(most);
        if found as usize > limit {
            return Err(LoadError::TooLarge {
                what,
                offset,
                found: u64::from(found),
                limit: limit as u64,
            });
        }
        Ok(found as usize)
    }

    pub(super) fn sub(&mut self, what: &'static str) -> Result<Reader<'a>, LoadError> {
        let len = self.count(1, what)?;
        let base = self.offset();
        Ok(Reader::new(self.take(len, what)?, base))
    }
}

/// A value with a binary form.
pub(super) trait Wire: Sized {
    /// Fewest bytes it takes.
    const LEAST: usize;
    /// Most of them in one list. Stated where an item takes far more memory than it takes bytes.
    const MOST: usize = usize::MAX;
    fn put(&self, out: &mut Vec<u8>);
    fn get(reader: &mut Reader<'_>, what: &'static str) -> Result<Self, LoadError>;
}

impl Wire for u32 {
    const LEAST: usize = 4;
    fn put(&self, out: &mut Vec<u8>) {
        out.extend_from_slice(&self.to_le_bytes());
    }
    fn get(reader: &mut Reader<'_>, what: &'static str) -> Result<Self, LoadError> {
        reader.u32(what)
    }
}

impl Wire for u64 {
    const LEAST: usize = 8;
    fn put(&self, out: &mut Vec<u8>) {
        out.extend_from_slice(&self.to_le_bytes());
    }
    fn get(reader: &mut Reader<'_>, what: &'static str) -> Result<Self, LoadError> {
        let low = reader.u32(what)?;
        let high = reader.u32(what)?;
        Ok(u64::from(low) | u64::from(high) << 32)
    }
}

impl Wire for f32 {
    const LEAST: usize = 4;
    fn put(&self, out: &mut Vec<u8>) {
        self.to_bits().put(out);
    }
    fn get(reader: &mut Reader<'_>, what: &'static str) -> Result<Self, LoadError> {
        Ok(Self::from_bits(reader.u32(what)?))
    }
}

impl Wire for bool {
    const LEAST: usize = 4;
    fn put(&self, out: &mut Vec<u8>) {
        u32::from(*self).put(out);
    }
    fn get(reader: &mut Reader<'_>, what: &'static str) -> Result<Self, LoadError> {
        let offset = reader.offset();
        match reader.u32(what)? {
            0 => Ok(false),
            1 => Ok(true),
            found => Err(LoadError::BadValue {
                what,
                offset,
                found: u64::from(found),
            }),
        }
    }
}

impl Wire for String {
    const LEAST: usize = 4;
    fn put(&self, out: &mut Vec<u8>) {
        (self.len() as u32).put(out);
        out.extend_from_slice(self.as_bytes());
    }
    fn get(reader: &mut Reader<'_>, what: &'static str) -> Result<Self, LoadError> {
        let offset = reader.offset();
        let len = reader.count(1, what)?;
        let bytes = reader.take(len, what)?;
        std::str::from_utf8(bytes)
            .map(str::to_owned)
            .map_err(|_| LoadError::NotUtf8 { what, offset })
    }
}

impl Wire for Arc<[u8]> {
    const LEAST: usize = 4;
    fn put(&self, out: &mut Vec<u8>) {
        (self.len() as u32).put(out);
        out.extend_from_slice(self);
    }
    fn get(reader: &mut Reader<'_>, what: &'static str) -> Result<Self, LoadError> {
        let len = reader.count(1, what)?;
        Ok(Self::from(reader.take(len, what)?))
    }
}

impl<T: Wire> Wire for Vec<T> {
    const LEAST: usize = 4;
    fn put(&self, out: &mut Vec<u8>) {
        (self.len() as u32).put(out);
        for item in self {
            item.put(out);
        }
    }
    fn get(reader: &mut Reader<'_>, what: &'static str) -> Result<Self, LoadError> {
        let count = reader.count_to(T::LEAST, T::MOST, what)?;
        // The bytes for so many items are there, so a list reserves no more than they justify.
        let mut items = Self::with_capacity(count);
        for _ in 0..count {
            items.push(T::get(reader, what)?);
        }
        Ok(items)
    }
}

impl<T: Wire> Wire for Option<T> {
    const LEAST: usize = 4;
    fn put(&self, out: &mut Vec<u8>) {
        self.is_some().put(out);
        if let Some(value) = self {
            value.put(out);
        }
    }
    fn get(reader: &mut Reader<'_>, what: &'static str) -> Result<Self, LoadError> {
        if bool::get(reader, what)? {
            Ok(Some(T::get(reader, what)?))
        } else {
            Ok(None)
        }
    }
}

impl<T: Wire + Copy + Default, const N: usize> Wire for [T; N] {
    const LEAST: usize = T::LEAST * N;
    fn put(&self, out: &mut Vec<u8>) {
        for item in self {
            item.put(out);
        }
    }
    fn get(reader: &mut Reader<'_>, what: &'static str) -> Result<Self, LoadError> {
        let mut array = [T::default(); N];
        for item in &mut array {
            *item = T::get(reader, what)?;
        }
        Ok(array)
    }
}

/// A key with this bit may be skipped by a reader that does not know it; others make it refuse the file.
pub(super) const SKIPPABLE: u16 = 0x8000;

/// Most entries of a record.
const MAX_ENTRIES: usize = 256;

/// Visits keyed entries, to write them or to read them: one statement of a record serves both.
pub(super) trait Entries {
    /// One entry. Values equal to their default are not written, entries not found keep their default.
    fn entry<T: Wire>(
        &mut self,
        key: u16,
        what: &'static str,
        value: &mut T,
        default: T,
    ) -> Result<(), LoadError>;
}

/// Writes entries.
#[derive(Debug, Default)]
pub(super) struct EntryWriter {
    pub(super) bytes: Vec<u8>,
}

impl Entries for EntryWriter {
    fn entry<T: Wire>(
        &mut self,
        key: u16,
        _what: &'static str,
        value: &mut T,
        default: T,
    ) -> Result<(), LoadError> {
        let (mut payload, mut usual) = (Vec::new(), Vec::new());
        value.put(&mut payload);
        default.put(&mut usual);
        // By their bytes: −0 equals 0 and is another number.
        if payload != usual {
            self.bytes.extend_from_slice(&key.to_le_bytes());
            (payload.len() as u32).put(&mut self.bytes);
            self.bytes.extend_from_slice(&payload);
        }
        Ok(())
    }
}

/// Reads entries by key.
#[derive(Debug)]
pub(super) struct EntryReader<'a> {
    entries: Vec<(u16, Reader<'a>, bool)>,
}

impl<'a> EntryReader<'a> {
    pub(super) fn new(mut reader: Reader<'a>, what: &'static str) -> Result<Self, LoadError> {
        let mut entries: Vec<(u16, Reader<'a>, bool)> = Vec::new();
        while !reader.is_empty() {
            let offset = reader.offset();
            let key = reader.u16(what)?;
            if entries.len() == MAX_ENTRIES {
                return Err(LoadError::TooLarge {
                    what: "the number of settings of a record",
                    offset,
                    found: entries.len() as u64 + 1,
                    limit: MAX_ENTRIES as u64,
                });
            }
            if entries.iter().any(|(k, ..)| *k == key) {
                return Err(LoadError::BadValue {
                    what: "a repeated setting",
                    offset,
                    found: u64::from(key),
                });
            }
            entries.push((key, reader.sub(what)?, false));
        }
        Ok(Self { entries })
    }

    /// Refuses entries that nobody asked for and that may not be skipped.
    pub(super) fn finish(self) -> Result<(), LoadError> {
        match self
            .entries
            .iter()
            .find(|(key, _, used)| !used && key & SKIPPABLE == 0)
        {
            None => Ok(()),
            Some((key, reader, _)) => {
                let what = "a setting this build does not know and may not skip";
                Err(LoadError::BadValue {
                    what,
                    offset: reader.offset(),
                    found: u64::from(*key),
                })
            }
        }
    }
}

impl Entries for EntryReader<'_> {
    fn entry<T: Wire>(
        &mut self,
        key: u16,
        what: &'static str,
        value: &mut T,
        default: T,
    ) -> Result<(), LoadError> {
        *value = default;
        if let Some((_, reader, used)) = self.entries.iter_mut().find(|(k, ..)| *k == key) {
            *used = true;
            *value = T::get(reader, what)?;
            if !reader.is_empty() {
                return Err(LoadError::Surplus {
                    what,
                    offset: reader.offset(),
                });
            }
        }
        Ok(())
    }
}
