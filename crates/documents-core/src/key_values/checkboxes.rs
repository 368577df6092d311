//! Printed check boxes.

use super::labels::{cleaned, is_label};
use super::lines::{Line, Segment};
use super::{KeyValue, KeyValueKind};

/// Symbols of empty boxes, and of ticked ones.
const EMPTY: [&str; 6] = ["\u{2610}", "\u{25a1}", "\u{25fb}", "[ ]", "[]", "\u{2b1c}"];
const TICKED: [&str; 9] =
    ["\u{2611}", "\u{2612}", "\u{25a0}", "\u{2714}", "\u{2713}", "[x]", "[X]", "\u{25fc}", "\u{2b1b}"];
/// Maximum words of an option. Chosen by hand.
const MAX_WORDS: usize = 16;

/// A box and the text after it.
struct PrintedCheckbox<'t> {
    option: Segment<'t>,
    on: bool,
}

/// Adds the boxes of a line: one pair for each, or one with the ticked options when a label precedes them.
pub(super) fn pairs(lines: &[Line<'_>], index: usize, taken: &mut [u64], pairs: &mut Vec<KeyValue>) {
    let line = &lines[index];
    let mut group: Option<Segment<'_>> = None;
    let mut ticks: Vec<PrintedCheckbox<'_>> = Vec::new();
    for (place, segment) in line.segments.iter().enumerate() {
        let (before, found) = split_checkboxes(segment);
        if found.is_empty() {
            // The label may be in the previous segment.
            let label = segment.text.trim_end().strip_suffix(':').is_some_and(is_label);
            if ticks.is_empty() && label {
                group = Some(*segment);
            }
            continue;
        }
        if ticks.is_empty() && is_label(before.text.trim_end_matches(':')) {
            group = Some(before);
        }
        taken[index] |= 1 << place;
        if let (Some(group), true) = (&group, place > 0) {
            // Only where it was used as the group's label.
            if line.segments[place - 1].text == group.text {
                taken[index] |= 1 << (place - 1);
            }
        }
        ticks.extend(found);
    }
    match group.filter(|_| ticks.len() > 1) {
        Some(group) => pairs.push(group_pair(line, &group, &ticks)),
        None => pairs.extend(ticks.iter().filter_map(|tick| single(line, tick))),
    }
}

fn group_pair(line: &Line<'_>, group: &Segment<'_>, ticks: &[PrintedCheckbox<'_>]) -> KeyValue {
    let on: Vec<&PrintedCheckbox<'_>> = ticks.iter().filter(|tick| tick.on).collect();
    let texts: Vec<&str> = on.iter().map(|tick| tick.option.text).collect();
    let rect = on.iter().filter_map(|tick| tick.option.rect).reduce(super::union).or(group.rect);
    KeyValue {
        key: cleaned(group.text),
        value: texts.join(", "),
        page: line.page,
        rect,
        kind: KeyValueKind::Label,
    }
}

fn single(line: &Line<'_>, tick: &PrintedCheckbox<'_>) -> Option<KeyValue> {
    let key = cleaned(tick.option.text);
    let short = !key.is_empty() && key.split_whitespace().count() <= MAX_WORDS;
    short.then(|| KeyValue {
        key,
        value: tick.on.to_string(),
        page: line.page,
        rect: tick.option.rect,
        kind: KeyValueKind::Label,
    })
}

/// The text before the first box of a segment, and its boxes, each with the text up to the next one.
fn split_checkboxes<'t>(segment: &Segment<'t>) -> (Segment<'t>, Vec<PrintedCheckbox<'t>>) {
    let text = segment.text;
    let marks = find_checkboxes(text);
    let first = marks.first().map_or(text.len(), |mark| mark.0);
    let ends = marks.iter().skip(1).map(|mark| mark.0).chain([text.len()]);
    let ticks = marks
        .iter()
        .zip(ends)
        .map(|((_, after, on), end)| PrintedCheckbox { option: segment.part(*after, end), on: *on });
    (segment.part(0, first), ticks.filter(|tick| !tick.option.text.is_empty()).collect())
}

/// Byte ranges of the boxes, and whether they are ticked.
fn find_checkboxes(text: &str) -> Vec<(usize, usize, bool)> {
    let mut marks = Vec::new();
    let mut at = 0;
    while let Some(rest) = text.get(at..).filter(|rest| !rest.is_empty()) {
        let found = |list: &[&str]| list.iter().find(|mark| rest.starts_with(**mark)).map(|mark| mark.len());
        let mark = found(&EMPTY)
            .map(|length| (length, false))
            .or_else(|| found(&TICKED).map(|length| (length, true)));
        match mark {
            Some((length, on)) => {
                marks.push((at, at + length, on));
                at += length;
            }
            None => at += rest.chars().next().map_or(1, char::len_utf8),
        }
    }
    marks
}
