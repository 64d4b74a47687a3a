//! What is wrong with a document before any instruction is made: loops, settings, ranges, and flows that
//! compile but cannot be what was meant.

use std::collections::BTreeSet;

use crate::artifact::Projection;
use crate::artifact::emission::{
    MAX_BURSTS, MAX_CAPACITY, MAX_CATCHUP, MAX_CYCLES, MAX_PREWARM, MAX_RATE, MAX_RATE_KEYS,
    MAX_RATE_PER_METRE, MAX_TIME_SCALE, RateKey, SHORTEST_LOOP,
};
use crate::base::diag::{Diagnostic, FlowKind, Place};
use crate::base::id::Id;
use crate::document::Emitter;
use crate::graph::input::values_of;
use crate::graph::{Body, Flow, InputMode, Registry};

/// Checks one emitter.
pub(super) fn check(emitter: &Emitter, registry: &Registry, out: &mut Vec<Diagnostic>) {
    emission(emitter, out);
    not_yet(emitter, out);
    for kind in FlowKind::ALL {
        loops(emitter, kind, out);
        ranges(emitter, kind, registry, out);
        super::settings::check(emitter, kind, registry, out);
    }
    lifetime(emitter, out);
    if emitter.field("position").is_none() && !emitter.birth.blocks.is_empty() {
        let place = Place::emitter(&emitter.id);
        let message = "The particles have no position, so nothing is drawn.";
        out.push(Diagnostic::warning("no-position", place, message).help("Add a shape to Birth."));
    }
}

/// Settings that are kept and exported, and that this version neither plays nor draws.
fn not_yet(emitter: &Emitter, out: &mut Vec<Diagnostic>) {
    let mut warn = |field: &str, message: &str| {
        let mut place = Place::emitter(&emitter.id);
        place.field = Some(field.to_owned());
        out.push(Diagnostic::warning("not-yet", place, message));
    };
    if emitter.render.projection != Projection::Billboard {
        warn(
            "render.projection",
            "Only sprites that face the camera are drawn yet; this facing is kept.",
        );
    }
    if emitter.texture.is_some() {
        warn(
            "texture",
            "Textures are kept but not drawn yet: the soft disc stands in.",
        );
    }
}

