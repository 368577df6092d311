//! Reviews: rows, lists, and the reviews of responses.

use std::collections::{BTreeMap, HashMap};

use delta_core::review::{
    NewReview, Review, ReviewEntry, ReviewFilter, ReviewOrder, ReviewReason, ReviewState, ReviewSubject,
};
use delta_core::{GroupId, RunId, StoredResponse};
use diesel::{
    BoolExpressionMethods as _, ExpressionMethods as _, JoinOnDsl as _, QueryDsl as _, Queryable,
    RunQueryDsl as _, TextExpressionMethods as _,
};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use shared_core::{Page, PageRequest, Revision, StoreError, Timestamp, Violation};

use super::rows::read_index;
use crate::connection::{AnyConnection, prepared};
use crate::failure::{Failure, corrupt, foreign_key_violation_as};
use crate::lists::{self, cut};
use crate::rows::{count, from_json, position, time, to_json};
use crate::schema::{agents, reviews};
use crate::text_encoding::{decode, encode};
use crate::webhooks::reviews_decided;

/// Reviews per insert statement on PostgreSQL; each takes 14 of its 65,535 parameters.
const INSERT_BATCH: usize = 500;

/// A review to store.
#[derive(Clone, Debug, diesel::Insertable)]
#[diesel(table_name = reviews)]
struct NewRow<'a> {
    workspace: &'a str,
    id: &'a str,
    agent: &'a str,
    sid: i64,
    position: i32,
    path: String,
    field: String,
    reasons: String,
    state: &'static str,
    subject: String,
    revision: i64,
    created: i64,
    updated: i64,
    doubt: i64,
}

/// A stored review.
#[derive(Queryable)]
struct ReviewRow {
    _workspace: String,
    id: String,
    agent: String,
    sid: i64,
    position: i32,
    path: String,
    field: String,
    reasons: String,
    state: String,
    assignee: Option<String>,
    subject: String,
    decided: Option<String>,
    revision: i64,
    created: i64,
    updated: i64,
    _doubt: i64,
}

/// What was decided, as it is stored.
#[derive(Deserialize, Serialize)]
struct StoredDecision {
    value: Value,
    errors: Vec<Violation>,
    history: Vec<ReviewEntry>,
}

impl ReviewRow {
    fn read(self, namespace: String) -> Result<Review, StoreError> {
        let subject: ReviewSubject = from_json(&self.subject)?;
        let reasons = self.reasons.split(',').filter(|name| !name.is_empty()).map(reason);
        let about = NewReview {
            id: self.id,
            path: decode(self.path),
            field: decode(self.field),
            reasons: reasons.collect::<Result<_, _>>()?,
            subject,
        };
        let group = GroupId { sid: RunId(self.sid), index: read_index(self.position)? };
        let new = Review::new(about, (self.agent, namespace), group, time(self.created)?);
        let decided: Option<StoredDecision> = self.decided.as_deref().map(from_json).transpose()?;
        let review = match decided {
            Some(StoredDecision { value, errors, history }) => Review { value, errors, history, ..new },
            None => new,
        };
        Ok(Review {
            state: state(&self.state)?,
            assignee: self.assignee.map(decode),
            revision: Revision(self.revision),
            updated: time(self.updated)?,
            ..review
        })
    }
}

fn reason(name: &str) -> Result<ReviewReason, StoreError> {
    let found = ReviewReason::ALL.into_iter().find(|reason| reason.name() == name);
    found.ok_or_else(|| corrupt(format!("'{name}' is no reason of a review")))
}

fn state(name: &str) -> Result<ReviewState, StoreError> {
    let found = ReviewState::ALL.into_iter().find(|state| state.name() == name);
    found.ok_or_else(|| corrupt(format!("'{name}' is no state of a review")))
}

/// Reasons as they are stored: each between commas, so that one can be looked for.
fn reasons_text(reasons: &[ReviewReason]) -> String {
    reasons.iter().fold(",".to_owned(), |text, reason| text + reason.name() + ",")
}

