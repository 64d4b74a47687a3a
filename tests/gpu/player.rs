//! The player over both drivers, and the headless commands.

use std::path::Path;
use std::process::{Command, Output};
use std::sync::Arc;

use mote::artifact::{Effect, Emission};
use mote::play::{Driver, Player, Shown, SwapReport};

use crate::pixels::kit;
use crate::support::{drift, effect, gpu};

fn player(shown: Shown) -> Player {
    Player::new(Some(kit()), shown)
}

fn steady(lifetime: f32) -> Arc<Effect> {
    effect(
        &drift(lifetime),
        Emission {
            rate: 200.0,
            capacity: 400,
            ..Emission::default()
        },
    )
}

#[test]
fn player_plays_both_drivers_to_one_state() {
    let mut player = player(Shown::Split);
    player.load(steady(0.5)).unwrap();
    for _ in 0..40 {
        player.step_once();
    }
    let (gpu, cpu) = (
        player.stats(Driver::Gpu).unwrap(),
        player.stats(Driver::Cpu).unwrap(),
    );
    assert_eq!(gpu.born, cpu.born);
    assert_eq!(gpu.alive + gpu.dead + gpu.stillborn, player.pool_capacity());
    assert_eq!(gpu, cpu);
}

#[test]
fn player_counts_of_the_gpu_are_its_last_steps_in_a_pause() {
    let mut player = player(Shown::Gpu);
    let mut smoke = Effect::clone(&steady(0.5));
    smoke.emitters[0].emission.prewarm = 2.0;
    player.load(Arc::new(smoke)).unwrap();
    player.transport.playing = false;
    let settle = |player: &mut Player| {
        let mut frames = 0;
        while player.counts_are_late() && frames < 100 {
            gpu().0.device.poll(wgpu::PollType::wait_indefinitely()).unwrap();
            player.advance(1.0 / 60.0);
            frames += 1;
        }
        player.alive()
    };
    player.warm_up();
    let warm = settle(&mut player).expect("counts of a pre-warm without a step");
    assert!((98..=102).contains(&warm), "{warm}");
    for steps in [1, 2, 3, 7] {
        (0..steps).for_each(|_| player.step_once());
        let shown = settle(&mut player);
        assert_eq!(
            shown,
            Some(player.stats(Driver::Gpu).unwrap().alive),
            "after {steps} more"
        );
    }
}

#[test]
fn player_restarts_to_the_same_digest_and_other_seeds_differ() {
    let mut player = player(Shown::Cpu);
    player.load(steady(0.5)).unwrap();
    let run = |player: &mut Player| {
        (0..40).for_each(|_| player.step_once());
        player.stats(Driver::Cpu).unwrap().digest
    };
    let first = run(&mut player);
    player.restart().unwrap();
    assert_eq!(run(&mut player), first);
    player.set_seed(99).unwrap();
    assert_ne!(run(&mut player), first);
}

#[test]
fn player_keeps_particles_over_a_value_and_reruns_a_changed_layout() {
    let mut player = player(Shown::Split);
    player.load(steady(0.5)).unwrap();
    (0..40).for_each(|_| player.step_once());
    let before = player.alive().unwrap();
    assert_eq!(player.swap(steady(0.6)).unwrap(), SwapReport::Kept);
    assert_eq!(player.alive().unwrap(), before);
    let mut wider = Effect::clone(&steady(0.5));
    let mut layout = wider.emitters[0].layout.clone();
    layout.push("more", mote::layout::FieldType::Vec3).unwrap();
    wider.emitters[0].layout = layout;
    let report = player.swap(Arc::new(wider)).unwrap();
    assert_ne!(report, SwapReport::Kept);
    if report == SwapReport::Resimulated {
        assert!((player.time() - 40.0 / 60.0).abs() < 1e-9);
    }
    assert_eq!(
        player.stats(Driver::Gpu).unwrap(),
        player.stats(Driver::Cpu).unwrap()
    );
}

