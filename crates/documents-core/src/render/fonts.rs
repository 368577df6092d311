//! The bundled fonts: DejaVu Sans, regular and bold, whatever font a drawing requests.

use std::sync::{Arc, OnceLock};

use resvg::usvg::fontdb::{Database, Source};
use skrifa::instance::{LocationRef, Size};
use skrifa::metrics::GlyphMetrics;
use skrifa::{FontRef, MetadataProvider as _, charmap::Charmap};

/// Name of the font family.
pub(crate) const FAMILY: &str = "DejaVu Sans";

/// The fonts for drawings; loaded once.
pub(super) fn database() -> Arc<Database> {
    static FONTS: OnceLock<Arc<Database>> = OnceLock::new();
    let load = || {
        let mut fonts = Database::new();
        fonts.load_font_source(Source::Binary(Arc::new(dejavu::sans::regular())));
        fonts.load_font_source(Source::Binary(Arc::new(dejavu::sans::bold())));
        fonts.set_serif_family(FAMILY);
        fonts.set_sans_serif_family(FAMILY);
        fonts.set_cursive_family(FAMILY);
        fonts.set_fantasy_family(FAMILY);
        fonts.set_monospace_family(FAMILY);
        Arc::new(fonts)
    };
    FONTS.get_or_init(load).clone()
}

/// Widths of characters.
pub(crate) struct Face {
    characters: Charmap<'static>,
    metrics: GlyphMetrics<'static>,
}

impl std::fmt::Debug for Face {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Face").finish_non_exhaustive()
    }
}

impl Face {
    /// The regular or the bold face; `None` only if the bundled font were damaged.
    pub(crate) fn new(bold: bool) -> Option<Self> {
        let data = if bold { dejavu::sans::bold() } else { dejavu::sans::regular() };
        let font = FontRef::new(data).ok()?;
        let metrics = font.glyph_metrics(Size::new(1.0), LocationRef::default());
        Some(Self { characters: font.charmap(), metrics })
    }

    /// The width of a character, relative to the font size; `None` when the font does not have it.
    pub(crate) fn width(&self, character: char) -> Option<f32> {
        self.characters.map(character).and_then(|glyph| self.metrics.advance_width(glyph))
    }
}
