//! Running headers and footers: lines at the top or bottom of many pages, at the same height, that are equal
//! on all of them or differ only in a number that counts with the pages.
//!
//! Text that is equal on all pages stays on the first page of the document: there it often describes the
//! document, and nothing else does. In two pages only page numbers are recognised.
//!
//! `tests/pdf/structure.rs` has documents of two, three and four pages; no measurement of the thresholds is
//! recorded.

use std::collections::HashMap;

use language::fold::fold_word;
use language::vocabulary::is_page_word;

use super::lines::Line;
use super::page_layout::LaidOutPage;
use super::styles::Sizes;

/// Part of a page's height at its top and bottom where they occur. Chosen by hand.
const ZONE: f64 = 0.15;
/// Minimum pages with a header, and with a number that is marked as a page number. Two pages that repeat a
/// text are no evidence, as `two_pages_lose_the_numbers_that_are_said_to_be_theirs_and_no_others` states.
const MIN_PAGES: usize = 3;
const MIN_NUMBERED: usize = 2;
/// Part of all pages that show one, at least; many pages of a long document are enough, too. Chosen by hand.
const MIN_SHARE: f64 = 0.3;
const MANY_PAGES: usize = 8;
/// Heights that differ by less than this many points are equal. Chosen by hand.
const SAME_HEIGHT: f64 = 6.0;
/// Maximum lines at each end of a page that are examined. Chosen by hand.
const MAX_LINES: usize = 4;
/// Maximum numbers of a line that are tried as the page number. Protects time and memory.
const MAX_NUMBERS: usize = 4;
/// A line with a number in a font this much larger than the body counts chapters, not pages. Chosen by hand.
const MAX_SIZE: f64 = 1.2;

/// The key of a line across pages: its text, and its quantised height.
type Key = (String, i64);

/// A line at the top or bottom of a page.
struct Candidate {
    region: usize,
    line: usize,
    /// Keys with its unchanged text.
    same: Vec<Key>,
    /// Keys in which a number is replaced by its distance from the page number.
    counting: Vec<Key>,
    /// The same where the number is marked as a page number.
    numbered: Vec<Key>,
}

/// Removes running headers, footers and page numbers from pages that also have other text.
pub(super) fn remove_running_headers(sheets: &mut [LaidOutPage]) {
    if sheets.len() < MIN_NUMBERED {
        return;
    }
    let found: Vec<Vec<Candidate>> =
        sheets.iter().enumerate().map(|(index, sheet)| candidates(index, sheet)).collect();
    let mut pages: HashMap<&Key, (usize, usize)> = HashMap::new();
    for (index, candidates) in found.iter().enumerate() {
        for key in candidates.iter().flat_map(|candidate| candidate.same.iter().chain(&candidate.counting)) {
            let (count, last) = pages.entry(key).or_insert((0, usize::MAX));
            if *last != index {
                (*count, *last) = (*count + 1, index);
            }
        }
    }
    let enough = |count: usize| {
        count >= MIN_PAGES && (count >= MANY_PAGES || count as f64 >= MIN_SHARE * sheets.len() as f64)
    };
    let running =
        |keys: &[Key]| keys.iter().any(|key| pages.get(key).is_some_and(|(count, _)| enough(*count)));
    let all = sheets.len();
    let numbered =
        |keys: &[Key]| keys.iter().any(|key| pages.get(key).is_some_and(|(count, _)| *count == all));
    let dropped: Vec<Vec<(usize, usize)>> = found
        .iter()
        .enumerate()
        .map(|(page, candidates)| {
            let same = |candidate: &&Candidate| page > 0 && running(&candidate.same);
            let dropped = candidates.iter().filter(|candidate| {
                same(candidate) || running(&candidate.counting) || numbered(&candidate.numbered)
            });
            dropped.map(|found| (found.region, found.line)).collect()
        })
        .collect();
    for (sheet, mut places) in sheets.iter_mut().zip(dropped) {
        places.sort_unstable_by(|a, b| b.cmp(a));
        if places.len() >= sheet.main_lines().count() {
            continue;
        }
        let Some(flow) = sheet.flows.first_mut() else { continue };
        for (region, line) in places {
            if let Some(lines) = flow.regions.get_mut(region).filter(|lines| line < lines.len()) {
                lines.remove(line);
            }
        }
    }
}

fn candidates(index: usize, sheet: &LaidOutPage) -> Vec<Candidate> {
    let Some(flow) = sheet.flows.first().filter(|flow| flow.angle == 0) else { return Vec::new() };
    let height = sheet.upright_height();
    let body = Sizes::of(sheet.main_lines()).body();
    let mut lines: Vec<(f64, usize, usize, &Line)> = Vec::new();
    for (region, part) in flow.regions.iter().enumerate() {
        for (place, line) in part.iter().enumerate() {
            let middle = f64::midpoint(line.top, line.bottom);
            if line.table.is_none() && !(ZONE * height..(1.0 - ZONE) * height).contains(&middle) {
                lines.push((middle, region, place, line));
            }
        }
    }
    lines.sort_by(|a, b| a.0.total_cmp(&b.0));
    let upper = lines.iter().filter(|line| line.0 < height / 2.0).take(MAX_LINES);
    let lower = lines.iter().rev().filter(|line| line.0 >= height / 2.0).take(MAX_LINES);
    upper
        .chain(lower)
        .map(|(middle, region, line, found)| {
            // A height near the edge of a step may fall into the next step on some pages.
            let step = (middle / SAME_HEIGHT) as i64;
            let keys = |text: String| [(text.clone(), step), (text, step + 1)];
            let text = &found.text;
            let same = Some(text.clone()).filter(|text| text.chars().any(char::is_alphabetic));
            let counts = found.size <= MAX_SIZE * body;
            let counting = if counts { counting(index, text) } else { Vec::new() };
            let numbered = counting.iter().filter(|text| is_numbered(text)).cloned();
            Candidate {
                region: *region,
                line: *line,
                same: same.into_iter().flat_map(keys).collect(),
                numbered: numbered.flat_map(keys).collect(),
                counting: counting.into_iter().flat_map(keys).collect(),
            }
        })
        .collect()
}

/// Whether a line's text with the replaced number marks it as a page number: by a word for page, or because
/// there is no other text.
fn is_numbered(text: &str) -> bool {
    // The first page has index 0.
    let Some((before, after)) = text.split_once("\u{0}1\u{0}") else { return false };
    let wordless = || !before.chars().chain(after.chars()).any(char::is_alphabetic);
    let last = before.split_whitespace().next_back().unwrap_or_default();
    is_page_word(&fold_word(last)) || wordless()
}

/// A line's text with each of its numbers in turn replaced by its distance from the page number.
fn counting(index: usize, text: &str) -> Vec<String> {
    let mut texts = Vec::new();
    let digits = |c: char| c.is_ascii_digit();
    let mut at = 0;
    for _ in 0..MAX_NUMBERS {
        let Some(start) = text.get(at..).and_then(|rest| rest.find(digits)).map(|offset| at + offset) else {
            break;
        };
        let rest = text.get(start..).unwrap_or_default();
        let end = start + rest.find(|c: char| !digits(c)).unwrap_or(rest.len());
        let number = text.get(start..end).and_then(|number| number.parse::<i64>().ok());
        if let (Some(number), Some(before), Some(after)) = (number, text.get(..start), text.get(end..)) {
            let distance = number.saturating_sub(i64::try_from(index).unwrap_or(i64::MAX));
            texts.push(format!("{before}\u{0}{distance}\u{0}{after}"));
        }
        at = end;
    }
    texts
}
