//! A rotation as turns about three axes, in degrees.

use egui::{Id, Rect, Ui};
use glam::{EulerRot, Quat};

use super::edited::Edited;
use super::lanes::LETTERS;
use super::look::{Look, column};
use super::number::Number;

/// Farthest that an axis is turned, in degrees.
const FARTHEST: f32 = 360.0;

/// The turns that a rotation was made of: one rotation comes from many, and the artist's own are shown.
#[derive(Debug, Clone, Copy)]
struct Made {
    value: [f32; 4],
    degrees: [f32; 3],
}

/// Three angles: about y first, then x, then z.
pub fn rotation(
    ui: &mut Ui,
    rect: Rect,
    id: Id,
    look: &Look<'_>,
    name: &str,
    value: [f32; 4],
    default: Option<[f32; 4]>,
) -> Edited<[f32; 4]> {
    let known = ui.data(|data| data.get_temp::<Made>(id));
    let known = known.filter(|made| made.value.map(f32::to_bits) == value.map(f32::to_bits));
    let degrees = known.map_or_else(|| turns(value), |made| made.degrees);
    let default = default.map(turns);
    let mut edited = Edited::default();
    for (lane, letter) in LETTERS.into_iter().take(3).enumerate() {
        let name = format!("{name} {letter}");
        let number = Number {
            prefix: letter,
            min: Some(-FARTHEST),
            max: Some(FARTHEST),
            default: default.map(|default| default[lane]),
            unit: "°",
            doc: "Turned about y, then x, then z",
            ..Number::new(&name, degrees[lane])
        };
        let at = column(rect, 3, lane, look.px(3.0));
        let one = number.show_at(ui, at, id.with(lane), look);
        edited = edited.or(one.map(|value| {
            let mut degrees = degrees;
            degrees[lane] = value;
            degrees
        }));
    }
    if let Some(degrees) = edited.value {
        let value = turned(degrees);
        ui.data_mut(|data| data.insert_temp(id, Made { value, degrees }));
    }
    edited.map(turned)
}

/// The rotation of three turns.
fn turned(degrees: [f32; 3]) -> [f32; 4] {
    let [x, y, z] = degrees.map(f32::to_radians);
    Quat::from_euler(EulerRot::YXZ, y, x, z).normalize().to_array()
}

/// Three turns that make a rotation, rounded to what an artist reads.
fn turns(value: [f32; 4]) -> [f32; 3] {
    let length = value.iter().map(|v| v * v).sum::<f32>().sqrt();
    if !(length.is_finite() && length > 0.0) {
        return [0.0; 3];
    }
    let (y, x, z) = Quat::from_array(value.map(|v| v / length)).to_euler(EulerRot::YXZ);
    [x, y, z].map(|angle| (angle.to_degrees() * 1e3).round() / 1e3 + 0.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn turns_make_the_rotation_they_were_read_from() {
        assert_eq!(turns([0.0, 0.0, 0.0, 1.0]), [0.0; 3]);
        assert_eq!(turns([0.0; 4]), [0.0; 3], "no rotation is no turn");
        for degrees in [
            [0.0, 90.0, 0.0],
            [30.0, 0.0, 0.0],
            [20.0, -40.0, 60.0],
            [0.0, 0.0, -135.0],
        ] {
            let read = turns(turned(degrees));
            let near = read.iter().zip(degrees).all(|(a, b)| (a - b).abs() < 0.01);
            assert!(near, "{degrees:?} is read as {read:?}");
        }
        let half = std::f32::consts::FRAC_1_SQRT_2;
        let quarter = turned([0.0, 90.0, 0.0]);
        assert!((quarter[1] - half).abs() < 1e-6 && (quarter[3] - half).abs() < 1e-6);
    }
}
