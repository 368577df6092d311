//! The boundaries of a value: whether it spans a complete cell, line or clause after its label, or is
//! embedded in other words.

use super::super::node::TextSpan;

/// Words of a label at most. As `gen_core`'s `LabelReader`. Chosen by hand; no measurement is recorded.
pub(super) const MAX_LABEL: usize = 6;

/// The completeness of a span, 0 to 1: a half for each end that is an end of a cell, a line or a clause, or
/// that follows a label; minus a half if it contains another clause or a label.
pub(super) fn text_completeness(text: &str, spot: TextSpan, is_label: impl Fn(&str) -> bool) -> f32 {
    let before = text.get(..spot.start).unwrap_or_default();
    let after = text.get(spot.end..).unwrap_or_default();
    let within = text.get(spot.start..spot.end).unwrap_or_default();
    let (mut back, mut on) = (before.chars().rev(), after.chars());
    let left = is_gap(back.next(), back.next()) || is_label(clause_before(before));
    let right = is_gap(on.next(), on.next());
    let ends = 0.5 * (f32::from(u8::from(left)) + f32::from(u8::from(right)));
    if crosses(within, is_label) { (ends - 0.5).max(0.0) } else { ends }
}

/// The text of the clause before a position.
pub(super) fn clause_before(before: &str) -> &str {
    let from = before.rfind(|c: char| is_bar(c) || c == ':').map_or(0, |at| at + 1);
    before.get(from..).and_then(|clause| clause.rsplit("  ").next()).unwrap_or_default().trim()
}

/// The completeness of a number, a date or an option: each end counts unless other digits are next to it.
pub(super) fn number_completeness(text: &str, spot: TextSpan) -> f32 {
    let before = text.get(..spot.start).unwrap_or_default().rsplit(is_bar).next().unwrap_or_default();
    let after = text.get(spot.end..).unwrap_or_default().split(is_bar).next().unwrap_or_default();
    // Two spaces separate cells.
    let before = before.rsplit("  ").next().unwrap_or_default();
    let after = after.split("  ").next().unwrap_or_default();
    let left =
        before.split_whitespace().next_back().is_some_and(|word| word == "/" || word.ends_with(is_digit));
    let right = after.split_whitespace().next().is_some_and(|word| word == "/" || word.starts_with(is_digit));
    let (left, right) = (!left, !right);
    0.5 * (f32::from(u8::from(left)) + f32::from(u8::from(right)))
}

fn is_gap(first: Option<char>, second: Option<char>) -> bool {
    match first {
        None => true,
        Some(' ') => second.is_none_or(|c| c.is_whitespace() || is_end(c)),
        Some(c) => c.is_whitespace() || is_end(c),
    }
}

fn is_end(c: char) -> bool {
    !c.is_alphanumeric() && !matches!(c, '-' | '&' | '/' | '+' | '\'' | '’' | '_' | '%')
}

fn is_digit(c: char) -> bool {
    c.is_ascii_digit()
}

/// Separators that no value crosses.
fn is_bar(c: char) -> bool {
    matches!(c, '\n' | '|' | ';' | '\t')
}

/// Whether a quote crosses the end of a cell or a clause, or continues on a line that starts with a label.
fn crosses(quote: &str, is_label: impl Fn(&str) -> bool) -> bool {
    let quote = quote.trim();
    let leader = quote.contains("..") || quote.contains("  ") && !quote.contains('\n');
    leader
        || quote.contains(['|', ';', '\t'])
        || quote.lines().skip(1).any(|line| begins_with_label(line, &is_label))
}

/// Whether the first words of a line are a label.
pub(super) fn begins_with_label(line: &str, is_label: impl Fn(&str) -> bool) -> bool {
    let line = line.trim();
    let ends = line.match_indices(' ').map(|(at, _)| at).chain([line.len()]).take(MAX_LABEL);
    let mut words = ends.filter_map(|end| line.get(..end));
    words.any(|words| is_label(words.trim_end_matches(|c: char| !c.is_alphanumeric())))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn spot(text: &str, value: &str) -> TextSpan {
        let start = text.find(value).unwrap();
        TextSpan { document: 0, start, end: start + value.len() }
    }

    #[test]
    fn a_value_begins_behind_a_label_and_ends_with_its_clause() {
        let is_label = |words: &str| ["Supplier", "Total"].contains(&words);
        for (text, value, expected) in [
            ("Supplier: Arbor Ltd\n", "Arbor Ltd", 1.0),
            ("Supplier Arbor Ltd; Total 7", "Arbor Ltd", 1.0),
            ("Seller Arbor Ltd; Total 7", "Arbor Ltd", 0.5),
            ("Supplier: Arbor Energy Ltd", "Arbor", 0.5),
            ("Supplier Arbor Ltd; Total 7", "Arbor Ltd; Total", 0.0),
            ("Arbor Ltd\nTotal 7", "Arbor Ltd\nTotal 7", 0.5),
            ("Market Street 1\nLeeds", "Market Street 1\nLeeds", 1.0),
        ] {
            assert_eq!(text_completeness(text, spot(text, value), is_label), expected, "{text} / {value}");
        }
    }

    #[test]
    fn a_number_is_whole_where_no_other_digits_stand_beside_it() {
        for (text, value, expected) in [
            ("Nights 7; Total 3", "7", 1.0),
            ("Page 2 / 3", "3", 0.5),
            ("1 234,50", "234,50", 0.5),
            ("1  234", "234", 1.0),
        ] {
            assert_eq!(number_completeness(text, spot(text, value)), expected, "{text} / {value}");
        }
    }
}
