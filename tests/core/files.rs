//! The commands that read and write files: exit codes, messages, and what is left on disk.

use std::path::Path;
use std::process::{Command, Output};

use mote::artifact::{Effect, binary, load_noted};
use mote::base::hash::content_hash;
use mote::compiler::compile;
use mote::document::file;
use mote::document::presets::preset;

use crate::old::golden;

fn mote(folder: &Path, arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_mote"))
        .args(arguments)
        .current_dir(folder)
        .output()
        .unwrap()
}

/// Exit code and all that was printed.
fn said(output: &Output) -> (i32, String) {
    let text = [&output.stdout[..], &output.stderr].concat();
    (output.status.code().unwrap(), String::from_utf8(text).unwrap())
}

fn json(output: &Output) -> serde_json::Value {
    serde_json::from_slice(&output.stdout).unwrap()
}

fn copy(folder: &Path, name: &str) -> Vec<u8> {
    std::fs::copy(golden(name), folder.join(name)).unwrap();
    std::fs::read(folder.join(name)).unwrap()
}

#[test]
fn files_upgrade_writes_an_older_file_anew_and_says_what_is_lost() {
    let folder = tempfile::tempdir().unwrap();
    let here = folder.path();
    for (name, from, notes) in [
        ("v1.motefx", 1, 1),
        ("v1.motefx.json", 1, 1),
        ("v2.motefx", 2, 0),
        ("v2.motefx.json", 2, 0),
        ("v3.motefx", 3, 0),
    ] {
        let bytes = copy(here, name);
        for to in ["new.motefx", "new.motefx.json"] {
            let output = mote(here, &["upgrade", name, "-o", to, "--format", "json"]);
            assert_eq!(output.status.code(), Some(0), "{:?}", said(&output));
            let report = json(&output);
            assert_eq!(
                (&report["from"], &report["to"], &report["ok"]),
                (&from.into(), &3.into(), &true.into())
            );
            assert_eq!(report["diagnostics"].as_array().unwrap().len(), notes);
            let written = load_noted(&std::fs::read(here.join(to)).unwrap()).unwrap();
            assert_eq!(written.version, 3);
            assert_eq!(
                written.effect,
                Effect::load(&bytes).unwrap(),
                "packed textures too"
            );
        }
        let (code, text) = said(&mote(here, &["upgrade", name, "-o", "new.motefx"]));
        assert_eq!(code, 0);
        assert!(text.contains(&format!("version {from} to version 3")), "{text}");
        assert_eq!(text.matches("rotation").count() > 0, notes == 1, "{text}");
    }
    copy(here, "document-v1.mote");
    let (code, text) = said(&mote(here, &["upgrade", "document-v1.mote", "-o", "new.mote"]));
    assert_eq!(
        (code, text.contains("version 1 to version 1")),
        (0, true),
        "{text}"
    );
    let loaded = file::load(&std::fs::read(here.join("new.mote")).unwrap()).unwrap();
    assert_eq!(
        file::save(&loaded.document).into_bytes(),
        std::fs::read(here.join("new.mote")).unwrap()
    );
}

#[test]
fn files_upgrade_refuses_and_leaves_all_as_it_was() {
    let folder = tempfile::tempdir().unwrap();
    let here = folder.path();
    let old = copy(here, "v1.motefx");
    copy(here, "document-v1.mote");
    let mut newer = old.clone();
    newer[8] = 9;
    std::fs::write(here.join("newer.motefx"), &newer).unwrap();
    for (arguments, code, says) in [
        (
            &["upgrade", "v1.motefx", "-o", "v1.motefx"][..],
            1,
            "would be written over",
        ),
        (
            &["upgrade", "v1.motefx", "-o", "./v1.motefx"],
            1,
            "would be written over",
        ),
        (
            &["upgrade", "v1.motefx", "-o", "new.mote"],
            1,
            "must end in .motefx",
        ),
        (
            &["upgrade", "document-v1.mote", "-o", "new.motefx"],
            1,
            "must end in .mote",
        ),
        (&["upgrade", "newer.motefx", "-o", "new.motefx"], 1, "version 9"),
        (&["upgrade", "gone.motefx", "-o", "new.motefx"], 1, "no such file"),
        (&["upgrade", "v1.motefx"], 2, "--output"),
    ] {
        let (found, text) = said(&mote(here, arguments));
        assert_eq!(found, code, "{arguments:?}: {text}");
        assert!(text.contains(says), "{arguments:?}: {text}");
    }
    let (_, text) = said(&mote(here, &["upgrade", "newer.motefx", "-o", "new.motefx"]));
    assert!(text.contains("version 3"), "both versions: {text}");
    assert_eq!(std::fs::read(here.join("newer.motefx")).unwrap(), newer);
    assert_eq!(std::fs::read(here.join("v1.motefx")).unwrap(), old);
    assert_eq!(std::fs::read_dir(here).unwrap().count(), 3, "nothing was written");
}

