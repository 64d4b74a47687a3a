//! Nodes made from the opcode table: one for every opcode that computes lanes.

use super::input::InputMode;
use super::kind::{Body, NodeKind, Port, PortType, title_of};
use crate::isa::ops::OPS;
use crate::isa::{Op, Shape};
use crate::layout::FieldType;

/// What the palette says of an opcode, where its table's words are too terse: title, category, search words.
const FACES: &[(&str, &str, &str, &[&str])] = &[
    ("add", "Add", "Math", &["plus", "sum", "+"]),
    ("sub", "Subtract", "Math", &["minus", "difference", "-"]),
    ("mul", "Multiply", "Math", &["times", "product", "scale", "*"]),
    ("div", "Divide", "Math", &["quotient", "ratio", "/"]),
    ("mad", "Multiply and add", "Math", &["fma"]),
    ("neg", "Negate", "Math", &["minus", "opposite"]),
    ("abs", "Absolute", "Math", &["magnitude"]),
    ("min", "Minimum", "Math", &["smaller", "least"]),
    ("max", "Maximum", "Math", &["larger", "most"]),
    ("floor", "Floor", "Math", &["round down", "integer"]),
    ("ceil", "Ceiling", "Math", &["round up", "integer"]),
    ("round", "Round", "Math", &["nearest", "integer"]),
    ("trunc", "Truncate", "Math", &["integer", "cut off"]),
    ("sign", "Sign", "Math", &["positive", "negative", "direction"]),
    ("hash", "Hash", "Random", &["random", "scramble", "cell"]),
    ("and", "And", "Logic", &["both", "all", "&&"]),
    ("or", "Or", "Logic", &["either", "any", "||"]),
    ("not", "Not", "Logic", &["invert", "negate", "!"]),
    ("fract", "Fraction", "Math", &["repeat", "wrap"]),
    ("sqrt", "Square root", "Math", &["root"]),
    ("rsqrt", "Inverse square root", "Math", &["root"]),
    ("sin", "Sine", "Math", &["wave", "oscillate"]),
    ("cos", "Cosine", "Math", &["wave", "oscillate"]),
    ("exp2", "Power of two", "Math", &["exponential"]),
    ("log2", "Logarithm (base 2)", "Math", &["log"]),
    ("cmp_lt", "Less than", "Logic", &["compare", "smaller", "<"]),
    ("cmp_le", "At most", "Logic", &["compare", "less or equal", "<="]),
    ("cmp_eq", "Equals", "Logic", &["compare", "same", "=="]),
    (
        "select",
        "Choose",
        "Logic",
        &["if", "switch", "condition", "select"],
    ),
    ("dot", "Dot product", "Vector", &["projection", "angle"]),
];

/// The operands of an opcode's node, by place: select's have names of their own.
fn operands(op: Op) -> &'static [&'static str] {
    match op {
        Op::Select => &["condition", "if_true", "if_false"],
        _ => &["a", "b", "c"],
    }
}

/// The kinds of all opcodes that compute lanes, in the table's order.
#[must_use]
pub fn kinds() -> Vec<NodeKind> {
    OPS.iter()
        .filter_map(|info| {
            let arity = match info.shape {
                // A copy computes nothing an artist could want.
                Shape::Lanes(_) if info.op == Op::Mov => return None,
                Shape::Lanes(arity) => usize::from(arity),
                Shape::Reduce => 2,
                _ => return None,
            };
            let face = FACES.iter().find(|face| face.0 == info.mnemonic);
            let (title, category, words) = match face {
                Some((_, title, category, words)) => ((*title).to_owned(), *category, *words),
                None => (title_of(info.mnemonic), "Math", &[][..]),
            };
            let mut kind = NodeKind::value(
                &format!("op.{}", info.mnemonic),
                &title,
                category,
                Body::Op(info.op),
            );
            kind.description = format!("{}. {}", info.doc, info.edges);
            kind.words = words.iter().map(|word| (*word).to_owned()).collect();
            kind.words.push(info.mnemonic.to_owned());
            kind.inputs = operands(info.op)[..arity]
                .iter()
                .map(|name| Port::new(name, PortType::Any, InputMode::value(default_of(info.op, name))))
                .collect();
            let out = if info.shape == Shape::Reduce {
                PortType::Of(FieldType::Float)
            } else {
                PortType::Any
            };
            kind.outputs = vec![Port::output("out", out)];
            Some(kind)
        })
        .collect()
}

/// What leaves the other operand as it is.
fn default_of(op: Op, operand: &str) -> f32 {
    match (op, operand) {
        (Op::Mul | Op::Div | Op::Mad, "b") | (Op::Select, "if_true") => 1.0,
        _ => 0.0,
    }
}
