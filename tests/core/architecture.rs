//! The layers point one way, outside crates stay where they belong, files stay small, and the walks of
//! `docs/architecture.md` name functions that exist.

use std::fs;
use std::path::{Path, PathBuf};

/// Each module may use those before it.
const LAYERS: [&str; 18] = [
    "base",
    "isa",
    "layout",
    "artifact",
    "vm",
    "graph",
    "document",
    "compiler",
    "host",
    "reference",
    "gpu",
    "draw",
    "system",
    "render",
    "play",
    "inspect",
    "cli",
    "editor",
];

/// Names at the crate's root that are macros, with the layer they belong to.
const MACROS: [(&str, &str); 2] = [("gpu_struct", "base"), ("for_each_op", "isa")];

/// Layers that never see documents, graphs or the compiler: a game links them.
const RUNTIME: [&str; 7] = ["host", "reference", "gpu", "draw", "system", "render", "play"];
const AUTHORING: [&str; 3] = ["graph", "document", "compiler"];

/// Outside crates and the first layer that may name them, or the only one.
const FROM: [(&str, &str); 1] = [("wgpu", "gpu")];
const ONLY: [(&str, &str); 7] = [
    ("naga", "gpu"),
    ("egui", "editor"),
    ("eframe", "editor"),
    ("egui_phosphor", "editor"),
    ("rfd", "editor"),
    ("clap", "cli"),
    ("plist", "document"),
];

const LONGEST_FILE: usize = 800;

fn rank(layer: &str) -> Option<usize> {
    LAYERS.iter().position(|l| *l == layer)
}

/// The text without comments and without string contents.
fn code(text: &str) -> String {
    let mut out = String::new();
    for line in text.lines() {
        let line = line.split("//").next().unwrap_or_default();
        for (index, part) in line.split('"').enumerate() {
            if index % 2 == 0 {
                out.push_str(part);
                out.push(' ');
            }
        }
        out.push('\n');
    }
    out
}

/// Identifiers right behind `prefix`, and those in braces behind it.
fn names_behind(text: &str, prefix: &str) -> Vec<String> {
    let mut names = Vec::new();
    for (at, _) in text.match_indices(prefix) {
        let before = text[..at].chars().next_back();
        if before.is_some_and(|c| c.is_alphanumeric() || c == '_' || c == ':') {
            continue;
        }
        let rest = &text[at + prefix.len()..];
        let word = |s: &str| {
            s.trim_start()
                .chars()
                .take_while(|c| c.is_alphanumeric() || *c == '_')
                .collect::<String>()
        };
        if let Some(list) = rest.strip_prefix('{') {
            let mut depth = 0;
            let mut start = true;
            for (i, c) in list.char_indices() {
                match c {
                    '{' => depth += 1,
                    '}' if depth == 0 => break,
                    '}' => depth -= 1,
                    ',' if depth == 0 => start = true,
                    c if start && c.is_alphabetic() => {
                        names.push(word(&list[i..]));
                        start = false;
                    }
                    _ => {}
                }
            }
        } else {
            names.push(word(rest));
        }
    }
    names
}

/// Breaches of one file in `layer`.
fn breaches(layer: &str, text: &str) -> Vec<String> {
    let text = code(text);
    let own = rank(layer).unwrap_or(LAYERS.len());
    let mut found = Vec::new();
    for name in names_behind(&text, "crate::") {
        let target = MACROS
            .iter()
            .find(|(m, _)| *m == name)
            .map_or(name.as_str(), |(_, l)| l);
        match rank(target) {
            Some(used) if used > own => found.push(format!("{layer} uses {target}, which is below it")),
            Some(_) if RUNTIME.contains(&layer) && AUTHORING.contains(&target) => {
                found.push(format!(
                    "{layer} uses {target}; what plays must not know what authors"
                ));
            }
            Some(_) => {}
            None => found.push(format!("{layer} uses crate::{name}, which is no layer")),
        }
    }
    for (krate, home) in FROM {
        if own < rank(home).unwrap() && !names_behind(&text, &format!("{krate}::")).is_empty() {
            found.push(format!(
                "{layer} names {krate}, which belongs to {home} and below"
            ));
        }
    }
    for (krate, home) in ONLY {
        if layer != home && !names_behind(&text, &format!("{krate}::")).is_empty() {
            found.push(format!("{layer} names {krate}, which belongs to {home} alone"));
        }
    }
    found
}

fn sources(folder: &Path, out: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            sources(&path, out);
        } else if path.extension().is_some_and(|e| e == "rs") {
            out.push(path);
        }
    }
}

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

