//! Commands that look into files: assembler text and back, what changed, pages for shells and readers.

use std::process::{Command, Stdio};

use crate::player::{mote, ok, path, text};
use crate::support::Rolls;

#[test]
fn commands_disassemble_and_assemble_to_the_same_bytes() {
    let folder = tempfile::tempdir().unwrap();
    for name in ["bonfire", "rain"] {
        let document = format!("effects/{name}.mote");
        let (listing, whole, again) = (
            path(folder.path(), &format!("{name}.asm")),
            path(folder.path(), &format!("{name}.motefx")),
            path(folder.path(), &format!("{name}-again.motefx")),
        );
        std::fs::write(&listing, ok(&["disasm", &document])).unwrap();
        ok(&["compile", &document, "-o", &whole]);
        ok(&["asm", &listing, "--of", &document, "-o", &again]);
        assert_eq!(std::fs::read(&whole).unwrap(), std::fs::read(&again).unwrap());
        // By itself it is an effect of the same programs.
        let bare = path(folder.path(), "bare.motefx.json");
        let said = ok(&["asm", &listing, "-o", &bare]);
        assert!(said.contains("position w4"), "{said}");
        assert_eq!(
            ok(&["disasm", &bare])
                .lines()
                .filter(|l| l.starts_with(".const"))
                .count(),
            ok(&["disasm", &whole])
                .lines()
                .filter(|l| l.starts_with(".const"))
                .count()
        );
    }
}

#[test]
fn commands_say_which_line_of_a_listing_is_wrong() {
    let folder = tempfile::tempdir().unwrap();
    let (listing, out) = (path(folder.path(), "x.asm"), path(folder.path(), "x.motefx"));
    for (content, wanted) in [
        (".program 0\n.registers 4\nupdate:\n    frob.1 r0, r1\n", "line 4"),
        (
            ".program 1\nupdate:\n",
            "line 1: programs stand in their order; this is .program 0",
        ),
        (
            "update:\n.program 0\n",
            "line 1: a line before the first .program",
        ),
        (
            ".registers 1\nupdate:\n    add.1 r0, r0, 1.0\n",
            "before anything wrote it",
        ),
    ] {
        std::fs::write(&listing, content).unwrap();
        let output = mote(&["asm", &listing, "-o", &out]);
        assert_eq!(output.status.code(), Some(1));
        let said = text(&output.stderr);
        assert!(said.contains(wanted), "{said:?} for {wanted:?}");
    }
    std::fs::write(&listing, ".program 0\nupdate:\n").unwrap();
    let output = mote(&["asm", &listing, "--of", "effects/bonfire.mote", "-o", &out]);
    assert!(text(&output.stderr).contains("has 1 programs, effects/bonfire.mote has 4"));
    let over = mote(&["asm", &listing, "-o", &listing]);
    assert_eq!(over.status.code(), Some(1));
    assert_eq!(
        std::fs::read_to_string(&listing).unwrap(),
        ".program 0\nupdate:\n"
    );
}

#[test]
fn commands_tell_what_changed_between_two_files() {
    let folder = tempfile::tempdir().unwrap();
    let before = std::fs::read_to_string("effects/fire.mote").unwrap();
    let (a, b) = (path(folder.path(), "a.mote"), path(folder.path(), "b.mote"));
    std::fs::write(&a, &before).unwrap();
    assert_eq!(ok(&["diff", &a, &a]).trim(), "no difference");
    let after = before
        .replace("\"rate\": 150", "\"rate\": 20")
        .replace("\"name\": \"Fire\"", "\"name\": \"Hearth\"");
    assert_ne!(before, after);
    std::fs::write(&b, after).unwrap();
    let said = ok(&["diff", &a, &b]);
    assert!(said.contains("emitters[fire].emission.rate: 150 -> 20"), "{said}");
    assert!(said.contains("name: Fire -> Hearth"), "{said}");
    let json: serde_json::Value = serde_json::from_str(&ok(&["diff", &a, &b, "--format", "json"])).unwrap();
    assert_eq!(json["emitters"][0]["before"], json["emitters"][0]["after"]);
    let other = ok(&["diff", &a, "effects/smoke.mote", "--code"]);
    assert!(other.contains("- emitters[fire]: Fire") && other.contains("+ emitters[smoke]: Smoke"));
    assert!(other.contains("\n-; fire\n+; smoke\n"), "{other}");
    // A document against what was shipped of it: in their compiled form they are the same.
    let shipped = path(folder.path(), "a.motefx");
    ok(&["compile", &a, "-o", &shipped]);
    assert_eq!(ok(&["diff", &a, &shipped]).trim(), "no difference");
}

