//! Document to effect.
//!
//! Flow order, then topological order within a block's inputs; lowering to pure values, folding, sharing,
//! dropping what nothing needs; linear-scan registers. The bytes of a program depend on meaning alone: moving,
//! renaming, noting and wiring nodes that nothing uses change none. No document makes the compiler panic:
//! what is wrong comes back as diagnostics, and with an error among them there is no effect.

mod alloc;
mod checks;
mod curve;
mod fields;
mod ir;
mod lower;
pub mod map;
mod modes;
mod optimise;
pub mod page;
mod plan;
mod schedule;
mod settings;
mod sources;
mod special;

use std::time::Instant;

pub use curve::{curve_program, gradient_program};
pub use map::{EmitterMap, NodeCost, Source, SourceMap};

use rustc_hash::FxHashMap;

use crate::artifact::effect::Texture;
use crate::artifact::render::ChannelSource;
use crate::artifact::{self, Effect, ParameterRead, RenderSettings};
use crate::base::diag::{Diagnostic, FlowKind, Place};
use crate::document::{Document, Emitter};
use crate::graph::Registry;
use crate::isa::program::{GlobalImport, Program};
use crate::isa::{SLOT_CLASSES, verify};
use crate::layout::pack::LayoutError;
use crate::layout::{Channel, EmitterLayout, ParticleLayout};

/// Slots a program may use and still run everywhere, and fast: the largest class of private registers.
pub const MAX_SLOTS: u32 = SLOT_CLASSES[SLOT_CLASSES.len() - 1];

/// How to compile.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Options {
    /// Whether to share, fold, fuse and narrow. The records are the same without, to the bit.
    pub optimise: bool,
}

impl Default for Options {
    fn default() -> Self {
        Self { optimise: true }
    }
}

/// What compiling a document gives.
#[derive(Debug, Clone, Default)]
pub struct Compiled {
    /// The effect, where no diagnostic is an error.
    pub effect: Option<Effect>,
    /// What is wrong or odd, in document order.
    pub diagnostics: Vec<Diagnostic>,
    /// From instructions to nodes.
    pub map: SourceMap,
    /// What nodes cost.
    pub costs: Vec<NodeCost>,
    /// How long it took, in microseconds.
    pub micros: u64,
}

impl Compiled {
    /// The diagnostics that keep the document from playing.
    pub fn errors(&self) -> impl Iterator<Item = &Diagnostic> {
        self.diagnostics.iter().filter(|d| d.is_error())
    }
}

/// Compiles a document with the node kinds there are and its own groups.
#[must_use]
pub fn compile(document: &Document) -> Compiled {
    compile_with(document, document.registry())
}

/// Compiles a document with given node kinds.
#[must_use]
pub fn compile_with(document: &Document, registry: &Registry) -> Compiled {
    compile_as(document, registry, Options::default())
}

/// Compiles a document with given node kinds and options.
#[must_use]
pub fn compile_as(document: &Document, registry: &Registry, options: Options) -> Compiled {
    let start = Instant::now();
    let mut compiled = Compiled::default();
    let mut effect = Effect {
        name: document.name.clone(),
        parameters: document.parameters.clone(),
        ..Effect::default()
    };
    let mut programs: FxHashMap<Program, u32> = FxHashMap::default();
    let mut plans = plan::Plans::new(registry);
    for emitter in document.emitters() {
        let Some((mut made, program, mut map)) =
            compile_emitter(document, emitter, &mut plans, options, &mut compiled.diagnostics)
        else {
            continue;
        };
        let next = effect.programs.len() as u32;
        made.program = *programs.entry(program).or_insert_with_key(|program| {
            effect.programs.push(program.clone());
            next
        });
        if let Some(path) = &emitter.texture {
            let known = effect.textures.iter().position(|t| t.path == *path);
            let index = known.unwrap_or_else(|| {
                effect.textures.push(Texture {
                    path: path.clone(),
                    hash: 0,
                });
                effect.textures.len() - 1
            });
            made.texture = Some(index as u32);
        }
        map.program = made.program;
        map::costs(&emitter.id, &map, &mut compiled.costs);
        compiled.map.emitters.push(map);
        effect.emitters.push(made);
    }
    if document.emitters().is_empty() {
        let message = "The effect has no emitter, so nothing plays.";
        let finding = Diagnostic::warning("no-emitters", Place::default(), message);
        compiled.diagnostics.push(finding.help("Add an emitter."));
    }
    if !compiled.diagnostics.iter().any(Diagnostic::is_error) {
        // What compiles must load: whatever the checks above leave to the file's own is said here.
        match artifact::validate::validate_settings(&effect) {
            Ok(()) => compiled.effect = Some(effect),
            Err(error) => {
                let message = format!("The effect cannot be played: {error}");
                compiled
                    .diagnostics
                    .push(Diagnostic::error("invalid-effect", Place::default(), message));
            }
        }
    }
    compiled.micros = u64::try_from(start.elapsed().as_micros()).unwrap_or(u64::MAX);
    compiled
}

