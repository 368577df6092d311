//! Generated tables with their ground truth, drawn by a seeded generator in the ways of common programs.

#[path = "../../tests/pdf/writer.rs"]
#[allow(dead_code, reason = "shared with the tests")]
mod writer;

use crate::relations::{Cell, Table};
use writer::Page;

/// Widths of Helvetica's glyphs from the space on, in thousandths of an em.
const WIDTHS: [u16; 95] = [
    278, 278, 355, 556, 556, 889, 667, 191, 333, 333, 389, 584, 278, 333, 278, 278, 556, 556, 556, 556, 556,
    556, 556, 556, 556, 556, 278, 278, 584, 584, 584, 556, 1015, 667, 667, 722, 722, 667, 611, 778, 722, 278,
    500, 667, 556, 833, 722, 778, 667, 778, 722, 667, 611, 722, 667, 944, 667, 667, 611, 278, 278, 278, 469,
    556, 333, 556, 556, 500, 556, 556, 278, 556, 556, 222, 222, 500, 222, 833, 556, 556, 556, 556, 333, 500,
    278, 556, 500, 722, 500, 500, 500, 334, 260, 334, 584,
];
const NOUNS: [&str; 24] = [
    "harbour",
    "orchard",
    "ferry",
    "lighthouse",
    "timber",
    "granite",
    "barley",
    "wool",
    "copper",
    "lantern",
    "bridge",
    "canal",
    "mill",
    "quarry",
    "meadow",
    "cellar",
    "workshop",
    "archive",
    "garden",
    "railway",
    "valley",
    "island",
    "river",
    "market",
];
const HEADS: [&str; 12] = [
    "Output",
    "Share of total",
    "Change on last year",
    "Price",
    "Stock",
    "Orders",
    "Workers",
    "Growth rate",
    "Amount",
    "Exports",
    "Mean value",
    "Deviation",
];

/// How a table is drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Style {
    Ruled,
    Booktabs,
    Borderless,
    ColumnLines,
}

pub(crate) struct Sample {
    pub(crate) name: String,
    pub(crate) pdf: Vec<u8>,
    pub(crate) tables: Vec<Table>,
}

struct Chance(u64);

impl Chance {
    fn below(&mut self, bound: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        ((self.0 >> 33) as usize) % bound.max(1)
    }

    fn one_in(&mut self, n: usize) -> bool {
        self.below(n) == 0
    }

    fn words(&mut self, count: usize) -> String {
        let words: Vec<&str> = (0..count).map(|_| NOUNS[self.below(NOUNS.len())]).collect();
        let mut text = words.join(" ");
        text[..1].make_ascii_uppercase();
        text
    }
}

fn width(text: &str, size: f64) -> f64 {
    let units: u32 = text
        .bytes()
        .map(|b| u32::from(WIDTHS.get(usize::from(b).wrapping_sub(32)).copied().unwrap_or(556)))
        .sum();
    f64::from(units) / 1000.0 * size
}

fn wrap(text: &str, room: f64, size: f64) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for word in text.split(' ') {
        match lines.last_mut() {
            Some(line) if width(line, size) + width(word, size) + 0.278 * size <= room => {
                line.push(' ');
                line.push_str(word);
            }
            _ => lines.push(word.to_owned()),
        }
    }
    lines
}

/// A cell before it is placed.
struct Plan {
    rows: (usize, usize),
    columns: (usize, usize),
    text: String,
}

pub(crate) fn samples(count: usize) -> Vec<Sample> {
    let styles = [Style::Ruled, Style::Booktabs, Style::Borderless, Style::ColumnLines];
    (0..count).map(|index| sample(index, styles[index % styles.len()])).collect()
}

fn sample(index: usize, style: Style) -> Sample {
    let mut chance = Chance(index as u64 * 7_919 + 17);
    chance.below(2);
    let size = [8.0, 9.0, 10.0, 11.0][chance.below(4)];
    let mut page = Page::new();
    let mut y = 70.0;
    page = prose(page, &mut chance, &mut y, 3);
    let mut tables = Vec::new();
    for number in 0..=chance.below(2) {
        y += 20.0;
        if chance.one_in(2) {
            let caption = format!("Table {}: {}", number + 1, chance.words(5));
            let x = if chance.one_in(2) { 70.0 } else { 180.0 };
            page = page.font_text("B", x, y, 10.0, &caption);
            y += 8.0;
        }
        let (drawn, table, end) = table(page, &mut chance, style, size, y + 6.0);
        page = drawn;
        tables.push(table);
        y = end + 14.0;
        if chance.one_in(2) {
            page = page.text(70.0, y, 8.0, &format!("Source: {}, 1998 and 1999", chance.words(4)));
        }
        y += 10.0;
        if y > 450.0 {
            break;
        }
    }
    y += 10.0;
    page = prose(page, &mut chance, &mut y, 4);
    Sample { name: format!("{style:?}-{index}"), pdf: writer::pdf(&[page]), tables }
}