#[test]
fn architecture_layers_point_one_way() {
    let mut files = Vec::new();
    sources(&root().join("src"), &mut files);
    let mut found = Vec::new();
    for path in &files {
        let inside = path.strip_prefix(root().join("src")).unwrap();
        let layer = inside
            .components()
            .next()
            .unwrap()
            .as_os_str()
            .to_string_lossy()
            .into_owned();
        if rank(&layer).is_some() {
            let text = fs::read_to_string(path).unwrap();
            found.extend(
                breaches(&layer, &text)
                    .into_iter()
                    .map(|b| format!("{}: {b}", inside.display())),
            );
        } else {
            assert!(
                matches!(layer.as_str(), "lib.rs" | "main.rs"),
                "{layer} is no layer"
            );
        }
    }
    assert!(files.len() > 60);
    assert!(found.is_empty(), "{}", found.join("\n"));
}

#[test]
fn architecture_planted_breaches_are_found_and_comments_are_not() {
    assert_eq!(breaches("base", "use crate::isa::Op;").len(), 1);
    assert_eq!(
        breaches("host", "use crate::{base::id, compiler::compile};").len(),
        1
    );
    assert_eq!(breaches("host", "let x: wgpu::Buffer;").len(), 1);
    assert_eq!(breaches("play", "fn f(ui: &mut egui::Ui) {}").len(), 1);
    assert_eq!(breaches("isa", "use crate::nowhere;").len(), 1);
    assert!(
        breaches(
            "isa",
            "// use crate::vm;\nlet s = \"crate::vm\"; use crate::base::id;"
        )
        .is_empty()
    );
    assert!(breaches("gpu", "let x: wgpu::Buffer; let y: naga::Module;").is_empty());
}

#[test]
fn architecture_files_stay_small() {
    let mut files = Vec::new();
    sources(&root().join("src"), &mut files);
    sources(&root().join("tests"), &mut files);
    let mut lengths: Vec<(usize, PathBuf)> = files
        .into_iter()
        .map(|p| (fs::read_to_string(&p).unwrap().lines().count(), p))
        .collect();
    lengths.sort();
    let (longest, path) = lengths.last().unwrap();
    assert!(*longest <= LONGEST_FILE, "{} has {longest} lines", path.display());
    assert!(
        lengths[lengths.len() / 2].0 <= 250,
        "median {}",
        lengths[lengths.len() / 2].0
    );
}

#[test]
fn architecture_every_step_of_a_walk_exists() {
    let text = fs::read_to_string(root().join("docs/architecture.md")).unwrap();
    let mut steps = 0;
    // A step is a list item that starts with `file` and names functions: `src/a/b.rs`: `f`, `g`.
    for line in text
        .lines()
        .filter(|l| l.trim_start().starts_with("1. `") || l.trim_start().starts_with("- `src/"))
    {
        let mut quoted = line.split('`').skip(1).step_by(2);
        let file = quoted.next().unwrap();
        let body = fs::read_to_string(root().join(file)).unwrap_or_else(|e| panic!("{file}: {e}"));
        let names: Vec<&str> = quoted.collect();
        assert!(!names.is_empty(), "{line}");
        for name in names {
            let stated = body.contains(&format!("fn {name}(")) || body.contains(&format!("fn {name}<"));
            assert!(stated, "{file} has no function {name}");
            steps += 1;
        }
    }
    assert!(steps >= 30, "{steps} steps");
}

#[test]
fn architecture_a_game_links_no_editor_no_commands_and_no_threads_of_a_toolkit() {
    let tree = std::process::Command::new(env!("CARGO"))
        .args([
            "tree",
            "--no-default-features",
            "--edges",
            "normal",
            "--prefix",
            "none",
            "--offline",
        ])
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .output()
        .unwrap();
    let text = String::from_utf8(tree.stdout).unwrap();
    assert!(
        text.starts_with("mote "),
        "{}",
        String::from_utf8_lossy(&tree.stderr)
    );
    let crates: Vec<&str> = text.lines().filter_map(|line| line.split(' ').next()).collect();
    assert!(crates.contains(&"wgpu"));
    let foreign = [
        "egui",
        "eframe",
        "rfd",
        "notify",
        "winit",
        "clap",
        "plist",
        "similar",
        "tracing-subscriber",
    ];
    for name in foreign {
        assert!(
            !crates
                .iter()
                .any(|found| *found == name || found.starts_with(&format!("{name}-"))),
            "{name} is in the runtime"
        );
    }
}