#[test]
fn player_live_time_is_cut_and_paused_time_stands() {
    let mut player = player(Shown::Cpu);
    player.load(steady(2.0)).unwrap();
    player.transport.mode = mote::play::StepMode::Live;
    // Case B07: thirty seconds at once are a tenth of a second.
    player.advance(30.0);
    assert!((player.time() - 0.1).abs() < 1e-9);
    player.transport.playing = false;
    assert_eq!(player.advance(1.0), 0);
    player.transport.playing = true;
    player.transport.speed = 0.5;
    player.transport.mode = mote::play::StepMode::Fixed(1.0 / 60.0);
    let before = player.time();
    for _ in 0..60 {
        player.advance(1.0 / 60.0);
    }
    assert!(
        (player.time() - before - 0.5).abs() < 0.02,
        "{}",
        player.time() - before
    );
}

#[test]
fn player_counts_arrive_some_pictures_late_where_only_the_gpu_plays() {
    let mut player = player(Shown::Gpu);
    player.load(steady(0.5)).unwrap();
    assert_eq!(
        (player.alive(), player.emitter_counts()),
        (None, None),
        "nothing is known before the first count"
    );
    for _ in 0..200 {
        player.step_once();
        // Waiting here stands for the pictures in between.
        gpu().0.device.poll(wgpu::PollType::wait_indefinitely()).unwrap();
    }
    let counts = player.emitter_counts().unwrap();
    assert!(
        (95..=105).contains(&counts[0].0) && counts[0].1 > 500,
        "{counts:?}"
    );
    assert_eq!(player.alive(), Some(counts[0].0));
}

pub(crate) fn mote(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_mote"))
        .args(arguments)
        .output()
        .unwrap()
}

pub(crate) fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

pub(crate) fn ok(arguments: &[&str]) -> String {
    let output = mote(arguments);
    assert!(
        output.status.success(),
        "{arguments:?}: {}{}",
        text(&output.stdout),
        text(&output.stderr)
    );
    text(&output.stdout)
}

pub(crate) fn path(folder: &Path, name: &str) -> String {
    folder.join(name).to_string_lossy().into_owned()
}

#[test]
fn commands_take_a_preset_from_new_to_picture() {
    let folder = tempfile::tempdir().unwrap();
    let (document, binary, json, png) = (
        path(folder.path(), "f.mote"),
        path(folder.path(), "f.motefx"),
        path(folder.path(), "f.motefx.json"),
        path(folder.path(), "f.png"),
    );
    ok(&["new", "fire", "-o", &document]);
    assert!(ok(&["check", &document]).contains("ok"));
    ok(&["compile", &document, "-o", &binary]);
    ok(&["compile", &document, "-o", &json]);
    ok(&["render", &binary, "--time", "1", "--size", "64x64", "-o", &png]);
    let picture = image::open(&png).unwrap().to_rgb8();
    let warm = picture.pixels().filter(|p| p[0] > 150 && p[0] > p[2]).count();
    assert!(warm > 20, "{warm} warm pixels in a flame");
    let digest = |file: &str| {
        let report: serde_json::Value =
            serde_json::from_str(&ok(&["stats", file, "--frames", "90", "--format", "json"])).unwrap();
        for key in [
            "alive",
            "dead",
            "born",
            "dropped",
            "non_finite",
            "digest",
            "dispatches",
            "emitters",
        ] {
            assert!(!report[key].is_null(), "{key}");
        }
        assert_eq!(
            (
                report["dispatches"]["emit"].as_u64(),
                report["dispatches"]["simulate"].as_u64()
            ),
            (Some(1), Some(1))
        );
        report["digest"].as_str().unwrap().to_owned()
    };
    let first = digest(&document);
    assert_eq!(digest(&binary), first);
    assert_eq!(digest(&json), first);
    assert!(ok(&["compare", &document, "--frames", "60"]).contains("identical") || !gpu().0.is_software());
    assert!(ok(&["disasm", &binary]).contains("update:"));
}

