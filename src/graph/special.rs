//! The special kinds: what is neither one opcode nor a graph of nodes.
//!
//! Their ports may depend on their settings ([`Special::signature`]); the compiler lowers each by its own few
//! lines.

use std::borrow::Cow;
use std::sync::{Mutex, OnceLock, PoisonError};

use rustc_hash::FxHashMap;

use super::input::InputMode;
use super::kind::{Body, NodeKind, Port, PortType, Signature, Slot};
use super::node::{Node, Setting};
use super::types::Scope;
use crate::base::curve::{ColorKey, Curve, Gradient};
use crate::base::diag::FlowKind;
use crate::isa::Builtin;
use crate::layout::FieldType;

/// A special kind.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Special {
    /// Reads a field.
    GetField,
    /// Writes a field: a block.
    SetField,
    /// Ends particles on a condition: a block.
    KillIf,
    /// Reads a value the engine gives.
    Builtin,
    /// Reads a parameter.
    Parameter,
    /// Reads a field of the emitter.
    EmitterField,
    /// Reads a global field.
    Global,
    /// A value of a type.
    Constant(FieldType),
    /// Even random lanes in 0 to 1.
    Random,
    /// Even random lanes between two values.
    RandomBetween,
    /// The wind at a place in the world.
    Wind,
    /// A curve over an input.
    Curve,
    /// A gradient over an input.
    Gradient,
    /// A vector from its parts.
    Combine,
    /// The parts of a vector.
    Split,
    /// Lanes of a vector in a chosen order.
    Swizzle,
    /// The inputs of the group it stands in.
    GroupInput,
    /// The outputs of the group it stands in.
    GroupOutput,
}

const FLOAT: PortType = PortType::Of(FieldType::Float);
/// Inputs and outputs.
type Ports = (Vec<Port>, Vec<Port>);
/// Ports by kind and type. There are few of either, so they are kept for ever.
type Made = FxHashMap<(Special, FieldType), &'static Ports>;

/// How long a random draw stays the same: the setting's value and its title.
pub const DRAWS: [(&str, &str); 4] = [
    ("particle", "Once a particle"),
    ("frame", "Every frame"),
    ("loop", "Once a loop"),
    ("emitter", "Once an emitter"),
];

/// A value that the compiler knows: 1 where particles live in the emitter's frame, 0 where they live in the
/// world.
pub const LOCAL_SPACE: &str = "local_space";

const PARTS: [&str; 4] = ["x", "y", "z", "w"];
/// The settings that hold a curve node's curves, by the part of its output.
pub const CURVES: [&str; 4] = ["curve", "curve_y", "curve_z", "curve_w"];

