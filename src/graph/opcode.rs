//! Nodes made from the opcode table: one for every opcode that computes lanes.

use super::input::InputMode;
use super::kind::{Body, NodeKind, Port, PortType, title_of};
use crate::isa::ops::OPS;
use crate::isa::{Op, Shape};
use crate::layout::FieldType;

/// What the palette says of an opcode, where its table's words are for engineers: title,
/// category, search words, what it does.
const FACES: &[(&str, &str, &str, &[&str], &str)] = &[
    ("add", "Add", "Math", &["plus", "sum", "+"], "a and b together."),
    (
        "sub",
        "Subtract",
        "Math",
        &["minus", "difference", "-"],
        "a without b.",
    ),
    (
        "mul",
        "Multiply",
        "Math",
        &["times", "product", "scale", "*"],
        "a times b.",
    ),
    (
        "div",
        "Divide",
        "Math",
        &["quotient", "ratio", "/"],
        "a over b. Over 0 it is infinite; Divide safely gives 0 there.",
    ),
    (
        "mad",
        "Multiply and add",
        "Math",
        &["fma"],
        "a times b, and c on top.",
    ),
    (
        "neg",
        "Negate",
        "Math",
        &["minus", "opposite"],
        "The value with the other sign.",
    ),
    (
        "abs",
        "Absolute",
        "Math",
        &["magnitude"],
        "The value without its sign.",
    ),
    (
        "min",
        "Minimum",
        "Math",
        &["smaller", "least"],
        "The smaller of a and b.",
    ),
    (
        "max",
        "Maximum",
        "Math",
        &["larger", "most"],
        "The larger of a and b.",
    ),
    (
        "floor",
        "Floor",
        "Math",
        &["round down", "integer"],
        "The next whole number at or below the value.",
    ),
    (
        "ceil",
        "Ceiling",
        "Math",
        &["round up", "integer"],
        "The next whole number at or above the value.",
    ),
    (
        "round",
        "Round",
        "Math",
        &["nearest", "integer"],
        "The nearest whole number; of two the even one.",
    ),
    (
        "trunc",
        "Truncate",
        "Math",
        &["integer", "cut off"],
        "The whole number that is left when the fraction is cut off.",
    ),
    (
        "sign",
        "Sign",
        "Math",
        &["positive", "negative", "direction"],
        "−1 below 0, 1 above it, and 0 at 0.",
    ),
    (
        "hash",
        "Hash",
        "Random",
        &["random", "scramble", "cell"],
        "A number from 0 up to 1 that a and b choose between them: the same for the same two, and as good as random for others.",
    ),
    (
        "and",
        "And",
        "Logic",
        &["both", "all", "&&"],
        "1 where both are not 0, else 0.",
    ),
    (
        "or",
        "Or",
        "Logic",
        &["either", "any", "||"],
        "1 where a or b is not 0, else 0.",
    ),
    (
        "not",
        "Not",
        "Logic",
        &["invert", "negate", "!"],
        "1 where the value is 0, else 0.",
    ),
    (
        "fract",
        "Fraction",
        "Math",
        &["repeat", "wrap"],
        "What is above the next whole number below: from 0 up to 1.",
    ),
    (
        "sqrt",
        "Square root",
        "Math",
        &["root"],
        "The number that gives the value when multiplied with itself. Below 0 there is none.",
    ),
    (
        "rsqrt",
        "Inverse square root",
        "Math",
        &["root"],
        "1 over the square root.",
    ),
    (
        "sin",
        "Sine",
        "Math",
        &["wave", "oscillate"],
        "The sine of an angle in radians.",
    ),
    (
        "cos",
        "Cosine",
        "Math",
        &["wave", "oscillate"],
        "The cosine of an angle in radians.",
    ),
    (
        "exp2",
        "Power of two",
        "Math",
        &["exponential"],
        "2 to the power of the value.",
    ),
    (
        "log2",
        "Logarithm (base 2)",
        "Math",
        &["log"],
        "How often 2 is multiplied to give the value. At 0 and below it is −126.",
    ),
    (
        "cmp_lt",
        "Less than",
        "Logic",
        &["compare", "smaller", "<"],
        "1 where a is smaller than b, else 0.",
    ),
    (
        "cmp_le",
        "At most",
        "Logic",
        &["compare", "less or equal", "<="],
        "1 where a is b or smaller, else 0.",
    ),
    (
        "cmp_eq",
        "Equals",
        "Logic",
        &["compare", "same", "=="],
        "1 where a and b are the same, else 0.",
    ),
    (
        "select",
        "Choose",
        "Logic",
        &["if", "switch", "condition", "select"],
        "One of two values, lane by lane: the first where the condition is not 0.",
    ),
    (
        "dot",
        "Dot product",
        "Vector",
        &["projection", "angle"],
        "The lanes of a and b multiplied and summed: how far two directions agree.",
    ),
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
            let (title, category, words, does) = match face {
                Some((_, title, category, words, does)) => ((*title).to_owned(), *category, *words, *does),
                None => (title_of(info.mnemonic), "Math", &[][..], info.doc),
            };
            let mut kind = NodeKind::value(
                &format!("op.{}", info.mnemonic),
                &title,
                category,
                Body::Op(info.op),
            );
            does.clone_into(&mut kind.description);
            kind.words = words.iter().map(|word| (*word).to_owned()).collect();
            kind.words.push(info.mnemonic.to_owned());
            kind.inputs = operands(info.op)[..arity]
                .iter()
                .map(|name| {
                    let default = InputMode::value(default_of(info.op, name));
                    Port::new(name, PortType::Any, default).doc(doc_of(name, arity))
                })
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

/// What an operand is.
const fn doc_of(operand: &str, arity: usize) -> &'static str {
    match (operand.as_bytes(), arity) {
        (b"condition", _) => "What decides.",
        (b"if_true", _) => "The result where the condition is not 0.",
        (b"if_false", _) => "The result where the condition is 0.",
        (_, 1) => "The value.",
        (b"a", _) => "The first value.",
        (b"b", _) => "The second value.",
        _ => "The third value.",
    }
}

/// What leaves the other operand as it is.
fn default_of(op: Op, operand: &str) -> f32 {
    match (op, operand) {
        (Op::Mul | Op::Div | Op::Mad, "b") | (Op::Select, "if_true") => 1.0,
        _ => 0.0,
    }
}
