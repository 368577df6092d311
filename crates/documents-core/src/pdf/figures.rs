//! Inserts the descriptions of tagged figures into the text.

use hayro_syntax::page::Page;
use kurbo::{Affine, Rect};

use super::layout::TextFlow;
use super::lines::Line;
use super::tags::{LineTag, PageTags, Role, TaggedFigure};

/// Maximum described figures of a page. Protects time: each is compared with all lines.
const MAX_FIGURES: usize = 500;

/// Inserts the descriptions after the text that precedes them in reading order.
pub(super) fn place(tags: &PageTags, flows: &mut [TextFlow], page: &Page<'_>) {
    let Some(flow) = flows.first_mut() else { return };
    for figure in tags.figures.iter().take(MAX_FIGURES) {
        let lines = || {
            flow.regions.iter().enumerate().flat_map(|(region, lines)| {
                lines.iter().enumerate().map(move |(place, line)| (region, place, line))
            })
        };
        // A caption may have the same text.
        if lines().any(|(.., line)| line.text == figure.text) {
            continue;
        }
        let before = lines().filter_map(|(region, place, line)| Some((line.tag?.order, region, place)));
        let before = before.filter(|(order, ..)| *order < figure.order).max();
        let (region, at) = before.map_or((0, 0), |(_, region, place)| (region, place + 1));
        let area = figure.area.map(|area| on_page(area, page)).filter(|_| flow.angle == 0);
        if let Some(lines) = flow.regions.get_mut(region) {
            lines.insert(at.min(lines.len()), line(figure, area));
        }
    }
}

fn on_page(area: Rect, page: &Page<'_>) -> Rect {
    let (width, height) = page.render_dimensions();
    let sheet = Rect::new(0.0, 0.0, f64::from(width), f64::from(height));
    Affine::new(page.initial_transform(true).as_coeffs()).transform_rect_bbox(area).intersect(sheet)
}

fn line(figure: &TaggedFigure, area: Option<Rect>) -> Line {
    let area = area.filter(|area| area.area() > 0.0).unwrap_or(Rect::ZERO);
    Line {
        text: figure.text.clone(),
        x0: area.x0,
        x1: area.x1,
        top: area.y0,
        bottom: area.y1,
        size: 0.0,
        bold: false,
        words: Vec::new(),
        table: None,
        tag: Some(LineTag { role: Role::Text, block: 0, order: figure.order, label: 0 }),
        figure: true,
    }
}
