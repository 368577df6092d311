//! Validates the requested options of a picture.

use documents_core::{ImageFormat, ThumbnailOptions};

use crate::UtilitiesError;

/// Minimum width in pixels. Chosen by hand; no measurement is recorded.
pub const MIN_WIDTH: i64 = 16;
/// Maximum width in pixels. Bounds memory and time. Chosen by hand; no measurement is recorded.
pub const MAX_WIDTH: i64 = 2_048;
/// Maximum page number. More than any document has.
pub const MAX_PAGE: i64 = 1_000_000;

/// Options of a picture as requested. `None` selects the default.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PictureOptions {
    /// Width in pixels.
    pub width: Option<i64>,
    /// Page number, from 1.
    pub page: Option<i64>,
    /// `png` or `webp`.
    pub format: Option<String>,
    /// Whether the options come from the URL query; it decides the paths in errors.
    pub in_query: bool,
}

impl PictureOptions {
    /// The options, with defaults for missing ones.
    ///
    /// # Errors
    /// As [`PictureOptions::options_or`].
    pub fn options(&self) -> Result<ThumbnailOptions, UtilitiesError> {
        self.options_or(ThumbnailOptions::default())
    }

    /// The options, with missing ones taken from `other`.
    ///
    /// # Errors
    /// [`UtilitiesError::Invalid`] when an option is out of range.
    pub fn options_or(&self, other: ThumbnailOptions) -> Result<ThumbnailOptions, UtilitiesError> {
        let format = match self.format.as_deref() {
            None => other.format,
            Some("png") => ImageFormat::Png,
            Some("webp") => ImageFormat::WebP,
            Some(_) => return Err(self.refused("format", "must be one of png, webp")),
        };
        Ok(ThumbnailOptions {
            width: self.number("width", self.width, MIN_WIDTH, MAX_WIDTH)?.unwrap_or(other.width),
            page: self.number("page", self.page, 1, MAX_PAGE)?.unwrap_or(other.page),
            format,
        })
    }

    fn number(
        &self,
        name: &str,
        value: Option<i64>,
        least: i64,
        most: i64,
    ) -> Result<Option<u32>, UtilitiesError> {
        let Some(value) = value else { return Ok(None) };
        match u32::try_from(value) {
            Ok(number) if (least..=most).contains(&value) => Ok(Some(number)),
            _ => Err(self.refused(name, &format!("must be from {least} to {most}"))),
        }
    }

    fn refused(&self, name: &str, rule: &str) -> UtilitiesError {
        let mark = if self.in_query { '?' } else { '/' };
        UtilitiesError::invalid(format!("{mark}{name}"), format!("'{name}' {rule}"))
    }
}
