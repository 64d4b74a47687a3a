//! A compiled program: two sections of instructions and the constants they share.

use super::word::Instruction;

/// Which section of a program.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Section {
    /// Gives a new record its state.
    Init,
    /// Advances a record by one step.
    Update,
}

impl Section {
    /// Both, in order.
    pub const ALL: [Self; 2] = [Self::Init, Self::Update];

    /// Assembler name.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Init => "init",
            Self::Update => "update",
        }
    }
}

/// A global field that a program reads, by name: its place is known only to the system it is placed in.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct GlobalImport {
    /// The field's name, shared by all effects.
    pub name: String,
    /// Lanes, 1 to 4.
    pub width: u32,
}

/// A program. It is relocatable: constants, fields and imports are addressed from its own zero.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Default)]
pub struct Program {
    /// The INIT section.
    pub init: Vec<Instruction>,
    /// The UPDATE section.
    pub update: Vec<Instruction>,
    /// Constants, by their bits, so that −0 and NaN payloads stay what they are.
    pub constants: Vec<[u32; 4]>,
    /// Scalar slots used.
    pub registers: u32,
    /// Global fields in the order of first reading; `LOAD_BUILTIN` names them by index.
    pub globals: Vec<GlobalImport>,
}

impl Program {
    /// One section.
    #[must_use]
    pub fn section(&self, section: Section) -> &[Instruction] {
        match section {
            Section::Init => &self.init,
            Section::Update => &self.update,
        }
    }

    /// One section, to write.
    pub fn section_mut(&mut self, section: Section) -> &mut Vec<Instruction> {
        match section {
            Section::Init => &mut self.init,
            Section::Update => &mut self.update,
        }
    }

    /// Instructions in both sections.
    #[must_use]
    pub fn len(&self) -> usize {
        self.init.len() + self.update.len()
    }

    /// Whether it does nothing at all.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}