fn prose(mut page: Page, chance: &mut Chance, y: &mut f64, lines: usize) -> Page {
    let text = chance.words(14 * lines);
    for line in wrap(&text, 470.0, 10.0).iter().take(lines) {
        page = page.text(70.0, *y, 10.0, line);
        *y += 13.0;
    }
    page
}

fn table(mut page: Page, chance: &mut Chance, style: Style, size: f64, top: f64) -> (Page, Table, f64) {
    let columns = 2 + chance.below(if size > 9.0 { 4 } else { 6 });
    let body = 4 + chance.below(9);
    let text_columns = 1 + usize::from(columns > 3 && chance.one_in(4));
    let gap = size * [0.9, 1.4, 2.5][chance.below(3)];
    // Column rules over the whole height leave no room for a header over several columns.
    let spanning = columns - text_columns >= 2 && chance.one_in(2) && style != Style::ColumnLines;
    let header = 1 + usize::from(spanning);
    let mut plans: Vec<Plan> = Vec::new();
    if spanning {
        let middle = text_columns + (columns - text_columns) / 2;
        let halves = if columns - text_columns >= 4 && chance.one_in(2) {
            vec![(text_columns, middle - 1), (middle, columns - 1)]
        } else {
            vec![(text_columns, columns - 1)]
        };
        for (first, last) in halves {
            plans.push(Plan { rows: (0, 0), columns: (first, last), text: chance.words(1) });
        }
    }
    for column in 0..columns {
        let text =
            if column < text_columns { chance.words(1) } else { HEADS[chance.below(HEADS.len())].to_owned() };
        // A ruled header cell without parts spans both rows.
        let first = if spanning && column < text_columns && style == Style::Ruled { 0 } else { header - 1 };
        plans.push(Plan { rows: (first, header - 1), columns: (column, column), text });
    }
    let sparse = chance.one_in(4);
    let long_labels = chance.one_in(3);
    let sections = chance.one_in(5);
    for row in header..header + body {
        if sections && (row - header) % 4 == 0 {
            let last = if style == Style::Ruled { columns - 1 } else { 0 };
            plans.push(Plan { rows: (row, row), columns: (0, last), text: format!("{}s", chance.words(1)) });
            continue;
        }
        for column in 0..columns {
            let text = match column {
                column if column < text_columns && long_labels && chance.one_in(3) => chance.words(6),
                column if column < text_columns => {
                    let n = 1 + chance.below(2);
                    chance.words(n)
                }
                _ if sparse && chance.one_in(5) => String::new(),
                _ => number(chance, column),
            };
            plans.push(Plan { rows: (row, row), columns: (column, column), text });
        }
    }
    let rows = header + body;
    let widths: Vec<f64> = (0..columns).map(|c| if c < text_columns { 95.0 } else { 0.0 }).collect();
    let widths: Vec<f64> = (0..columns)
        .map(|c| {
            let own = plans.iter().filter(|p| p.columns == (c, c));
            let needed = own.map(|p| {
                let longest = p.text.split(' ').map(|w| width(w, size)).fold(0.0, f64::max);
                if c < text_columns {
                    longest
                } else if p.rows.1 < header {
                    longest.max(40.0)
                } else {
                    width(&p.text, size)
                }
            });
            needed.fold(widths[c], f64::max) + gap
        })
        .collect();
    let lefts: Vec<f64> = std::iter::once(70.0)
        .chain(widths.iter().scan(70.0, |x, w| {
            *x += w;
            Some(*x)
        }))
        .collect();
    let leading = 1.15 * size;
    // Without rules between them, rows may be as close as lines of text.
    let pad = if style == Style::Ruled { 5.0 } else { [0.0, 3.0, 5.0][chance.below(3)] };
    let by_words = chance.one_in(3);
    let lines_of = |plan: &Plan| {
        let room = lefts[plan.columns.1 + 1] - lefts[plan.columns.0] - gap;
        wrap(&plan.text, room, size)
    };
    let mut ys = vec![top];
    for row in 0..rows {
        let own = plans.iter().filter(|p| p.rows == (row, row));
        let lines = own.map(|plan| lines_of(plan).len()).max().unwrap_or(1);
        ys.push(ys[row] + leading * lines as f64 + 2.0 * pad);
    }
    let align_right = !chance.one_in(3);
    for plan in &plans {
        let (left, right) = (lefts[plan.columns.0] + gap / 2.0, lefts[plan.columns.1 + 1] - gap / 2.0);
        let is_head = plan.rows.1 < header;
        let mut y = ys[plan.rows.0] + pad + 0.8 * size;
        for line in lines_of(plan) {
            let line_width = width(&line, size);
            let x = if plan.columns.0 < text_columns {
                left
            } else if is_head && (plan.columns.0 < plan.columns.1 || !align_right) {
                f64::midpoint(left, right) - line_width / 2.0
            } else if align_right {
                right - line_width
            } else {
                f64::midpoint(left, right) - line_width / 2.0
            };
            page = if by_words { separately(page, x, y, size, &line) } else { page.text(x, y, size, &line) };
            y += leading;
        }
    }
    page = lines(page, style, &plans, &lefts, &ys, header);
    let cells = plans.into_iter().map(|p| Cell { rows: p.rows, columns: p.columns, text: p.text }).collect();
    (page, Table { page: 1, cells }, ys[rows])
}

