//! `.motefx.json`: the same effect in JSON. Code, constants and field values are bit patterns, so both forms
//! hold the same words.

use serde::{Deserialize, Serialize};

use super::effect::{Effect, Emitter, IDENTITY_TRANSFORM, Parameter, Space, Texture};
use super::emission::Emission;
use super::error::LoadError;
use super::render::{Bindings, ChannelSource, RenderSettings};
use crate::base::id::Id;
use crate::isa::{GlobalImport, Instruction, Program};
use crate::layout::{Channel, EmitterLayout, ParticleLayout};

/// What the `mote` entry of a compiled effect says.
pub const KIND: &str = "effect";

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    mote: String,
    version: u32,
    name: String,
    parameters: Vec<Parameter>,
    textures: Vec<Texture>,
    programs: Vec<FileProgram>,
    emitters: Vec<FileEmitter>,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct FileProgram {
    registers: u32,
    globals: Vec<FileImport>,
    constants: Vec<[u32; 4]>,
    init: Vec<[u32; 4]>,
    update: Vec<[u32; 4]>,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct FileImport {
    name: String,
    width: u32,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct FileEmitter {
    id: Id,
    name: String,
    fields: ParticleLayout,
    program: u32,
    #[serde(default)]
    emitter_fields: EmitterLayout,
    #[serde(default)]
    values: Vec<u32>,
    #[serde(default)]
    emission: Emission,
    #[serde(default)]
    space: Space,
    #[serde(default)]
    render: RenderSettings,
    #[serde(default)]
    channels: Vec<FileChannel>,
    #[serde(default)]
    texture: Option<u32>,
    #[serde(default = "identity")]
    transform: [[f32; 3]; 4],
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct FileChannel {
    channel: String,
    word: u32,
    width: u32,
}

fn identity() -> [[f32; 3]; 4] {
    IDENTITY_TRANSFORM
}

/// The effect as JSON text. Equal effects give equal text.
#[must_use]
pub fn write(effect: &Effect) -> String {
    let file = File {
        mote: KIND.to_owned(),
        version: super::VERSION,
        name: effect.name.clone(),
        parameters: effect.parameters.clone(),
        textures: effect.textures.clone(),
        programs: effect.programs.iter().map(program_to_file).collect(),
        emitters: effect.emitters.iter().map(emitter_to_file).collect(),
    };
    // Plain structs of numbers and texts always have a JSON form.
    let mut text = serde_json::to_string_pretty(&file).unwrap_or_default();
    text.push('\n');
    text
}

/// Reads a `.motefx.json` file. The effect is not yet validated.
///
/// # Errors
/// [`LoadError`] with line and column.
pub fn read(bytes: &[u8]) -> Result<Effect, LoadError> {
    #[derive(Deserialize)]
    struct Header {
        mote: Option<String>,
        version: Option<u32>,
    }
    let bytes = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
    if !bytes.trim_ascii_start().starts_with(b"{") {
        return Err(LoadError::NotAnEffect);
    }
    let header: Header = serde_json::from_slice(bytes).map_err(json_error)?;
    match (header.mote.as_deref(), header.version) {
        (Some(KIND), Some(version)) => super::binary::check_version(version)?,
        (Some("document"), _) => {
            let message = "this is an effect document; compile it first with `mote compile`".to_owned();
            return Err(LoadError::Field {
                path: "mote".to_owned(),
                message,
            });
        }
        _ => return Err(LoadError::NotAnEffect),
    }
    let file: File = serde_json::from_slice(bytes).map_err(json_error)?;
    let emitters = file
        .emitters
        .into_iter()
        .enumerate()
        .map(|(index, emitter)| emitter_from_file(index, emitter));
    Ok(Effect {
        name: file.name,
        parameters: file.parameters,
        textures: file.textures,
        programs: file.programs.into_iter().map(program_from_file).collect(),
        emitters: emitters.collect::<Result<_, _>>()?,
    })
}

fn json_error(error: serde_json::Error) -> LoadError {
    LoadError::Json {
        line: error.line(),
        column: error.column(),
        message: error.to_string(),
    }
}

fn program_to_file(program: &Program) -> FileProgram {
    let words = |code: &[Instruction]| code.iter().map(|i| i.0).collect();
    FileProgram {
        registers: program.registers,
        globals: program
            .globals
            .iter()
            .map(|g| FileImport {
                name: g.name.clone(),
                width: g.width,
            })
            .collect(),
        constants: program.constants.clone(),
        init: words(&program.init),
        update: words(&program.update),
    }
}

fn program_from_file(file: FileProgram) -> Program {
    let code = |words: Vec<[u32; 4]>| words.into_iter().map(Instruction).collect();
    Program {
        registers: file.registers,
        globals: file
            .globals
            .into_iter()
            .map(|g| GlobalImport {
                name: g.name,
                width: g.width,
            })
            .collect(),
        constants: file.constants,
        init: code(file.init),
        update: code(file.update),
    }
}

fn emitter_to_file(emitter: &Emitter) -> FileEmitter {
    let channels = Channel::ALL.into_iter().filter_map(|channel| {
        let source = emitter.render.bindings.get(channel)?;
        Some(FileChannel {
            channel: channel.name().to_owned(),
            word: source.word,
            width: source.width,
        })
    });
    FileEmitter {
        id: emitter.id.clone(),
        name: emitter.name.clone(),
        fields: emitter.layout.clone(),
        program: emitter.program,
        emitter_fields: emitter.emitter_layout.clone(),
        values: emitter.emitter_fields.clone(),
        emission: emitter.emission.clone(),
        space: emitter.space,
        render: emitter.render,
        channels: channels.collect(),
        texture: emitter.texture,
        transform: emitter.transform,
    }
}

fn emitter_from_file(index: usize, file: FileEmitter) -> Result<Emitter, LoadError> {
    let mut bindings = Bindings::default();
    for (place, entry) in file.channels.iter().enumerate() {
        let channel = Channel::ALL.into_iter().find(|c| c.name() == entry.channel);
        let Some(channel) = channel else {
            let path = format!("emitters[{index}].channels[{place}].channel");
            return Err(LoadError::Field {
                path,
                message: format!("there is no channel {:?}", entry.channel),
            });
        };
        bindings.set(
            channel,
            Some(ChannelSource {
                word: entry.word,
                width: entry.width,
            }),
        );
    }
    Ok(Emitter {
        id: file.id,
        name: file.name,
        layout: file.fields,
        program: file.program,
        emitter_layout: file.emitter_fields,
        emitter_fields: file.values,
        emission: file.emission,
        space: file.space,
        render: RenderSettings {
            bindings,
            ..file.render
        },
        texture: file.texture,
        transform: file.transform,
    })
}
