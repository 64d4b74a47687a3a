//! Changing how an unwired input gets its value, without losing the value.

use super::lanes::widened;
use crate::artifact::Parameter;
use crate::base::curve::{ColorKey, Curve, Gradient};
use crate::graph::input::SPEEDS;
use crate::graph::types::converts;
use crate::graph::{InputMode, Lanes};
use crate::layout::FieldType;

/// The modes an artist can choose.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum ModeKind {
    /// The same for all.
    Value,
    /// Drawn for each particle.
    Random,
    /// A curve over the particle's life.
    Curve,
    /// A curve over the particle's speed.
    SpeedCurve,
    /// A gradient over the particle's life.
    Gradient,
    /// A parameter of the effect.
    Parameter,
}

impl ModeKind {
    /// All, in menu order.
    pub const ALL: [Self; 6] = [
        Self::Value,
        Self::Random,
        Self::Curve,
        Self::SpeedCurve,
        Self::Gradient,
        Self::Parameter,
    ];

    /// The mode something is in.
    #[must_use]
    pub const fn of(mode: &InputMode) -> Option<Self> {
        match mode {
            InputMode::Value(_) => Some(Self::Value),
            InputMode::Random { .. } => Some(Self::Random),
            InputMode::Curve(_) => Some(Self::Curve),
            InputMode::SpeedCurve { .. } => Some(Self::SpeedCurve),
            InputMode::Gradient(_) => Some(Self::Gradient),
            InputMode::Parameter(_) => Some(Self::Parameter),
            InputMode::Unknown(_) => None,
        }
    }

    /// The name in menus.
    #[must_use]
    pub const fn title(self) -> &'static str {
        match self {
            Self::Value => "Value",
            Self::Random => "Random between",
            Self::Curve => "Curve over life",
            Self::SpeedCurve => "Curve over speed",
            Self::Gradient => "Gradient over life",
            Self::Parameter => "Parameter",
        }
    }

    /// Its icon.
    #[must_use]
    pub const fn icon(self) -> &'static str {
        use egui_phosphor::regular as icons;
        match self {
            Self::Value => icons::HASH,
            Self::Random => icons::DICE_FIVE,
            Self::Curve => icons::BEZIER_CURVE,
            Self::SpeedCurve => icons::GAUGE,
            Self::Gradient => icons::GRADIENT,
            Self::Parameter => icons::SLIDERS_HORIZONTAL,
        }
    }

    /// Whether it makes sense for an input of a type.
    #[must_use]
    pub fn suits(self, ty: FieldType) -> bool {
        match self {
            Self::Value | Self::Parameter => true,
            Self::Random => ty != FieldType::Bool,
            Self::Curve | Self::SpeedCurve => {
                !matches!(ty, FieldType::Quat | FieldType::Color | FieldType::Bool)
            }
            Self::Gradient => matches!(ty, FieldType::Color | FieldType::Vec4),
        }
    }
}

/// One value that stands for a mode.
#[must_use]
pub fn value_of(mode: &InputMode, ty: FieldType, parameters: &[Parameter]) -> Lanes {
    let zero = Lanes::scalar(0.0);
    match mode {
        InputMode::Value(value) => widened(*value, ty),
        InputMode::Random { min, max } => {
            let middle = |i| {
                let (a, b) = (min.lane(i), max.lane(i));
                if a.to_bits() == b.to_bits() {
                    a
                } else {
                    a * 0.5 + b * 0.5
                }
            };
            let values = [0, 1, 2, 3].map(middle);
            Lanes::new(&values[..ty.width() as usize]).unwrap_or(zero)
        }
        InputMode::Curve(curve) | InputMode::SpeedCurve { curve, .. } => {
            widened(Lanes::scalar(curve.first()), ty)
        }
        InputMode::Gradient(gradient) => {
            let color = gradient.keys().first().map_or([1.0; 4], ColorKey::light);
            Lanes::new(&color[..ty.width() as usize]).unwrap_or(zero)
        }
        InputMode::Parameter(id) => {
            let value = parameters.iter().find(|p| p.id == *id);
            value.map_or(zero, |p| {
                let lanes = Lanes::new(&p.default[..p.ty.width() as usize]).unwrap_or(zero);
                widened(lanes, ty)
            })
        }
        InputMode::Unknown(_) => zero,
    }
}

/// The mode changed to another kind, its value kept; none where there is nothing to change to.
#[must_use]
pub fn changed(mode: &InputMode, to: ModeKind, ty: FieldType, parameters: &[Parameter]) -> Option<InputMode> {
    let value = value_of(mode, ty, parameters);
    // A curve over another thing keeps its shape.
    let curve = || match mode {
        InputMode::Curve(curve) | InputMode::SpeedCurve { curve, .. } => curve.clone(),
        _ => Curve::line(value.lane(0), value.lane(0)),
    };
    Some(match to {
        ModeKind::Value => InputMode::Value(value),
        ModeKind::Random => InputMode::Random {
            min: value,
            max: value,
        },
        ModeKind::Curve => InputMode::Curve(curve()),
        ModeKind::SpeedCurve => InputMode::SpeedCurve {
            curve: curve(),
            range: SPEEDS,
        },
        ModeKind::Gradient => {
            let color = [0, 1, 2, 3].map(|i| value.lane(i));
            let key = |t| ColorKey::new(t, color);
            InputMode::Gradient(Gradient::new(vec![key(0.0), key(1.0)]).ok()?)
        }
        ModeKind::Parameter => {
            let fits = |p: &&Parameter| converts(p.ty, ty);
            InputMode::Parameter(parameters.iter().find(fits)?.id.clone())
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_value_survives_every_mode() {
        let ty = FieldType::Vec3;
        let value = InputMode::value([1.0, 2.0, 3.0]);
        let random = changed(&value, ModeKind::Random, ty, &[]).unwrap();
        assert_eq!(random, InputMode::random([1.0, 2.0, 3.0], [1.0, 2.0, 3.0]));
        assert_eq!(changed(&random, ModeKind::Value, ty, &[]).unwrap(), value);
        let color = InputMode::value([0.5, 0.2, 0.1, 1.0]);
        let gradient = changed(&color, ModeKind::Gradient, FieldType::Color, &[]).unwrap();
        let back = changed(&gradient, ModeKind::Value, FieldType::Color, &[]).unwrap();
        assert_eq!(back, color);
        let one = InputMode::value(2.5);
        let curve = changed(&one, ModeKind::Curve, FieldType::Float, &[]).unwrap();
        assert_eq!(
            changed(&curve, ModeKind::Value, FieldType::Float, &[]).unwrap(),
            one
        );
        let speed = changed(&curve, ModeKind::SpeedCurve, FieldType::Float, &[]).unwrap();
        assert_eq!(
            changed(&speed, ModeKind::Curve, FieldType::Float, &[]),
            Some(curve)
        );
        assert_eq!(changed(&one, ModeKind::Parameter, FieldType::Float, &[]), None);
    }
}
