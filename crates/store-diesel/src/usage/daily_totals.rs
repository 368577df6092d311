//! Daily sums by key and model.

use accounts_core::Money;
use accounts_core::usage::{
    Day, Group, Grouping, MAX_ROWS, Report, ReportQuery, ReportRow, Tokens, Totals, UsageKey,
};
use diesel::dsl::sql;
use diesel::expression::SqlLiteral;
use diesel::sql_types::BigInt;
use diesel::upsert::excluded;
use diesel::{ExpressionMethods as _, QueryDsl as _, RunQueryDsl as _};
use shared_core::StoreError;

use crate::connection::{AnyConnection, prepared};
use crate::failure::Failure;
use crate::rows::{count, stored_count};
use crate::schema::usage_days;
use crate::static_statement::execute_static;
use crate::text_encoding::{decode, encode};

/// Adds to the sum of an account.
pub(super) fn add(connection: &mut AnyConnection, account: &UsageKey, totals: Totals) -> Result<(), Failure> {
    if totals == Totals::default() {
        return Ok(());
    }
    let model = encode(&account.model);
    macro_rules! sum {
        ($column:ident) => {
            usage_days::$column.eq(usage_days::$column + excluded(usage_days::$column))
        };
    }
    let upsert = diesel::insert_into(usage_days::table)
        .values((
            usage_days::workspace.eq(&account.workspace.0),
            usage_days::day.eq(account.day.0),
            usage_days::key_id.eq(account.key.as_deref().unwrap_or_default()),
            usage_days::model.eq(model.as_ref()),
            usage_days::requests.eq(stored_count(totals.requests)),
            usage_days::input_tokens.eq(stored_count(totals.tokens.input)),
            usage_days::output_tokens.eq(stored_count(totals.tokens.output)),
            usage_days::cached_tokens.eq(stored_count(totals.tokens.cached)),
            usage_days::reasoning_tokens.eq(stored_count(totals.tokens.reasoning)),
            usage_days::cost.eq(stored_count(totals.cost.0)),
            usage_days::unpriced.eq(stored_count(totals.unpriced)),
        ))
        .on_conflict((usage_days::workspace, usage_days::day, usage_days::key_id, usage_days::model))
        .do_update()
        .set((
            sum!(requests),
            sum!(input_tokens),
            sum!(output_tokens),
            sum!(cached_tokens),
            sum!(reasoning_tokens),
            sum!(cost),
            sum!(unpriced),
        ));
    execute_static!(connection, upsert, usage_days::requests)?;
    Ok(())
}

type Sum = SqlLiteral<BigInt>;
type Row = (i64, i64, i64, i64, i64, i64, i64);

/// The sums of a group. PostgreSQL sums large integers into another type; without rows a sum is NULL.
fn sums() -> (Sum, Sum, Sum, Sum, Sum, Sum, Sum) {
    (
        sql("CAST(COALESCE(SUM(requests), 0) AS BIGINT)"),
        sql("CAST(COALESCE(SUM(input_tokens), 0) AS BIGINT)"),
        sql("CAST(COALESCE(SUM(output_tokens), 0) AS BIGINT)"),
        sql("CAST(COALESCE(SUM(cached_tokens), 0) AS BIGINT)"),
        sql("CAST(COALESCE(SUM(reasoning_tokens), 0) AS BIGINT)"),
        sql("CAST(COALESCE(SUM(cost), 0) AS BIGINT)"),
        sql("CAST(COALESCE(SUM(unpriced), 0) AS BIGINT)"),
    )
}

fn totals((requests, input, output, cached, reasoning, cost, unpriced): Row) -> Result<Totals, StoreError> {
    let tokens = Tokens {
        input: count(input)?,
        output: count(output)?,
        cached: count(cached)?,
        reasoning: count(reasoning)?,
    };
    Ok(Totals { requests: count(requests)?, tokens, cost: Money(count(cost)?), unpriced: count(unpriced)? })
}

/// The rows of a report.
macro_rules! wanted {
    ($workspace:expr, $query:expr, $select:expr, $group:expr) => {{
        let mut wanted = usage_days::table
            .filter(usage_days::workspace.eq($workspace))
            .filter(usage_days::day.ge($query.from.0))
            .filter(usage_days::day.le($query.to.0))
            .group_by($group)
            .select($select)
            .into_boxed();
        if let Some(model) = &$query.model {
            wanted = wanted.filter(usage_days::model.eq(encode(model).into_owned()));
        }
        if let Some(key) = &$query.key {
            wanted = wanted.filter(usage_days::key_id.eq(key));
        }
        wanted
    }};
}

/// The rows of groups in order of cost.
macro_rules! by_cost {
    ($connection:expr, $workspace:expr, $query:expr, $column:expr) => {{
        let order = sql::<BigInt>("SUM(cost) DESC, SUM(requests) DESC");
        let rows: Vec<(String, Row)> = prepared!($connection, inner => {
            wanted!($workspace, $query, ($column, sums()), $column)
                .order((order, $column))
                .limit(MAX_ROWS as i64)
                .load(inner)
        })?;
        rows
    }};
}

pub(super) fn report(
    connection: &mut AnyConnection,
    workspace: &str,
    query: &ReportQuery,
) -> Result<Report, Failure> {
    let rows: Vec<(Group, Row)> = match query.by {
        Grouping::Model => {
            let rows = by_cost!(connection, workspace, query, usage_days::model);
            rows.into_iter().map(|(model, row)| (Group::Model(decode(model)), row)).collect()
        }
        Grouping::Key => {
            let rows = by_cost!(connection, workspace, query, usage_days::key_id);
            let key = |key: String| Group::Key(Some(key).filter(|key| !key.is_empty()));
            rows.into_iter().map(|(id, row)| (key(id), row)).collect()
        }
        Grouping::Day => {
            let rows: Vec<(i32, Row)> = prepared!(connection, inner => {
                wanted!(workspace, query, (usage_days::day, sums()), usage_days::day)
                    .order(usage_days::day)
                    .load(inner)
            })?;
            rows.into_iter().map(|(day, row)| (Group::Day(Day(day)), row)).collect()
        }
    };
    let total: Vec<Row> = prepared!(connection, inner => {
        wanted!(workspace, query, sums(), usage_days::workspace).load(inner)
    })?;
    let total = total.into_iter().next().map(totals).transpose()?.unwrap_or_default();
    let read = |(group, row)| Ok::<_, StoreError>(ReportRow { group, totals: totals(row)? });
    Ok(Report { rows: rows.into_iter().map(read).collect::<Result<_, _>>()?, total })
}
