//! Queries on sessions, turns and submissions: one, or a page of bounded size in bytes.

use agents_core::chat::{Phase, Session, Submission, Turn, page_length};
use diesel::{
    BoolExpressionMethods as _, ExpressionMethods as _, JoinOnDsl as _, OptionalExtension as _,
    QueryDsl as _, RunQueryDsl as _,
};
use shared_core::{Cursor, Page, PageRequest};

use super::rows::{AuthorColumns, SessionRow, SubmissionRow, TurnRow};
use crate::connection::{AnyConnection, prepared};
use crate::failure::Failure;
use crate::lists::cut;
use crate::rows::count;
use crate::schema::{session_turns as turns, sessions, submissions, users};

/// Joins authors to the rows of a table.
macro_rules! with_author {
    ($table:ident) => {
        $table::table.inner_join(
            users::table.on(users::workspace.eq($table::workspace).and(users::id.eq($table::author))),
        )
    };
}

/// The rows of an agent.
macro_rules! of {
    ($table:ident, $workspace:expr, $agent:expr) => {
        $table::workspace.eq($workspace).and($table::agent.eq($agent))
    };
}

/// A page of an agent's rows, with the cursor of its last row if more follow. Their sizes are read before the
/// rows.
macro_rules! stretch {
    ($connection:expr, $table:ident, $bytes:expr, $row:ty, $workspace:expr, $agent:expr, $page:expr $(, $also:expr)?) => {{
        let heads = $table::table.filter(of!($table, $workspace, $agent)) $(.filter($also))?;
        let heads = heads.select($bytes).into_boxed();
        let heads: Vec<i64> =
            cut!(heads, $page, $table::created, $table::id, String::clone).load($connection)?;
        let length = count_fitting(&heads, $page.limit as usize);
        let columns = ($table::all_columns, (users::name, users::email));
        let query = with_author!($table).filter(of!($table, $workspace, $agent)) $(.filter($also))?;
        let query = query.select(columns).into_boxed();
        let rows: Vec<($row, AuthorColumns)> =
            cut!(query, $page, $table::created, $table::id, String::clone, as_limit(length))
                .load($connection)?;
        let items = rows.into_iter().map(|(row, author)| row.read(author)).collect::<Result<Vec<_>, _>>()?;
        let last = items.last().filter(|_| length < heads.len());
        let next = last.map(|row| Cursor { created: row.created, id: row.id.clone() });
        (items, next)
    }};
}

/// The number of an agent's rows.
macro_rules! number {
    ($connection:expr, $table:ident, $workspace:expr, $agent:expr $(, $also:expr)?) => {{
        let own = $table::table.filter(of!($table, $workspace, $agent)) $(.filter($also))?;
        let own = own.count();
        let total: i64 = prepared!($connection, inner => own.get_result(inner))?;
        count(total)?
    }};
}

/// How many of the first `most` rows with these sizes are read together.
fn count_fitting(sizes: &[i64], most: usize) -> usize {
    page_length(sizes.iter().take(most).map(|bytes| usize::try_from(*bytes).unwrap_or(usize::MAX)))
}

fn as_limit(length: usize) -> i64 {
    i64::try_from(length).unwrap_or(i64::MAX)
}

pub(super) fn session(
    connection: &mut AnyConnection,
    workspace: &str,
    (agent, id): (&str, &str),
) -> Result<Option<Session>, Failure> {
    let query = with_author!(sessions)
        .filter(of!(sessions, workspace, agent).and(sessions::id.eq(id)))
        .select((sessions::all_columns, (users::name, users::email)));
    let found: Option<(SessionRow, AuthorColumns)> =
        prepared!(connection, inner => query.get_result(inner).optional())?;
    Ok(found.map(|(row, author)| row.read(author)).transpose()?)
}

pub(super) fn list(
    connection: &mut AnyConnection,
    workspace: &str,
    agent: &str,
    phase: Option<Phase>,
    page: &PageRequest,
) -> Result<Page<Session>, Failure> {
    let Some(phase) = phase else {
        let total = number!(connection, sessions, workspace, agent);
        let (items, next) =
            stretch!(connection, sessions, sessions::form_bytes, SessionRow, workspace, agent, page);
        return Ok(Page { items, total, next });
    };
    let in_phase = || sessions::phase.eq(phase.name());
    let total = number!(connection, sessions, workspace, agent, in_phase());
    let bytes = sessions::form_bytes;
    let (items, next) = stretch!(connection, sessions, bytes, SessionRow, workspace, agent, page, in_phase());
    Ok(Page { items, total, next })
}

pub(super) fn last_turns(
    connection: &mut AnyConnection,
    workspace: &str,
    session: &str,
    last: usize,
) -> Result<Vec<Turn>, Failure> {
    let own = || turns::table.filter(turns::workspace.eq(workspace).and(turns::session.eq(session)));
    let heads =
        own().order(turns::number.desc()).limit(as_limit(last)).select((turns::number, turns::content_bytes));
    let heads: Vec<(i32, i64)> = prepared!(connection, inner => heads.load(inner))?;
    let sizes: Vec<i64> = heads.iter().map(|(_, bytes)| *bytes).collect();
    let oldest = count_fitting(&sizes, last).checked_sub(1).and_then(|place| heads.get(place));
    let Some((oldest, _)) = oldest else { return Ok(Vec::new()) };
    let query = own().filter(turns::number.ge(oldest)).order(turns::number).select(turns::all_columns);
    let found: Vec<TurnRow> = prepared!(connection, inner => query.load(inner))?;
    Ok(found.into_iter().map(TurnRow::read).collect::<Result<_, _>>()?)
}

pub(super) fn submission(
    connection: &mut AnyConnection,
    workspace: &str,
    (agent, id): (&str, &str),
) -> Result<Option<Submission>, Failure> {
    let query = with_author!(submissions)
        .filter(of!(submissions, workspace, agent).and(submissions::id.eq(id)))
        .select((submissions::all_columns, (users::name, users::email)));
    let found: Option<(SubmissionRow, AuthorColumns)> =
        prepared!(connection, inner => query.get_result(inner).optional())?;
    Ok(found.map(|(row, author)| row.read(author)).transpose()?)
}

pub(super) fn submissions(
    connection: &mut AnyConnection,
    workspace: &str,
    agent: &str,
    page: &PageRequest,
) -> Result<Page<Submission>, Failure> {
    let total = number!(connection, submissions, workspace, agent);
    let (items, next) = submissions_after(connection, workspace, agent, page)?;
    Ok(Page { items, total, next })
}

pub(super) fn submissions_after(
    connection: &mut AnyConnection,
    workspace: &str,
    agent: &str,
    page: &PageRequest,
) -> Result<(Vec<Submission>, Option<Cursor>), Failure> {
    Ok(stretch!(connection, submissions, submissions::record_bytes, SubmissionRow, workspace, agent, page))
}
