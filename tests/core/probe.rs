//! One node under test: its inputs read from fields of one particle, its outputs written to others.

use mote::base::diag::FlowKind;
use mote::graph::{InputMode, Node, PortType, registry};
use mote::layout::FieldType;

use crate::authoring::{Doc, Particle, id};

/// A value node, compiled with every input and output a field.
pub(crate) struct Probe {
    pub(crate) particle: Particle,
    inputs: Vec<String>,
    outputs: Vec<String>,
}

impl Probe {
    /// A node of `kind` over numbers.
    pub(crate) fn new(kind: &str) -> Self {
        Self::with(kind, FieldType::Float, &[])
    }

    /// A node of `kind` whose ports of any type have `any`, and some inputs of which are set.
    pub(crate) fn with(kind: &str, any: FieldType, set: &[(&str, InputMode)]) -> Self {
        let flow = FlowKind::EveryFrame;
        let of = registry().get(kind).unwrap();
        let ty = |ty: PortType| match ty {
            PortType::Of(ty) => ty,
            PortType::Any => any,
        };
        let mut node = Node::new(id("n"), kind);
        for (port, mode) in set {
            node = node.input(port, mode.clone());
        }
        let mut doc = Doc::new();
        doc.node(flow, node);
        let (mut inputs, mut outputs) = (Vec::new(), Vec::new());
        for port in of
            .inputs
            .iter()
            .filter(|p| set.iter().all(|(name, _)| *name != p.name))
        {
            let field = format!("i_{}", port.name);
            let read = field.replace('_', "-");
            doc.field(&field, ty(port.ty));
            doc.node(flow, Node::new(id(&read), "get_field").set("field", &field));
            doc.wire(flow, (&read, "out"), ("n", &port.name));
            inputs.push(field);
        }
        for port in &of.outputs {
            let field = format!("o_{}", port.name);
            let write = field.replace('_', "-");
            doc.field(&field, ty(port.ty));
            doc.node(flow, Node::new(id(&write), "set_field").set("field", &field));
            doc.wire(flow, ("n", &port.name), (&write, "value"));
            outputs.push(field);
        }
        Self {
            particle: Particle::new(&doc.0),
            inputs,
            outputs,
        }
    }

    /// The outputs, one after another, for inputs in the order of the node's ports.
    pub(crate) fn all(&mut self, inputs: &[&[f32]]) -> Vec<f32> {
        assert_eq!(inputs.len(), self.inputs.len());
        for (field, value) in self.inputs.iter().zip(inputs) {
            self.particle.set(field, value);
        }
        self.particle.step(1.0 / 60.0);
        self.outputs
            .iter()
            .flat_map(|field| self.particle.get(field))
            .collect()
    }

    /// The first number of the outputs.
    pub(crate) fn one(&mut self, inputs: &[f32]) -> f32 {
        let inputs: Vec<&[f32]> = inputs.chunks(1).collect();
        self.all(&inputs)[0]
    }

    /// A vector of three for inputs in the order of the node's ports.
    pub(crate) fn vec3(&mut self, inputs: &[&[f32]]) -> [f32; 3] {
        self.all(inputs)[..3].try_into().unwrap()
    }

    /// A vector of four for inputs in the order of the node's ports.
    pub(crate) fn vec4(&mut self, inputs: &[&[f32]]) -> [f32; 4] {
        self.all(inputs)[..4].try_into().unwrap()
    }

    /// Instructions and registers, stores and loads included.
    pub(crate) fn cost(&self) -> (usize, u32) {
        self.particle.update_cost()
    }
}

/// Even numbers in a range, the same in every run.
pub(crate) struct Dice(u32);

impl Dice {
    pub(crate) fn new(seed: u32) -> Self {
        Self(mote::base::rng::pcg(seed))
    }

    pub(crate) fn between(&mut self, low: f32, high: f32) -> f32 {
        self.0 = mote::base::rng::pcg(self.0);
        low + (high - low) * mote::base::rng::unit(self.0)
    }

    pub(crate) fn point(&mut self, reach: f32) -> [f32; 3] {
        [(); 3].map(|()| self.between(-reach, reach))
    }
}

pub(crate) fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

pub(crate) fn wide<const N: usize>(v: [f32; N]) -> [f64; N] {
    v.map(f64::from)
}
