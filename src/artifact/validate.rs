//! What every effect must keep, wherever it comes from: loading checks it, and a stage does before it plays it.

use super::effect::{
    Effect, Emitter, MAX_EMITTERS, MAX_PACKED, MAX_PACKED_ALL, MAX_PARAMETERS, MAX_PROGRAMS, MAX_TEXTURES,
};
use super::emission::{
    Emission, MAX_BURSTS, MAX_CAPACITY, MAX_CATCHUP, MAX_CYCLES, MAX_PREWARM, MAX_RATE, MAX_RATE_KEYS,
    MAX_RATE_PER_METRE, MAX_TIME_SCALE,
};
use super::error::LoadError;
use crate::isa::GLOBAL_FIELD_WORDS;
use crate::isa::verify::verify;
use crate::layout::Channel;

/// Checks an effect whole.
///
/// # Errors
/// The first breach, with the path of the field.
pub fn validate(effect: &Effect) -> Result<(), LoadError> {
    validate_settings(effect)?;
    for (index, program) in effect.programs.iter().enumerate() {
        // What holds with the fewest words of emitter fields holds with more. A program that no emitter uses is still
        // code somebody may run: it is verified against no fields.
        let users = effect.emitters.iter().filter(|e| e.program as usize == index);
        let words = users.map(|e| e.emitter_layout.words()).min().unwrap_or(0);
        if let Err(faults) = verify(program, words) {
            let path = format!("programs[{index}]");
            return match faults.into_iter().next() {
                Some(fault) => Err(LoadError::Program { path, fault }),
                None => field(path, "the program is not valid".to_owned()),
            };
        }
    }
    Ok(())
}

/// Checks all of an effect but its programs: for who has verified each of those already.
///
/// # Errors
/// As [`validate`].
pub(crate) fn validate_settings(effect: &Effect) -> Result<(), LoadError> {
    let counts = [
        ("emitters", effect.emitters.len(), MAX_EMITTERS),
        ("programs", effect.programs.len(), MAX_PROGRAMS),
        ("parameters", effect.parameters.len(), MAX_PARAMETERS),
        ("textures", effect.textures.len(), MAX_TEXTURES),
        ("packed", effect.packed.len(), MAX_TEXTURES),
    ];
    for (name, count, most) in counts {
        if count > most {
            return field(name.to_owned(), format!("{count} of them, {most} are the most"));
        }
    }
    check_parameters(effect)?;
    check_packed(effect)?;
    let mut ids = Vec::new();
    for (index, emitter) in effect.emitters.iter().enumerate() {
        let path = format!("emitters[{index}]");
        if ids.contains(&&emitter.id) {
            return field(
                format!("{path}.id"),
                format!("the id {} stands twice", emitter.id),
            );
        }
        ids.push(&emitter.id);
        if emitter.program as usize >= effect.programs.len() {
            return field(
                format!("{path}.program"),
                format!(
                    "there is no program {}, the file has {}",
                    emitter.program,
                    effect.programs.len()
                ),
            );
        }
        check_emitter(effect, emitter, &path)?;
    }
    for (index, program) in effect.programs.iter().enumerate() {
        if program.globals.len() > GLOBAL_FIELD_WORDS as usize {
            let message = format!(
                "{} imports, {GLOBAL_FIELD_WORDS} are the most",
                program.globals.len()
            );
            return field(format!("programs[{index}].globals"), message);
        }
        for import in &program.globals {
            if !(1..=4).contains(&import.width) || import.name.is_empty() {
                let message = "an import has a name and a width of 1 to 4".to_owned();
                return field(format!("programs[{index}].globals"), message);
            }
        }
    }
    Ok(())
}

fn field(path: String, message: String) -> Result<(), LoadError> {
    Err(LoadError::Field { path, message })
}

fn check_parameters(effect: &Effect) -> Result<(), LoadError> {
    for (index, parameter) in effect.parameters.iter().enumerate() {
        let path = format!("parameters[{index}]");
        if effect.parameters[..index].iter().any(|p| p.id == parameter.id) {
            return field(
                format!("{path}.id"),
                format!("the id {} stands twice", parameter.id),
            );
        }
        let mut numbers = parameter.default.iter().chain(parameter.range.iter().flatten());
        if numbers.any(|v| !v.is_finite()) {
            return field(path, "a number is not finite".to_owned());
        }
    }
    Ok(())
}

fn check_packed(effect: &Effect) -> Result<(), LoadError> {
    let mut all = 0usize;
    for (index, packed) in effect.packed.iter().enumerate() {
        let path = format!("packed[{index}]");
        if index > 0 && effect.packed[index - 1].hash >= packed.hash {
            return field(path, "hashes ascend, each stands once".to_owned());
        }
        all = all.saturating_add(packed.bytes.len());
        if packed.bytes.len() > MAX_PACKED || all > MAX_PACKED_ALL {
            let message = format!("{MAX_PACKED} bytes are the most of a file, {MAX_PACKED_ALL} of all");
            return field(path, message);
        }
    }
    Ok(())
}

