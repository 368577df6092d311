//! Statements of a unit of work on webhooks.

use diesel::{
    BoolExpressionMethods as _, ExpressionMethods as _, OptionalExtension as _, QueryDsl as _,
    RunQueryDsl as _,
};
use jobs_core::JobKey;
use shared_core::{StoreError, Timestamp};
use webhooks_core::{Attempt, Delivery, DeliveryOutcome, DeliveryState, MAX_WEBHOOKS, QUEUE, WebhookId};

use super::rows::{DeliveryRow, NewWebhookRow, WebhookRow};
use crate::connection::{AnyConnection, prepared};
use crate::failure::{Failure, constraint_violation_as};
use crate::jobs;
use crate::rows::position;
use crate::schema::{webhook_deliveries as deliveries, webhooks, workspaces};
use crate::text_encoding::encode;

/// The row of a webhook.
macro_rules! webhook {
    ($workspace:expr, $id:expr) => {
        webhooks::table.filter(webhooks::workspace.eq($workspace).and(webhooks::id.eq($id)))
    };
}

/// The row of a delivery.
macro_rules! delivery {
    ($workspace:expr, $id:expr, $number:expr) => {
        deliveries::table
            .filter(deliveries::workspace.eq($workspace).and(deliveries::webhook.eq($id)))
            .filter(deliveries::number.eq(position($number)))
    };
}

pub(super) fn insert(
    connection: &mut AnyConnection,
    workspace: &str,
    row: &NewWebhookRow,
) -> Result<(), Failure> {
    // Two concurrent counts would both take the last slot.
    if let AnyConnection::Postgres(inner) = connection {
        let own = workspaces::table.filter(workspaces::id.eq(workspace)).select(workspaces::id);
        own.for_update().load::<String>(inner)?;
    }
    let own = webhooks::table.filter(webhooks::workspace.eq(workspace));
    let total: i64 = prepared!(connection, inner => own.count().get_result(inner))?;
    if total >= i64::from(MAX_WEBHOOKS) {
        return Err(StoreError::Taken("webhook").into());
    }
    let insert = diesel::insert_into(webhooks::table).values(row);
    prepared!(connection, inner => insert.execute(inner))
        .map_err(constraint_violation_as("webhook", "workspace"))?;
    Ok(())
}

pub(super) fn find(
    connection: &mut AnyConnection,
    workspace: &str,
    id: &WebhookId,
) -> Result<Option<WebhookRow>, Failure> {
    let query = webhook!(workspace, &id.0).select(webhooks::all_columns);
    Ok(prepared!(connection, inner => query.get_result(inner).optional())?)
}

/// The condition of a pending delivery.
pub(super) fn pending(
    connection: &mut AnyConnection,
    workspace: &str,
    id: &WebhookId,
    number: u32,
) -> Result<Option<DeliveryRow>, Failure> {
    let query = delivery!(workspace, &id.0, number)
        .filter(deliveries::ended.is_null())
        .select(deliveries::all_columns);
    Ok(prepared!(connection, inner => query.get_result(inner).optional())?)
}

pub(super) fn replay(
    connection: &mut AnyConnection,
    workspace: &str,
    id: &WebhookId,
    number: u32,
    now: Timestamp,
) -> Result<Option<Delivery>, Failure> {
    // Locks the webhook's row first, as every writer of its deliveries does.
    let Some(webhook) = lock_webhook(connection, workspace, id)? else { return Ok(None) };
    if webhook.disabled.is_some() {
        return Err(StoreError::Stale.into());
    }
    let query = delivery!(workspace, &id.0, number).select(deliveries::all_columns);
    let found: Option<DeliveryRow> = prepared!(connection, inner => query.get_result(inner).optional())?;
    let Some(row) = found else { return Ok(None) };
    if row.ended.is_some() {
        count_pending(connection, workspace, id, 1)?;
    }
    let job = JobKey { queue: QUEUE, owner: id.0.clone(), position: number };
    jobs::reset_job(connection, &job, workspace, (now.micros(), row.fence))?;
    let update = diesel::update(delivery!(workspace, &id.0, number))
        .set((deliveries::state.eq(DeliveryState::Pending.name()), deliveries::ended.eq(None::<i64>)));
    prepared!(connection, inner => update.execute(inner))?;
    let delivery = row.read()?;
    Ok(Some(Delivery { state: DeliveryState::Pending, ended: None, ..delivery }))
}

/// The webhook, locked until the end of the transaction.
fn lock_webhook(
    connection: &mut AnyConnection,
    workspace: &str,
    id: &WebhookId,
) -> Result<Option<WebhookRow>, Failure> {
    let query = webhook!(workspace, &id.0).select(webhooks::all_columns);
    Ok(match connection {
        AnyConnection::Postgres(inner) => query.for_update().get_result(inner).optional()?,
        AnyConnection::Sqlite(inner) => query.get_result(inner).optional()?,
    })
}

fn count_pending(
    connection: &mut AnyConnection,
    workspace: &str,
    id: &WebhookId,
    by: i32,
) -> Result<(), Failure> {
    let update = diesel::update(webhook!(workspace, &id.0)).set(webhooks::pending.eq(webhooks::pending + by));
    prepared!(connection, inner => update.execute(inner))?;
    Ok(())
}

pub(super) fn note(
    connection: &mut AnyConnection,
    workspace: &str,
    (job, token): (&JobKey, i64),
    attempt: &Attempt,
) -> Result<(), Failure> {
    if !jobs::is_leased(connection, job, token)? {
        return Err(StoreError::Stale.into());
    }
    let update = diesel::update(delivery!(workspace, &job.owner, job.position)).set((
        deliveries::attempts.eq(deliveries::attempts + 1),
        deliveries::status.eq(attempt.status.map(i32::from)),
        deliveries::error.eq(attempt.error.as_deref().map(encode)),
    ));
    require_changed(prepared!(connection, inner => update.execute(inner))?)
}

pub(super) fn end(
    connection: &mut AnyConnection,
    workspace: &str,
    (job, token): (&JobKey, i64),
    outcome: &DeliveryOutcome,
    now: Timestamp,
) -> Result<(), Failure> {
    let id = WebhookId(job.owner.clone());
    lock_webhook(connection, workspace, &id)?.ok_or(StoreError::Stale)?;
    jobs::end(connection, job, token)?;
    count_pending(connection, workspace, &id, -1)?;
    let attempt = outcome.attempt();
    let update = diesel::update(delivery!(workspace, &job.owner, job.position)).set((
        deliveries::attempts.eq(deliveries::attempts + 1),
        deliveries::status.eq(attempt.status.map(i32::from)),
        deliveries::error.eq(attempt.error.as_deref().map(encode)),
        deliveries::state.eq(outcome.state().name()),
        deliveries::ended.eq(Some(now.micros())),
        deliveries::fence.eq(token),
    ));
    require_changed(prepared!(connection, inner => update.execute(inner))?)?;
    if let DeliveryOutcome::Disabled(_, why) = outcome {
        let update = diesel::update(webhook!(workspace, &id.0)).set(webhooks::disabled.eq(Some(why)));
        prepared!(connection, inner => update.execute(inner))?;
    }
    Ok(())
}

fn require_changed(rows: usize) -> Result<(), Failure> {
    if rows == 0 { Err(StoreError::Stale.into()) } else { Ok(()) }
}