#[test]
fn commands_given_rubbish_say_so_and_exit_with_one() {
    let folder = tempfile::tempdir().unwrap();
    let document = path(folder.path(), "f.mote");
    ok(&["new", "smoke", "-o", &document]);
    let whole = std::fs::read(&document).unwrap();
    let binary = path(folder.path(), "f.motefx");
    ok(&["compile", &document, "-o", &binary]);
    let shipped = std::fs::read(&binary).unwrap();
    let mut samples: Vec<Vec<u8>> = vec![
        Vec::new(),
        b"hello".to_vec(),
        vec![0xff; 300],
        b"{}".to_vec(),
        b"[]".to_vec(),
    ];
    samples.extend([1, whole.len() / 3, whole.len() - 3].map(|n| whole[..n].to_vec()));
    samples.extend([5, 9, shipped.len() / 2, shipped.len() - 1].map(|n| shipped[..n].to_vec()));
    let bad = path(folder.path(), "bad");
    let out = path(folder.path(), "out.motefx");
    let png = path(folder.path(), "out.png");
    for (index, bytes) in samples.iter().enumerate() {
        std::fs::write(&bad, bytes).unwrap();
        let commands: [&[&str]; 6] = [
            &["check", &bad],
            &["compile", &bad, "-o", &out],
            &["disasm", &bad],
            &["render", &bad, "-o", &png],
            &["stats", &bad],
            &["compare", &bad],
        ];
        for command in commands {
            let output = mote(command);
            assert_eq!(
                output.status.code(),
                Some(1),
                "sample {index}, {command:?}: {}",
                text(&output.stderr)
            );
            let said = text(&output.stdout) + &text(&output.stderr);
            assert!(
                said.len() > 20 && !said.contains("panicked"),
                "sample {index}, {command:?}: {said}"
            );
        }
    }
    assert!(!Path::new(&out).exists() && !Path::new(&png).exists());
}

#[test]
fn commands_wrong_usage_and_missing_files_have_their_own_codes() {
    assert_eq!(mote(&["stats"]).status.code(), Some(2));
    assert_eq!(
        mote(&["render", "x", "-o", "y.png", "--size", "0x4"])
            .status
            .code(),
        Some(2)
    );
    assert_eq!(mote(&["nonsense", "x"]).status.code(), Some(2));
    let output = mote(&["check", "/no/such/file.mote"]);
    assert_eq!(output.status.code(), Some(1));
    assert!(text(&output.stdout).contains("/no/such/file.mote"));
    let output = mote(&["new", "nothing", "-o", "/tmp/never.mote"]);
    assert_eq!(output.status.code(), Some(1));
    assert!(text(&output.stderr).contains("fire"), "the presets are named");
    let folder = tempfile::tempdir().unwrap();
    let output = mote(&["new", "fire", "-o", &path(folder.path(), "no/such/folder/f.mote")]);
    assert_eq!(output.status.code(), Some(1));
    assert!(text(&output.stderr).contains("folder"));
}

#[test]
fn commands_without_an_adapter_say_what_to_install() {
    let folder = tempfile::tempdir().unwrap();
    let document = path(folder.path(), "f.mote");
    ok(&["new", "fire", "-o", &document]);
    let output = Command::new(env!("CARGO_BIN_EXE_mote"))
        .args(["stats", &document])
        .env("VK_DRIVER_FILES", "/no/such/driver.json")
        .env("VK_ICD_FILENAMES", "/no/such/driver.json")
        .env("WGPU_BACKEND", "vulkan")
        .output()
        .unwrap();
    assert_eq!(output.status.code(), Some(1), "{}", text(&output.stdout));
    assert!(
        text(&output.stderr).contains("mesa-vulkan-drivers"),
        "{}",
        text(&output.stderr)
    );
    ok(&["stats", &document, "--driver", "cpu"]);
}

#[test]
fn case_b01_playback_speed_changes_how_fast_time_goes_and_nothing_else() {
    let folder = tempfile::tempdir().unwrap();
    let document = path(folder.path(), "f.mote");
    ok(&["new", "smoke", "-o", &document]);
    // The same effect time at other speeds and steps: the same births.
    let born = |speed: &str, frames: &str| {
        let arguments = [
            "stats", &document, "--driver", "cpu", "--speed", speed, "--frames", frames, "--format", "json",
        ];
        let report: serde_json::Value = serde_json::from_str(&ok(&arguments)).unwrap();
        (report["born"].as_u64().unwrap(), report["time"].as_f64().unwrap())
    };
    let (whole, time) = born("1", "120");
    for (speed, frames) in [("0.25", "480"), ("0.5", "240"), ("2", "60")] {
        let (other, at) = born(speed, frames);
        assert_eq!(other, whole, "speed {speed}");
        assert!((at - time).abs() < 1e-6);
    }
}