#[test]
fn commands_have_completions_and_pages_from_their_own_statement() {
    let folder = tempfile::tempdir().unwrap();
    for shell in ["bash", "zsh", "fish", "powershell", "elvish"] {
        let script = ok(&["completions", shell]);
        assert!(
            script.contains("compare") && script.contains("prewarm"),
            "{shell}"
        );
    }
    assert_eq!(mote(&["completions", "tcsh"]).status.code(), Some(2));
    assert!(ok(&["man"]).contains("Author GPU particle effects"));
    let pages = path(folder.path(), "man/pages");
    ok(&["man", "-o", &pages]);
    let render = std::fs::read_to_string(folder.path().join("man/pages/mote-render.1")).unwrap();
    assert!(render.contains("camera"));
}

#[test]
fn case_b34_a_save_that_is_killed_leaves_the_old_file_or_the_new_one() {
    let folder = tempfile::tempdir().unwrap();
    let file = path(folder.path(), "x.mote");
    let names = ["fire", "bonfire", "smoke"];
    let whole: Vec<String> = names
        .iter()
        .map(|name| {
            ok(&["new", name, "-o", &file, "--force"]);
            std::fs::read_to_string(&file).unwrap()
        })
        .collect();
    let seed = 34;
    let mut rolls = Rolls(seed);
    let (mut killed, mut old, mut now) = (0, 0, whole.len() - 1);
    for round in 0..200 {
        let next = rolls.below(names.len() as u32) as usize;
        let mut child = Command::new(env!("CARGO_BIN_EXE_mote"))
            .args(["new", names[next], "-o", &file, "--force"])
            .stdout(Stdio::null())
            .spawn()
            .unwrap();
        // Somewhere between its start and its end, by looking at it more or less often.
        for _ in 0..rolls.below(4_000) {
            if child.try_wait().unwrap().is_some() {
                break;
            }
        }
        child.kill().unwrap();
        killed += u32::from(!child.wait().unwrap().success());
        let found = std::fs::read_to_string(&file).unwrap();
        let found = whole.iter().position(|whole| *whole == found);
        let found = found.unwrap_or_else(|| panic!("seed {seed}, round {round}: a mix"));
        assert!(found == now || found == next, "seed {seed}, round {round}");
        old += u32::from(found == now && now != next);
        now = found;
    }
    assert!(killed > 20 && old > 5, "{killed} killed, {old} before they wrote");
}

#[test]
fn commands_render_folders_animations_and_sheets() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| path(folder.path(), name);
    let render = |out: &str, more: &[&str]| {
        let fixed = [
            "render",
            "effects/fire.mote",
            "-o",
            out,
            "--size",
            "32x24",
            "--driver",
            "cpu",
        ];
        ok(&[&fixed[..], more].concat())
    };
    let frames = at("frames");
    render(&frames, &["--frames", "3", "--fps", "10"]);
    let picture = |name: &str| image::open(folder.path().join(name)).unwrap().to_rgba8();
    let each: Vec<_> = (0..3)
        .map(|k| picture(&format!("frames/frame_000{k}.png")))
        .collect();
    assert!(each[0] != each[1] && each[1] != each[2]);
    assert_eq!(each[0].dimensions(), (32, 24));
    let sheet = at("sheet.png");
    render(&sheet, &["--sheet", "2x2", "--frames", "3", "--fps", "10"]);
    let whole = picture("sheet.png");
    assert_eq!(whole.dimensions(), (64, 48));
    for (k, one) in each.iter().enumerate() {
        let corner = [(0, 0), (32, 0), (0, 24)][k];
        let part = image::imageops::crop_imm(&whole, corner.0, corner.1, 32, 24).to_image();
        assert!(part == *one, "picture {k}");
    }
    let gif = at("loop.gif");
    render(&gif, &["--frames", "4", "--fps", "20"]);
    let bytes = std::fs::read(&gif).unwrap();
    assert!(bytes.starts_with(b"GIF89a") && bytes.ends_with(&[0x3b]));
    // A graphic control block a picture, of five hundredths of a second each.
    let delays = bytes
        .windows(6)
        .filter(|w| w[..3] == [0x21, 0xf9, 4] && w[4..] == [5, 0]);
    assert_eq!(delays.count(), 4);
    for (out, more, wanted) in [
        ("x.png", &["--frames", "2"][..], "do not go into one picture"),
        ("x.bmp", &[], "write a .png, a .gif, or a folder"),
        (
            "x.png",
            &["--sheet", "2x2", "--frames", "5"],
            "5 frames do not go into 4 places",
        ),
        (
            "x.png",
            &["--sheet", "256x256", "--size", "512x512"],
            "16384 a side are the most",
        ),
    ] {
        let out = at(out);
        let output = mote(&[&["render", "effects/fire.mote", "-o", &out], more].concat());
        assert_eq!(output.status.code(), Some(1));
        assert!(text(&output.stderr).contains(wanted), "{}", text(&output.stderr));
    }
    assert_eq!(
        mote(&["render", "effects/fire.mote", "-o", &gif, "--fps", "0"])
            .status
            .code(),
        Some(2)
    );
}

