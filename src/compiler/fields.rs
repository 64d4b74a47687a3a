//! Fields on their way through a flow: each is threaded as one value, and stored once at the end.

use super::ir::{Code, Val};
use super::lower::{AGE_HELP, Lowering, Typed};
use crate::artifact::Blend;
use crate::base::diag::{Diagnostic, FlowKind, Place, Severity};
use crate::isa::Builtin;
use crate::layout::FieldType;

/// A field on its way through the flow.
#[derive(Debug)]
pub(super) struct FieldState {
    pub(super) ty: FieldType,
    /// Its place in the record; none is transient.
    pub(super) word: Option<u32>,
    /// What it was at the flow's start, once it was read.
    pub(super) start: Option<Val>,
    /// What blocks made of it, and who did last.
    pub(super) now: Option<(Val, u32)>,
    /// Whether a block wrote it after it was last read.
    pub(super) unread: Option<u32>,
    pub(super) default: [f32; 4],
}

impl Lowering<'_, '_> {
    /// Stores what the flow made of the fields.
    pub(super) fn finish(&mut self) {
        let emitter = self.emitter;
        for name in emitter.fields.iter().map(|field| field.name.as_str()) {
            let Some(field) = self.fields.get(name) else {
                continue;
            };
            let Some(word) = field.word else { continue };
            let (val, writer) = match (field.now, self.kind) {
                (Some((val, writer)), _) => (val, writer),
                (None, FlowKind::Birth) => {
                    let val = self.birth_default(name);
                    (val, 0)
                }
                (None, FlowKind::EveryFrame) => continue,
            };
            let unchanged = match self.kind {
                // A record is cleared before birth.
                FlowKind::Birth => val
                    .known()
                    .is_some_and(|v| v.iter().all(|lane| lane.to_bits() == 0)),
                FlowKind::EveryFrame => self.fields.get(name).and_then(|f| f.start) == Some(val),
            };
            if unchanged {
                continue;
            }
            self.ir.source = self.sources.add_beside(writer, name);
            self.ir.store(word, val);
        }
        if self.kind == FlowKind::Birth {
            self.ir.source = 0;
            for &(index, word) in self.held {
                let width = self.parameters[index].ty.width();
                let val = self.ir.load(Code::Parameter(index), width);
                self.ir.store(word, val);
            }
        }
        let transient = self.fields.values().filter(|field| field.word.is_none());
        for writer in transient.filter_map(|field| field.unread) {
            let node = self.sources.get(writer).node;
            let title = node
                .first()
                .and_then(|id| self.emitter.flow(self.kind).node(id))
                .and_then(|node| self.registry.get(&node.kind))
                .map_or("This block", |kind| kind.title.as_str());
            let place = Place::node(&self.emitter.id, self.kind, node.into_iter().take(1).collect());
            self.diagnostics.push(
                Diagnostic::warning(
                    "no-effect",
                    place,
                    format!("{title} has no effect: no Move block comes after it."),
                )
                .help("Add a Move block below it."),
            );
        }
    }

    fn birth_default(&mut self, name: &str) -> Val {
        let Some(field) = self.fields.get(name) else {
            return Val::imm(0.0);
        };
        let width = field.ty.width();
        let stated = self.emitter.field(name).is_some_and(|f| f.default.is_some());
        match name {
            "position" if !stated && width == 3 => {
                let place = self.ir.load(Code::Builtin(Builtin::EmitterPosition as u32), 3);
                return place;
            }
            "additive" if !stated && width == 1 => {
                let only_adds = self.emitter.render.blend == Blend::Additive;
                return Val::imm(if only_adds { 1.0 } else { 0.0 });
            }
            _ => {}
        }
        Val::constant(&field.default[..width as usize])
    }

    /// The value of a field as the blocks before have left it.
    pub(super) fn read_field(&mut self, name: &str) -> Option<Typed> {
        let Some(field) = self.fields.get_mut(name) else {
            self.missing_field(name);
            return None;
        };
        let ty = field.ty;
        field.unread = None;
        if let Some((val, _)) = field.now {
            return Some(Typed { ty, val });
        }
        if let Some(val) = field.start {
            return Some(Typed { ty, val });
        }
        let val = match (field.word, self.kind) {
            (None, _) => Val::imm(0.0).resized(ty.width()),
            (Some(word), FlowKind::EveryFrame) => self.ir.load(Code::Field(word), ty.width()),
            (Some(_), FlowKind::Birth) => self.birth_default(name),
        };
        if let Some(field) = self.fields.get_mut(name) {
            field.start = Some(val);
        }
        Some(Typed { ty, val })
    }

    /// Gives a field a value of its type; where the value failed, only looks whether there is such a field.
    pub(super) fn write_field(&mut self, name: &str, val: Option<Val>) {
        let source = self.ir.source;
        match self.fields.get_mut(name) {
            Some(field) => {
                let Some(val) = val else { return };
                field.now = Some((val.resized(field.ty.width()), source));
                field.unread = Some(source);
            }
            None => self.missing_field(name),
        }
    }

    fn missing_field(&mut self, name: &str) {
        let message = if name.is_empty() {
            "No field is chosen.".to_owned()
        } else {
            format!("The particles have no field \"{name}\".")
        };
        let help = match name {
            "age" | "lifetime" => AGE_HELP,
            _ => "Add a block that makes it, or declare it in the emitter's fields.",
        };
        self.report(Severity::Error, "missing-field", None, message, Some(help));
    }
}
