//! Curves and gradients as JSON. Of several forms that mean the same the shortest is written.

use super::codec::{Cursor, FormatError, write_numbers};
use crate::base::curve::{AlphaKey, ColorKey, Curve, CurveError, Ends, Gradient, Interpolation, Key};
use crate::base::json::Json;

fn curve_error(cursor: &Cursor<'_>, error: CurveError) -> FormatError {
    cursor.error(error.to_string())
}

fn read_interpolation(cursor: &Cursor<'_>) -> Result<Interpolation, FormatError> {
    let name = cursor.text()?;
    Interpolation::from_name(name).ok_or_else(|| cursor.error(format!("there is no interpolation {name:?}")))
}

/// An interpolation without handles.
fn read_plain(cursor: &Cursor<'_>) -> Result<Interpolation, FormatError> {
    match read_interpolation(cursor)? {
        Interpolation::Bezier => Err(cursor.error("a gradient has no handles; \"smooth\" eases in and out")),
        plain => Ok(plain),
    }
}

fn read_ends(cursor: &Cursor<'_>) -> Result<Ends, FormatError> {
    let Some(ends) = cursor.get("ends") else {
        return Ok(Ends::Hold);
    };
    let name = ends.text()?;
    Ends::from_name(name).ok_or_else(|| ends.error(format!("ends are \"hold\" or \"loop\", not {name:?}")))
}

fn is_list(cursor: &Cursor<'_>) -> bool {
    matches!(cursor.item().value, Json::Array(_))
}

/// A curve: a list of keys, or an object with `keys` and `ends`. A key is `[t, value]` for a straight line,
/// or `[t, value, interpolation]`, with the slopes in and out behind it where they are not 0.
///
/// # Errors
/// Where keys are malformed or there are none.
pub fn read_curve(cursor: &Cursor<'_>) -> Result<Curve, FormatError> {
    if is_list(cursor) {
        return read_keys(cursor);
    }
    let ends = read_ends(cursor)?;
    Ok(read_keys(&cursor.need("keys")?)?.with_ends(ends))
}

fn read_keys(cursor: &Cursor<'_>) -> Result<Curve, FormatError> {
    let mut keys = Vec::new();
    for key in cursor.elements()? {
        let parts = key.elements()?;
        let (Some(t), Some(v)) = (parts.first(), parts.get(1)) else {
            return Err(key.error("a key has a time and a value"));
        };
        let mut out = Key::linear(t.f32()?, v.f32()?);
        if let Some(kind) = parts.get(2) {
            out.interpolation = read_interpolation(kind)?;
        }
        out.tangent_in = parts.get(3).map_or(Ok(0.0), Cursor::f32)?;
        out.tangent_out = parts.get(4).map_or(Ok(0.0), Cursor::f32)?;
        if let Some(extra) = parts.get(5) {
            return Err(extra.error("a key has at most five parts"));
        }
        keys.push(out);
    }
    Curve::new(keys).map_err(|e| curve_error(cursor, e))
}

/// The inverse of [`read_curve`].
#[must_use]
pub fn write_curve(curve: &Curve) -> Json {
    let keys = Json::array(curve.keys().iter().map(|k| {
        let mut parts = vec![Json::f32(k.t), Json::f32(k.v)];
        let tangents = k.tangent_in != 0.0 || k.tangent_out != 0.0;
        if k.interpolation != Interpolation::Linear || tangents {
            parts.push(Json::text(k.interpolation.name()));
        }
        if tangents {
            parts.extend([Json::f32(k.tangent_in), Json::f32(k.tangent_out)]);
        }
        Json::array(parts)
    }));
    match curve.ends() {
        Ends::Hold => keys,
        ends => Json::object([("ends", Json::text(ends.name())), ("keys", keys)]),
    }
}

