//! The card of a file that cannot be rendered: a sheet with a folded corner, its format and its name.

use super::canvas::{Canvas, Style};
use crate::kind;
use crate::render::Raster;

/// Labels and colours of content types.
const KINDS: &[(&str, &str, &str)] = &[
    ("application/pdf", "PDF", "#c0392b"),
    (kind::DOCX, "DOCX", "#2b579a"),
    (kind::DOC, "DOC", "#2b579a"),
    (kind::ODT, "ODT", "#2b579a"),
    ("application/rtf", "RTF", "#2b579a"),
    (kind::PPTX, "PPTX", "#b7472a"),
    (kind::PPT, "PPT", "#b7472a"),
    (kind::ODP, "ODP", "#b7472a"),
    (kind::XLSX, "XLSX", "#217346"),
    (kind::XLSB, "XLSB", "#217346"),
    (kind::XLS, "XLS", "#217346"),
    (kind::ODS, "ODS", "#217346"),
    (kind::EPUB, "EPUB", "#6f42c1"),
    (kind::ZIP, "ZIP", "#8a6d3b"),
    (kind::EML, "E-MAIL", "#0b7285"),
    (kind::MSG, "E-MAIL", "#0b7285"),
    (kind::ENCRYPTED, "LOCKED", "#57606a"),
    ("text/html", "HTML", "#0b7285"),
    ("text/markdown", "MARKDOWN", "#57606a"),
    ("text/csv", "CSV", "#217346"),
    ("application/json", "JSON", "#57606a"),
    ("application/xml", "XML", "#57606a"),
    ("application/gzip", "GZIP", "#8a6d3b"),
    ("application/x-7z-compressed", "7Z", "#8a6d3b"),
    ("application/vnd.rar", "RAR", "#8a6d3b"),
];
const GREY: &str = "#57606a";
/// Maximum characters of a name.
const LONGEST: usize = 200;

/// Draws the card at this width in pixels.
pub(super) fn render_card(kind: &str, name: &str, pixels: u32) -> Raster {
    draw(kind, name, pixels).unwrap_or_else(|| blank(pixels))
}

fn draw(kind: &str, name: &str, pixels: u32) -> Option<Raster> {
    let (label, color) = label(kind);
    let mut canvas = Canvas::new(300.0, 390.0, 24.0)?;
    let (width, height) = (canvas.width, canvas.height);
    canvas.raw(&format!(
        "<path d=\"M1 1H{corner}L{side} {fold}V{bottom}H1Z\" fill=\"#ffffff\" stroke=\"#d0d7de\" stroke-width=\"2\"/>\
         <path d=\"M{corner} 1V{fold}H{side}Z\" fill=\"#e6eaef\" stroke=\"#d0d7de\" stroke-width=\"2\"/>",
        corner = width - 60.0,
        side = width - 1.0,
        fold = 60.0,
        bottom = height - 1.0,
    ));
    canvas.rect(0.0, 120.0, width, 92.0, color);
    let mut style = Style { size: 46.0, bold: true, color: "#ffffff" };
    while canvas.measure(&label, style) > width - 48.0 && style.size > 8.0 {
        style.size -= 2.0;
    }
    let x = (width - canvas.measure(&label, style)) / 2.0;
    canvas.line(&label, x, width, 120.0 + (92.0 - style.size * 1.16) / 2.0, style);
    canvas.y = 240.0;
    let name = name.rsplit(['/', '\\']).next().unwrap_or(name);
    let name: String = name.chars().take(LONGEST).collect();
    canvas.text(&name, 24.0, width - 24.0, 5, Style { size: 20.0, bold: false, color: "#24292f" });
    canvas.render(pixels)
}

/// The label and the colour of a content type; an unknown one is labelled with its subtype.
fn label(kind: &str) -> (String, &'static str) {
    if let Some((_, label, color)) = KINDS.iter().find(|(known, ..)| *known == kind) {
        return ((*label).to_owned(), color);
    }
    match kind.split_once('/') {
        Some(("image", "svg+xml")) => ("SVG".to_owned(), "#6f42c1"),
        Some(("image", rest)) => (rest.to_uppercase(), "#6f42c1"),
        Some(("audio", _)) => ("AUDIO".to_owned(), GREY),
        Some(("text", _)) => ("TEXT".to_owned(), GREY),
        _ => ("FILE".to_owned(), GREY),
    }
}

/// A grey frame, in case even the fonts fail.
fn blank(pixels: u32) -> Raster {
    let side = pixels as usize;
    let is_frame = |at: usize| at == 0 || at + 1 == side;
    let shade = |row: usize, column: usize| if is_frame(row) || is_frame(column) { 0xd0 } else { 0xff };
    let rgba = (0..side * side).flat_map(|at| {
        let shade = shade(at / side, at % side);
        [shade, shade, shade, 0xff]
    });
    Raster { width: pixels, height: pixels, rgba: rgba.collect() }
}
