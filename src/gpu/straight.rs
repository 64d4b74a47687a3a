//! Programs written out as a shader: each instruction a statement, registers locals. What the interpreter costs is
//! the difference between the two. Benchmarks and a test use it; a system never does, since every edit would make a
//! pipeline.
//!
//! The module is the simulate pass's own, list, header check and compaction included, with another `vm_run`. Every
//! expression is the opcode table's, so that results may differ from the interpreter's only by what a driver makes
//! of the text.

use std::fmt::Write as _;

use thiserror::Error;

use super::device::Gpu;
use super::pass::{Backing, Code, Decode, PassId, Variant};
use super::pipelines::{Pipelines, note_pipeline_request, program_module};
use super::shader::compose::{ComposeError, Composed};
use super::shader::generated::compose_pass_with;
use crate::host::heap::ProgramHeap;
use crate::host::rows::ProgramRow;
use crate::isa::ops::{Op, Shape};
use crate::isa::word::{Instruction, Operand};

/// A module cannot be made of a heap's programs.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[allow(missing_docs, reason = "each case is its message")]
#[non_exhaustive]
pub enum StraightError {
    #[error(transparent)]
    Compose(#[from] ComposeError),
    #[error("no opcode has the number {code:#04x}")]
    Unknown { code: u8 },
}

/// The UPDATE sections of a heap's programs as a pipeline in place of simulate's.
#[derive(Debug, Clone)]
pub struct Straight {
    pipeline: wgpu::ComputePipeline,
}

impl Straight {
    /// Makes the pipeline. It holds while the heap's programs stay what and where they are.
    ///
    /// # Errors
    /// [`StraightError`].
    pub fn new(gpu: &Gpu, pipelines: &Pipelines, heap: &ProgramHeap) -> Result<Self, StraightError> {
        let text = text(heap)?.text;
        let label = Some("mote.straight");
        note_pipeline_request();
        let module = wgpu::ShaderModuleDescriptor {
            label,
            source: wgpu::ShaderSource::Wgsl(text.into()),
        };
        let module = program_module(&gpu.device, module, gpu.decode());
        let layout = gpu
            .device
            .create_pipeline_layout(&wgpu::PipelineLayoutDescriptor {
                label,
                bind_group_layouts: &[Some(pipelines.layout(PassId::Simulate, VARIANT.backing))],
                immediate_size: 0,
            });
        let pipeline = gpu
            .device
            .create_compute_pipeline(&wgpu::ComputePipelineDescriptor {
                label,
                layout: Some(&layout),
                module: &module,
                entry_point: Some("main"),
                compilation_options: wgpu::PipelineCompilationOptions::default(),
                cache: None,
            });
        Ok(Self { pipeline })
    }

