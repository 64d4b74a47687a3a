//! One population's picture as an image of the toolkit.

use eframe::egui_wgpu::RenderState;
use egui::{Color32, Rect, TextureId, Ui, Vec2, pos2};

use crate::editor::state::EditorState;
use crate::play::Driver;
use crate::render::{Background, OrbitCamera, Target};

/// What a picture shows; it is drawn again when this changes.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Shows {
    time: u64,
    revision: u64,
    camera: OrbitCamera,
    size: [u32; 2],
    grid: bool,
}

/// One population's picture.
#[derive(Debug)]
pub(super) struct Picture {
    driver: Driver,
    /// Pixels wanted in this frame; none where it is not shown.
    pub(super) wanted: [u32; 2],
    target: Option<Target>,
    texture: Option<TextureId>,
    shows: Option<Shows>,
}

impl Picture {
    pub(super) fn new(driver: Driver) -> Self {
        Self {
            driver,
            wanted: [0, 0],
            target: None,
            texture: None,
            shows: None,
        }
    }

    pub(super) fn driver(&self) -> Driver {
        self.driver
    }

    /// Gives the picture so many pixels.
    pub(super) fn fit(&mut self, pixels: Vec2, render_state: &RenderState, state: &EditorState) {
        let Some(kit) = state.player().kit() else { return };
        let most = kit.gpu.device.limits().max_texture_dimension_2d;
        self.wanted = [pixels.x, pixels.y].map(|side| (side.round() as u32).clamp(1, most));
        if self.target.as_ref().is_some_and(|t| t.size() == self.wanted) {
            return;
        }
        let [width, height] = self.wanted;
        let target = kit.renderer.target(&kit.gpu, width, height);
        let mut renderer = render_state.renderer.write();
        let filter = wgpu::FilterMode::Linear;
        match self.texture {
            Some(id) => renderer.update_egui_texture_from_wgpu_texture(
                &render_state.device,
                target.output_view(),
                filter,
                id,
            ),
            None => {
                let view = target.output_view();
                self.texture = Some(renderer.register_native_texture(&render_state.device, view, filter));
            }
        }
        self.target = Some(target);
        self.shows = None;
    }

    pub(super) fn paint(&self, ui: &Ui, rect: Rect) {
        if let Some(id) = self.texture {
            let whole = Rect::from_min_max(pos2(0.0, 0.0), pos2(1.0, 1.0));
            ui.painter().image(id, rect, whole, Color32::WHITE);
        }
    }

    /// Draws the picture where it is shown and out of date.
    pub(super) fn draw(&mut self, state: &mut EditorState) {
        if self.wanted == [0, 0] || !state.player().shown().has(self.driver) {
            return;
        }
        let Some(target) = &mut self.target else { return };
        let shows = Shows {
            time: state.player().time().to_bits(),
            revision: state.revision(),
            camera: *state.camera(),
            size: self.wanted,
            grid: state.view().grid,
        };
        if self.shows == Some(shows) {
            return;
        }
        let [width, height] = target.size();
        let view = fitted(state.camera(), width, height).view(width, height);
        let background = Background {
            grid: state.view().grid,
            ..Background::default()
        };
        state.player_mut().draw(self.driver, target, &view, &background);
        self.shows = Some(shows);
    }
}

/// The camera with its field of view over the smaller side of the picture: what is framed is seen whole in a
/// narrow picture too.
fn fitted(camera: &OrbitCamera, width: u32, height: u32) -> OrbitCamera {
    let narrow = (width as f32 / height.max(1) as f32).clamp(0.2, 1.0);
    OrbitCamera {
        fov_y: 2.0 * ((camera.fov_y * 0.5).tan() / narrow).atan(),
        ..*camera
    }
}
