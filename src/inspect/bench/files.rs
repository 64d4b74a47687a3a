//! Files: loading an effect that shipped, and compiling many documents at once.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Instant;

use super::{Row, medians};
use crate::artifact::{Effect, binary, json};
use crate::compiler::compile;
use crate::document::file;
use crate::document::presets::presets;

/// Loads of each form, of which the median counts.
const ROUNDS: usize = 101;
/// Documents compiled, and threads that compile them.
const DOCUMENTS: usize = 1_000;
const THREADS: usize = 2;

/// Rows: the largest shipped effect's load and size, and documents a second from text to bytes.
pub(super) fn rows() -> Vec<Row> {
    let mut rows = Vec::new();
    let shipped = presets().filter_map(|preset| {
        let document = crate::document::presets::preset(preset.name)?;
        Some((preset.name, compile(&document).effect?, file::save(&document)))
    });
    let shipped: Vec<(&str, Effect, String)> = shipped.collect();
    let largest = shipped.iter().max_by_key(|(_, effect, _)| {
        effect
            .programs
            .iter()
            .map(crate::isa::Program::len)
            .sum::<usize>()
    });
    if let Some((name, effect, _)) = largest {
        let (bytes, text) = (binary::write(effect), json::write(effect));
        let load = |bytes: &[u8]| {
            std::hint::black_box(Effect::load(bytes).is_ok());
        };
        let [of_bytes, of_text] = medians(ROUNDS, [&mut || load(&bytes), &mut || load(text.as_bytes())]);
        rows.push(Row::new(format!("files.load.{name}"), of_bytes / 1e3, "µs"));
        rows.push(Row::new(format!("files.load.{name}.json"), of_text / 1e3, "µs"));
        rows.push(Row::new(
            format!("files.size.{name}"),
            bytes.len() as f64,
            "bytes",
        ));
        rows.push(Row::new(
            format!("files.size.{name}.json"),
            text.len() as f64,
            "bytes",
        ));
    }
    let next = AtomicUsize::new(0);
    let start = Instant::now();
    std::thread::scope(|scope| {
        for _ in 0..THREADS {
            scope.spawn(|| {
                while let Some((.., text)) = {
                    let index = next.fetch_add(1, Ordering::Relaxed);
                    shipped
                        .get(index % shipped.len().max(1))
                        .filter(|_| index < DOCUMENTS)
                } {
                    let document = file::load(text.as_bytes()).map(|loaded| loaded.document);
                    let effect = compile(&document.unwrap_or_default()).effect.unwrap_or_default();
                    std::hint::black_box(binary::write(&effect));
                }
            });
        }
    });
    let seconds = start.elapsed().as_secs_f64();
    let name = format!("files.compile.{DOCUMENTS}.jobs{THREADS}");
    rows.push(Row::new(name, DOCUMENTS as f64 / seconds, "documents/s"));
    rows
}
