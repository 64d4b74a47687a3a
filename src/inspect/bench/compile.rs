//! The compiler: the largest shipped effect, and a graph far larger than any.

use std::fmt::Write as _;

use super::{Row, medians};
use crate::compiler::compile;
use crate::document::{Document, file, presets};

/// Runs of each, of which the median counts.
const ROUNDS: usize = 25;
/// Value nodes of the large graph, in as many trees as it has fields.
const NODES: usize = 2_000;
const TREES: usize = 20;

/// Rows: milliseconds to compile.
#[must_use]
pub fn rows() -> Vec<Row> {
    let largest = largest_preset();
    let large = large_graph();
    let [preset_time, large_time] = medians(
        ROUNDS,
        [
            &mut || {
                std::hint::black_box(compile(&largest));
            },
            &mut || {
                std::hint::black_box(compile(&large));
            },
        ],
    );
    let length = |document: &Document| -> f64 {
        let effect = compile(document).effect.unwrap_or_default();
        effect.programs.iter().map(|program| program.len() as f64).sum()
    };
    vec![
        Row::new("compile.largest_preset.instructions", length(&largest), ""),
        Row::new("compile.largest_preset", preset_time / 1e6, "ms"),
        Row::new("compile.graph_of_2000.instructions", length(&large), ""),
        Row::new("compile.graph_of_2000", large_time / 1e6, "ms"),
    ]
}

/// The preset with the most instructions.
fn largest_preset() -> Document {
    let documents = presets::presets().filter_map(|preset| presets::preset(preset.name));
    let length = |document: &Document| {
        let effect = compile(document).effect.unwrap_or_default();
        effect
            .programs
            .iter()
            .map(crate::isa::Program::len)
            .sum::<usize>()
    };
    documents.max_by_key(length).unwrap_or_default()
}

/// An emitter of twenty fields, each set to a tree of a hundred value nodes over the others.
#[must_use]
pub fn large_graph() -> Document {
    let (mut fields, mut blocks, mut values, mut wires) =
        (String::new(), String::new(), String::new(), String::new());
    let ops = ["add", "mul", "sub", "min", "max", "mul"];
    for tree in 0..TREES {
        let comma = if tree == 0 { "" } else { "," };
        let _ = write!(fields, r#"{comma}{{"name": "f{tree}", "type": "float"}}"#);
        let _ = write!(
            blocks,
            r#"{comma}{{"id": "set{tree}", "kind": "set_field", "settings": {{"field": "f{tree}"}}}}"#
        );
        let _ = write!(
            values,
            r#"{comma}{{"id": "get{tree}", "kind": "get_field", "settings": {{"field": "f{tree}"}}}}"#
        );
        let nodes = NODES / TREES - 1;
        for node in 0..nodes {
            let op = ops[(node * 7 + tree) % ops.len()];
            let number = 0.5 + (node % 13) as f32 * 0.25;
            let _ = write!(
                values,
                r#",{{"id": "n{tree}-{node}", "kind": "op.{op}", "inputs": {{"b": {number}}}}}"#
            );
            // Each node reads the one before, and half of them one of long before.
            let comma = if tree + node == 0 { "" } else { "," };
            match node {
                0 => {
                    let _ = write!(wires, r#"{comma}"get{tree}.out -> n{tree}-0.a""#);
                }
                _ => {
                    let before = node - 1;
                    let _ = write!(wires, r#"{comma}"n{tree}-{before}.out -> n{tree}-{node}.a""#);
                }
            }
            if node > 4 && node % 2 == 0 {
                let _ = write!(wires, r#","n{tree}-{}.out -> n{tree}-{node}.b""#, node / 2);
            }
        }
        let _ = write!(wires, r#","n{tree}-{}.out -> set{tree}.value""#, nodes - 1);
    }
    let text = format!(
        r#"{{"mote": "document", "version": 1, "emitters": [{{"id": "e", "name": "E", "fields": [{fields}],
            "every_frame": {{"blocks": [{blocks}], "values": [{values}], "wires": [{wires}]}}}}]}}"#
    );
    // A test loads it and counts its nodes.
    file::load(text.as_bytes())
        .map(|loaded| loaded.document)
        .unwrap_or_default()
}