fn emission(emitter: &Emitter, out: &mut Vec<Diagnostic>) {
    let e = &emitter.emission;
    let before = out.len();
    let mut error = |code, field: &str, message: String| {
        let mut place = Place::emitter(&emitter.id);
        place.field = Some(format!("emission.{field}"));
        out.push(Diagnostic::error(code, place, message));
    };
    if e.capacity == 0 {
        let message = "The capacity is 0: no particle can live. Give it a value above 0.";
        error("capacity-zero", "capacity", message.to_owned());
    }
    if e.capacity > MAX_CAPACITY {
        let message = format!("The capacity is {}; {MAX_CAPACITY} is the most.", e.capacity);
        error("capacity-too-large", "capacity", message);
    }
    if e.bursts.len() > MAX_BURSTS {
        let message = format!("There are {} bursts; {MAX_BURSTS} are the most.", e.bursts.len());
        error("too-many-bursts", "bursts", message);
    }
    let times = [
        ("rate", e.rate),
        ("delay", e.delay),
        ("loop_delay", e.loop_delay),
        ("prewarm", e.prewarm),
        ("duration", e.duration.unwrap_or(0.0)),
        ("rate_per_metre", e.rate_per_metre),
        ("time_scale", e.time_scale),
        ("max_catchup", e.max_catchup),
    ];
    for (name, value) in times {
        if value < 0.0 || !value.is_finite() {
            error(
                "out-of-range",
                name,
                format!("The {name} is {value}; it cannot be below 0."),
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
            error(
                "out-of-range",
                name,
                format!("The {name} is {value}; {most} is the most."),
            );
        }
    }
    if e.rate_keys.len() > MAX_RATE_KEYS {
        let message = format!(
            "The rate has {} keys; {MAX_RATE_KEYS} are the most.",
            e.rate_keys.len()
        );
        error("out-of-range", "rate_keys", message);
    }
    let outside = |key: &RateKey| key.time < 0.0 || !(0.0..=MAX_RATE).contains(&key.rate);
    if e.rate_keys.iter().any(outside) || !e.rate_keys.is_sorted_by(|a, b| a.time <= b.time) {
        let message =
            format!("The rate's keys have times from 0 up in their order, and rates from 0 to {MAX_RATE}.");
        error("out-of-range", "rate_keys", message);
    }
    for burst in &e.bursts {
        if burst.max < burst.min {
            let message = format!(
                "A burst has at least {} and at most {} particles.",
                burst.min, burst.max
            );
            error("out-of-range", "bursts", message);
        }
        if burst.time < 0.0 || burst.interval < 0.0 || !(0.0..=1.0).contains(&burst.chance) {
            let message = "A burst has a time or interval below 0, or a chance outside 0 to 1.";
            error("out-of-range", "bursts", message.to_owned());
        }
        if burst.cycles > MAX_CYCLES || burst.max > MAX_CAPACITY {
            let message = format!("A burst has at most {MAX_CYCLES} cycles of {MAX_CAPACITY} particles.");
            error("out-of-range", "bursts", message);
        }
        if burst.cycles > 1 && burst.interval <= 0.0 {
            let message = "A burst of several cycles needs an interval above 0.";
            error("out-of-range", "bursts", message.to_owned());
        }
    }
    // What is refused already is no ground for advice.
    if out.len() > before {
        return;
    }
    if e.bursts.iter().any(|burst| burst.cycles == 0) {
        let mut place = Place::emitter(&emitter.id);
        place.field = Some("emission.bursts".to_owned());
        let message = "A burst has 0 cycles and never fires.";
        out.push(Diagnostic::warning("no-births", place, message).help("Give it 1 cycle or more."));
    }
    if e.duration == Some(0.0) && e.bursts.is_empty() && e.gives_birth() {
        let message = "Nothing is born: the duration is 0.";
        out.push(
            Diagnostic::warning("no-births", Place::emitter(&emitter.id), message)
                .help("Give it a duration, or make it endless."),
        );
    }
    let period = e.duration.map(|duration| duration + e.loop_delay);
    if e.loops == 0 && !e.bursts.is_empty() && period.is_some_and(|period| period < SHORTEST_LOOP) {
        let mut place = Place::emitter(&emitter.id);
        place.field = Some("emission.duration".to_owned());
        let message = format!(
            "Its bursts fire {} times a second: the loop has no length and never ends.",
            (1.0 / SHORTEST_LOOP).round()
        );
        let help = "Give it a duration or a loop delay, or say how many loops there are.";
        out.push(Diagnostic::warning("endless-loop", place, message).help(help));
    }
    if e.time_scale == 0.0 {
        let message = "Nothing moves and nothing is born: the time scale is 0.";
        let mut place = Place::emitter(&emitter.id);
        place.field = Some("emission.time_scale".to_owned());
        out.push(Diagnostic::warning("no-births", place, message).help("1 is the effect's own time."));
    }
    if !e.gives_birth() {
        let message = "Nothing is born: the rate is 0 and there are no bursts.";
        out.push(
            Diagnostic::warning("no-births", Place::emitter(&emitter.id), message).help("Give it a rate."),
        );
    }
}

/// Reports every loop of wires once, with the nodes on it.
fn loops(emitter: &Emitter, kind: FlowKind, out: &mut Vec<Diagnostic>) {
    let flow = emitter.flow(kind);
    let mut stuck: BTreeSet<Id> = flow.stuck().into_iter().collect();
    while let Some(path) = stuck
        .first()
        .cloned()
        .and_then(|start| find_loop(flow, &stuck, start))
    {
        for id in &path {
            stuck.remove(id);
        }
        let names: Vec<&str> = path.iter().chain(path.first()).map(Id::as_str).collect();
        let place = Place::node(&emitter.id, kind, path[..1].to_vec());
        let message = format!("These nodes feed each other in a loop: {}.", names.join(" › "));
        out.push(Diagnostic::error("cycle", place, message).help("Remove one of the wires between them."));
    }
}

/// Walks backwards along wires between stuck nodes until a node comes again. A node with no stuck source is
/// only behind a loop that was already taken out.
fn find_loop(flow: &Flow, stuck: &BTreeSet<Id>, start: Id) -> Option<Vec<Id>> {
    let mut starts: Vec<Id> = stuck.iter().cloned().collect();
    starts.insert(0, start);
    let mut done = BTreeSet::new();
    for start in starts {
        let mut walk = vec![start];
        loop {
            let at = walk.last()?.clone();
            if !done.insert(at.clone()) {
                break;
            }
            let next = flow
                .wires_into(&at)
                .map(|(_, s)| &s.node)
                .find(|id| stuck.contains(*id))
                .cloned();
            let Some(next) = next else { break };
            if let Some(first) = walk.iter().position(|id| *id == next) {
                let mut path = walk[first..].to_vec();
                path.reverse();
                return Some(path);
            }
            walk.push(next);
        }
    }
    None
}

/// Values outside what their port takes, as only a hand-edited file has them.
fn ranges(emitter: &Emitter, kind: FlowKind, registry: &Registry, out: &mut Vec<Diagnostic>) {
    for node in emitter.flow(kind).nodes().filter(|node| !node.muted) {
        let Some(of) = registry.get(&node.kind) else {
            continue;
        };
        if !matches!(of.body, Body::Special(_)) {
            for name in node
                .inputs
                .keys()
                .filter(|name| of.inputs.iter().all(|port| port.name != **name))
            {
                let place = Place::node(&emitter.id, kind, vec![node.id.clone()]).port(name);
                let known: Vec<&str> = of.inputs.iter().map(|port| port.name.as_str()).collect();
                let message = format!(
                    "{} has no input {name:?}; what is set there does nothing.",
                    of.title
                );
                let help = format!("Its inputs are {}.", known.join(", "));
                out.push(Diagnostic::warning("unknown-input", place, message).help(help));
            }
        }
        for port in &of.inputs {
            let Some(mode) = node.inputs.get(&port.name) else {
                continue;
            };
            if emitter.flow(kind).source(&node.id, &port.name).is_some() {
                continue;
            }
            let below = |v: f32| port.min.is_some_and(|min| v < min);
            let above = |v: f32| port.max.is_some_and(|max| v > max);
            if let Some(value) = values_of(mode).find(|&v| below(v) || above(v)) {
                let place = Place::node(&emitter.id, kind, vec![node.id.clone()]).port(&port.name);
                let bound = match (below(value), port.min, port.max) {
                    (true, Some(min), _) => format!("below {min}"),
                    (_, _, Some(max)) => format!("above {max}"),
                    _ => String::new(),
                };
                let message = format!("{} is {value}; it cannot be {bound}.", port.title);
                out.push(Diagnostic::error("out-of-range", place, message));
            }
        }
    }
}

fn lifetime(emitter: &Emitter, out: &mut Vec<Diagnostic>) {
    for node in emitter
        .birth
        .blocks
        .iter()
        .filter(|b| b.kind == "birth_lifetime" && !b.muted)
    {
        let zero = match node.inputs.get("lifetime") {
            Some(InputMode::Value(value)) => value.lane(0) == 0.0,
            Some(InputMode::Random { max, .. }) => max.lane(0) == 0.0,
            _ => false,
        };
        if zero && emitter.birth.source(&node.id, "lifetime").is_none() {
            let place = Place::node(&emitter.id, FlowKind::Birth, vec![node.id.clone()]).port("lifetime");
            let message = "Lifetime is 0: every particle dies at birth. Give it a value above 0.";
            out.push(Diagnostic::warning("lifetime-zero", place, message));
        }
    }
    crowded(emitter, out);
    let ends = |b: &&crate::graph::Node| matches!(b.kind.as_str(), "age" | "kill_if") && !b.muted;
    if !emitter.birth.blocks.is_empty() && !emitter.every_frame.blocks.iter().any(|b| ends(&b)) {
        let place = Place::emitter(&emitter.id);
        let message = "Nothing ends these particles: once the emitter is full, no more are born.";
        out.push(Diagnostic::warning("no-end", place, message).help("Add an Age block to Every frame."));
    }
}

/// Warns where a steady rate fills the emitter before particles end.
fn crowded(emitter: &Emitter, out: &mut Vec<Diagnostic>) {
    let longest = emitter
        .birth
        .blocks
        .iter()
        .filter(|b| b.kind == "birth_lifetime" && !b.muted);
    let mut longest = longest.filter(|b| emitter.birth.source(&b.id, "lifetime").is_none());
    let Some(life) = longest.next_back().and_then(|b| match b.inputs.get("lifetime") {
        Some(InputMode::Value(value)) => Some(value.lane(0)),
        Some(InputMode::Random { min, max }) => Some((min.lane(0) + max.lane(0)) / 2.0),
        None => Some(1.0),
        _ => None,
    }) else {
        return;
    };
    let (wanted, capacity) = (emitter.emission.peak_rate() * life, emitter.emission.capacity);
    if wanted > capacity as f32 && capacity > 0 {
        let mut place = Place::emitter(&emitter.id);
        place.field = Some("emission.capacity".to_owned());
        let message =
            format!("About {wanted:.0} particles want to live at once, and the capacity is {capacity}.");
        out.push(
            Diagnostic::warning("capacity-small", place, message)
                .help("Raise the capacity, or lower the rate."),
        );
    }
}
