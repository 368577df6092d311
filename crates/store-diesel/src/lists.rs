//! Shared parts of all lists: newest first, then by id; by page number or by cursor.

use shared_core::{Cursor, Page, PageRequest, StoreError};

/// Rows to fetch for a page: one extra row shows whether more follow.
pub(crate) fn fetch(request: &PageRequest) -> i64 {
    i64::from(request.limit) + 1
}

/// Drops the extra row and makes the cursor of the last row kept.
pub(crate) fn page<T>(
    mut items: Vec<T>,
    total: i64,
    request: &PageRequest,
    key: impl Fn(&T) -> Cursor,
) -> Result<Page<T>, StoreError> {
    let limit = request.limit as usize;
    let more = items.len() > limit;
    items.truncate(limit);
    let next = if more { items.last().map(key) } else { None };
    Ok(Page { items, total: crate::rows::count(total)?, next })
}

/// Orders a query over a table with `created` and an id newest first, and limits it to the request.
macro_rules! cut {
    ($query:expr, $request:expr, $created:expr, $id:expr, $parse:expr) => {
        $crate::lists::cut!($query, $request, $created, $id, $parse, $crate::lists::fetch($request))
    };
    // With another number of rows than the request's.
    ($query:expr, $request:expr, $created:expr, $id:expr, $parse:expr, $rows:expr) => {{
        let query = $query.order(($created.desc(), $id.desc())).limit($rows);
        match &$request.position {
            shared_core::Position::Number(_) => query.offset($request.offset()),
            shared_core::Position::After(cursor) => {
                let created = cursor.created.micros();
                let older = $created.lt(created).or($created.eq(created).and($id.lt($parse(&cursor.id))));
                // The first condition is implied by the second, but an index scan can start at it; the
                // databases cannot use the second for that.
                query.filter($created.le(created)).filter(older)
            }
        }
    }};
}
pub(crate) use cut;