    pub(super) fn pipeline(&self) -> &wgpu::ComputePipeline {
        &self.pipeline
    }
}

/// No registers but locals: the file is there for the text that lanes are launched by.
const VARIANT: Variant = Variant {
    decode: Decode::Four,
    backing: Backing::Fast(0),
    code: Code::Uniform,
};

/// The simulate pass with the heap's programs in it.
///
/// # Errors
/// [`StraightError`].
pub fn text(heap: &ProgramHeap) -> Result<Composed, StraightError> {
    let programs: Vec<ProgramRow> = (0..heap.program_count())
        .filter(|&id| heap.program(id).is_some())
        .map(|id| heap.row(id))
        .collect();
    let mut run = String::from("#include \"vm/loads.wgsl\"\n#include \"gen/registers.wgsl\"\n\n");
    for (index, row) in programs.iter().enumerate() {
        let _ = writeln!(run, "fn straight_{index}() -> bool {{\n    var killed = false;");
        run.push_str(&body(heap.words(), row)?);
        run.push_str("    return killed;\n}\n\n");
    }
    run.push_str("fn vm_run(offset: u32, length: u32, constants: u32) -> bool {\n");
    match programs.as_slice() {
        [] => run.push_str("    return false;\n"),
        [_] => run.push_str("    return straight_0();\n"),
        _ => {
            run.push_str("    switch (offset) {\n");
            for (index, row) in programs.iter().enumerate() {
                let offset = row.update_offset;
                let _ = writeln!(run, "        case {offset}u: {{ return straight_{index}(); }}");
            }
            run.push_str("        default: { return false; }\n    }\n");
        }
    }
    run.push_str("}\n");
    Ok(compose_pass_with(PassId::Simulate.pass(), VARIANT, &run)?)
}

/// The statements of an UPDATE section, out of the heap's words: there, global fields are linked.
fn body(words: &[u32], row: &ProgramRow) -> Result<String, StraightError> {
    let quads = |offset: u32| {
        words
            .get(offset as usize..)
            .unwrap_or_default()
            .as_chunks::<4>()
            .0
    };
    let code = &quads(row.update_offset)[..row.update_length as usize];
    let constants = quads(row.constant_offset);
    let code: Vec<Instruction> = code.iter().map(|&words| Instruction(words)).collect();
    let mut statements = String::new();
    let mut registers = 0;
    for instruction in code {
        let Some(op) = instruction.op() else {
            let code = instruction.code();
            return Err(StraightError::Unknown { code });
        };
        let shape = op.info().shape;
        let written = shape.result_width(instruction.width());
        registers = registers.max(u32::from(instruction.dst()) + written);
        statement(&mut statements, instruction, op, constants);
    }
    let mut text = String::new();
    for register in 0..registers {
        let _ = writeln!(text, "    var r{register}: f32;");
    }
    text.push_str(&statements);
    Ok(text)
}

/// One instruction as a block of statements.
fn statement(text: &mut String, instruction: Instruction, op: Op, constants: &[[u32; 4]]) {
    let info = op.info();
    let (shape, width) = (info.shape, instruction.width());
    let raw = |index: usize| instruction.0[index + 1];
    let _ = writeln!(text, "    {{ // {}.{width}", info.mnemonic);
    for &source in shape.value_sources() {
        let name = ["a", "b", "c"][source];
        let value = value(instruction.operand(source), shape.lanes_read(width));
        let _ = writeln!(text, "        let {name} = {value};");
    }
    let lane = |index: u32| ["x", "y", "z", "w"][(index & 3) as usize];
    let result = match shape {
        Shape::Nop => String::new(),
        Shape::LoadConst => {
            let lanes = constants.get(raw(0) as usize).copied().unwrap_or_default();
            format!("vec4f({})", lanes.map(float).join(", "))
        }
        Shape::LoadBuiltin => format!("bitcast<vec4f>(vm_load_builtin({}u))", raw(0)),
        Shape::LoadField => {
            let begin = raw(0) & 3;
            let lanes = [0, 1, 2, 3].map(|index| lane((begin + index).min(3)));
            let quad = raw(0) >> 2;
            format!("bitcast<vec4f>(pool[vm_record + {quad}u].{})", lanes.concat())
        }
        Shape::StoreField => {
            let place = raw(0);
            let _ = writeln!(
                text,
                "        vm_store_field({place}u, {width}u, bitcast<vec4u>(b));"
            );
            String::new()
        }
        Shape::Kill => {
            text.push_str("        killed = killed || !(a.x == 0.0);\n");
            String::new()
        }
        Shape::Random => format!("bitcast<vec4f>(vm_random({}u, {}u))", raw(0), raw(1)),
        Shape::SampleWind => "bitcast<vec4f>(vm_sample_wind(a.xyz))".to_owned(),
        Shape::Lanes(_) => info.wgsl.to_owned(),
        Shape::Reduce => {
            let _ = writeln!(text, "        let width = {width}u;");
            info.wgsl.to_owned()
        }
    };
    let written = shape.result_width(width);
    if written > 0 {
        let _ = writeln!(text, "        let result = {result};");
    }
    for index in 0..written {
        let register = u32::from(instruction.dst()) + index;
        let _ = writeln!(text, "        r{register} = result.{};", lane(index));
    }
    text.push_str("    }\n");
}

/// An operand as four lanes, of which so many are read.
fn value(operand: Operand, read: u32) -> String {
    let lane = |index: u32| match operand {
        _ if index >= read => "0.0".to_owned(),
        Operand::Imm(bits) => float(bits),
        Operand::Reg { .. } => operand
            .slot(index)
            .map_or_else(String::new, |slot| format!("r{slot}")),
        // A verified program has no raw word where a value is read; the interpreter reads it so.
        Operand::Raw(word) => float(word),
    };
    format!("vec4f({})", [0, 1, 2, 3].map(lane).join(", "))
}

fn float(bits: u32) -> String {
    format!("bitcast<f32>({bits:#x}u)")
}
