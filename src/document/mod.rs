//! The effect document: what an artist edits, and its file.
//!
//! A [`Document`] has parameters and emitters; an [`Emitter`] has fields, two flows and settings. Every change
//! is an [`Edit`] given to [`Document::apply`]: an edit that cannot be made changes nothing. Emitters are
//! shared, so a copy of a document (an undo step) costs what the next edit changes.
//!
//! Node positions, titles, frames and notes are the layout half: saved and undone, never part of meaning.

mod apply;
mod collapse;
pub mod edit;
mod expand;
pub mod file;
pub mod history;
pub mod import;
pub mod presets;
mod settings;

use std::sync::Arc;

pub use edit::{Changed, Edit, EditError};
pub use history::History;

use crate::artifact::effect::IDENTITY_TRANSFORM;
use crate::artifact::{Emission, Parameter, RenderSettings, Space};
use crate::base::diag::FlowKind;
use crate::base::id::Id;
use crate::base::json::Json;
use crate::graph::{FieldDecl, Flow, Groups, Registry, Scope};
use crate::layout::Channel;

/// An emitter of a document.
#[derive(Debug, Clone, PartialEq)]
pub struct Emitter {
    pub(crate) id: Id,
    pub(crate) name: String,
    pub(crate) fields: Vec<FieldDecl>,
    pub(crate) emitter_fields: Vec<FieldDecl>,
    pub(crate) birth: Arc<Flow>,
    pub(crate) every_frame: Arc<Flow>,
    pub(crate) emission: Emission,
    pub(crate) space: Space,
    pub(crate) render: RenderSettings,
    pub(crate) bindings: Vec<(Channel, Option<String>)>,
    pub(crate) texture: Option<String>,
    pub(crate) transform: [[f32; 3]; 4],
    pub(crate) extra: Vec<(String, Json)>,
}

impl Emitter {
    /// An emitter with empty flows.
    #[must_use]
    pub fn new(id: Id, name: &str) -> Self {
        Self {
            id,
            name: name.to_owned(),
            fields: Vec::new(),
            emitter_fields: Vec::new(),
            birth: Arc::default(),
            every_frame: Arc::default(),
            emission: Emission::default(),
            space: Space::default(),
            render: RenderSettings::default(),
            bindings: Vec::new(),
            texture: None,
            transform: IDENTITY_TRANSFORM,
            extra: Vec::new(),
        }
    }

    /// Persistent id.
    #[must_use]
    pub fn id(&self) -> &Id {
        &self.id
    }

    /// The artist's name for it.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Its particles' fields, in the order of their places.
    #[must_use]
    pub fn fields(&self) -> &[FieldDecl] {
        &self.fields
    }

    /// The field of a name.
    #[must_use]
    pub fn field(&self, name: &str) -> Option<&FieldDecl> {
        self.fields.iter().find(|field| field.name == name)
    }

    /// Values that all its particles share, which the game can set. Their defaults are what they start with.
    #[must_use]
    pub fn emitter_fields(&self) -> &[FieldDecl] {
        &self.emitter_fields
    }

    /// One of its flows.
    #[must_use]
    pub fn flow(&self, kind: FlowKind) -> &Flow {
        match kind {
            FlowKind::Birth => &self.birth,
            FlowKind::EveryFrame => &self.every_frame,
        }
    }

    pub(crate) fn flow_mut(&mut self, kind: FlowKind) -> &mut Flow {
        Arc::make_mut(match kind {
            FlowKind::Birth => &mut self.birth,
            FlowKind::EveryFrame => &mut self.every_frame,
        })
    }

    /// The flow a node stands in.
    #[must_use]
    pub fn flow_of(&self, node: &Id) -> Option<FlowKind> {
        FlowKind::ALL
            .into_iter()
            .find(|&kind| self.flow(kind).node(node).is_some())
    }

    /// When and how many particles are born.
    #[must_use]
    pub fn emission(&self) -> &Emission {
        &self.emission
    }

    /// Where its particles live.
    #[must_use]
    pub fn space(&self) -> Space {
        self.space
    }

