//! Quotas: their rows, and their check at the end of each transaction that stores more of what they count.

use accounts_core::{Quota, QuotaChange, QuotaKind};
use diesel::dsl::sql;
use diesel::sql_types::BigInt;
use diesel::{ExpressionMethods as _, QueryDsl as _, RunQueryDsl as _};
use shared_core::StoreError;

use crate::connection::{AnyConnection, prepared};
use crate::failure::{Failure, corrupt, foreign_key_violation_as};
use crate::rows::{count, stored_count};
use crate::schema::{blobs, files, kb_bases, runs, workspace_quotas};

/// Fails if the workspace stores more than its quotas of these kinds permit. It is the last statement of a
/// transaction that stored something: the rows of the quotas stay locked until it ends, so concurrent
/// transactions cannot exceed a quota together, and cannot wait for each other in a circle.
pub(crate) fn check(
    connection: &mut AnyConnection,
    workspace: &str,
    kinds: &[QuotaKind],
) -> Result<(), Failure> {
    for (kind, limit) in lock(connection, workspace)? {
        if kinds.contains(&kind) && used(connection, workspace, kind)? > limit {
            return Err(StoreError::QuotaExceeded { name: description(kind), limit }.into());
        }
    }
    Ok(())
}

/// What is counted, in the plural, for messages.
fn description(kind: QuotaKind) -> &'static str {
    match kind {
        QuotaKind::Files => "files",
        QuotaKind::Bytes => "bytes of content",
        QuotaKind::Chunks => "chunks in knowledge bases",
        QuotaKind::Groups => "groups of batch runs",
    }
}

type QuotaRow = (String, i64);

/// The quotas that are set. SQLite has one writer; PostgreSQL locks the rows.
fn lock(connection: &mut AnyConnection, workspace: &str) -> Result<Vec<(QuotaKind, u64)>, Failure> {
    let query = workspace_quotas::table
        .filter(workspace_quotas::workspace.eq(workspace))
        .order(workspace_quotas::kind)
        .select((workspace_quotas::kind, workspace_quotas::amount));
    let rows: Vec<QuotaRow> = match connection {
        AnyConnection::Postgres(inner) => query.for_update().load(inner)?,
        AnyConnection::Sqlite(_) => prepared!(connection, inner => query.load(inner))?,
    };
    rows.into_iter().map(read).collect()
}

fn read((kind, amount): QuotaRow) -> Result<(QuotaKind, u64), Failure> {
    let known = QuotaKind::from_name(&kind).ok_or_else(|| corrupt(format!("'{kind}' is no quota")))?;
    Ok((known, count(amount)?))
}

/// What the workspace stores.
fn used(connection: &mut AnyConnection, workspace: &str, kind: QuotaKind) -> Result<u64, Failure> {
    let sum = |column: &str| sql::<BigInt>(&format!("CAST(COALESCE(SUM({column}), 0) AS BIGINT)"));
    let used: i64 = match kind {
        QuotaKind::Files => {
            files::table.filter(files::workspace.eq(workspace)).count().get_result(connection)?
        }
        QuotaKind::Bytes => {
            blobs::table.filter(blobs::workspace.eq(workspace)).select(sum("bytes")).get_result(connection)?
        }
        QuotaKind::Chunks => kb_bases::table
            .filter(kb_bases::workspace.eq(workspace))
            .select(sum("chunks"))
            .get_result(connection)?,
        QuotaKind::Groups => {
            runs::table.filter(runs::workspace.eq(workspace)).select(sum("total")).get_result(connection)?
        }
    };
    Ok(count(used)?)
}

/// One quota of each kind.
pub(crate) fn list(connection: &mut AnyConnection, workspace: &str) -> Result<Vec<Quota>, Failure> {
    let rows: Vec<QuotaRow> = workspace_quotas::table
        .filter(workspace_quotas::workspace.eq(workspace))
        .select((workspace_quotas::kind, workspace_quotas::amount))
        .load(connection)?;
    let limits: Vec<(QuotaKind, u64)> = rows.into_iter().map(read).collect::<Result<_, _>>()?;
    let quota = |kind| {
        let limit = limits.iter().find(|(known, _)| *known == kind).map(|(_, limit)| *limit);
        Ok(Quota { kind, limit, used: used(connection, workspace, kind)? })
    };
    QuotaKind::ALL.into_iter().map(quota).collect()
}

/// Sets and removes quotas.
pub(crate) fn set(
    connection: &mut AnyConnection,
    workspace: &str,
    changes: &[QuotaChange],
) -> Result<(), Failure> {
    for (kind, limit) in changes {
        let row = workspace_quotas::table.find((workspace, kind.name()));
        diesel::delete(row).execute(connection)?;
        let Some(limit) = limit else { continue };
        diesel::insert_into(workspace_quotas::table)
            .values((
                workspace_quotas::workspace.eq(workspace),
                workspace_quotas::kind.eq(kind.name()),
                workspace_quotas::amount.eq(stored_count(*limit)),
            ))
            .execute(connection)
            .map_err(foreign_key_violation_as("workspace"))?;
    }
    Ok(())
}
