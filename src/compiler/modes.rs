//! What unwired inputs hold: numbers, random draws, curves over life and speed, parameters.

use super::ir::{Code, Val};
use super::lower::{AGE_HELP, Lowering, Typed};
use crate::base::diag::{FlowKind, Severity};
use crate::base::hash::stream_of;
use crate::base::id::Id;
use crate::base::rng::{SCOPE_PARTICLE, SCOPE_STEP};
use crate::graph::{InputMode, Lanes, NodeKind, Port};
use crate::isa::Op;

const VELOCITY_HELP: &str = "Add a velocity block to Birth and a Move block to Every frame.";

impl<'a> Lowering<'a, '_> {
    /// What an unwired input holds.
    pub(super) fn mode(&mut self, mode: &'a InputMode, port: &'a Port) -> Option<Val> {
        let name = port.name.as_str();
        // A number computes nothing, and is nobody's instruction.
        if !matches!(mode, InputMode::Value(_)) {
            self.enter(Some(name));
        }
        match mode {
            InputMode::Value(lanes) => Some(Val::constant(lanes.values())),
            InputMode::Random { min, max } => {
                let width = min.width().max(max.width());
                let ends = [min, max].map(|end: &Lanes| Val::constant(end.values()).resized(width));
                if ends[0] == ends[1] {
                    return Some(ends[0]);
                }
                let scope = match self.kind {
                    FlowKind::Birth => SCOPE_STEP,
                    FlowKind::EveryFrame => SCOPE_PARTICLE,
                };
                let draw = self.draw(name, width, scope);
                Some(self.between(ends[0], ends[1], draw))
            }
            InputMode::Curve(curve) => {
                let age = self.age_fraction(port)?;
                self.curves(std::slice::from_ref(curve), age, Some(name))
            }
            InputMode::Gradient(gradient) => {
                let age = self.age_fraction(port)?;
                self.gradient(gradient, age, Some(name))
            }
            InputMode::SpeedCurve { curve, range } => {
                let speed = self.speed(port)?;
                let x = self.part_of(*range, speed);
                self.curves(std::slice::from_ref(curve), x, Some(name))
            }
            InputMode::Parameter(id) => {
                if !self.scope.parameters.contains_key(id) {
                    let message = format!("The effect has no parameter \"{id}\".");
                    self.report(Severity::Error, "missing-parameter", Some(name), message, None);
                }
                self.parameter(id).map(|typed| typed.val)
            }
            InputMode::Unknown(_) => {
                let message = format!("{} holds something this version does not know.", port.title);
                self.report(Severity::Error, "unknown-mode", Some(name), message, None);
                None
            }
        }
    }

    /// Random lanes of the node at hand.
    pub(super) fn draw(&mut self, salt: &str, width: u32, scope: u32) -> Val {
        let stream = stream_of(self.drawn.iter().copied(), salt);
        self.ir.load(Code::Random { stream, scope }, width)
    }

    /// From `min` at 0 to `max` at 1.
    pub(super) fn between(&mut self, min: Val, max: Val, t: Val) -> Val {
        let span = self.ir.op(Op::Sub, &[max, min]);
        self.ir.op(Op::Mad, &[t, span, min])
    }

    pub(super) fn parameter(&mut self, id: &Id) -> Option<Typed> {
        let index = self.parameters.iter().position(|p| p.id == *id)?;
        let ty = self.parameters[index].ty;
        // What is read at birth is each particle's own afterwards.
        let code = match (self.kind, self.held.iter().find(|held| held.0 == index)) {
            (FlowKind::EveryFrame, Some((_, word))) => Code::Field(*word),
            _ => Code::Parameter(index),
        };
        let val = self.ir.load(code, ty.width());
        Some(Typed { ty, val })
    }

    /// The particle's age over its lifetime, by the library's own node.
    fn age_fraction(&mut self, port: &Port) -> Option<Val> {
        if self.scope.field("age").is_none() || self.scope.field("lifetime").is_none() {
            let message = format!(
                "{} changes over life, but the particles have no age or no lifetime.",
                port.title
            );
            let help = Some(AGE_HELP);
            self.report(Severity::Error, "missing-field", Some(&port.name), message, help);
            return None;
        }
        self.library_value("age_fraction")
    }

    /// The particle's speed, by the library's own node.
    fn speed(&mut self, port: &Port) -> Option<Val> {
        if self.scope.field("velocity").is_none() {
            let message = format!(
                "{} changes over speed, but the particles have no velocity.",
                port.title
            );
            let help = Some(VELOCITY_HELP);
            self.report(Severity::Error, "missing-field", Some(&port.name), message, help);
            return None;
        }
        self.library_value("speed")
    }

    /// Where a value lies between two: 0 at the first, 1 at the second. Between equal ones it is a step.
    fn part_of(&mut self, [min, max]: [f32; 2], value: Val) -> Val {
        if max == min {
            return self.ir.op(Op::CmpLe, &[Val::imm(min), value]);
        }
        let over = self.ir.op(Op::Sub, &[value, Val::imm(min)]);
        self.ir.op(Op::Mul, &[over, Val::imm(1.0 / (max - min))])
    }

    /// The first output of a group of the library that has no inputs.
    fn library_value(&mut self, id: &str) -> Option<Val> {
        let kind: &'a NodeKind = self.registry.get(id)?;
        let source = self.ir.source;
        let val = self.group_value(kind)?;
        self.ir.source = source;
        Some(val)
    }
}