/// One emitter, its program and its map, or nothing where an error keeps it from having them.
fn compile_emitter<'a>(
    document: &'a Document,
    emitter: &'a Emitter,
    plans: &mut plan::Plans<'a>,
    options: Options,
    diagnostics: &mut Vec<Diagnostic>,
) -> Option<(artifact::Emitter, Program, EmitterMap)> {
    let place = || Place::emitter(&emitter.id);
    let registry = plans.registry();
    checks::check(emitter, registry, diagnostics);
    // A parameter that is read at birth, but by what happens every frame, is kept in each particle: found by
    // lowering, which then starts anew with a place for it.
    let mut kept: Vec<usize> = Vec::new();
    let (layout, globals, sections) = loop {
        let mut found = diagnostics.clone();
        let layout = match layout(document, emitter, &kept) {
            Ok(layout) => layout,
            Err(error) => {
                let message = format!("The particles' fields do not fit: {error}.");
                diagnostics.push(Diagnostic::error("fields-full", place(), message));
                return None;
            }
        };
        let places = kept
            .iter()
            .filter_map(|&i| Some((i, layout.get(&held_name(document, i))?.word)));
        let held: Vec<(usize, u32)> = places.collect();
        let mut globals = Vec::new();
        let mut sections = Vec::new();
        for kind in FlowKind::ALL {
            let of = lower::Of {
                registry,
                parameters: &document.parameters,
                emitter,
                kind,
                plain: !options.optimise,
                layout: &layout,
                held: &held,
            };
            let mut lowering = lower::Lowering::new(of, plans, &mut found, &mut globals);
            lowering.run();
            let mut live = lowering.ir.live();
            if options.optimise {
                optimise::optimise(&mut live);
            }
            let order = schedule::schedule(&live);
            sections.push((kind, order, live.len(), lowering.sources));
        }
        let before = kept.len();
        let every_frame = sections
            .iter()
            .filter(|section| section.0 == FlowKind::EveryFrame);
        for (_, inst) in every_frame.flat_map(|section| &section.1) {
            if let ir::Code::Parameter(index) = inst.code
                && document.parameters[index].read == ParameterRead::Birth
                && !kept.contains(&index)
            {
                kept.push(index);
            }
        }
        if kept.len() == before {
            *diagnostics = found;
            break (layout, globals, sections);
        }
        kept.sort_unstable();
    };

    // Parameters and globals that are still read.
    let codes = || sections.iter().flat_map(|s| &s.1).map(|(_, inst)| inst.code);
    let mut read: Vec<usize> = codes()
        .filter_map(|code| match code {
            ir::Code::Parameter(index) => Some(index),
            _ => None,
        })
        .collect();
    read.sort_unstable();
    read.dedup();
    let own = emitter.emitter_fields();
    let own_read: Vec<usize> = (0..own.len())
        .filter(|&index| codes().any(|code| code == ir::Code::EmitterField(index)))
        .collect();
    let parameters = read
        .iter()
        .map(|&i| (document.parameters[i].name.as_str(), document.parameters[i].ty));
    let fields = parameters.chain(own_read.iter().map(|&i| (own[i].name.as_str(), own[i].ty)));
    let emitter_layout = match EmitterLayout::pack(fields) {
        Ok(layout) => layout,
        Err(error) => {
            let message = format!("The parameters do not fit: {error}.");
            diagnostics.push(Diagnostic::error("parameters-full", place(), message));
            return None;
        }
    };
    let mut pool = alloc::Pool::default();
    let mut emitter_fields = vec![0; emitter_layout.words() as usize];
    for (&index, slot) in read.iter().zip(emitter_layout.fields()) {
        pool.parameter_words.insert(index, slot.word);
        for (lane, word) in slot.words().enumerate() {
            emitter_fields[word as usize] = document.parameters[index].default[lane].to_bits();
        }
    }
    for (&index, slot) in own_read.iter().zip(&emitter_layout.fields()[read.len()..]) {
        pool.field_words.insert(index, slot.word);
        for (lane, word) in slot.words().enumerate() {
            let default = own[index].default.unwrap_or_default();
            emitter_fields[word as usize] = default[lane].to_bits();
        }
    }
    let mut imports = Vec::new();
    for code in codes() {
        if let ir::Code::Global(index) = code
            && !pool.imports.contains_key(&index)
        {
            pool.imports.insert(index, imports.len() as u32);
            let (name, width) = globals[index].clone();
            imports.push(GlobalImport { name, width });
        }
    }

    let mut program = Program {
        globals: imports,
        ..Program::default()
    };
    let mut map = EmitterMap {
        emitter: Some(emitter.id.clone()),
        ..EmitterMap::default()
    };
    for (kind, order, values, sources) in &sections {
        let of = |source: u32| sources.get(source);
        match alloc::emit(order, *values, &mut pool) {
            Ok(emitted) => {
                program.registers = program.registers.max(emitted.registers);
                let mapped = emitted.sources.iter().map(|&s| of(s)).collect();
                match kind {
                    FlowKind::Birth => (program.init, map.init) = (emitted.code, mapped),
                    FlowKind::EveryFrame => (program.update, map.update) = (emitted.code, mapped),
                }
            }
            Err(overflow) => {
                let place = Place::node(&emitter.id, *kind, of(overflow.source).node);
                let message = "Too many values are alive at once here; there is no room left to compute.";
                diagnostics.push(too_much(place, message));
                return None;
            }
        }
    }
    program.constants = pool.constants;
    if program.registers > MAX_SLOTS && options.optimise {
        let message = format!(
            "These flows keep {} numbers alive at once. Past {MAX_SLOTS} the whole scene runs slower, and a device \
             that binds only eight buffers refuses the effect.",
            program.registers
        );
        diagnostics.push(
            Diagnostic::warning("many-registers", place(), message)
                .help("Use fewer nodes, or split the effect into two emitters."),
        );
    }
    if let Err(faults) = verify::verify(&program, emitter_layout.words()) {
        for fault in faults.iter().take(3) {
            let message = format!("These flows are too large, or the compiler is at fault: {fault}.");
            diagnostics.push(too_much(place(), &message));
        }
        return None;
    }

    let render = bind(emitter, &layout, diagnostics);
    let made = artifact::Emitter {
        id: emitter.id.clone(),
        name: emitter.name.clone(),
        layout,
        program: 0,
        emitter_layout,
        emitter_fields,
        emission: emitter.emission.clone(),
        space: emitter.space,
        render,
        texture: None,
        transform: emitter.transform,
    };
    Some((made, program, map))
}

