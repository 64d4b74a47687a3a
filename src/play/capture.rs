//! A finished picture on the CPU, and its file.

use std::io::Cursor;
use std::path::Path;

use crate::artifact::save::{SaveError, save_atomic};
use crate::gpu::Gpu;
use crate::gpu::readback::ReadError;
use crate::render::Target;

/// An opaque picture, four bytes a pixel, sRGB codes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Picture {
    /// Width in pixels.
    pub width: u32,
    /// Height in pixels.
    pub height: u32,
    /// RGBA, row by row from the top.
    pub rgba: Vec<u8>,
}

impl Picture {
    /// Reads a target and waits for it.
    ///
    /// # Errors
    /// [`ReadError`] where the device is gone.
    pub fn read(gpu: &Gpu, target: &Target) -> Result<Self, ReadError> {
        let [width, height] = target.size();
        let row = (width * 4).next_multiple_of(wgpu::COPY_BYTES_PER_ROW_ALIGNMENT);
        let buffer = gpu.device.create_buffer(&wgpu::BufferDescriptor {
            label: Some("mote.capture"),
            size: u64::from(row) * u64::from(height),
            usage: wgpu::BufferUsages::COPY_DST | wgpu::BufferUsages::COPY_SRC,
            mapped_at_creation: false,
        });
        let mut encoder = gpu
            .device
            .create_command_encoder(&wgpu::CommandEncoderDescriptor::default());
        encoder.copy_texture_to_buffer(
            target.output().as_image_copy(),
            wgpu::TexelCopyBufferInfo {
                buffer: &buffer,
                layout: wgpu::TexelCopyBufferLayout {
                    offset: 0,
                    bytes_per_row: Some(row),
                    rows_per_image: None,
                },
            },
            wgpu::Extent3d {
                width,
                height,
                depth_or_array_layers: 1,
            },
        );
        gpu.queue.submit([encoder.finish()]);
        let words = crate::gpu::readback::read_words(gpu, &buffer)?;
        let bytes: &[u8] = bytemuck::cast_slice(&words);
        let rgba = (0..height as usize)
            .flat_map(|y| &bytes[y * row as usize..y * row as usize + width as usize * 4])
            .copied()
            .collect();
        Ok(Self { width, height, rgba })
    }

    /// The picture as PNG.
    #[must_use]
    pub fn png(&self) -> Vec<u8> {
        let mut out = Cursor::new(Vec::new());
        let encoded = image::write_buffer_with_format(
            &mut out,
            &self.rgba,
            self.width,
            self.height,
            image::ExtendedColorType::Rgba8,
            image::ImageFormat::Png,
        );
        if let Err(error) = encoded {
            // Bytes of the right length in memory always encode.
            tracing::error!(%error, "encoding a picture");
        }
        out.into_inner()
    }

    /// Writes a PNG file, whole or not at all.
    ///
    /// # Errors
    /// [`SaveError`].
    pub fn save(&self, path: &Path) -> Result<(), SaveError> {
        save_atomic(path, &self.png())
    }

    /// Copies another picture into this one, its upper left corner at `at`; what lies outside is left out.
    pub fn put(&mut self, other: &Self, at: [u32; 2]) {
        let width = other.width.min(self.width.saturating_sub(at[0])) as usize * 4;
        let height = other.height.min(self.height.saturating_sub(at[1]));
        for y in 0..height {
            let from = (y * other.width) as usize * 4;
            let to = ((at[1] + y) as usize * self.width as usize + at[0] as usize) * 4;
            self.rgba[to..to + width].copy_from_slice(&other.rgba[from..from + width]);
        }
    }

    /// RGBA of a pixel.
    #[must_use]
    pub fn pixel(&self, x: u32, y: u32) -> [u8; 4] {
        let at = ((y * self.width + x) * 4) as usize;
        [
            self.rgba[at],
            self.rgba[at + 1],
            self.rgba[at + 2],
            self.rgba[at + 3],
        ]
    }
}
