//! Splits a table at its rows.

use super::heading::line_of;
use super::split::{parts, size};

/// The table's header in one line, and the ends of the parts, in bytes.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct TableParts {
    pub(super) head: String,
    pub(super) ends: Vec<usize>,
}

/// Splits a table that is too long into parts of similar size: the first of at most `first` quarter tokens,
/// the others of `room` including the repeated header. A longer row is split itself.
pub(super) fn divide(text: &str, first: usize, room: usize) -> TableParts {
    let (head, body) = head(text);
    // The header takes at most half of a part.
    let room = room.saturating_sub(size(&head).min(room / 2)).max(1);
    let mut rows = Rows { ends: Vec::new(), size: 0, room: first, later: room, left: size(text), target: 0 };
    rows.aim();
    let mut at = 0;
    let lead = text.get(..body).unwrap_or_default();
    let lines = std::iter::once(lead).chain(text.get(body..).unwrap_or_default().split_inclusive('\n'));
    for line in lines.filter(|line| !line.is_empty()) {
        rows.take(at, line);
        at += line.len();
    }
    rows.close(text.len());
    TableParts { head, ends: rows.ends }
}

/// The first row in one line, if a delimiter row follows it; and where the other rows begin.
fn head(text: &str) -> (String, usize) {
    let mut lines = text.split_inclusive('\n').skip_while(|line| line.trim().is_empty());
    let (Some(first), Some(second)) = (lines.next(), lines.next()) else { return (String::new(), 0) };
    let dashes = second.trim();
    let divides =
        dashes.contains('-') && dashes.chars().all(|c| matches!(c, '|' | '-' | ':' | ' ' | '+' | '='));
    if !divides {
        return (String::new(), 0);
    }
    let body: usize = text.len() - lines.map(str::len).sum::<usize>();
    let cells = first.trim().trim_matches('|').split('|').map(str::trim);
    (line_of(&cells.collect::<Vec<_>>().join(" | ")), body)
}

struct Rows {
    ends: Vec<usize>,
    /// Size of the open part.
    size: usize,
    /// Maximum size of the open part.
    room: usize,
    /// Maximum size of the parts after it.
    later: usize,
    /// Size of all that is not in closed parts.
    left: usize,
    target: usize,
}

impl Rows {
    /// Adds a row that begins at `at`.
    fn take(&mut self, at: usize, row: &str) {
        if row.trim().is_empty() {
            return;
        }
        let own = size(row) + 1;
        if self.size > 0 && (self.size + own > self.room || self.size + own / 2 > self.target) {
            self.close(at);
        }
        if own <= self.room {
            self.size += own;
            return;
        }
        let mut start = 0;
        let ends = parts(row, self.room, self.later);
        let (last, before) =
            ends.split_last().map_or((row.len(), [].as_slice()), |(last, rest)| (*last, rest));
        for end in before {
            self.size = size(row.get(start..*end).unwrap_or_default());
            self.close(at + end);
            start = *end;
        }
        self.size = size(row.get(start..last).unwrap_or_default()).max(1);
    }

    /// Closes the open part at a byte offset of the table.
    fn close(&mut self, at: usize) {
        if self.ends.last().copied().unwrap_or_default() >= at {
            return;
        }
        self.ends.push(at);
        self.left = self.left.saturating_sub(self.size);
        (self.size, self.room) = (0, self.later);
        self.aim();
    }

    fn aim(&mut self) {
        let count = 1 + self.left.saturating_sub(self.room).div_ceil(self.later);
        self.target = self.left.div_ceil(count).min(self.room);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn split(text: &str, room: usize) -> (String, Vec<&str>) {
        let divided = divide(text, room, room);
        let mut start = 0;
        let part = |end: usize| &text[std::mem::replace(&mut start, end)..end];
        (divided.head, divided.ends.into_iter().map(part).collect())
    }

    #[test]
    fn a_table_is_cut_between_rows_and_its_head_is_told() {
        let rows: String = (0..40).map(|row| format!("| Thing {row} | {row}.00 |\n")).collect();
        let text = format!("| Name | Price |\n| --- | --- |\n{rows}");
        let (head, parts) = split(&text, 200);
        assert_eq!(head, "Name | Price");
        assert_eq!(parts.concat(), text);
        assert!(parts.len() > 3 && parts.iter().all(|part| part.ends_with("|\n") && size(part) <= 200));
        let sizes: Vec<usize> = parts.iter().map(|part| size(part)).collect();
        assert!(sizes.iter().all(|size| *size > 100), "{sizes:?}");
    }

    #[test]
    fn a_row_that_is_too_long_is_divided_itself() {
        let text = format!("| a | b |\n|---|---|\n| {} | 2 |\n| 3 | 4 |\n", "long words ".repeat(100));
        let (head, parts) = split(&text, 100);
        assert_eq!((head.as_str(), parts.concat().as_str()), ("a | b", text.as_str()));
        assert!(parts.iter().all(|part| size(part) <= 100), "{parts:?}");
    }

    #[test]
    fn without_a_line_of_dashes_there_is_no_head() {
        let (head, parts) = split("a b\nc d\ne f\n", 4);
        assert_eq!((head.as_str(), parts.concat().as_str()), ("", "a b\nc d\ne f\n"));
        assert_eq!(parts.len(), 3);
    }
}
