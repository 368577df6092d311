//! Limits the work on one page: forms may draw forms, and a few lines of them can draw for years.
//!
//! A device can stop the interpreter only by unwinding, so the meter does that. Callers that interpret
//! through a [`Meter`] catch it.

use std::any::Any;
use std::panic::resume_unwind;

use hayro_interpret::font::{Glyph, GlyphRun};
use hayro_interpret::{BlendMode, ClipPath, Device, DrawMode, DrawProps, Image, ImageDrawProps, SoftMask};
use hayro_syntax::object::Dict;
use kurbo::{BezPath, Rect};

/// Operations that a Type 3 glyph counts, which carries a copy of the graphics state.
/// Chosen by hand; no measurement recorded.
const TYPE3_COST: usize = 4;

/// Counts operations and passes text and lines on.
#[derive(Debug)]
pub(super) struct Meter<'m, D> {
    text: &'m mut D,
    /// Operations that are left.
    left: &'m mut usize,
}

/// The payload of a meter's unwinding.
#[derive(Debug)]
struct Exhausted;

/// Whether an unwinding comes from a meter.
pub(super) fn is_exhausted(payload: &(dyn Any + Send)) -> bool {
    payload.is::<Exhausted>()
}

impl<'m, D> Meter<'m, D> {
    pub(super) fn new(text: &'m mut D, operations: &'m mut usize) -> Self {
        Self { text, left: operations }
    }

    fn spend(&mut self, operations: usize) {
        match self.left.checked_sub(operations) {
            Some(left) => *self.left = left,
            // Unlike a panic, this calls no hook: exhausting the limit is expected.
            None => {
                *self.left = 0;
                resume_unwind(Box::new(Exhausted))
            }
        }
    }
}

impl<'a, D: Device<'a>> Device<'a> for Meter<'_, D> {
    fn draw_glyph_run(&mut self, run: &GlyphRun<'_, 'a>, props: DrawProps<'a>, mode: &DrawMode) {
        let costs =
            run.glyphs().iter().map(|glyph| if matches!(**glyph, Glyph::Type3(_)) { TYPE3_COST } else { 1 });
        self.spend(costs.sum::<usize>().max(1));
        self.text.draw_glyph_run(run, props, mode);
    }

    fn draw_path(&mut self, path: &BezPath, props: DrawProps<'a>, mode: &DrawMode) {
        self.spend(1);
        self.text.draw_path(path, props, mode);
    }

    fn draw_rect(&mut self, rect: &Rect, props: DrawProps<'a>, mode: &DrawMode) {
        self.spend(1);
        self.text.draw_rect(rect, props, mode);
    }

    fn push_clip_path(&mut self, _: &ClipPath) {
        self.spend(1);
    }

    fn push_clip_rect(&mut self, _: &Rect) {
        self.spend(1);
    }

    fn push_transparency_group(&mut self, _: f32, _: Option<SoftMask<'a>>, _: BlendMode) {
        self.spend(1);
    }

    fn draw_image(&mut self, image: Image<'a, '_>, props: ImageDrawProps<'a>) {
        self.spend(1);
        self.text.draw_image(image, props);
    }

    fn pop_clip(&mut self) {}

    fn pop_transparency_group(&mut self) {}

    fn begin_marked_content(&mut self, tag: &[u8], properties: Option<&Dict<'_>>) {
        self.spend(1);
        self.text.begin_marked_content(tag, properties);
    }

    fn end_marked_content(&mut self) {
        self.text.end_marked_content();
    }
}