impl Special {
    /// The kinds, in palette order.
    #[must_use]
    pub fn kinds() -> Vec<NodeKind> {
        let mut kinds = vec![
            Self::GetField.kind(
                "get_field",
                "Field",
                "Particle",
                "A field of the particle, as the blocks before have left it.",
                &["get", "read", "attribute"],
            ),
            Self::SetField.kind(
                "set_field",
                "Set field",
                "Particle",
                "Gives a field of the particle a value.",
                &["write", "store", "attribute"],
            ),
            Self::KillIf.kind(
                "kill_if",
                "Kill if",
                "End",
                "Ends particles where the condition is not 0.",
                &["die", "remove", "condition"],
            ),
            Self::Builtin.kind(
                "builtin",
                "Engine value",
                "Particle",
                "A value the engine gives: time, the emitter's place, the particle's number.",
                &["time", "delta", "age", "emitter"],
            ),
            Self::Parameter.kind(
                "parameter",
                "Parameter",
                "Input",
                "A parameter of the effect, which the game can set.",
                &["property", "exposed", "uniform"],
            ),
            Self::EmitterField.kind(
                "emitter_field",
                "Emitter field",
                "Input",
                "A value of the emitter that all its particles share, and that the game can set.",
                &["property", "shared", "uniform", "attribute"],
            ),
            Self::Global.kind(
                "global",
                "Global value",
                "Input",
                "A value shared by all effects by its name.",
                &["shared", "wind"],
            ),
            Self::Random.kind(
                "random",
                "Random",
                "Random",
                "Even random numbers from 0 to 1, different for each particle.",
                &["noise", "chance", "uniform"],
            ),
            Self::RandomBetween.kind(
                "random_between",
                "Random between",
                "Random",
                "Even random numbers between two values, different for each particle.",
                &["range", "uniform"],
            ),
            Self::Wind.kind(
                "sample_wind",
                "Wind at a place",
                "Particle",
                "How fast the air moves at a place in the world. Where the game sets no wind, the air is still.",
                &["air", "breeze", "flow", "weather", "vector field"],
            ),
            Self::Curve.kind(
                "curve",
                "Curve",
                "Curve",
                "A curve over its input.",
                &["graph", "spline", "remap"],
            ),
            Self::Gradient.kind(
                "gradient",
                "Gradient",
                "Curve",
                "A colour gradient over its input.",
                &["ramp", "palette", "color"],
            ),
            Self::Combine.kind(
                "combine",
                "Combine",
                "Vector",
                "A vector from its parts.",
                &["make", "compose", "vector"],
            ),
            Self::Split.kind(
                "split",
                "Split",
                "Vector",
                "The parts of a vector.",
                &["break", "decompose", "component", "xyzw", "rgb"],
            ),
            Self::Swizzle.kind(
                "swizzle",
                "Swizzle",
                "Vector",
                "Lanes of a vector in an order of your choice, such as zyx or xx.",
                &["component", "reorder", "shuffle", "mask", "append", "lanes"],
            ),
            Self::GroupInput.kind(
                "group_input",
                "Group input",
                "Group",
                "What the group is given.",
                &[],
            ),
            Self::GroupOutput.kind(
                "group_output",
                "Group output",
                "Group",
                "What the group gives.",
                &[],
            ),
        ];
        for ty in FieldType::ALL {
            let title = match ty {
                FieldType::Float => "Number",
                FieldType::Vec2 => "Vector (2)",
                FieldType::Vec3 => "Vector (3)",
                FieldType::Vec4 => "Vector (4)",
                FieldType::Color => "Colour value",
                FieldType::Quat => "Rotation value",
                FieldType::Bool => "Switch",
            };
            kinds.push(Self::Constant(ty).kind(
                ty.name(),
                title,
                "Input",
                "A value.",
                &["constant", "value"],
            ));
        }
        kinds
    }

    fn kind(self, id: &str, title: &str, category: &str, description: &str, words: &[&str]) -> NodeKind {
        let mut kind = NodeKind::value(id, title, category, Body::Special(self));
        description.clone_into(&mut kind.description);
        kind.words = words.iter().map(|word| (*word).to_owned()).collect();
        kind.listed = !matches!(self, Self::GroupInput | Self::GroupOutput);
        match self {
            Self::SetField => {
                kind.block = true;
                kind.slot = Some(Slot::Force);
            }
            Self::KillIf => {
                kind.block = true;
                kind.slot = Some(Slot::End);
                kind.flows = vec![FlowKind::EveryFrame];
            }
            _ => {}
        }
        let scope = Scope::default();
        let signature = self.signature(&Node::new(blank_id(), id), &scope);
        kind.inputs = signature.inputs.into_owned();
        kind.outputs = signature.outputs.into_owned();
        kind
    }