#[test]
fn commands_play_a_hundred_emitters_in_one_dispatch() {
    let folder = tempfile::tempdir().unwrap();
    let mut emitters = Vec::new();
    let mut whole = serde_json::Value::Null;
    for index in 0..100 {
        let of = mote::document::presets::presets()
            .filter(|p| p.name != "bonfire")
            .nth(index % 8)
            .unwrap();
        let document: serde_json::Value = serde_json::from_str(of.text).unwrap();
        let mut emitter = document["emitters"][0].clone();
        emitter["id"] = format!("e{index}").into();
        emitters.push(emitter);
        whole = document;
    }
    whole["emitters"] = emitters.into();
    let document = path(folder.path(), "hundred.mote");
    std::fs::write(&document, serde_json::to_string(&whole).unwrap()).unwrap();
    let arguments = ["stats", &document, "--frames", "3", "--format", "json"];
    let report: serde_json::Value = serde_json::from_str(&ok(&arguments)).unwrap();
    assert_eq!(report["emitters"].as_array().unwrap().len(), 100);
    assert!(report["alive"].as_u64().unwrap() > 3000, "{}", report["alive"]);
    assert_eq!(
        (
            report["dispatches"]["emit"].as_u64(),
            report["dispatches"]["simulate"].as_u64()
        ),
        (Some(1), Some(1))
    );
}

#[test]
fn commands_never_write_over_what_they_read() {
    let folder = tempfile::tempdir().unwrap();
    let document = path(folder.path(), "f.mote");
    ok(&["new", "fire", "-o", &document]);
    let before = std::fs::read(&document).unwrap();
    let effect = path(folder.path(), "f.motefx");
    let refused: [&[&str]; 7] = [
        &["render", &document, "-o", &document],
        &["render", &document, "-o", &path(folder.path(), "f.jpg")],
        &[
            "stats", &document, "--driver", "cpu", "--frames", "1", "--dump", &document,
        ],
        &["compile", &document, "-o", &effect, "--depfile", &document],
        &["compile", &document, "-o", &effect, "--depfile", &effect],
        &[
            "compile",
            &document,
            "-o",
            &effect,
            "--depfile",
            &path(folder.path(), "no/such/f.d"),
        ],
        &["new", "fire", "-o", &path(folder.path(), "f.txt")],
    ];
    for command in refused {
        let output = mote(command);
        assert_eq!(output.status.code(), Some(1), "{command:?}");
        assert!(text(&output.stderr).starts_with("error: "), "{command:?}");
        assert_eq!(std::fs::read(&document).unwrap(), before, "{command:?}");
        assert!(!Path::new(&effect).exists(), "{command:?}");
    }
    assert!(ok(&["new", "list"]).contains("bonfire"));
    assert!(
        ok(&[
            "compile",
            &document,
            "-o",
            &effect,
            "--depfile",
            &path(folder.path(), "f.d")
        ])
        .contains("bytes")
    );
}

#[cfg(unix)]
#[test]
fn commands_write_to_devices_and_keep_modes() {
    use std::os::unix::fs::{FileTypeExt as _, PermissionsExt as _};
    let folder = tempfile::tempdir().unwrap();
    let document = path(folder.path(), "f.mote");
    ok(&["new", "fire", "-o", &document]);
    ok(&[
        "render",
        &document,
        "--size",
        "8x8",
        "--time",
        "0",
        "-o",
        "/dev/null",
    ]);
    assert!(
        std::fs::metadata("/dev/null")
            .unwrap()
            .file_type()
            .is_char_device(),
        "a device stays one"
    );
    std::fs::set_permissions(&document, std::fs::Permissions::from_mode(0o640)).unwrap();
    ok(&["new", "smoke", "-o", &document, "--force"]);
    assert_eq!(
        std::fs::metadata(&document).unwrap().permissions().mode() & 0o777,
        0o640
    );
    let output = Command::new(env!("CARGO_BIN_EXE_mote"))
        .args(["disasm", &document])
        .stdout(std::fs::OpenOptions::new().write(true).open("/dev/full").unwrap())
        .output()
        .unwrap();
    assert_eq!(output.status.code(), Some(1), "a full disk is a failure");
}

