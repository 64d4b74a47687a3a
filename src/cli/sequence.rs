//! What a row of pictures becomes: a folder of files, an animation, a sheet.

use std::cell::RefCell;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::rc::Rc;
use std::str::FromStr;

use image::codecs::gif::{GifEncoder, Repeat};
use image::{Delay, Frame, RgbaImage};

use super::{Failure, output};
use crate::artifact::save::save_atomic;
use crate::play::Picture;

/// Longest side of a sheet, in pixels.
const LARGEST_SHEET: u64 = 16_384;

/// Columns and rows of a sheet.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Grid {
    pub columns: u32,
    pub rows: u32,
}

impl FromStr for Grid {
    type Err = String;
    fn from_str(text: &str) -> Result<Self, String> {
        let parts = text
            .split_once('x')
            .and_then(|(c, r)| Some((c.parse().ok()?, r.parse().ok()?)));
        match parts {
            Some((columns, rows)) if (1..=256).contains(&columns) && (1..=256).contains(&rows) => {
                Ok(Self { columns, rows })
            }
            _ => Err(format!(
                "{text:?} is no sheet; write COLUMNSxROWS, each from 1 to 256"
            )),
        }
    }
}

/// What is written.
#[derive(Debug)]
pub(super) enum Form {
    /// One PNG file.
    Picture,
    /// A PNG file for each picture, numbered, in a folder.
    Folder,
    /// An animation that loops.
    Gif,
    /// All pictures in one PNG file, row by row.
    Sheet(Grid),
}

impl Form {
    /// What a name and the options ask for.
    pub(super) fn of(path: &Path, sheet: Option<Grid>) -> Result<Self, Failure> {
        let ends = |ending: &str| path.extension().is_some_and(|e| e.eq_ignore_ascii_case(ending));
        match sheet {
            Some(grid) => {
                output::ending(path, "png")?;
                Ok(Self::Sheet(grid))
            }
            None if ends("gif") => Ok(Self::Gif),
            None if ends("png") || std::fs::metadata(path).is_ok_and(|m| !m.is_file() && !m.is_dir()) => {
                Ok(Self::Picture)
            }
            None if path.extension().is_none() || path.is_dir() => Ok(Self::Folder),
            None => Err(format!(
                "{}: write a .png, a .gif, or a folder, whose name has no ending",
                path.display()
            )
            .into()),
        }
    }

    /// How many pictures it takes where nobody says.
    pub(super) fn usual_count(&self, fps: f64) -> u32 {
        match self {
            Self::Picture => 1,
            Self::Folder | Self::Gif => (fps * 2.0).ceil() as u32,
            Self::Sheet(grid) => grid.columns * grid.rows,
        }
    }

    /// Refuses what cannot be before anything is played.
    pub(super) fn check(&self, count: u32, size: [u32; 2]) -> Result<(), Failure> {
        match self {
            Self::Picture if count > 1 => Err(format!(
                "{count} frames do not go into one picture: write a .gif or a folder, or say how the sheet is divided with \
                 --sheet COLUMNSxROWS"
            )
            .into()),
            Self::Sheet(grid) => {
                let places = grid.columns * grid.rows;
                if count > places {
                    return Err(format!("{count} frames do not go into {places} places of the sheet").into());
                }
                let [width, height] = [
                    u64::from(size[0]) * u64::from(grid.columns),
                    u64::from(size[1]) * u64::from(grid.rows),
                ];
                if width.max(height) > LARGEST_SHEET {
                    return Err(format!(
                        "the sheet would have {width}x{height} pixels, {LARGEST_SHEET} a side are the most; make its \
                         pictures smaller with --size"
                    )
                    .into());
                }
                Ok(())
            }
            _ => Ok(()),
        }
    }
}

/// Bytes that an encoder writes and others read when it is done.
#[derive(Clone, Default)]
struct Shared(Rc<RefCell<Vec<u8>>>);

impl Write for Shared {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        self.0.borrow_mut().write(bytes)
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

/// Takes pictures one by one.
pub(super) struct Writer {
    form: Form,
    path: PathBuf,
    fps: f64,
    sheet: Option<Picture>,
    /// Each picture is encoded as it comes: a long animation is many times larger as pictures.
    animation: Option<(GifEncoder<Shared>, Shared)>,
    taken: u32,
}

impl Writer {
    pub(super) fn new(form: Form, path: &Path, fps: f64, size: [u32; 2]) -> Result<Self, Failure> {
        if matches!(form, Form::Folder) {
            std::fs::create_dir_all(path).map_err(|error| format!("{}: {error}", path.display()))?;
        }
        let sheet = match form {
            Form::Sheet(grid) => {
                let (width, height) = (size[0] * grid.columns, size[1] * grid.rows);
                Some(Picture {
                    width,
                    height,
                    rgba: vec![0; width as usize * height as usize * 4],
                })
            }
            _ => None,
        };
        let animation = match form {
            Form::Gif => {
                let bytes = Shared::default();
                let mut encoder = GifEncoder::new_with_speed(bytes.clone(), 10);
                encoder.set_repeat(Repeat::Infinite)?;
                Some((encoder, bytes))
            }
            _ => None,
        };
        Ok(Self {
            form,
            path: path.to_owned(),
            fps,
            sheet,
            animation,
            taken: 0,
        })
    }

    /// Takes the next picture.
    pub(super) fn take(&mut self, picture: Picture) -> Result<(), Failure> {
        let place = self.taken;
        self.taken += 1;
        match (&self.form, &mut self.sheet, &mut self.animation) {
            (Form::Folder, ..) => picture.save(&self.path.join(format!("frame_{place:04}.png")))?,
            (Form::Sheet(grid), Some(sheet), _) => sheet.put(
                &picture,
                [
                    place % grid.columns * picture.width,
                    place / grid.columns * picture.height,
                ],
            ),
            (Form::Gif, _, Some((encoder, _))) => {
                let delay = Delay::from_numer_denom_ms(100_000, (self.fps * 100.0).round() as u32);
                let image = RgbaImage::from_raw(picture.width, picture.height, picture.rgba);
                let image = image.ok_or("a picture has lost some of its pixels")?;
                encoder.encode_frame(Frame::from_parts(image, 0, 0, delay))?;
            }
            _ => picture.save(&self.path)?,
        }
        Ok(())
    }

    /// Writes what is only whole at the end.
    pub(super) fn finish(self) -> Result<(), Failure> {
        if let Some(sheet) = self.sheet {
            sheet.save(&self.path)?;
        }
        if let Some((encoder, bytes)) = self.animation {
            // It writes the end of the file as it goes.
            drop(encoder);
            save_atomic(&self.path, &bytes.0.borrow())?;
        }
        Ok(())
    }
}
