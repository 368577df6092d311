//! Pages of the responses that an agent keeps.

use delta_core::{ResponseCursor, RunId, StoredResponse};
use diesel::dsl::max;
use diesel::{
    BoolExpressionMethods as _, ExpressionMethods as _, QueryDsl as _, QueryResult, RunQueryDsl as _,
};

use super::rows::{position, read_index};
use crate::connection::{AnyConnection, prepared};
use crate::failure::Failure;
use crate::rows::from_json;
use crate::schema::responses;

/// The responses of an agent, of one run or of all.
pub(super) struct Kept<'a> {
    pub(super) workspace: &'a str,
    pub(super) agent: &'a str,
    pub(super) only: Option<i64>,
}

impl Kept<'_> {
    /// Runs newest first, groups in order. Reads run by run, so that each query walks the primary key:
    /// one order over all, down by run and up by group, would be sorted anew for each page.
    pub(super) fn page(
        &self,
        connection: &mut AnyConnection,
        after: Option<ResponseCursor>,
        limit: usize,
    ) -> Result<Vec<StoredResponse>, Failure> {
        let mut found = Vec::new();
        let (mut run, mut from) = match after {
            Some(seen) => (Some(seen.sid.0), position(seen.index)),
            None => (self.older_than(connection, i64::MAX)?, -1),
        };
        while let Some(sid) = run {
            self.of_run(connection, (sid, from), limit - found.len(), &mut found)?;
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

    fn of_run(
        &self,
        connection: &mut AnyConnection,
        (sid, from): (i64, i32),
        limit: usize,
        found: &mut Vec<StoredResponse>,
    ) -> Result<(), Failure> {
        let own = responses::workspace.eq(self.workspace).and(responses::agent.eq(self.agent));
        let query = responses::table
            .filter(own.and(responses::sid.eq(sid)).and(responses::position.gt(from)))
            .order(responses::position)
            .limit(i64::try_from(limit).unwrap_or(i64::MAX))
            .select((responses::position, responses::content));
        let rows: Vec<(i32, String)> = prepared!(connection, inner => query.load(inner))?;
        for (position, content) in rows {
            let (index, response) = (read_index(position)?, from_json(&content)?);
            found.push(StoredResponse { sid: RunId(sid), index, response });
        }
        Ok(())
    }
}
