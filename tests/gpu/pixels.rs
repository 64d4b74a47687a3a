//! What is drawn, in pixels.

use std::sync::{Arc, OnceLock};

use mote::artifact::{Blend, Burst, Effect, Emission};
use mote::play::player::Kit;
use mote::play::{Driver, Picture, Player, Shown};
use mote::render::tone::{srgb, tone};
use mote::render::{Background, OrbitCamera, Renderer};

use crate::support::{effect, gpu};

/// The device with all its pipelines, made once for the whole binary.
pub(crate) fn kit() -> Kit {
    static RENDERER: OnceLock<Arc<Renderer>> = OnceLock::new();
    let (gpu, pipelines) = gpu();
    let renderer = Arc::clone(RENDERER.get_or_init(|| Arc::new(Renderer::new(gpu))));
    Kit {
        gpu: gpu.clone(),
        pipelines: Arc::clone(pipelines),
        renderer,
    }
}

/// Sprites of one size at (0, 0, z), all born in the first step; z goes up by 1 with the ordinal.
fn sprites(count: u32, size: f32, blend: Blend) -> Effect {
    let text = format!(
        ".registers 2
init:
    load_builtin.1 r0, particle_ordinal
    store_field.1 w6, r0
    store_field.1 w7, {size:?}
update:
"
    );
    let emission = Emission {
        bursts: vec![Burst::once(count)],
        ..Emission::default()
    };
    let mut effect = Effect::clone(&effect(&text, emission));
    effect.emitters[0].render.blend = blend;
    effect
}

fn picture(effect: Effect, driver: Driver, background: [f32; 3], steps: u32) -> Picture {
    let kit = kit();
    let shown = if driver == Driver::Gpu {
        Shown::Gpu
    } else {
        Shown::Cpu
    };
    let mut player = Player::new(Some(kit.clone()), shown);
    player.load(Arc::new(effect)).unwrap();
    for _ in 0..steps {
        player.step(1.0 / 60.0);
    }
    let mut target = kit.renderer.target(&kit.gpu, 64, 64);
    let camera = OrbitCamera {
        target: glam::Vec3::ZERO,
        yaw: 0.0,
        pitch: 0.0,
        distance: 10.0,
        fov_y: 0.4,
    };
    player.draw(
        driver,
        &mut target,
        &camera.view(64, 64),
        &Background::plain(background),
    );
    Picture::read(&kit.gpu, &target).unwrap()
}

fn near(picture: &Picture, x: u32, y: u32, expected: [f32; 3]) {
    let pixel = picture.pixel(x, y);
    for channel in 0..3 {
        let code = (srgb(tone(expected[channel])) * 255.0).round() as i32;
        let found = i32::from(pixel[channel]);
        assert!(
            (found - code).abs() <= 2,
            "({x}, {y}) channel {channel}: {found} for {code}"
        );
    }
}

#[test]
fn pixels_linear_grey_shows_as_srgb_188() {
    let picture = picture(sprites(0, 1.0, Blend::Alpha), Driver::Gpu, [0.5; 3], 1);
    let pixel = picture.pixel(32, 32);
    assert!((187..=188).contains(&pixel[0]) && pixel[3] == 255, "{pixel:?}");
}

#[test]
fn pixels_alpha_covers_and_additive_adds() {
    for driver in [Driver::Gpu, Driver::Cpu] {
        // The disc's middle is almost opaque white; a corner of the picture is background.
        let alpha = picture(sprites(1, 20.0, Blend::Alpha), driver, [0.2, 0.0, 0.0], 1);
        let additive = picture(sprites(1, 20.0, Blend::Additive), driver, [0.2, 0.0, 0.0], 1);
        assert!(
            alpha.pixel(32, 32)[1] > 235,
            "{driver:?} covers: {:?}",
            alpha.pixel(32, 32)
        );
        let light = additive.pixel(32, 32);
        assert!(
            light[0] > light[1] && light[1] > 235,
            "{driver:?} adds to the red behind: {light:?}"
        );
        let clear = picture(sprites(1, 0.5, Blend::Alpha), driver, [0.2, 0.0, 0.0], 1);
        near(&clear, 2, 2, [0.2, 0.0, 0.0]);
        assert!(
            clear.pixel(32, 32)[1] > 200,
            "{driver:?} shows a small sprite in the middle"
        );
    }
}

#[test]
fn pixels_a_sprite_of_half_a_metre_is_that_wide() {
    // Ten metres away at 0.4 rad over 64 pixels a metre is 15.8 pixels.
    let picture = picture(sprites(1, 2.0, Blend::Alpha), Driver::Gpu, [0.0; 3], 1);
    let lit = |x: u32, y: u32| picture.pixel(x, y)[0] > 2;
    let width = (0..64).filter(|&x| lit(x, 32)).count();
    let height = (0..64).filter(|&y| lit(32, y)).count();
    assert!(
        (26..=33).contains(&width) && width.abs_diff(height) <= 1,
        "{width}×{height}"
    );
    assert!(!lit(32 - 13, 32 - 13), "round, not square");
}

#[test]
fn pixels_both_drivers_draw_the_same_picture() {
    let gpu = picture(sprites(5, 1.5, Blend::Additive), Driver::Gpu, [0.01; 3], 3);
    let cpu = picture(sprites(5, 1.5, Blend::Additive), Driver::Cpu, [0.01; 3], 3);
    let differing = gpu
        .rgba
        .iter()
        .zip(&cpu.rgba)
        .filter(|(a, b)| a.abs_diff(**b) > 1)
        .count();
    assert_eq!(differing, 0);
    let other = picture(sprites(5, 1.0, Blend::Additive), Driver::Cpu, [0.01; 3], 3);
    assert!(
        gpu.rgba.iter().zip(&other.rgba).any(|(a, b)| a.abs_diff(*b) > 1),
        "a different picture is seen as one"
    );
}

#[test]
fn pixels_a_picture_of_no_size_has_one_pixel() {
    let kit = kit();
    let mut player = Player::new(Some(kit.clone()), Shown::Gpu);
    let mut target = kit.renderer.target(&kit.gpu, 0, 0);
    assert_eq!(target.size(), [1, 1]);
    let view = OrbitCamera::default().view(0, 0);
    assert!(
        !player.draw(Driver::Gpu, &mut target, &view, &Background::default()),
        "nothing plays"
    );
    assert_eq!(Picture::read(&kit.gpu, &target).unwrap().rgba.len(), 4);
}

#[test]
fn pixels_a_freed_and_a_stillborn_particle_are_not_drawn() {
    let mut effect = sprites(3, 20.0, Blend::Alpha);
    let kill = mote::isa::asm::assemble(".registers 2\nupdate:\n kill.1 1.0\n").unwrap();
    effect.programs[0].update = kill.update;
    let picture = picture(effect, Driver::Gpu, [0.1, 0.1, 0.1], 1);
    near(&picture, 32, 32, [0.1, 0.1, 0.1]);
}
