//! What the special kinds come to.

use smallvec::smallvec;

use super::ir::{Code, Val};
use super::lower::{Lowering, Vals};
use crate::artifact::Space;
use crate::base::diag::{FlowKind, Severity};
use crate::base::id::Id;
use crate::base::rng::{SCOPE_INSTANCE, SCOPE_LOOP, SCOPE_PARTICLE, SCOPE_STEP};
use crate::graph::special::LOCAL_SPACE;
use crate::graph::{Node, Setting, Special};
use crate::isa::{Builtin, Op};

/// Runs a special block on its input; one that failed leaves things as they were.
pub(super) fn run_block(to: &mut Lowering<'_, '_>, special: Special, node: &Node, input: Option<Val>) {
    match special {
        Special::SetField => to.write_field(special.text(node, "field"), input),
        Special::KillIf => {
            if let Some(input) = input {
                to.ir.kill(input);
            }
        }
        _ => {}
    }
}

/// The outputs of a special value node, in order.
pub(super) fn value(
    to: &mut Lowering<'_, '_>,
    special: Special,
    node: &Node,
    inputs: &[Val],
) -> Option<Vals> {
    let input = inputs.first().copied().unwrap_or(Val::imm(0.0));
    let scope = |to: &Lowering<'_, '_>| match special.text(node, "draw") {
        "frame" => SCOPE_STEP,
        "loop" => SCOPE_LOOP,
        "emitter" => SCOPE_INSTANCE,
        // A particle is born in its birth's own step.
        _ if to.kind == FlowKind::Birth => SCOPE_STEP,
        _ => SCOPE_PARTICLE,
    };
    Some(match special {
        Special::GetField => smallvec![to.read_field(special.text(node, "field"))?.val],
        Special::Builtin => {
            let name = special.text(node, "builtin");
            if name == LOCAL_SPACE {
                let local = to.emitter.space() == Space::Local;
                return Some(smallvec![Val::imm(if local { 1.0 } else { 0.0 })]);
            }
            let Some(builtin) = Builtin::ALL.iter().find(|b| b.mnemonic() == name) else {
                let message = format!("The engine gives no value called \"{name}\".");
                let names: Vec<&str> = Builtin::ALL.iter().map(|b| b.mnemonic()).collect();
                let help = format!("It gives {}.", names.join(", "));
                to.report(Severity::Error, "unknown-builtin", None, message, Some(&help));
                return None;
            };
            smallvec![to.ir.load(Code::Builtin(*builtin as u32), builtin.width())]
        }
        Special::Parameter => {
            let id = special.text(node, "parameter");
            let Some(parameter) = Id::new(id).ok().and_then(|id| to.parameter(&id)) else {
                let message = if id.is_empty() {
                    "No parameter is chosen.".to_owned()
                } else {
                    format!("The effect has no parameter \"{id}\".")
                };
                to.report(Severity::Error, "missing-parameter", None, message, None);
                return None;
            };
            smallvec![parameter.val]
        }
        Special::EmitterField => {
            let name = special.text(node, "field");
            let index = to
                .emitter
                .emitter_fields()
                .iter()
                .position(|field| field.name == name);
            let Some(index) = index else {
                let message = if name.is_empty() {
                    "No field of the emitter is chosen.".to_owned()
                } else {
                    format!("The emitter has no field \"{name}\".")
                };
                to.report(Severity::Error, "missing-emitter-field", None, message, None);
                return None;
            };
            let width = to.emitter.emitter_fields()[index].ty.width();
            smallvec![to.ir.load(Code::EmitterField(index), width)]
        }
        Special::Global => {
            let name = special.text(node, "name");
            if name.is_empty() {
                let message = "The global value has no name.".to_owned();
                to.report(Severity::Error, "missing-name", None, message, None);
                return None;
            }
            let width = special.chosen_type(node).width();
            let index = to.globals.iter().position(|(global, _)| global == name);
            let index = index.unwrap_or_else(|| {
                to.globals.push((name.to_owned(), width));
                to.globals.len() - 1
            });
            to.globals[index].1 = to.globals[index].1.max(width);
            smallvec![to.ir.load(Code::Global(index), width)]
        }
        Special::Constant(_) => smallvec![input],
        Special::Random => {
            let width = special.chosen_type(node).width();
            smallvec![to.draw("", width, scope(to))]
        }
        Special::RandomBetween => {
            let width = special.chosen_type(node).width();
            let draw = to.draw("", width, scope(to));
            smallvec![to.between(input, inputs.get(1).copied()?, draw)]
        }
        Special::Wind => smallvec![to.ir.op(Op::SampleWind, &[input.resized(3)])],
        Special::Curve => {
            let curves = special.curves(node);
            smallvec![to.curves(&curves, input, None)?]
        }
        Special::Gradient => {
            let gradient = match node.settings.get("gradient") {
                Some(Setting::Gradient(gradient)) => gradient.clone(),
                _ => Special::new_gradient(),
            };
            let color = to.gradient(&gradient, input, None)?;
            smallvec![color, color.lane(3)]
        }
        Special::Combine => smallvec![Val::join(inputs)],
        Special::Split => (0..4).map(|lane| input.lane(lane)).collect(),
        Special::Swizzle => {
            let Some(lanes) = special.lanes(node) else {
                let text = special.text(node, "lanes");
                let message = format!("{text:?} is no choice of lanes.");
                let help = "Write one to four of the letters x, y, z and w, such as zyx.";
                to.report(Severity::Error, "bad-lanes", None, message, Some(help));
                return None;
            };
            let picked: Vals = lanes.into_iter().map(|lane| input.lane(lane)).collect();
            smallvec![Val::join(&picked)]
        }
        Special::SetField | Special::KillIf | Special::GroupInput | Special::GroupOutput => return None,
    })
}
