//! Several numbers in one row.

use egui::{Id, Rect, Ui};

use super::edited::Edited;
use super::look::{Look, column};
use super::number::Number;
use crate::graph::{Lanes, Port};
use crate::layout::FieldType;

/// The letters of lanes.
pub const LETTERS: [&str; 4] = ["x", "y", "z", "w"];

/// A row of numbers that belong together.
#[derive(Debug, Clone, Copy)]
pub struct LanesRow<'a> {
    /// The name for those who cannot see it; a lane's letter is put behind it where there are several.
    pub name: &'a str,
    /// The input it stands in: limits, unit, what it does.
    pub port: &'a Port,
    /// Whether a single number shows its unit.
    pub unit: bool,
    /// How many numbers.
    pub width: usize,
    /// The values as they are.
    pub value: Lanes,
    /// What a double click takes back.
    pub default: Option<Lanes>,
}

impl LanesRow<'_> {
    /// Paints the row into `rect` and says what happened.
    pub fn show_at(&self, ui: &mut Ui, rect: Rect, id: Id, look: &Look<'_>) -> Edited<Lanes> {
        let mut edited = Edited::default();
        for lane in 0..self.width {
            let name = if self.width == 1 {
                self.name.to_owned()
            } else {
                format!("{} {}", self.name, LETTERS[lane.min(3)])
            };
            let number = Number {
                prefix: if self.width == 1 { "" } else { LETTERS[lane.min(3)] },
                default: self.default.map(|lanes| lanes.lane(lane)),
                min: self.port.min,
                max: self.port.max,
                unit: &self.port.unit,
                unit_hidden: self.width != 1 || !self.unit,
                doc: &self.port.doc,
                ..Number::new(&name, self.value.lane(lane))
            };
            let at = column(rect, self.width, lane, look.px(3.0));
            let one = number.show_at(ui, at, id.with(lane), look);
            edited = edited.or(one.map(|value| with_lane(self.value, self.width, lane, value)));
        }
        edited
    }
}

/// The numbers in `width` lanes, with one replaced.
#[must_use]
pub fn with_lane(lanes: Lanes, width: usize, lane: usize, value: f32) -> Lanes {
    let mut values = [0, 1, 2, 3].map(|i| lanes.lane(i));
    if let Some(place) = values.get_mut(lane) {
        *place = value;
    }
    Lanes::new(&values[..width.clamp(1, 4)]).unwrap_or(Lanes::scalar(value))
}

/// The numbers of a type, out of lanes of any width: a single one stands in every lane, and a colour without
/// opacity is opaque.
#[must_use]
pub fn widened(lanes: Lanes, ty: FieldType) -> Lanes {
    let mut values = [0, 1, 2, 3].map(|i| lanes.lane(i));
    if ty == FieldType::Color && lanes.width() == 3 {
        values[3] = 1.0;
    }
    Lanes::new(&values[..ty.width() as usize]).unwrap_or(lanes)
}
