//! What types nodes give and take.

use std::collections::BTreeMap;
use std::sync::Arc;

use smallvec::SmallVec;

use super::kind::{PortType, Signature};
use crate::base::id::Id;
use crate::layout::FieldType;

/// What a flow's nodes can name: fields and parameters.
#[derive(Debug, Clone, Default)]
pub struct Scope {
    /// Fields by name, transient ones too.
    pub fields: Arc<BTreeMap<String, FieldType>>,
    /// Parameters by id.
    pub parameters: Arc<BTreeMap<Id, FieldType>>,
    /// The emitter's own fields, which all its particles share, by name.
    pub emitter_fields: Arc<BTreeMap<String, FieldType>>,
}

impl Scope {
    /// The type of a field.
    #[must_use]
    pub fn field(&self, name: &str) -> Option<FieldType> {
        self.fields.get(name).copied()
    }

    /// The type of a parameter, by the text of its id.
    #[must_use]
    pub fn parameter(&self, id: &str) -> Option<FieldType> {
        self.parameters.get(&Id::new(id).ok()?).copied()
    }
}

/// Whether a value of one type can be wired into a port of another: equal widths pass, a single number stands
/// in every lane, a wider vector drops its last lanes, three lanes make an opaque colour. A rotation is
/// nothing else.
#[must_use]
#[inline]
pub fn converts(from: FieldType, to: FieldType) -> bool {
    use FieldType::{Color, Quat, Vec3, Vec4};
    match (from, to) {
        _ if from == to => true,
        (Quat, Vec4) | (Vec4, Quat) => true,
        (Quat, _) | (_, Quat) => false,
        _ if from.width() == to.width() || from.width() == 1 => true,
        (Vec3, Color) => true,
        _ => from.width() > to.width() && to.width() > 1,
    }
}

/// A type as the artist knows it.
#[must_use]
pub const fn type_title(ty: FieldType) -> &'static str {
    match ty {
        FieldType::Float => "number",
        FieldType::Vec2 => "2-vector",
        FieldType::Vec3 => "3-vector",
        FieldType::Vec4 => "4-vector",
        FieldType::Color => "colour",
        FieldType::Quat => "rotation",
        FieldType::Bool => "switch",
    }
}

/// A port that cannot take what is wired into it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Mismatch {
    /// The input.
    pub port: String,
    /// What came.
    pub found: FieldType,
    /// What it or its neighbours want.
    pub expected: FieldType,
}

/// The types of a node's ports, in order. Few nodes have more than four.
pub type PortTypes = SmallVec<[FieldType; 4]>;

/// The types of a node's ports once what comes into it is known.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Resolved {
    /// By input, in order.
    pub inputs: PortTypes,
    /// By output, in order.
    pub outputs: PortTypes,
}

/// The type of a node's ports of any type, from what it was and the type that comes into one more input: the widest
/// that comes into such a port. Where nothing does, they are numbers.
#[must_use]
#[inline]
pub fn joined(before: Option<FieldType>, port: PortType, found: FieldType) -> Option<FieldType> {
    let wider = port == PortType::Any && before.is_none_or(|before| found.width() > before.width());
    if wider { Some(found) } else { before }
}

/// Whether an input takes a type, with what [`joined`] gives for its node.
#[must_use]
#[inline]
pub fn fits(found: FieldType, port: PortType, joined: FieldType) -> bool {
    match port {
        PortType::Of(ty) => converts(found, ty),
        PortType::Any => found.width() == 1 || found.width() == joined.width(),
    }
}

/// Resolves a node's port types from the types at its inputs, in order: of wires, or of the values that
/// unwired inputs hold.
///
/// # Errors
/// Every input that cannot take what comes.
pub fn resolve(signature: &Signature<'_>, found: &[FieldType]) -> Result<Resolved, Vec<Mismatch>> {
    let inputs = signature.inputs.iter().zip(found);
    let joined = inputs.fold(None, |before, (port, &ty)| joined(before, port.ty, ty));
    let joined = joined.unwrap_or(FieldType::Float);
    let mut wrong = Vec::new();
    for (port, &ty) in signature.inputs.iter().zip(found) {
        let expected = port.ty.given(joined);
        let fits = fits(ty, port.ty, joined);
        if !fits {
            wrong.push(Mismatch {
                port: port.name.clone(),
                found: ty,
                expected,
            });
        }
    }
    if wrong.is_empty() {
        Ok(Resolved {
            inputs: signature.inputs.iter().map(|p| p.ty.given(joined)).collect(),
            outputs: signature.outputs.iter().map(|p| p.ty.given(joined)).collect(),
        })
    } else {
        Err(wrong)
    }
}