fn check_emitter(effect: &Effect, emitter: &Emitter, path: &str) -> Result<(), LoadError> {
    let words = emitter.emitter_layout.words() as usize;
    if emitter.emitter_fields.len() != words {
        let message = format!(
            "{} words of values for {words} words of fields",
            emitter.emitter_fields.len()
        );
        return field(format!("{path}.values"), message);
    }
    if let Some(texture) = emitter.texture
        && texture as usize >= effect.textures.len()
    {
        return field(
            format!("{path}.texture"),
            format!("there is no texture {texture}"),
        );
    }
    if emitter.transform.iter().flatten().any(|v| !v.is_finite()) {
        return field(format!("{path}.transform"), "a number is not finite".to_owned());
    }
    check_emission(&emitter.emission, path)?;
    let r = &emitter.render;
    let numbers = [r.stretch, r.stretch_limit, r.pivot[0], r.pivot[1], r.depth_offset];
    if numbers.iter().any(|v| !v.is_finite()) {
        return field(format!("{path}.render"), "a number is not finite".to_owned());
    }
    if r.flipbook.columns == 0 || r.flipbook.rows == 0 || r.flipbook.columns > 256 || r.flipbook.rows > 256 {
        return field(
            format!("{path}.render.flipbook"),
            "columns and rows are 1 to 256".to_owned(),
        );
    }
    for channel in Channel::ALL {
        let Some(source) = r.bindings.get(channel) else {
            continue;
        };
        let bound =
            emitter.layout.fields().iter().any(|f| {
                f.word == source.word && f.ty.width() == source.width && channel.accepts(source.width)
            });
        if !bound {
            let message = format!("no field of the right width lies at word {}", source.word);
            return field(format!("{path}.channels.{}", channel.name()), message);
        }
    }
    Ok(())
}

fn check_emission(e: &Emission, path: &str) -> Result<(), LoadError> {
    let times = [
        ("delay", e.delay),
        ("duration", e.duration.unwrap_or(0.0)),
        ("loop_delay", e.loop_delay),
        ("rate", e.rate),
        ("prewarm", e.prewarm),
        ("rate_per_metre", e.rate_per_metre),
        ("time_scale", e.time_scale),
        ("max_catchup", e.max_catchup),
    ];
    for (name, value) in times {
        if !value.is_finite() || value < 0.0 {
            return field(
                format!("{path}.emission.{name}"),
                format!("{value} is not a number from 0 up"),
            );
        }
    }
    let most = [
        ("rate", e.rate, MAX_RATE),
        ("rate_per_metre", e.rate_per_metre, MAX_RATE_PER_METRE),
        ("time_scale", e.time_scale, MAX_TIME_SCALE),
        ("max_catchup", e.max_catchup, MAX_CATCHUP),
        ("prewarm", e.prewarm, MAX_PREWARM),
    ];
    for (name, value, most) in most {
        if value > most {
            let message = format!("{value} is above the most, {most}");
            return field(format!("{path}.emission.{name}"), message);
        }
    }
    if !e.inherit_velocity.is_finite() {
        let message = format!("{} is not a finite number", e.inherit_velocity);
        return field(format!("{path}.emission.inherit_velocity"), message);
    }
    if e.rate_keys.len() > MAX_RATE_KEYS {
        let message = format!("{} keys, {MAX_RATE_KEYS} are the most", e.rate_keys.len());
        return field(format!("{path}.emission.rate_keys"), message);
    }
    let mut before = 0.0;
    for (index, key) in e.rate_keys.iter().enumerate() {
        let sound = key.time.is_finite() && key.time >= before && (0.0..=MAX_RATE).contains(&key.rate);
        if !sound {
            return field(
                format!("{path}.emission.rate_keys[{index}]"),
                format!("times from 0 up in their order and rates from 0 to {MAX_RATE} are needed"),
            );
        }
        before = key.time;
    }
    if e.capacity > MAX_CAPACITY {
        let message = format!("{} is above the most, {MAX_CAPACITY}", e.capacity);
        return field(format!("{path}.emission.capacity"), message);
    }
    if e.bursts.len() > MAX_BURSTS {
        return field(
            format!("{path}.emission.bursts"),
            format!("{} bursts, {MAX_BURSTS} are the most", e.bursts.len()),
        );
    }
    for (index, burst) in e.bursts.iter().enumerate() {
        let path = format!("{path}.emission.bursts[{index}]");
        let sound = [burst.time, burst.interval, burst.chance]
            .iter()
            .all(|v| v.is_finite() && *v >= 0.0);
        if !sound
            || burst.chance > 1.0
            || burst.min > burst.max
            || burst.max > MAX_CAPACITY
            || burst.cycles > MAX_CYCLES
        {
            return field(
                path,
                format!(
                    "times from 0 up, a chance of 0 to 1, min ≤ max and at most {MAX_CYCLES} cycles are needed"
                ),
            );
        }
        if burst.cycles > 1 && burst.interval <= 0.0 {
            return field(
                path,
                "a burst of several cycles needs an interval above 0".to_owned(),
            );
        }
    }
    Ok(())
}
