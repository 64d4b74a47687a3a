//! `.motefx.json`: the same effect in JSON. Code, constants and field values are bit patterns, so both forms
//! hold the same words.

use std::fmt;
use std::marker::PhantomData;

use serde::de::{Error as _, SeqAccess, Visitor};
use serde::{Deserialize, Deserializer, Serialize};

use super::effect::{
    Effect, Emitter, IDENTITY_TRANSFORM, MAX_EMITTERS, MAX_PARAMETERS, MAX_PROGRAMS, MAX_TEXTURES, Packed,
    Parameter, Space, Texture,
};
use super::emission::Emission;
use super::error::LoadError;
use super::render::{Bindings, ChannelSource, RenderSettings};
use super::upgrade::{Draft, DraftEmitter, FIRST_ORIENTATION, FIRST_PARAMETERS, ROTATION};
use crate::base::id::Id;
use crate::isa::{GLOBAL_FIELD_WORDS, GlobalImport, Instruction, Program};
use crate::layout::{Channel, EmitterLayout, ParticleLayout};

/// What the `mote` entry of a compiled effect says.
pub const KIND: &str = "effect";

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    mote: String,
    version: u32,
    name: String,
    #[serde(default, deserialize_with = "some_list::<_, _, MAX_PARAMETERS>")]
    parameters: Option<Vec<Parameter>>,
    #[serde(deserialize_with = "list::<_, _, MAX_TEXTURES>")]
    textures: Vec<Texture>,
    #[serde(deserialize_with = "list::<_, _, MAX_PROGRAMS>")]
    programs: Vec<FileProgram>,
    #[serde(deserialize_with = "list::<_, _, MAX_EMITTERS>")]
    emitters: Vec<FileEmitter>,
    #[serde(
        default,
        deserialize_with = "list::<_, _, MAX_TEXTURES>",
        skip_serializing_if = "Vec::is_empty"
    )]
    packed: Vec<FilePacked>,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct FileProgram {
    registers: u32,
    #[serde(deserialize_with = "list::<_, _, { GLOBAL_FIELD_WORDS as usize }>")]
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
    emitter_fields: Option<EmitterLayout>,
    #[serde(default)]
    values: Option<Vec<u32>>,
    #[serde(default)]
    emission: Emission,
    #[serde(default)]
    space: Space,
    #[serde(default)]
    render: RenderSettings,
    #[serde(default, deserialize_with = "list::<_, _, { Channel::ALL.len() }>")]
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

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct FilePacked {
    hash: u64,
    /// Two hex digits a byte.
    bytes: String,
}

/// A list of at most `N` items: an item of few characters may take much memory.
fn list<'de, D: Deserializer<'de>, T: Deserialize<'de>, const N: usize>(
    deserializer: D,
) -> Result<Vec<T>, D::Error> {
    struct Items<T, const N: usize>(PhantomData<T>);
    impl<'de, T: Deserialize<'de>, const N: usize> Visitor<'de> for Items<T, N> {
        type Value = Vec<T>;
        fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            write!(f, "a list of at most {N} items")
        }
        fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<Vec<T>, A::Error> {
            let mut items = Vec::new();
            while let Some(item) = seq.next_element()? {
                if items.len() == N {
                    return Err(A::Error::custom(format!("{N} items are the most")));
                }
                items.push(item);
            }
            Ok(items)
        }
    }
    deserializer.deserialize_seq(Items::<T, N>(PhantomData))
}

fn some_list<'de, D: Deserializer<'de>, T: Deserialize<'de>, const N: usize>(
    deserializer: D,
) -> Result<Option<Vec<T>>, D::Error> {
    list::<D, T, N>(deserializer).map(Some)
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
        parameters: Some(effect.parameters.clone()),
        textures: effect.textures.clone(),
        programs: effect.programs.iter().map(program_to_file).collect(),
        emitters: effect.emitters.iter().map(emitter_to_file).collect(),
        packed: effect.packed.iter().map(packed_to_file).collect(),
    };
    // Plain structs of numbers and texts always have a JSON form.
    let mut text = serde_json::to_string_pretty(&file).unwrap_or_default();
    text.push('\n');
    text
}