/// The emitter's stored fields, then those that keep parameters read at birth.
fn layout(document: &Document, emitter: &Emitter, kept: &[usize]) -> Result<ParticleLayout, LayoutError> {
    let stored = emitter.fields.iter().filter(|f| !f.transient);
    let mut layout = ParticleLayout::pack(stored.map(|f| (f.name.as_str(), f.ty)))?;
    for &index in kept {
        layout.push(&held_name(document, index), document.parameters[index].ty)?;
    }
    Ok(layout)
}

/// The field that keeps a parameter's value at birth.
fn held_name(document: &Document, index: usize) -> String {
    format!("parameter.{}", document.parameters[index].id)
}

fn too_much(place: Place, message: &str) -> Diagnostic {
    Diagnostic::error("too-large", place, message)
        .help("Use fewer nodes, or split the effect into two emitters.")
}

/// The drawing settings with every channel bound: as the document says, else to the field of its name.
fn bind(emitter: &Emitter, layout: &ParticleLayout, diagnostics: &mut Vec<Diagnostic>) -> RenderSettings {
    let mut render = emitter.render;
    render.bindings = artifact::Bindings::default();
    for channel in Channel::ALL {
        let stated = emitter.bindings.iter().find(|(bound, _)| *bound == channel);
        let name = match stated {
            Some((_, None)) => continue,
            Some((_, Some(name))) => name.as_str(),
            None => channel.name(),
        };
        match layout.get(name) {
            Some(slot) if channel.accepts(slot.ty.width()) => {
                render.bindings.set(channel, Some(ChannelSource::from(slot)));
            }
            None if stated.is_none() => {}
            _ => {
                let place = Place::emitter(&emitter.id);
                let message = format!("The field \"{name}\" cannot be drawn as {}.", channel.name());
                diagnostics.push(
                    Diagnostic::error("binding", place, message)
                        .help("Choose a field of the right type, or none."),
                );
            }
        }
    }
    render
}