    /// How they are drawn; the bindings in it are the compiler's to fill.
    #[must_use]
    pub fn render(&self) -> &RenderSettings {
        &self.render
    }

    /// Channels bound otherwise than to the field of their name; none is unbound.
    #[must_use]
    pub fn bindings(&self) -> &[(Channel, Option<String>)] {
        &self.bindings
    }

    /// The texture's path relative to the document; none is the built-in soft disc.
    #[must_use]
    pub fn texture(&self) -> Option<&str> {
        self.texture.as_deref()
    }

    /// Its place in the effect: three axes and the position.
    #[must_use]
    pub fn transform(&self) -> &[[f32; 3]; 4] {
        &self.transform
    }

    /// What the nodes of a flow can name.
    #[must_use]
    pub fn scope(&self, kind: FlowKind, parameters: &[Parameter], registry: &Registry) -> Scope {
        let mut fields = std::collections::BTreeMap::new();
        for block in &self.flow(kind).blocks {
            for field in registry.get(&block.kind).iter().flat_map(|k| &k.fields) {
                if field.transient {
                    fields.insert(field.name.clone(), field.ty);
                }
            }
        }
        for field in &self.fields {
            fields.insert(field.name.clone(), field.ty);
        }
        let own = self
            .emitter_fields
            .iter()
            .map(|field| (field.name.clone(), field.ty));
        let parameters = parameters.iter().map(|p| (p.id.clone(), p.ty));
        Scope {
            fields: Arc::new(fields),
            parameters: Arc::new(parameters.collect()),
            emitter_fields: Arc::new(own.collect()),
        }
    }
}

/// An effect document.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Document {
    pub(crate) name: String,
    pub(crate) parameters: Vec<Parameter>,
    pub(crate) emitters: Vec<Arc<Emitter>>,
    pub(crate) groups: Groups,
    pub(crate) extra: Vec<(String, Json)>,
}

impl Document {
    /// A document with nothing in it.
    #[must_use]
    pub fn new(name: &str) -> Self {
        Self {
            name: name.to_owned(),
            ..Self::default()
        }
    }

    /// The artist's name for it.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// What the game may set, in the order of places.
    #[must_use]
    pub fn parameters(&self) -> &[Parameter] {
        &self.parameters
    }

    /// The parameter of an id.
    #[must_use]
    pub fn parameter(&self, id: &Id) -> Option<&Parameter> {
        self.parameters.iter().find(|parameter| parameter.id == *id)
    }

    /// Its emitters, in drawing order.
    #[must_use]
    pub fn emitters(&self) -> &[Arc<Emitter>] {
        &self.emitters
    }

    /// Its own groups.
    #[must_use]
    pub fn groups(&self) -> &Groups {
        &self.groups
    }

    /// The node kinds it can use: all there are, and its own groups.
    #[must_use]
    pub fn registry(&self) -> &Registry {
        self.groups.registry()
    }

    /// The emitter of an id.
    #[must_use]
    pub fn emitter(&self, id: &Id) -> Option<&Emitter> {
        self.emitters.iter().find(|e| e.id == *id).map(Arc::as_ref)
    }

    /// An id that no emitter, parameter or node of the document has: `stem` itself where it is free, else
    /// with the smallest number after it.
    #[must_use]
    pub fn free_id(&self, stem: &str) -> Id {
        let fresh = Id::fresh(stem, 0);
        let base = fresh.as_str().trim_end_matches("-00000").to_owned();
        let taken = |id: &Id| {
            self.parameter(id).is_some()
                || self
                    .emitters
                    .iter()
                    .any(|e| e.id == *id || e.flow_of(id).is_some())
        };
        (1_u32..)
            .filter_map(|n| {
                let text = if n == 1 {
                    base.clone()
                } else {
                    format!("{base}-{n}")
                };
                Id::new(&text).ok()
            })
            .find(|id| !taken(id))
            .unwrap_or(fresh)
    }

    /// An id for a new node that two artists do not both make: `stem` and random bits.
    #[must_use]
    pub fn fresh_id(&self, stem: &str, bits: u32) -> Id {
        let id = Id::fresh(stem, bits);
        self.free_id(id.as_str())
    }
}
