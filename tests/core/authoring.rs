//! Documents built by edits, and one particle of what they compile to.

use mote::base::diag::{Diagnostic, FlowKind};
use mote::base::id::Id;
use mote::base::rng::DrawKey;
use mote::compiler::{Compiled, compile};
use mote::document::{Document, Edit};
use mote::graph::{FieldDecl, InputMode, Node, Socket};
use mote::isa::{Builtin, RECORD_WORDS};
use mote::layout::FieldType;
use mote::vm::{Builtins, Environment, run};

pub(crate) fn id(text: &str) -> Id {
    Id::new(text).unwrap()
}

/// A document of one emitter `e`, built by edits.
pub(crate) struct Doc(pub(crate) Document);

impl Doc {
    pub(crate) fn new() -> Self {
        let mut document = Document::new("test");
        let edit = Edit::AddEmitter {
            id: id("e"),
            name: "E".to_owned(),
            index: None,
        };
        document.apply(&edit).unwrap();
        Self(document)
    }

    pub(crate) fn node(&mut self, flow: FlowKind, node: Node) -> &mut Self {
        self.at(flow, node, None)
    }

    pub(crate) fn at(&mut self, flow: FlowKind, node: Node, index: Option<usize>) -> &mut Self {
        self.0
            .apply(&Edit::AddNode {
                emitter: id("e"),
                flow,
                node: Box::new(node),
                index,
                position: [0.0; 2],
            })
            .unwrap();
        self
    }

    pub(crate) fn birth(&mut self, name: &str, kind: &str, inputs: &[(&str, InputMode)]) -> &mut Self {
        self.node(FlowKind::Birth, with(Node::new(id(name), kind), inputs))
    }

    pub(crate) fn update(&mut self, name: &str, kind: &str, inputs: &[(&str, InputMode)]) -> &mut Self {
        self.node(FlowKind::EveryFrame, with(Node::new(id(name), kind), inputs))
    }

    pub(crate) fn wire(&mut self, flow: FlowKind, from: (&str, &str), to: (&str, &str)) -> &mut Self {
        self.0.apply(&wire(flow, from, to)).unwrap();
        self
    }

    pub(crate) fn field(&mut self, name: &str, ty: FieldType) -> &mut Self {
        self.0
            .apply(&Edit::AddField {
                emitter: id("e"),
                field: FieldDecl::new(name, ty),
            })
            .unwrap();
        self
    }
}

pub(crate) fn wire(flow: FlowKind, from: (&str, &str), to: (&str, &str)) -> Edit {
    Edit::Connect {
        emitter: id("e"),
        flow,
        from: Socket::new(&id(from.0), from.1),
        to: Socket::new(&id(to.0), to.1),
    }
}

fn with(mut node: Node, inputs: &[(&str, InputMode)]) -> Node {
    for (port, mode) in inputs {
        node = node.input(port, mode.clone());
    }
    node
}

/// One particle of the first emitter.
pub(crate) struct Particle {
    compiled: Compiled,
    pub(crate) record: [u32; RECORD_WORDS as usize],
    pub(crate) builtins: Builtins,
    pub(crate) key: DrawKey,
    pub(crate) killed: bool,
    pub(crate) wind: Option<mote::vm::WindField>,
}

impl Particle {
    pub(crate) fn new(document: &Document) -> Self {
        let compiled = compile(document);
        let errors: Vec<String> = compiled.errors().map(Diagnostic::to_string).collect();
        assert!(errors.is_empty(), "{errors:#?}");
        let mut builtins = Builtins::default();
        builtins.set3(Builtin::EmitterAxisX, [1.0, 0.0, 0.0]);
        builtins.set3(Builtin::EmitterAxisY, [0.0, 1.0, 0.0]);
        builtins.set3(Builtin::EmitterAxisZ, [0.0, 0.0, 1.0]);
        Self {
            compiled,
            record: [0; RECORD_WORDS as usize],
            builtins,
            key: DrawKey {
                seed: 7,
                ordinal: 3,
                step: 0,
                loop_index: 0,
            },
            killed: false,
            wind: None,
        }
    }

    fn run(&mut self, birth: bool) {
        let effect = self.compiled.effect.as_ref().unwrap();
        let emitter = &effect.emitters[0];
        let program = &effect.programs[emitter.program as usize];
        let env = Environment {
            constants: &program.constants,
            emitter_fields: &emitter.emitter_fields,
            globals: &[],
            builtins: &self.builtins,
            key: self.key,
            wind: self.wind.as_ref(),
        };
        let code = if birth { &program.init } else { &program.update };
        self.killed |= run(code, &env, &mut self.record).killed;
    }

    pub(crate) fn birth(&mut self) -> &mut Self {
        self.run(true);
        self
    }

    pub(crate) fn step(&mut self, dt: f32) -> &mut Self {
        self.builtins.set(Builtin::DeltaTime, dt);
        self.key.step += 1;
        self.run(false);
        self
    }

    /// Instructions of an update, and the program's registers.
    pub(crate) fn update_cost(&self) -> (usize, u32) {
        let program = &self.compiled.effect.as_ref().unwrap().programs[0];
        (program.update.len(), program.registers)
    }

    pub(crate) fn get(&self, field: &str) -> Vec<f32> {
        let layout = &self.compiled.effect.as_ref().unwrap().emitters[0].layout;
        let slot = layout.get(field).unwrap();
        slot.words()
            .map(|w| f32::from_bits(self.record[w as usize]))
            .collect()
    }

    pub(crate) fn set(&mut self, field: &str, values: &[f32]) {
        let layout = &self.compiled.effect.as_ref().unwrap().emitters[0].layout;
        let slot = layout.get(field).unwrap().clone();
        for (w, v) in slot.words().zip(values) {
            self.record[w as usize] = v.to_bits();
        }
    }
}