/// Stores the reviews of a group except those of paths that have one. Returns the number of stored ones.
pub(super) fn insert(
    connection: &mut AnyConnection,
    (workspace, agent): (&str, &str),
    group: GroupId,
    new: &[NewReview],
    now: Timestamp,
) -> Result<u32, Failure> {
    let row = |review: &'_ NewReview| {
        Ok::<_, StoreError>(NewRow {
            workspace,
            id: "",
            agent,
            sid: group.sid.0,
            position: position(group.index),
            path: encode(&review.path).into_owned(),
            field: encode(&review.field).into_owned(),
            reasons: reasons_text(&review.reasons),
            state: ReviewState::Open.name(),
            subject: to_json(&review.subject)?,
            revision: Revision::FIRST.0,
            created: now.micros(),
            updated: now.micros(),
            doubt: review.doubt(),
        })
    };
    let rows = new.iter().map(|review| Ok(NewRow { id: &review.id, ..row(review)? }));
    let rows = rows.collect::<Result<Vec<_>, StoreError>>()?;
    let missing = foreign_key_violation_as("run");
    let mut stored = 0;
    match connection {
        // Diesel wraps a batch in a transaction of its own on SQLite, where single rows are cheap.
        AnyConnection::Sqlite(inner) => {
            for row in rows {
                let insert = diesel::insert_into(reviews::table).values(row).on_conflict_do_nothing();
                stored += insert.execute(inner).map_err(&missing)?;
            }
        }
        AnyConnection::Postgres(inner) => {
            for part in rows.chunks(INSERT_BATCH) {
                let insert = diesel::insert_into(reviews::table).values(part).on_conflict_do_nothing();
                stored += insert.execute(inner).map_err(&missing)?;
            }
        }
    }
    Ok(u32::try_from(stored).map_err(corrupt)?)
}

/// Joins the namespace of the agent.
macro_rules! with_agent {
    () => {
        reviews::table.inner_join(
            agents::table.on(agents::workspace.eq(reviews::workspace).and(agents::id.eq(reviews::agent))),
        )
    };
}

/// The reviews with these ids.
pub(super) fn find(
    connection: &mut AnyConnection,
    workspace: &str,
    ids: &[String],
) -> Result<Vec<Review>, Failure> {
    let mut found = Vec::with_capacity(ids.len());
    // One by one: a list of ids would be a new statement for each number of them.
    for id in ids {
        let query = with_agent!()
            .filter(reviews::workspace.eq(workspace).and(reviews::id.eq(encode(id).into_owned())))
            .select((reviews::all_columns, agents::namespace));
        let rows: Vec<(ReviewRow, String)> = prepared!(connection, inner => query.load(inner))?;
        for (row, namespace) in rows {
            found.push(row.read(namespace)?);
        }
    }
    Ok(found)
}

/// The reviews of a workspace that pass a filter, as a boxed query for both databases.
macro_rules! filtered {
    ($workspace:expr, $filter:expr) => {{
        let ReviewFilter { agent_id, sid, state, reason, field, assignee, group, order: _ } = $filter;
        let mut query = with_agent!().filter(reviews::workspace.eq($workspace)).into_boxed();
        if let Some(agent) = agent_id {
            query = query.filter(reviews::agent.eq(agent));
        }
        if let Some(sid) = sid {
            query = query.filter(reviews::sid.eq(sid.0));
        }
        if let Some(state) = state {
            query = query.filter(reviews::state.eq(state.name()));
        }
        if let Some(reason) = reason {
            query = query.filter(reviews::reasons.like(format!("%,{},%", reason.name())));
        }
        if let Some(field) = field {
            query = query.filter(reviews::field.eq(encode(field).into_owned()));
        }
        if let Some(assignee) = assignee {
            query = query.filter(reviews::assignee.eq(encode(assignee).into_owned()));
        }
        if let Some(group) = group {
            query = query.filter(reviews::position.eq(position(*group)));
        }
        query
    }};
}