    /// The settings a node of this kind has, with what they are when they are not set.
    #[must_use]
    pub const fn settings(self) -> &'static [(&'static str, &'static str)] {
        match self {
            Self::GetField | Self::SetField => &[("field", "position")],
            Self::Builtin => &[("builtin", "time")],
            Self::Parameter => &[("parameter", "")],
            Self::EmitterField => &[("field", "")],
            Self::Global => &[("name", ""), ("type", "float")],
            Self::Random | Self::RandomBetween => &[("type", "float"), ("draw", "particle")],
            Self::Combine => &[("type", "vec3")],
            Self::Swizzle => &[("lanes", "xyz")],
            Self::Curve => &[("type", "float")],
            _ => &[],
        }
    }

    /// A setting of `node`, or what it is when it is not set.
    #[must_use]
    pub fn text<'a>(self, node: &'a Node, name: &str) -> &'a str {
        node.text(name).unwrap_or_else(|| {
            self.settings()
                .iter()
                .find(|(setting, _)| *setting == name)
                .map_or("", |(_, default)| default)
        })
    }

    /// The type that a node's `type` setting names; an unknown name is a number's.
    #[must_use]
    pub fn chosen_type(self, node: &Node) -> FieldType {
        let name = self.text(node, "type");
        FieldType::ALL
            .into_iter()
            .find(|ty| ty.name() == name)
            .unwrap_or(FieldType::Float)
    }

    /// The lanes that a swizzle node picks, in order; nothing where its text is not one to four of x, y, z, w.
    #[must_use]
    pub fn lanes(self, node: &Node) -> Option<Vec<usize>> {
        let text = self.text(node, "lanes");
        let lanes: Option<Vec<usize>> = text
            .chars()
            .map(|c| PARTS.iter().position(|part| part.starts_with(c)))
            .collect();
        lanes.filter(|lanes| (1..=4).contains(&lanes.len()))
    }

    /// Whether the type of its ports is that of something the emitter or the document has.
    #[must_use]
    pub const fn follows_scope(self) -> bool {
        matches!(
            self,
            Self::GetField | Self::SetField | Self::Parameter | Self::EmitterField
        )
    }

    /// The type that a node's ports follow: of the field it names, of its own choice, of what its text says.
    #[must_use]
    pub fn type_of(self, node: &Node, scope: &Scope) -> FieldType {
        let name = || self.text(node, "field");
        match self {
            Self::GetField | Self::SetField => scope.field(name()).unwrap_or(FieldType::Vec3),
            Self::Builtin => {
                let name = self.text(node, "builtin");
                let known = Builtin::ALL.iter().find(|b| b.mnemonic() == name);
                match known.map_or(1, |builtin| builtin.width()) {
                    3 => FieldType::Vec3,
                    _ => FieldType::Float,
                }
            }
            Self::Parameter => {
                let ty = scope.parameter(self.text(node, "parameter"));
                ty.unwrap_or(FieldType::Float)
            }
            Self::EmitterField => {
                let ty = scope.emitter_fields.get(name()).copied();
                ty.unwrap_or(FieldType::Float)
            }
            // A wrong text is reported where the node is lowered; until then it gives a number.
            Self::Swizzle => match self.lanes(node).map_or(1, |lanes| lanes.len()) {
                1 => FieldType::Float,
                2 => FieldType::Vec2,
                3 => FieldType::Vec3,
                _ => FieldType::Vec4,
            },
            Self::Constant(ty) => ty,
            Self::Global | Self::Random | Self::RandomBetween | Self::Curve | Self::Combine => {
                self.chosen_type(node)
            }
            _ => FieldType::Float,
        }
    }

    /// The ports of a node. Those of a group's own nodes are the group's, which only the group's kind knows.
    #[must_use]
    pub fn signature(self, node: &Node, scope: &Scope) -> Signature<'static> {
        let (inputs, outputs) = self.ports_as(self.type_of(node, scope));
        Signature {
            inputs: Cow::Borrowed(inputs),
            outputs: Cow::Borrowed(outputs),
        }
    }

    /// The inputs and outputs of a node whose ports follow a type.
    #[must_use]
    pub fn ports_as(self, ty: FieldType) -> (&'static [Port], &'static [Port]) {
        // Made once for each kind and type: the compiler asks for every node.
        static MADE: OnceLock<Mutex<Made>> = OnceLock::new();
        let made = MADE.get_or_init(Mutex::default);
        let mut made = made.lock().unwrap_or_else(PoisonError::into_inner);
        let ports = made
            .entry((self, ty))
            .or_insert_with(|| Box::leak(Box::new(self.ports(ty))));
        (&ports.0, &ports.1)
    }

    /// Inputs and outputs of a kind whose ports follow a type.
    fn ports(self, ty: FieldType) -> Ports {
        let float = |name: &str| Port::new(name, FLOAT, InputMode::value(0.0));
        let out = |ty: PortType| vec![Port::output("out", ty)];
        match self {
            Self::SetField => {
                let value = Port::new("value", PortType::Of(ty), InputMode::value(0.0));
                (vec![value.doc("What the field becomes.")], vec![])
            }
            Self::KillIf => {
                let port = Port::new("condition", PortType::Of(FieldType::Bool), InputMode::value(0.0));
                (vec![port.doc("Not 0 ends the particle.")], vec![])
            }
            Self::GetField
            | Self::Builtin
            | Self::Parameter
            | Self::EmitterField
            | Self::Global
            | Self::Random => (vec![], out(PortType::Of(ty))),
            Self::Constant(ty) => {
                let default = if ty == FieldType::Color {
                    InputMode::value(1.0)
                } else if ty == FieldType::Quat {
                    InputMode::value([0.0, 0.0, 0.0, 1.0])
                } else {
                    InputMode::value(0.0)
                };
                (
                    vec![Port::new("value", PortType::Of(ty), default).doc("The value.")],
                    out(PortType::Of(ty)),
                )
            }
            Self::Wind => {
                let place = Port::new("place", PortType::Of(FieldType::Vec3), InputMode::value([0.0; 3]));
                let place = Port {
                    unit: "m".to_owned(),
                    ..place.doc("Where, in the world.")
                };
                let out = Port {
                    unit: "m/s".to_owned(),
                    ..Port::output("out", PortType::Of(FieldType::Vec3)).doc("The air's velocity.")
                };
                (vec![place], vec![out])
            }
            Self::RandomBetween => {
                let ty = PortType::Of(ty);
                let inputs = vec![
                    Port::new("min", ty, InputMode::value(0.0)).doc("The lowest."),
                    Port::new("max", ty, InputMode::value(1.0)).doc("The highest."),
                ];
                (inputs, out(ty))
            }
            Self::Curve => (
                vec![float("x").doc("Where it is looked up.")],
                out(PortType::Of(ty)),
            ),
            Self::Gradient => {
                let color = Port::output("out", PortType::Of(FieldType::Color)).doc("The colour there.");
                let alpha = Port::output("alpha", FLOAT).doc("Its opacity alone.");
                (vec![float("x").doc("Where it is looked up.")], vec![color, alpha])
            }
            Self::Combine => {
                let parts = PARTS[..ty.width() as usize]
                    .iter()
                    .map(|part| float(part).doc("A part of the vector."))
                    .collect();
                (parts, out(PortType::Of(ty)))
            }
            Self::Split => (
                vec![Port::new("value", PortType::Any, InputMode::value(0.0)).doc("The vector.")],
                PARTS.iter().map(|part| Port::output(part, FLOAT)).collect(),
            ),
            Self::Swizzle => {
                let value = Port::new("value", PortType::Any, InputMode::value(0.0)).doc("The vector.");
                (vec![value], out(PortType::Of(ty)))
            }
            // Theirs are the group's.
            Self::GroupInput | Self::GroupOutput => (vec![], vec![]),
        }
    }

    /// The curves of a curve node, one for each part of its type: [`CURVES`] names their settings.
    #[must_use]
    pub fn curves(self, node: &Node) -> Vec<Curve> {
        let set = |name: &&str| match node.settings.get(*name) {
            Some(Setting::Curve(curve)) => curve.clone(),
            _ => Self::new_curve(),
        };
        let count = self.chosen_type(node).width() as usize;
        CURVES[..count].iter().map(set).collect()
    }

    /// The curve of a curve node that has none set: from 1 at 0 to 1 at 1.
    #[must_use]
    pub fn new_curve() -> Curve {
        Curve::line(1.0, 1.0)
    }

    /// The gradient of a gradient node that has none set: white.
    #[must_use]
    pub fn new_gradient() -> Gradient {
        let key = |t| ColorKey::new(t, [1.0; 4]);
        // Two finite keys always make a gradient.
        Gradient::new(vec![key(0.0), key(1.0)]).unwrap_or_else(|_| unreachable!("two finite keys"))
    }
}

fn blank_id() -> crate::base::id::Id {
    crate::base::id::Id::fresh("new", 0)
}
