//! Pagination: newest first, then by id; by page number or by cursor.

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;

use crate::Timestamp;

/// Where a page of a list starts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Position {
    /// The `n`-th page, from 1.
    Number(u32),
    /// After the row that the cursor names: stable under inserts.
    After(Cursor),
}

/// The sort key of a list's last row: creation time, then id, both descending.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Cursor {
    /// Creation time of the last row returned.
    pub created: Timestamp,
    /// Identifier of the last row returned (integers as decimal text).
    pub id: String,
}

/// A cursor that this service did not issue.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("'cursor' is not a cursor of this list")]
pub struct CursorError;

impl Cursor {
    /// The opaque text of a cursor; `list` names the list that it belongs to.
    #[must_use]
    pub fn encode(&self, list: &str) -> String {
        URL_SAFE_NO_PAD.encode(format!("{list}:{}:{}", self.created.micros(), self.id))
    }

    /// Decodes the output of [`Cursor::encode`] for the same list.
    ///
    /// # Errors
    /// [`CursorError`] for any other text.
    pub fn decode(list: &str, text: &str) -> Result<Self, CursorError> {
        let bytes = URL_SAFE_NO_PAD.decode(text).ok().ok_or(CursorError)?;
        let text = String::from_utf8(bytes).ok().ok_or(CursorError)?;
        let rest = text.strip_prefix(list).and_then(|rest| rest.strip_prefix(':')).ok_or(CursorError)?;
        let (micros, id) = rest.split_once(':').ok_or(CursorError)?;
        // No id has other characters, and not every database can search for them.
        if !id.bytes().all(|byte| byte.is_ascii_graphic()) {
            return Err(CursorError);
        }
        let micros = micros.parse().ok().ok_or(CursorError)?;
        let created = Timestamp::from_micros(micros).ok_or(CursorError)?;
        Ok(Self { created, id: id.to_owned() })
    }
}

/// Which page of a list to return.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PageRequest {
    /// Where the page starts.
    pub position: Position,
    /// Rows at most (1 to 100; the caller has checked it).
    pub limit: u32,
}

impl PageRequest {
    /// The first page of `limit` rows.
    #[must_use]
    pub fn first(limit: u32) -> Self {
        Self { position: Position::Number(1), limit }
    }

    /// Rows to skip for a numbered page; 0 for a cursor.
    #[must_use]
    pub fn offset(&self) -> i64 {
        match &self.position {
            Position::Number(page) => i64::from(page.saturating_sub(1)) * i64::from(self.limit),
            Position::After(_) => 0,
        }
    }
}

/// A page of a list.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Page<T> {
    /// The rows, newest first.
    pub items: Vec<T>,
    /// The number of rows of the whole list.
    pub total: u64,
    /// The cursor of the last row; `None` when no rows follow.
    pub next: Option<Cursor>,
}

impl<T> Page<T> {
    /// The same page with every row mapped.
    pub fn map<U>(self, f: impl FnMut(T) -> U) -> Page<U> {
        Page { items: self.items.into_iter().map(f).collect(), total: self.total, next: self.next }
    }

    /// Sorts and cuts `rows` (already filtered, in any order) as the contract demands: for stores in memory.
    #[must_use]
    pub fn paginate(mut rows: Vec<T>, request: &PageRequest, key: impl Fn(&T) -> Cursor) -> Self {
        let order = |c: &Cursor| (c.created, c.id.parse::<i64>().ok(), c.id.clone());
        rows.sort_by_key(|row| std::cmp::Reverse(order(&key(row))));
        let total = rows.len() as u64;
        let start = match &request.position {
            Position::Number(_) => usize::try_from(request.offset()).unwrap_or(usize::MAX),
            Position::After(cursor) => {
                rows.iter().take_while(|row| order(&key(row)) >= order(cursor)).count()
            }
        };
        let limit = request.limit as usize;
        let more = rows.len() > start.saturating_add(limit);
        let items: Vec<T> = rows.into_iter().skip(start).take(limit).collect();
        let next = if more { items.last().map(&key) } else { None };
        Self { items, total, next }
    }
}

/// Bytes of rows that are read together, whatever the limit of the page. A larger row is read alone.
pub const PAGE_BYTES: usize = 1 << 20;

/// How many leading rows of these sizes are read together: as many as fit into [`PAGE_BYTES`], but at least
/// one if there are any.
pub fn page_length(bytes: impl IntoIterator<Item = usize>) -> usize {
    let mut sum: usize = 0;
    let fits = |size: usize| {
        sum = sum.saturating_add(size);
        sum <= PAGE_BYTES
    };
    let mut sizes = bytes.into_iter().peekable();
    let some = usize::from(sizes.peek().is_some());
    sizes.map(fits).take_while(|fits| *fits).count().max(some)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cursor_reads_back_what_it_wrote_and_refuses_the_rest() {
        let created = Timestamp::from_micros(1_700_000_000_123_456).unwrap();
        let cursor = Cursor { created, id: "form_a:b".into() };
        let text = cursor.encode("forms");
        assert_eq!(Cursor::decode("forms", &text), Ok(cursor));
        assert_eq!(Cursor::decode("notes", &text), Err(CursorError));
        for inside in ["", "abc", "forms", "forms:1", "forms:99999999999999999999:a", "forms:1:a\0b", "1:a"] {
            let bad = URL_SAFE_NO_PAD.encode(inside);
            assert_eq!(Cursor::decode("forms", &bad), Err(CursorError), "{inside}");
        }
        for bad in ["!!", &format!("{text}="), &text[1..]] {
            assert_eq!(Cursor::decode("forms", bad), Err(CursorError), "{bad}");
        }
    }

    #[test]
    fn a_page_by_cursor_goes_on_where_the_last_one_ended() {
        let rows: Vec<i64> = (1..=5).collect();
        let key = |n: &i64| Cursor { created: Timestamp::from_micros(n / 2).unwrap(), id: n.to_string() };
        let first = Page::paginate(rows.clone(), &PageRequest::first(2), key);
        assert_eq!((first.items.clone(), first.total), (vec![5, 4], 5));
        let position = Position::After(first.next.unwrap());
        let second = Page::paginate(rows, &PageRequest { position, limit: 3 }, key);
        assert_eq!((second.items, second.next), (vec![3, 2, 1], None));
    }

    #[test]
    fn pages_by_number_have_no_row_twice_and_leave_none_out() {
        let rows: Vec<i64> = (1..=5).collect();
        let key = |n: &i64| Cursor { created: Timestamp::from_micros(*n).unwrap(), id: n.to_string() };
        let page = |number| {
            let request = PageRequest { position: Position::Number(number), limit: 2 };
            Page::paginate(rows.clone(), &request, key).items
        };
        assert_eq!([page(1), page(2), page(3), page(4)], [vec![5, 4], vec![3, 2], vec![1], vec![]]);
    }

    #[test]
    fn rows_are_read_together_up_to_a_mebibyte_and_a_larger_one_alone() {
        const MEBIBYTE: usize = 1_048_576;
        assert_eq!(page_length([]), 0);
        assert_eq!(page_length([MEBIBYTE + 1, 1]), 1);
        assert_eq!(page_length([MEBIBYTE / 2, MEBIBYTE / 2, 1]), 2);
        assert_eq!(page_length([1, 1, 1]), 3);
    }
}