/// Reviews in the order of the filter.
pub(super) fn list(
    connection: &mut AnyConnection,
    workspace: &str,
    filter: &ReviewFilter,
    page: &PageRequest,
) -> Result<Page<Review>, Failure> {
    let total: i64 = filtered!(workspace, filter).count().get_result(connection)?;
    let query = filtered!(workspace, filter).select((reviews::all_columns, agents::namespace));
    let rows: Vec<(ReviewRow, String)> = match filter.order {
        ReviewOrder::Newest => {
            cut!(query, page, reviews::created, reviews::id, String::clone).load(connection)?
        }
        ReviewOrder::Confidence => {
            cut!(query, page, reviews::doubt, reviews::id, String::clone).load(connection)?
        }
    };
    let items =
        rows.into_iter().map(|(row, namespace)| row.read(namespace)).collect::<Result<Vec<_>, _>>()?;
    Ok(lists::page(items, total, page, |review: &Review| review.cursor(filter.order))?)
}

/// Stores changed reviews, and emits what was decided.
pub(super) fn update(
    connection: &mut AnyConnection,
    workspace: &str,
    changed: &[(Review, Revision)],
) -> Result<(), Failure> {
    // In the order of ids, to prevent deadlocks on PostgreSQL.
    let ordered: BTreeMap<&str, &(Review, Revision)> =
        changed.iter().map(|change| (change.0.about.id.as_str(), change)).collect();
    for (id, (review, expected)) in ordered {
        let decided = StoredDecision {
            value: review.value.clone(),
            errors: review.errors.clone(),
            history: review.history.clone(),
        };
        let same = reviews::table
            .filter(reviews::workspace.eq(workspace).and(reviews::id.eq(encode(id).into_owned())))
            .filter(reviews::revision.eq(expected.0));
        let update = diesel::update(same).set((
            reviews::state.eq(review.state.name()),
            reviews::assignee.eq(review.assignee.as_deref().map(|name| encode(name).into_owned())),
            reviews::decided.eq(Some(to_json(&decided)?)),
            reviews::revision.eq(review.revision.0),
            reviews::updated.eq(review.updated.micros()),
        ));
        if prepared!(connection, inner => update.execute(inner))? == 0 {
            return Err(StoreError::Stale.into());
        }
    }
    reviews_decided(connection, workspace, changed)
}

/// Deletes the reviews of the groups of a run that failed.
pub(super) fn delete_failed(
    connection: &mut AnyConnection,
    workspace: &str,
    sid: i64,
) -> Result<(), Failure> {
    let failed = reviews::table
        .filter(reviews::workspace.eq(workspace).and(reviews::sid.eq(sid)))
        .filter(reviews::path.eq(""));
    prepared!(connection, inner => diesel::delete(failed).execute(inner))?;
    Ok(())
}

/// The number of reviews of a run that nobody has decided.
pub(super) fn count_open(connection: &mut AnyConnection, workspace: &str, sid: i64) -> Result<u32, Failure> {
    let open = reviews::table
        .filter(reviews::workspace.eq(workspace).and(reviews::sid.eq(sid)))
        .filter(reviews::state.eq(ReviewState::Open.name()))
        .count();
    Ok(count(prepared!(connection, inner => open.get_result::<i64>(inner))?)?)
}

/// Applies the reviews of responses of one run, which are in the order of their groups.
pub(super) fn apply(
    connection: &mut AnyConnection,
    workspace: &str,
    responses: &mut [StoredResponse],
) -> Result<(), Failure> {
    let Some((first, last)) = responses.first().zip(responses.last()) else { return Ok(()) };
    let query = reviews::table
        .filter(reviews::workspace.eq(workspace).and(reviews::sid.eq(first.sid.0)))
        .filter(reviews::position.ge(position(first.index)).and(reviews::position.le(position(last.index))))
        .filter(reviews::state.ne(ReviewState::Open.name()));
    let rows: Vec<ReviewRow> = prepared!(connection, inner => query.load(inner))?;
    let mut decided: HashMap<u32, Vec<Review>> = HashMap::new();
    for row in rows {
        let review = row.read(String::new())?;
        decided.entry(review.group.index).or_default().push(review);
    }
    for stored in responses {
        if let Some(reviews) = decided.remove(&stored.index) {
            stored.response.apply_reviews(reviews);
        }
    }
    Ok(())
}
