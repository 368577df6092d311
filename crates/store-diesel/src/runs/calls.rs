//! Stored model answers of open groups.

use std::collections::BTreeMap;

use delta_core::{GroupId, GroupState};
use diesel::upsert::excluded;
use diesel::{
    BoolExpressionMethods as _, ExpressionMethods as _, OptionalExtension as _, QueryDsl as _,
    RunQueryDsl as _,
};
use forms_core::SavedAnswer;
use gen_core::Spend;

use crate::connection::{AnyConnection, prepared};
use crate::failure::Failure;
use crate::rows::{from_json, position, to_json};
use crate::schema::{kept_calls, run_groups};
use crate::text_encoding::encode;

/// The calls of a group.
macro_rules! calls {
    ($workspace:expr, $group:expr) => {
        kept_calls::table
            .filter(kept_calls::workspace.eq($workspace).and(kept_calls::sid.eq($group.sid.0)))
            .filter(kept_calls::position.eq(position($group.index)))
    };
}

pub(super) fn find(
    connection: &mut AnyConnection,
    workspace: &str,
    group: GroupId,
    call: &str,
) -> Result<Option<SavedAnswer>, Failure> {
    let call = encode(call);
    let query = calls!(workspace, group).filter(kept_calls::call.eq(call.as_ref()));
    let query = query.select(kept_calls::answer);
    let found: Option<String> = prepared!(connection, inner => query.get_result(inner).optional())?;
    Ok(found.as_deref().map(from_json).transpose()?)
}

/// Stores an answer while the group is open.
pub(super) fn keep(
    connection: &mut AnyConnection,
    workspace: &str,
    group: GroupId,
    call: &str,
    answer: &SavedAnswer,
) -> Result<(), Failure> {
    let open = run_groups::table
        .filter(run_groups::workspace.eq(workspace).and(run_groups::sid.eq(group.sid.0)))
        .filter(run_groups::position.eq(position(group.index)))
        .filter(run_groups::state.eq(GroupState::Queued.name()))
        .select(run_groups::position);
    let open: Option<i32> = match connection {
        // The lock keeps the group open until the answer is stored. A later answer would never be deleted.
        AnyConnection::Postgres(inner) => open.for_update().get_result(inner).optional()?,
        AnyConnection::Sqlite(inner) => open.get_result(inner).optional()?,
    };
    if open.is_none() {
        return Ok(());
    }
    let call = encode(call);
    let insert = diesel::insert_into(kept_calls::table)
        .values((
            kept_calls::workspace.eq(workspace),
            kept_calls::sid.eq(group.sid.0),
            kept_calls::position.eq(position(group.index)),
            kept_calls::call.eq(call.as_ref()),
            kept_calls::answer.eq(to_json(answer)?),
        ))
        .on_conflict((kept_calls::workspace, kept_calls::sid, kept_calls::position, kept_calls::call))
        .do_update()
        .set(kept_calls::answer.eq(excluded(kept_calls::answer)));
    prepared!(connection, inner => insert.execute(inner))?;
    Ok(())
}

/// Deletes the calls of a group. Returns their spend, to be counted with that of the group.
pub(super) fn delete(
    connection: &mut AnyConnection,
    workspace: &str,
    group: GroupId,
) -> Result<Spend, Failure> {
    let delete = diesel::delete(calls!(workspace, group)).returning(kept_calls::answer);
    let answers: Vec<String> = prepared!(connection, inner => delete.load(inner))?;
    let mut sum = Spend::default();
    for answer in answers {
        sum += from_json::<SavedAnswer>(&answer)?.spent();
    }
    Ok(sum)
}

/// Deletes the calls of a run except those of groups at these positions. Returns the spend by position.
pub(super) fn delete_except(
    connection: &mut AnyConnection,
    workspace: &str,
    sid: i64,
    left: &[i32],
) -> Result<BTreeMap<i32, Spend>, Failure> {
    let calls = kept_calls::table
        .filter(kept_calls::workspace.eq(workspace).and(kept_calls::sid.eq(sid)))
        .filter(kept_calls::position.ne_all(left));
    let delete = diesel::delete(calls).returning((kept_calls::position, kept_calls::answer));
    let answers: Vec<(i32, String)> = prepared!(connection, inner => delete.load(inner))?;
    let mut sums = BTreeMap::<i32, Spend>::new();
    for (position, answer) in answers {
        *sums.entry(position).or_default() += from_json::<SavedAnswer>(&answer)?.spent();
    }
    Ok(sums)
}
