//! Opening the window, and saying what is missing where it cannot be opened.

use std::path::PathBuf;
use std::sync::Arc;

use eframe::egui_wgpu::{WgpuConfiguration, WgpuSetup, WgpuSetupCreateNew};
use thiserror::Error;

use super::app::EditorApp;
use super::autosave;
use crate::gpu::requirements;

/// The window cannot be opened.
#[derive(Debug, Error)]
#[allow(missing_docs, reason = "each case is its message")]
pub enum EditorError {
    #[error(
        "there is no display to open a window on. Start Mote from a desktop session, or play effects without a window: \
         `mote render FILE -o picture.png` makes pictures, and `./dev run` does the whole round headless"
    )]
    NoDisplay,
    #[error(
        "no graphics adapter can draw the window: {reason}. On Debian or Ubuntu, `./dev run` or \
         `apt-get install mesa-vulkan-drivers` brings a software one; elsewhere install your graphics card's Vulkan, \
         Metal or DirectX 12 driver. `mote check FILE` and `mote compile FILE -o OUT` need none"
    )]
    NoAdapter { reason: String },
    #[error(
        "the window cannot be opened: {reason}. If a library is missing, `./dev run` installs what a window needs; \
         without one, `mote render FILE -o picture.png` makes pictures"
    )]
    NoWindow { reason: String },
}

impl From<eframe::Error> for EditorError {
    fn from(error: eframe::Error) -> Self {
        let reason = error.to_string();
        match error {
            eframe::Error::Wgpu(_) => Self::NoAdapter { reason },
            _ => Self::NoWindow { reason },
        }
    }
}

/// Opens the window, with a document where one is given, and returns when it is closed. A document that does
/// not open is a message in the window.
///
/// # Errors
/// [`EditorError`] where there is no display or no adapter, with what to do instead.
pub fn run(path: Option<PathBuf>) -> Result<(), EditorError> {
    if !has_display() {
        return Err(EditorError::NoDisplay);
    }
    let options = eframe::NativeOptions {
        viewport: egui::ViewportBuilder::default()
            .with_app_id("mote")
            .with_title("Mote")
            .with_inner_size([1440.0, 900.0])
            .with_min_inner_size([900.0, 560.0]),
        renderer: eframe::Renderer::Wgpu,
        wgpu_options: WgpuConfiguration {
            wgpu_setup: WgpuSetup::CreateNew(wgpu_setup()),
            ..WgpuConfiguration::default()
        },
        ..eframe::NativeOptions::default()
    };
    eframe::run_native(
        "Mote",
        options,
        Box::new(move |cc| {
            let mut app = EditorApp::new(cc);
            app.watch_files(&cc.egui_ctx);
            if let Some(folder) = autosave::folder() {
                app.keep_copies(&folder);
            }
            if let Some(path) = path {
                app.state_mut().open(&path);
            }
            Ok(Box::new(app))
        }),
    )?;
    Ok(())
}

/// A device with what the simulation can use beyond the least.
#[must_use]
fn wgpu_setup() -> WgpuSetupCreateNew {
    let mut setup = WgpuSetupCreateNew::without_display_handle();
    // The validation of indirect calls costs microseconds a dispatch; every count is clamped on the GPU.
    setup
        .instance_descriptor
        .flags
        .remove(wgpu::InstanceFlags::VALIDATION_INDIRECT_CALL);
    setup.device_descriptor = Arc::new(|adapter| {
        let needs = requirements(adapter);
        wgpu::DeviceDescriptor {
            label: Some("mote.device"),
            required_features: needs.features,
            required_limits: needs.limits,
            ..wgpu::DeviceDescriptor::default()
        }
    });
    setup
}

/// Whether the system says where its display is. Only X11 and Wayland name it in the environment.
fn has_display() -> bool {
    let named = |name| std::env::var_os(name).is_some_and(|value| !value.is_empty());
    cfg!(not(all(unix, not(target_os = "macos"))))
        || named("DISPLAY")
        || named("WAYLAND_DISPLAY")
        || named("WAYLAND_SOCKET")
}