/// Draws each word separately, without spaces between them.
fn separately(mut page: Page, mut x: f64, y: f64, size: f64, line: &str) -> Page {
    for word in line.split(' ') {
        page = page.text(x, y, size, word);
        x += width(word, size) + 0.278 * size;
    }
    page
}

fn number(chance: &mut Chance, column: usize) -> String {
    match column % 4 {
        0 => format!("{}.{}%", chance.below(100), chance.below(10)),
        1 => format!("{}", chance.below(900)),
        2 => format!("{},{:03}", 1 + chance.below(99), chance.below(1000)),
        _ if chance.one_in(8) => "-".to_owned(),
        _ => format!("{}.{:02}", chance.below(50), chance.below(100)),
    }
}

fn lines(mut page: Page, style: Style, plans: &[Plan], xs: &[f64], ys: &[f64], header: usize) -> Page {
    let (left, right) = (xs[0], xs[xs.len() - 1]);
    let (top, bottom) = (ys[0], ys[ys.len() - 1]);
    let line = |page: Page, x0: f64, y0: f64, x1: f64, y1: f64| {
        let (y0, y1) = (writer::HEIGHT - y0, writer::HEIGHT - y1);
        page.raw(&format!("0.5 w {x0:.2} {y0:.2} m {x1:.2} {y1:.2} l S"))
    };
    match style {
        Style::Borderless => {}
        Style::Booktabs => {
            for y in [top, ys[header], bottom] {
                page = line(page, left, y, right, y);
            }
            for plan in plans.iter().filter(|plan| plan.columns.0 < plan.columns.1) {
                let (x0, x1) = (xs[plan.columns.0] + 3.0, xs[plan.columns.1 + 1] - 3.0);
                page = line(page, x0, ys[plan.rows.1 + 1], x1, ys[plan.rows.1 + 1]);
            }
        }
        Style::ColumnLines => {
            for x in xs {
                page = line(page, *x, top, *x, bottom);
            }
            for y in [top, ys[header], bottom] {
                page = line(page, left, y, right, y);
            }
        }
        Style::Ruled => {
            for plan in plans {
                let (x0, x1) = (xs[plan.columns.0], xs[plan.columns.1 + 1]);
                let (y0, y1) = (ys[plan.rows.0], ys[plan.rows.1 + 1]);
                page = line(page, x0, y0, x1, y0);
                page = line(page, x0, y0, x0, y1);
                page = line(page, x1, y0, x1, y1);
                page = line(page, x0, y1, x1, y1);
            }
            page = line(line(page, left, top, right, top), left, bottom, right, bottom);
            page = line(line(page, left, top, left, bottom), right, top, right, bottom);
        }
    }
    page
}
