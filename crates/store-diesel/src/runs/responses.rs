//! The stored responses of an agent: pages, counts, and the response to identical work.

use delta_core::{Response, ResponseCursor, RunId, StoredResponse};
use diesel::dsl::max;
use diesel::{
    BoolExpressionMethods as _, ExpressionMethods as _, OptionalExtension as _, QueryDsl as _, QueryResult,
    RunQueryDsl as _,
};

use super::read::load_run;
use super::reviews;
use super::rows::read_index;
use crate::connection::{AnyConnection, prepared};
use crate::failure::Failure;
use crate::rows::{count, from_json, position, stored_count};
use crate::schema::responses;

/// The responses of an agent, of one run or of all.
pub(super) struct ResponsesQuery<'a> {
    pub(super) workspace: &'a str,
    pub(super) agent: &'a str,
    pub(super) only: Option<i64>,
}

impl ResponsesQuery<'_> {
    /// Runs newest first, groups in order. It reads run by run, so that each query walks the primary key: one
    /// order over all, descending by run and ascending by group, would be sorted for each page.
    pub(super) fn page(
        &self,
        connection: &mut AnyConnection,
        after: Option<ResponseCursor>,
        (mut skip, limit): (u64, usize),
    ) -> Result<Vec<StoredResponse>, Failure> {
        let mut found = Vec::new();
        let (mut run, mut from) = match after {
            Some(seen) => (Some(seen.sid.0), position(seen.index)),
            None => (self.older_than(connection, i64::MAX)?, -1),
        };
        while let Some(sid) = run {
            // A run that is skipped as a whole is counted, not read.
            let passed = if skip > 0 { skip.min(self.count_in(connection, sid, from)?) } else { 0 };
            self.load_run_page(connection, (sid, from), (passed, limit - found.len()), &mut found)?;
            skip -= passed;
            if found.len() >= limit {
                break;
            }
            (run, from) = (self.older_than(connection, sid)?, -1);
        }
        Ok(found)
    }

    /// The newest run with responses that is older than `sid`.
    fn older_than(&self, connection: &mut AnyConnection, sid: i64) -> QueryResult<Option<i64>> {
        if let Some(only) = self.only {
            return Ok(Some(only).filter(|only| *only < sid));
        }
        let own = responses::workspace.eq(self.workspace).and(responses::agent.eq(self.agent));
        let query = responses::table.filter(own.and(responses::sid.lt(sid))).select(max(responses::sid));
        prepared!(connection, inner => query.get_result(inner))
    }

    fn count_in(&self, connection: &mut AnyConnection, sid: i64, from: i32) -> Result<u64, Failure> {
        let own = responses::workspace.eq(self.workspace).and(responses::agent.eq(self.agent));
        let later = responses::sid.eq(sid).and(responses::position.gt(from));
        let query = responses::table.filter(own.and(later)).count();
        Ok(count(prepared!(connection, inner => query.get_result::<i64>(inner))?)?)
    }

    fn load_run_page(
        &self,
        connection: &mut AnyConnection,
        (sid, from): (i64, i32),
        (skip, limit): (u64, usize),
        found: &mut Vec<StoredResponse>,
    ) -> Result<(), Failure> {
        let own = responses::workspace.eq(self.workspace).and(responses::agent.eq(self.agent));
        let query = responses::table
            .filter(own.and(responses::sid.eq(sid)).and(responses::position.gt(from)))
            .order(responses::position)
            .limit(i64::try_from(limit).unwrap_or(i64::MAX))
            .offset(stored_count(skip))
            .select((responses::position, responses::content));
        let rows: Vec<(i32, String)> = prepared!(connection, inner => query.load(inner))?;
        if rows.is_empty() {
            return Ok(());
        }
        let run = load_run(connection, self.workspace, sid)?;
        let form_version = run.map_or(0, |(_, run)| run.plan.form_version);
        let begin = found.len();
        for (position, content) in rows {
            let (index, response): (u32, Response) = (read_index(position)?, from_json(&content)?);
            let form_version = response.form_version(form_version);
            found.push(StoredResponse { sid: RunId(sid), index, form_version, response });
        }
        reviews::apply(connection, self.workspace, found.get_mut(begin..).unwrap_or_default())
    }
}

/// The number of stored responses of the agent, of one run or of all.
pub(super) fn count_responses(
    connection: &mut AnyConnection,
    workspace: &str,
    agent: &str,
    only: Option<i64>,
) -> Result<u64, Failure> {
    let own = responses::workspace.eq(workspace).and(responses::agent.eq(agent));
    let mut query = responses::table.filter(own).count().into_boxed();
    if let Some(sid) = only {
        query = query.filter(responses::sid.eq(sid));
    }
    Ok(count(query.get_result::<i64>(connection)?)?)
}

/// The newest response in the workspace with this fingerprint.
pub(super) fn find_identical(
    connection: &mut AnyConnection,
    workspace: &str,
    fingerprint: &str,
) -> Result<Option<Response>, Failure> {
    let query = responses::table
        .filter(responses::workspace.eq(workspace).and(responses::fingerprint.eq(fingerprint)))
        .order(responses::created.desc())
        .limit(1)
        .select((responses::sid, responses::position, responses::content));
    let found: Option<(i64, i32, String)> =
        prepared!(connection, inner => query.get_result(inner).optional())?;
    let Some((sid, position, content)) = found else { return Ok(None) };
    let (index, response) = (read_index(position)?, from_json(&content)?);
    let mut stored = [StoredResponse { sid: RunId(sid), index, form_version: 0, response }];
    reviews::apply(connection, workspace, &mut stored)?;
    let [StoredResponse { response, .. }] = stored;
    Ok(Some(response))
}