/// Reads a `.motefx.json` file of any version. It is neither upgraded nor validated yet.
pub(super) fn read(bytes: &[u8]) -> Result<Draft, LoadError> {
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
    let version = match (header.mote.as_deref(), header.version) {
        (Some(KIND), Some(version)) => version,
        (Some("document"), _) => {
            let message = "this is an effect document; compile it first with `mote compile`".to_owned();
            return Err(LoadError::Field {
                path: "mote".to_owned(),
                message,
            });
        }
        _ => return Err(LoadError::NotAnEffect),
    };
    super::binary::check_version(version)?;
    let file: File = serde_json::from_slice(bytes).map_err(json_error)?;
    let has = file.parameters.is_some();
    if !has && version >= FIRST_PARAMETERS {
        return field("parameters".to_owned(), "they are missing".to_owned());
    }
    if has {
        from_version(version, FIRST_PARAMETERS, "parameters")?;
    }
    if !file.packed.is_empty() {
        from_version(version, FIRST_PARAMETERS, "packed")?;
    }
    let emitters = file
        .emitters
        .into_iter()
        .enumerate()
        .map(|(index, emitter)| emitter_from_file(index, emitter, version));
    let packed = file.packed.iter().enumerate();
    Ok(Draft {
        version,
        name: file.name,
        parameters: file.parameters,
        textures: file.textures,
        programs: file.programs.into_iter().map(program_from_file).collect(),
        emitters: emitters.collect::<Result<_, _>>()?,
        packed: packed.map(packed_from_file).collect::<Result<_, _>>()?,
    })
}

/// Refuses what came with a later version than the file's.
fn from_version(version: u32, first: u32, path: &str) -> Result<(), LoadError> {
    if version >= first {
        return Ok(());
    }
    let message = format!("a file of version {version} has none; they came with version {first}");
    field(path.to_owned(), message)
}

fn field<T>(path: String, message: String) -> Result<T, LoadError> {
    Err(LoadError::Field { path, message })
}

fn packed_to_file(packed: &Packed) -> FilePacked {
    let digit = |value: u8| char::from(b"0123456789abcdef"[usize::from(value)]);
    FilePacked {
        hash: packed.hash,
        bytes: packed
            .bytes
            .iter()
            .flat_map(|b| [digit(b >> 4), digit(b & 15)])
            .collect(),
    }
}

fn packed_from_file((index, packed): (usize, &FilePacked)) -> Result<Packed, LoadError> {
    let digit = |c: u8| char::from(c).to_digit(16);
    let pairs = packed.bytes.as_bytes().chunks(2);
    let byte = |pair: &[u8]| match pair {
        [high, low] => Some((digit(*high)? << 4 | digit(*low)?) as u8),
        _ => None,
    };
    let mut bytes = Vec::with_capacity(packed.bytes.len() / 2);
    for pair in pairs {
        let Some(byte) = byte(pair) else {
            let message = "two hex digits a byte belong here".to_owned();
            return field(format!("packed[{index}].bytes"), message);
        };
        bytes.push(byte);
    }
    Ok(Packed {
        hash: packed.hash,
        bytes: bytes.into(),
    })
}

fn json_error(error: serde_json::Error) -> LoadError {
    let mut message = error.to_string();
    // The place is said in front.
    if let Some(at) = message.rfind(" at line ") {
        message.truncate(at);
    }
    LoadError::Json {
        line: error.line(),
        column: error.column(),
        message,
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
        emitter_fields: Some(emitter.emitter_layout.clone()),
        values: Some(emitter.emitter_fields.clone()),
        emission: emitter.emission.clone(),
        space: emitter.space,
        render: emitter.render,
        channels: channels.collect(),
        texture: emitter.texture,
        transform: emitter.transform,
    }
}

fn emitter_from_file(index: usize, file: FileEmitter, version: u32) -> Result<DraftEmitter, LoadError> {
    let mut bindings = Bindings::default();
    let mut rotation = None;
    for (place, entry) in file.channels.iter().enumerate() {
        let source = Some(ChannelSource {
            word: entry.word,
            width: entry.width,
        });
        if version < FIRST_ORIENTATION && entry.channel == ROTATION {
            rotation = source;
            continue;
        }
        let known = |c: &Channel| version >= FIRST_ORIENTATION || *c != Channel::Orientation;
        let channel = Channel::ALL
            .into_iter()
            .filter(known)
            .find(|c| c.name() == entry.channel);
        let Some(channel) = channel else {
            let path = format!("emitters[{index}].channels[{place}].channel");
            return field(path, format!("there is no channel {:?}", entry.channel));
        };
        bindings.set(channel, source);
    }
    let own = [
        ("emitter_fields", file.emitter_fields.is_some()),
        ("values", file.values.is_some()),
    ];
    for (name, has) in own {
        if has {
            from_version(version, FIRST_PARAMETERS, &format!("emitters[{index}].{name}"))?;
        }
    }
    let fields = (
        file.emitter_fields.unwrap_or_default(),
        file.values.unwrap_or_default(),
    );
    Ok(DraftEmitter {
        fields: (version >= FIRST_PARAMETERS).then_some(fields),
        rotation,
        emitter: Emitter {
            id: file.id,
            name: file.name,
            layout: file.fields,
            program: file.program,
            emitter_layout: EmitterLayout::default(),
            emitter_fields: Vec::new(),
            emission: file.emission,
            space: file.space,
            render: RenderSettings {
                bindings,
                ..file.render
            },
            texture: file.texture,
            transform: file.transform,
        },
    })
}
