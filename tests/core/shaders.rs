//! Every composed module, checked with naga alone.

use std::sync::Arc;

use mote::base::gpu_struct::GpuStruct as _;
use mote::compiler::compile;
use mote::document::presets::{preset as document, presets};
use mote::gpu::pass::STEP_PASSES;
use mote::gpu::shader::check::{check, storage_buffers, struct_layout, workgroup_bytes};
use mote::gpu::shader::compose::{compose, file_paths};
use mote::gpu::shader::generated::compose_pass;
use mote::gpu::{Backing, Code, Decode, PASSES, PassId, VARIANTS};
use mote::host::rows::FrameParams;
use mote::host::{Placement, Stage};
use mote::isa::ops::OPS;

#[test]
fn shaders_every_pass_is_valid_in_every_class() {
    for pass in &PASSES {
        for variant in VARIANTS {
            if variant.code == Code::Uniform && !pass.coherent {
                continue;
            }
            for decode in [Decode::Four, Decode::OneOrFour] {
                let composed = compose_pass(pass, variant.on(decode)).unwrap();
                check(&composed).unwrap_or_else(|error| panic!("{} {decode:?}: {error}", pass.name));
            }
            let composed = compose_pass(pass, variant).unwrap();
            // Registers in a buffer cost one binding more, which not every device has.
            let most = 8 + usize::from(pass.runs_programs && variant.backing == Backing::Wide);
            let module = check(&composed).unwrap_or_else(|error| panic!("{}: {error}", pass.name));
            assert!(
                storage_buffers(&module) <= most,
                "{} binds {}",
                pass.name,
                storage_buffers(&module)
            );
            assert!(workgroup_bytes(&module) <= 16_384, "{}", pass.name);
        }
    }
}

#[test]
fn shaders_of_trials_are_valid_in_every_class() {
    for variant in VARIANTS {
        for decode in [Decode::Four, Decode::OneOrFour] {
            let module = check(&mote::gpu::trial::text(variant.on(decode)).unwrap()).unwrap();
            assert!(storage_buffers(&module) <= 8, "{variant:?}");
        }
    }
}

#[test]
fn shaders_of_benchmarks_are_valid() {
    let copy = check(&mote::gpu::copying::text().unwrap()).unwrap_or_else(|error| panic!("{error}"));
    assert_eq!(storage_buffers(&copy), 1);
    for preset in presets() {
        let effect = Arc::new(compile(&document(preset.name).unwrap()).effect.unwrap());
        let mut stage = Stage::new(1_000);
        stage.place(effect, Placement::default()).unwrap();
        let text = mote::gpu::straight::text(stage.heap()).unwrap();
        let module = check(&text).unwrap_or_else(|error| panic!("{}: {error}", preset.name));
        assert!(storage_buffers(&module) <= 8, "{}", preset.name);
    }
}

#[test]
fn shaders_of_transforms_and_bindings_are_valid() {
    for source in [mote::gpu::kernel::TRANSFORMS, mote::gpu::kernel::FIELD_BIND] {
        let module = check(&source.compose().unwrap()).unwrap_or_else(|error| panic!("{error}"));
        assert_eq!(storage_buffers(&module), 3, "{}", source.path);
    }
}

#[test]
fn shaders_a_fault_is_reported_at_its_file_and_line() {
    let composed = compose("lib/rng.wgsl", &|path| {
        (path == "gen/prelude.wgsl").then(String::new)
    })
    .unwrap();
    let error = check(&composed).unwrap_err();
    assert_eq!((error.file.as_str(), error.line), ("lib/rng.wgsl", 4), "{error}");
}

#[test]
fn shaders_uniform_structs_have_the_offsets_of_rust() {
    let composed = compose_pass(PassId::Simulate.pass(), VARIANTS[0]).unwrap();
    let module = check(&composed).unwrap();
    let (members, size) = struct_layout(&module, FrameParams::NAME).unwrap();
    let stated: Vec<(String, u32)> = FrameParams::fields()
        .iter()
        .map(|f| (f.name.to_owned(), f.offset * 4))
        .collect();
    assert_eq!(members, stated);
    assert_eq!(size, FrameParams::words() * 4);
}

#[test]
fn shaders_the_switch_has_every_opcode() {
    let text = compose_pass(PassId::Simulate.pass(), VARIANTS[0]).unwrap().text;
    let single = mote::gpu::shader::single::single();
    for info in OPS {
        if matches!(info.shape, mote::isa::ops::Shape::Lanes(_)) {
            assert!(
                single.contains(&format!("case {}u:", info.code)),
                "{}",
                info.mnemonic
            );
        }
        let case = if info.wgsl.is_empty() {
            format!("case OP_{}:", info.mnemonic.to_ascii_uppercase())
        } else {
            format!("case {}u:", info.code)
        };
        assert!(
            text.contains(&case),
            "{} is not in the interpreter",
            info.mnemonic
        );
    }
}

#[test]
fn shaders_includes_are_once_and_missing_ones_are_named() {
    let files = file_paths();
    assert!(files.len() > 10, "{files:?}");
    let error = compose("nowhere.wgsl", &|_| Some(String::new()).filter(|_| false)).unwrap_err();
    assert!(error.to_string().contains("gen/prelude.wgsl"), "{error}");
    let text = compose("a", &|path| match path {
        "gen/prelude.wgsl" => Some(String::new()),
        "a" => Some("#include \"b\"\n#include \"b\"\nend".to_owned()),
        "b" => Some("once".to_owned()),
        _ => None,
    });
    assert_eq!(text.unwrap().text, "once\nend\n");
    let cycle = compose("a", &|path| (path != "x").then(|| "#include \"a\"".to_owned()));
    assert!(cycle.is_err());
}

#[test]
fn shaders_the_billboard_module_is_valid() {
    let module =
        check(&mote::draw::blended::compose_billboard().unwrap()).unwrap_or_else(|error| panic!("{error}"));
    assert!(storage_buffers(&module) <= 8);
}

#[test]
fn shaders_the_previews_modules_are_valid() {
    for composed in [
        mote::render::renderer::compose_ground(),
        mote::render::renderer::compose_tone(),
    ] {
        check(&composed.unwrap()).unwrap_or_else(|error| panic!("{error}"));
    }
}

#[test]
fn shaders_of_the_step_hold_nothing_of_the_warm_up() {
    let mut warm = 0;
    for (index, pass) in PASSES.iter().enumerate() {
        let composed = compose_pass(pass, VARIANTS[0]).unwrap();
        let lines = 1..=composed.text.lines().count() as u32;
        let from: Vec<&str> = lines.map(|line| composed.origin(line).0).collect();
        let of_warm_up = from.iter().any(|file| file.contains("warm"));
        if index < STEP_PASSES {
            assert!(!of_warm_up, "{} is composed with the warm-up", pass.name);
        }
        warm += u32::from(of_warm_up);
    }
    assert_eq!(
        warm,
        (PASSES.len() - STEP_PASSES) as u32,
        "all of the warm-up's own"
    );
}