#[test]
fn files_check_says_that_a_file_is_older() {
    for (name, older) in [
        ("v1.motefx", true),
        ("v2.motefx.json", true),
        ("v3.motefx", false),
        ("document-v1.mote", false),
    ] {
        let path = golden(name);
        let output = mote(
            Path::new("."),
            &["check", path.to_str().unwrap(), "--format", "json"],
        );
        assert_eq!(output.status.code(), Some(0));
        let report = json(&output);
        let found = report[0]["diagnostics"].as_array().unwrap();
        assert_eq!(
            found
                .iter()
                .any(|d| d["code"] == "older-version" && d["severity"] == "note"),
            older,
            "{name}"
        );
    }
}

/// Fire with a texture.
fn textured(folder: &Path) {
    let text = file::save(&preset("fire").unwrap());
    let mut root: serde_json::Value = serde_json::from_str(&text).unwrap();
    root["emitters"][0]["texture"] = "images/spark.png".into();
    std::fs::write(folder.join("fire.mote"), root.to_string()).unwrap();
}

#[test]
fn files_compile_hashes_packs_and_strips() {
    let folder = tempfile::tempdir().unwrap();
    let here = folder.path();
    textured(here);
    let compile_to = |extra: &[&str], to: &str| {
        let arguments = [&["compile", "fire.mote", "-o", to][..], extra].concat();
        said(&mote(here, &arguments))
    };
    // Missing: an error that names it and no file, or a warning and a file.
    let (code, text) = compile_to(&[], "a.motefx");
    assert_eq!(code, 1);
    assert!(
        text.contains("error[missing-texture]") && text.contains("images/spark.png"),
        "{text}"
    );
    assert!(!here.join("a.motefx").exists());
    let (code, text) = compile_to(&["--allow-missing", "--pack"], "a.motefx");
    assert_eq!(
        (code, text.contains("warning[missing-texture]")),
        (0, true),
        "{text}"
    );
    let load = |name: &str| Effect::load(&std::fs::read(here.join(name)).unwrap()).unwrap();
    assert_eq!(
        (load("a.motefx").textures[0].hash, load("a.motefx").packed.len()),
        (0, 0)
    );

    std::fs::create_dir(here.join("images")).unwrap();
    std::fs::write(here.join("images/spark.png"), b"an image").unwrap();
    let hash = content_hash(b"an image");
    assert_eq!(compile_to(&[], "b.motefx").0, 0);
    assert_eq!(
        (load("b.motefx").textures[0].hash, load("b.motefx").packed(hash)),
        (hash, None)
    );
    for name in ["c.motefx", "c.motefx.json"] {
        assert_eq!(compile_to(&["--pack", "--strip"], name).0, 0);
        let effect = load(name);
        assert_eq!(effect.packed(effect.textures[0].hash), Some(&b"an image"[..]));
        assert!(effect.name.is_empty());
    }
    // A stripped file is compiled from the document; from a file that is compiled nothing is packed.
    let (code, text) = said(&mote(here, &["compile", "c.motefx", "-o", "d.motefx", "--pack"]));
    assert!(code == 1 && text.contains("needs a document"), "{text}");
    assert_eq!(said(&mote(here, &["compile", "c.motefx", "-o", "d.motefx"])).0, 0);
    assert_eq!(
        std::fs::read(here.join("d.motefx")).unwrap(),
        std::fs::read(here.join("c.motefx")).unwrap()
    );
    // Without textures it is what the library makes.
    std::fs::write(here.join("rain.mote"), file::save(&preset("rain").unwrap())).unwrap();
    assert_eq!(
        said(&mote(
            here,
            &["compile", "rain.mote", "-o", "rain.motefx", "--pack"]
        ))
        .0,
        0
    );
    let made = binary::write(&compile(&preset("rain").unwrap()).effect.unwrap());
    assert_eq!(std::fs::read(here.join("rain.motefx")).unwrap(), made);
}