#[test]
fn commands_compare_at_moments_with_particles() {
    let folder = tempfile::tempdir().unwrap();
    let document = path(folder.path(), "f.mote");
    ok(&["new", "explosion", "-o", &document]);
    // After four seconds its bursts have burnt out; the comparison has seen them before.
    let report: serde_json::Value = serde_json::from_str(&ok(&[
        "compare", &document, "--frames", "240", "--format", "json",
    ]))
    .unwrap();
    assert!(report[0]["matched"].as_u64().unwrap() > 50, "{report}");
    for wrong in ["nan", "-1"] {
        let output = mote(&["compare", &document, &format!("--tolerance={wrong}")]);
        assert_eq!(output.status.code(), Some(2), "{wrong}");
    }
}

#[test]
fn commands_set_parameters_emitter_fields_and_global_values() {
    let folder = tempfile::tempdir().unwrap();
    let document = path(folder.path(), "f.mote");
    let read = |id: &str, kind: &str, setting: &str| {
        format!(r#"{{"id": "{id}", "kind": "{kind}", "settings": {{{setting}}}}}"#)
    };
    let set = |id: &str| read(&format!("set-{id}"), "set_field", &format!(r#""field": "{id}""#));
    let text = format!(
        r#"{{"mote": "document", "version": 1,
            "parameters": [{{"id": "p", "name": "heat", "type": "float", "default": 1}}],
            "emitters": [{{"id": "e", "name": "E", "emission": {{"rate": 60, "capacity": 100}},
              "fields": [{{"name": "position", "type": "vec3"}}, {{"name": "a", "type": "float"}},
                         {{"name": "b", "type": "vec2"}}, {{"name": "c", "type": "vec3"}}],
              "emitter_fields": [{{"name": "gust", "type": "vec2", "default": [1, 2]}}],
              "every_frame": {{"blocks": [{}, {}, {}], "values": [{}, {}, {}],
                "wires": ["heat.out -> set-a.value", "gust.out -> set-b.value", "sun.out -> set-c.value"]}}}}]}}"#,
        set("a"),
        set("b"),
        set("c"),
        read("heat", "parameter", r#""parameter": "p""#),
        read("gust", "emitter_field", r#""field": "gust""#),
        read("sun", "global", r#""name": "sun", "type": "vec3""#),
    );
    std::fs::write(&document, text).unwrap();
    assert!(ok(&["check", &document]).contains("ok") || ok(&["check", &document]).contains("warning"));
    let csv = path(folder.path(), "f.csv");
    let settings = [
        "--set",
        "heat=5",
        "--set",
        "gust=-3,4@0.2",
        "--set",
        "sun=7,8,9",
        "--wind",
        "-1,0,0",
    ];
    let mut arguments = vec!["stats", &document, "--frames", "30", "--dump", &csv];
    arguments.extend(settings);
    ok(&arguments);
    let dump = std::fs::read_to_string(&csv).unwrap();
    for row in ["e,5,1,a,5.0,,,", "e,5,1,b,-3.0,4.0,,", "e,5,1,c,7.0,8.0,9.0,"] {
        assert!(dump.contains(row), "{row} in\n{dump}");
    }
    for (wrong, says) in [
        ("heat=1,2", "takes 1 number"),
        ("nobody=1", "It reads gust, heat, sun"),
    ] {
        let out = mote(&["stats", &document, "--frames", "2", "--set", wrong]);
        assert_eq!(out.status.code(), Some(1));
        assert!(text_of(&out).contains(says), "{}", text_of(&out));
    }
}

fn text_of(out: &Output) -> String {
    text(&out.stderr)
}

#[test]
fn player_shows_a_prewarmed_effect_warm_at_time_zero_whoever_moves_it() {
    let emission = mote::artifact::Emission {
        rate: 100.0,
        capacity: 500,
        prewarm: 2.0,
        ..Default::default()
    };
    let effect = crate::support::effect(&crate::support::drift(1.0), emission);
    let mut digests = Vec::new();
    for shown in [Shown::Cpu, Shown::Gpu] {
        let mut player = Player::new(Some(kit()), shown);
        player.load(Arc::clone(&effect)).unwrap();
        player.warm_up();
        assert_eq!(player.time(), 0.0);
        let driver = if shown == Shown::Cpu {
            Driver::Cpu
        } else {
            Driver::Gpu
        };
        let stats = player.stats(driver).unwrap();
        assert_eq!(stats.alive, 100);
        digests.push(stats.digest);
        player.step(1.0 / 60.0);
        assert!((99..=102).contains(&player.stats(driver).unwrap().alive));
        player.restart().unwrap();
        player.warm_up();
        assert_eq!(
            player.stats(driver).unwrap().digest,
            digests[0],
            "it starts warm again"
        );
        player.set_prewarm(Some(0.0));
        player.restart().unwrap();
        player.warm_up();
        assert_eq!(player.stats(driver).unwrap().alive, 0);
    }
    if crate::support::gpu().0.is_software() {
        assert_eq!(digests[0], digests[1]);
    }
}

#[test]
fn commands_say_how_long_passes_took() {
    let folder = tempfile::tempdir().unwrap();
    let document = path(folder.path(), "fire.mote");
    ok(&["new", "fire", "-o", &document]);
    let arguments = ["stats", &document, "--frames", "10", "--format", "json"];
    let report = |more: &[&str]| -> serde_json::Value {
        serde_json::from_str(&ok(&[&arguments[..], more].concat())).unwrap()
    };
    assert!(report(&[])["times"].is_null());
    let times = report(&["--times"])["times"].clone();
    for pass in ["simulate", "emit", "tick", "bucket_scatter"] {
        assert!(times[pass].as_f64().unwrap() > 0.0, "{pass}: {times}");
    }
    assert!(times["warm_tick"].is_null(), "it did not run");
    let refused = mote(&[&arguments[..], &["--driver", "cpu", "--times"]].concat());
    assert!(!refused.status.success() && text_of(&refused).contains("--driver gpu"));
}

#[test]
fn commands_import_another_tools_file_and_replace_nothing_unasked() {
    let folder = tempfile::tempdir().unwrap();
    let (file, document) = (path(folder.path(), "a.plist"), path(folder.path(), "a.mote"));
    std::fs::write(&file, include_str!("../fixtures/plist/fire.plist")).unwrap();
    let said = ok(&["import", &file, "-o", &document]);
    assert!(
        said.contains("sourcePositionx") && said.contains("notes"),
        "{said}"
    );
    assert!(ok(&["check", &document]).contains("ok"));
    let code = |arguments: &[&str]| mote(arguments).status.code();
    let first = std::fs::read(&document).unwrap();
    assert_eq!(code(&["import", &file, "-o", &document]), Some(1), "it is there");
    assert_eq!(
        code(&["import", &file, "-o", &file, "--force"]),
        Some(1),
        "its own input"
    );
    assert_eq!(code(&["import", &file]), Some(2), "no output");
    let nothing = [
        "import",
        &file,
        "-o",
        &document,
        "--force",
        "--pixels-per-metre",
        "0",
    ];
    assert_eq!(code(&nothing), Some(2), "no scale");
    assert!(said.contains("flame.png is not beside the document"), "{said}");
    assert_eq!(std::fs::read(&document).unwrap(), first);
    let scale = ["--pixels-per-metre", "50", "--force", "--format", "json"];
    let said = ok(&[&["import", &file, "-o", &document], &scale[..]].concat());
    let report: serde_json::Value = serde_json::from_str(&said).unwrap();
    assert_eq!(report["output"], document.as_str());
    assert!(report["diagnostics"].as_array().unwrap().len() > 1);
    assert_ne!(std::fs::read(&document).unwrap(), first);

    std::fs::write(&file, "<plist><dict>").unwrap();
    let other = path(folder.path(), "b.mote");
    let output = mote(&["import", &file, "-o", &other, "--format", "json"]);
    assert_eq!(output.status.code(), Some(1));
    let report: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(report["diagnostics"][0]["severity"], "error");
    assert!(report["output"].is_null() && !Path::new(&other).exists());
}