/// A gradient: a list of colours, or an object with `colors`, `alphas` and `ends`. A colour is
/// `[t, red, green, blue, alpha]`, without alpha where there are `alphas`, and behind it the interpolation and
/// the stops of intensity. An alpha key is `[t, alpha]` or `[t, alpha, interpolation]`.
///
/// # Errors
/// Where keys are malformed or there are none.
pub fn read_gradient(cursor: &Cursor<'_>) -> Result<Gradient, FormatError> {
    if is_list(cursor) {
        return read_colors(cursor);
    }
    let gradient = read_colors(&cursor.need("colors")?)?.with_ends(read_ends(cursor)?);
    let Some(list) = cursor.get("alphas") else {
        return Ok(gradient);
    };
    let mut alphas = Vec::new();
    for key in list.elements()? {
        let parts = key.elements()?;
        let (Some(t), Some(alpha), true) = (parts.first(), parts.get(1), parts.len() <= 3) else {
            return Err(key.error("an alpha key is [t, alpha] or [t, alpha, interpolation]"));
        };
        alphas.push(AlphaKey {
            interpolation: parts.get(2).map_or(Ok(Interpolation::Linear), read_plain)?,
            ..AlphaKey::new(t.f32()?, alpha.f32()?)
        });
    }
    gradient.with_alphas(alphas).map_err(|e| curve_error(&list, e))
}

fn read_colors(cursor: &Cursor<'_>) -> Result<Gradient, FormatError> {
    let mut keys = Vec::new();
    for key in cursor.elements()? {
        let parts = key.elements()?;
        let is_text = |part: &Cursor<'_>| matches!(part.item().value, Json::Text(_));
        let count = parts.iter().position(is_text).unwrap_or(parts.len());
        let numbers: Vec<f32> = parts[..count].iter().map(Cursor::f32).collect::<Result<_, _>>()?;
        let (t, color) = match numbers[..] {
            [t, r, g, b] => (t, [r, g, b, 1.0]),
            [t, r, g, b, a] => (t, [r, g, b, a]),
            _ => return Err(key.error("a colour is [t, red, green, blue, alpha]")),
        };
        let mut out = ColorKey::new(t, color);
        if let Some(kind) = parts.get(count) {
            out.interpolation = read_plain(kind)?;
        }
        out.stops = parts.get(count + 1).map_or(Ok(0.0), Cursor::f32)?;
        if let Some(extra) = parts.get(count + 2) {
            return Err(extra.error("nothing comes after the stops of intensity"));
        }
        keys.push(out);
    }
    Gradient::new(keys).map_err(|e| curve_error(cursor, e))
}

/// The inverse of [`read_gradient`].
#[must_use]
pub fn write_gradient(gradient: &Gradient) -> Json {
    let own = !gradient.alphas().is_empty();
    let colors = Json::array(gradient.keys().iter().map(|k| {
        let [r, g, b, a] = k.color;
        let mut parts: Vec<Json> = [k.t, r, g, b].map(Json::f32).into();
        // A colour keeps an alpha that does not count: taking the alpha keys away brings it back.
        if !own || a != 1.0 {
            parts.push(Json::f32(a));
        }
        if k.interpolation != Interpolation::Linear || k.stops != 0.0 {
            parts.push(Json::text(k.interpolation.name()));
        }
        if k.stops != 0.0 {
            parts.push(Json::f32(k.stops));
        }
        Json::array(parts)
    }));
    if !own && gradient.ends() == Ends::Hold {
        return colors;
    }
    let mut items = Vec::new();
    if own {
        let alphas = gradient.alphas().iter().map(|k| {
            if k.interpolation == Interpolation::Linear {
                return write_numbers(&[k.t, k.alpha]);
            }
            let name = Json::text(k.interpolation.name());
            Json::array([Json::f32(k.t), Json::f32(k.alpha), name])
        });
        items.push(("alphas", Json::array(alphas)));
    }
    items.push(("colors", colors));
    if gradient.ends() != Ends::Hold {
        items.push(("ends", Json::text(gradient.ends().name())));
    }
    Json::object(items)
}