#[test]
fn commands_compile_many_documents_and_only_what_changed() {
    let folder = tempfile::tempdir().unwrap();
    let (source, out) = (folder.path().join("in"), path(folder.path(), "out"));
    std::fs::create_dir(&source).unwrap();
    let mut documents = Vec::new();
    for name in ["fire", "bonfire", "rain", "smoke"] {
        let document = path(&source, &format!("{name}.mote"));
        ok(&["new", name, "-o", &document]);
        documents.push(document);
    }
    let all: Vec<&str> = documents.iter().map(String::as_str).collect();
    let compile = |more: &[&str]| mote(&[&["compile"], &all[..], &["-o", &out], more].concat());
    let last =
        |output: &std::process::Output| text(&output.stdout).lines().last().unwrap_or_default().to_owned();
    let depfile = path(folder.path(), "all.d");
    let first = compile(&["--jobs", "3", "--depfile", &depfile]);
    assert!(
        last(&first).ends_with("4 written, 0 as they were, 0 failed"),
        "{first:?}"
    );
    assert_eq!(std::fs::read_to_string(&depfile).unwrap().lines().count(), 4);
    for name in ["fire", "bonfire"] {
        let alone = path(folder.path(), "alone.motefx");
        ok(&["compile", &path(&source, &format!("{name}.mote")), "-o", &alone]);
        let many = folder.path().join("out").join(format!("{name}.motefx"));
        assert_eq!(std::fs::read(many).unwrap(), std::fs::read(alone).unwrap());
    }
    assert!(last(&compile(&[])).ends_with("0 written, 4 as they were, 0 failed"));
    assert!(last(&compile(&["--strip"])).ends_with("4 written, 0 as they were, 0 failed"));
    assert!(last(&compile(&["--strip", "--force"])).ends_with("4 written, 0 as they were, 0 failed"));
    // A document that changed, an output that somebody else wrote, one that is broken.
    let changed = std::fs::read_to_string(&documents[0])
        .unwrap()
        .replace("150", "151");
    std::fs::write(&documents[0], changed).unwrap();
    std::fs::write(folder.path().join("out/rain.motefx"), "x").unwrap();
    std::fs::write(&documents[3], "{").unwrap();
    let mixed = compile(&["--strip", "--jobs", "1"]);
    assert_eq!(mixed.status.code(), Some(1));
    assert!(
        last(&mixed).ends_with("2 written, 1 as they were, 1 failed"),
        "{mixed:?}"
    );
    assert!(
        folder.path().join("out/smoke.motefx").exists(),
        "the last good one stays"
    );
    let twins = mote(&["compile", &documents[0], "effects/fire.mote", "-o", &out]);
    assert!(text(&twins.stderr).contains("would both be written to"));
    let file = mote(&["compile", &documents[0], &documents[1], "-o", "x.motefx"]);
    assert!(text(&file.stderr).contains("2 documents go into a folder"));
}
