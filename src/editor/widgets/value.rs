//! A value of a type: numbers, a colour, a rotation, a switch.

use egui::{Id, Rect, Ui, vec2};

use super::color::swatch;
use super::edited::Edited;
use super::lanes::{LanesRow, widened};
use super::look::Look;
use super::menu::checkbox;
use super::rotation::rotation;
use crate::graph::types::type_title;
use crate::graph::{Lanes, Port};
use crate::layout::FieldType;

/// A value to edit.
#[derive(Debug, Clone, Copy)]
pub struct ValueEditor<'a> {
    /// The name for those who cannot see it; a part's letter is put behind it.
    pub name: &'a str,
    /// Limits, unit, what it does.
    pub port: &'a Port,
    /// What it holds.
    pub ty: FieldType,
    /// Whether a single number shows its unit.
    pub unit: bool,
    /// What a double click takes back.
    pub default: Option<Lanes>,
}

impl ValueEditor<'_> {
    /// Paints it into `rect` and says what happened.
    pub fn show_at(&self, ui: &mut Ui, rect: Rect, id: Id, look: &Look<'_>, value: Lanes) -> Edited<Lanes> {
        match self.ty {
            FieldType::Color => {
                let color = |lanes: Lanes| [0, 1, 2, 3].map(|i| widened(lanes, FieldType::Color).lane(i));
                let default = self.default.map(color);
                swatch(ui, rect, id, look, self.name, color(value), default).map(Lanes::from)
            }
            FieldType::Quat => {
                let turn = |lanes: Lanes| [0, 1, 2, 3].map(|i| lanes.lane(i));
                let default = self.default.map(turn);
                rotation(ui, rect, id, look, self.name, turn(value), default).map(Lanes::from)
            }
            FieldType::Bool => {
                let on = value.lane(0) != 0.0;
                let square = Rect::from_min_size(rect.min, vec2(rect.height(), rect.height()));
                if checkbox(ui, square, id, look, self.name, on) {
                    Edited::whole(Lanes::scalar(if on { 0.0 } else { 1.0 }))
                } else {
                    Edited::default()
                }
            }
            _ => LanesRow {
                name: self.name,
                port: self.port,
                unit: self.unit,
                width: self.ty.width() as usize,
                value: widened(value, self.ty),
                default: self.default.map(|lanes| widened(lanes, self.ty)),
            }
            .show_at(ui, rect, id, look),
        }
    }
}

/// A type as lists show it.
#[must_use]
pub fn type_label(ty: FieldType) -> String {
    let mut label = type_title(ty).to_owned();
    if let Some(first) = label.get_mut(..1) {
        first.make_ascii_uppercase();
    }
    label
}

/// What a value of a type starts with: a number at 1, vectors at 0, white, no turn, off.
#[must_use]
pub fn first_value(ty: FieldType) -> [f32; 4] {
    match ty {
        FieldType::Float => [1.0, 0.0, 0.0, 0.0],
        FieldType::Color => [1.0; 4],
        FieldType::Quat => [0.0, 0.0, 0.0, 1.0],
        FieldType::Vec2 | FieldType::Vec3 | FieldType::Vec4 | FieldType::Bool => [0.0; 4],
    }
}

/// The numbers that a type has of four.
#[must_use]
pub fn lanes_of(ty: FieldType, value: [f32; 4]) -> Lanes {
    Lanes::new(&value[..ty.width() as usize]).unwrap_or(Lanes::scalar(value[0]))
}

/// Lanes as four numbers, 0 where the type has fewer.
#[must_use]
pub fn four(ty: FieldType, lanes: Lanes) -> [f32; 4] {
    let width = ty.width() as usize;
    [0, 1, 2, 3].map(|i| if i < width { lanes.lane(i) } else { 0.0 })
}

/// A value as another type has it, as near as can be.
#[must_use]
pub fn converted(value: [f32; 4], from: FieldType, to: FieldType) -> [f32; 4] {
    use FieldType::{Bool, Color, Quat};
    if from == to {
        return value;
    }
    match (from, to) {
        (Quat, _) | (_, Quat) => first_value(to),
        (_, Bool) => [if value[0] == 0.0 { 0.0 } else { 1.0 }, 0.0, 0.0, 0.0],
        (_, Color) if from.width() < 4 => {
            let [r, g, b, _] = four(Color, widened(lanes_of(from, value), Color));
            // Light below 0 is none.
            [r.max(0.0), g.max(0.0), b.max(0.0), 1.0]
        }
        _ => four(to, widened(lanes_of(from, value), to)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_value_survives_a_change_of_type() {
        use FieldType::{Bool, Color, Float, Quat, Vec2, Vec3, Vec4};
        let one = [2.0, 0.0, 0.0, 0.0];
        assert_eq!(converted(one, Float, Vec3), [2.0, 2.0, 2.0, 0.0]);
        assert_eq!(converted(one, Float, Color), [2.0, 2.0, 2.0, 1.0]);
        assert_eq!(converted(one, Float, Bool), [1.0, 0.0, 0.0, 0.0]);
        let three = [1.0, 2.0, 3.0, 0.0];
        assert_eq!(converted(three, Vec3, Float), [1.0, 0.0, 0.0, 0.0]);
        assert_eq!(converted(three, Vec3, Vec2), [1.0, 2.0, 0.0, 0.0]);
        assert_eq!(converted(three, Vec3, Vec4), three);
        assert_eq!(converted(three, Vec3, Quat), first_value(Quat));
        assert_eq!(converted(first_value(Quat), Quat, Float), first_value(Float));
    }
}
