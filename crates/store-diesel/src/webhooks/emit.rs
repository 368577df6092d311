//! Emits events in the same transaction as their cause.
//!
//! An emitter already holds the rows of the event's subject. It locks the rows of webhooks last, in the order
//! of their ids, to prevent deadlocks on PostgreSQL.

use std::collections::BTreeMap;

use agents_core::chat::Submission;
use delta_core::review::Review;
use diesel::{
    BoolExpressionMethods as _, ExpressionMethods as _, OptionalExtension as _, QueryDsl as _,
    RunQueryDsl as _,
};
use shared_core::{Revision, StoreError, Timestamp};
use webhooks_core::{Delivery, Event, MAX_PENDING, QUEUE, RETAINED_DELIVERIES, WebhookId};

use super::rows::kinds;
use crate::connection::{AnyConnection, prepared};
use crate::failure::Failure;
use crate::jobs;
use crate::rows::{count, position};
use crate::schema::{agents, webhook_deliveries as deliveries, webhooks};
use crate::text_encoding::encode;

/// Stores the deliveries of an event and their jobs, as [`webhooks_core::WebhookRepository::emit`] specifies.
pub(crate) fn emit(
    connection: &mut AnyConnection,
    workspace: &str,
    event: &Event,
    only: Option<&WebhookId>,
    now: Timestamp,
) -> Result<Vec<Delivery>, Failure> {
    let listening = find_subscribers(connection, workspace, event, only)?;
    let mut sent = Vec::with_capacity(listening.len());
    for id in listening {
        // A webhook that was disabled or deleted meanwhile gets nothing.
        if let Some((number, room)) = take_delivery_number(connection, workspace, &id)? {
            let delivery = Delivery::new(&id, number, event, room, now);
            insert(connection, workspace, &delivery)?;
            if room {
                jobs::put_new(connection, (QUEUE, &id.0, workspace), &[position(number)], now.micros())?;
            }
            prune_deliveries(connection, workspace, &id, number)?;
            sent.push(delivery);
        }
    }
    Ok(sent)
}

/// The webhooks that get the event.
fn find_subscribers(
    connection: &mut AnyConnection,
    workspace: &str,
    event: &Event,
    only: Option<&WebhookId>,
) -> Result<Vec<WebhookId>, Failure> {
    let query = webhooks::table
        .filter(webhooks::workspace.eq(workspace).and(webhooks::disabled.is_null()))
        .order(webhooks::id)
        .select((webhooks::id, webhooks::events));
    let rows: Vec<(String, String)> = prepared!(connection, inner => query.load(inner))?;
    let mut ids = Vec::new();
    for (id, events) in rows {
        let wanted = match only {
            Some(only) => only.0 == id,
            None => kinds(&events)?.contains(&event.kind),
        };
        if wanted {
            ids.push(WebhookId(id));
        }
    }
    Ok(ids)
}

/// The number of a webhook's next delivery, and whether there is room for it.
fn take_delivery_number(
    connection: &mut AnyConnection,
    workspace: &str,
    id: &WebhookId,
) -> Result<Option<(u32, bool)>, Failure> {
    let named = || webhooks::table.filter(webhooks::workspace.eq(workspace).and(webhooks::id.eq(&id.0)));
    let update = diesel::update(named().filter(webhooks::disabled.is_null()))
        .set((
            webhooks::last_number.eq(webhooks::last_number + 1),
            webhooks::pending.eq(webhooks::pending + 1),
        ))
        .returning((webhooks::last_number, webhooks::pending));
    let found: Option<(i32, i32)> = prepared!(connection, inner => update.get_result(inner).optional())?;
    let Some((number, pending)) = found else { return Ok(None) };
    let room = pending <= position(MAX_PENDING);
    if !room {
        let update = diesel::update(named()).set(webhooks::pending.eq(webhooks::pending - 1));
        prepared!(connection, inner => update.execute(inner))?;
    }
    Ok(Some((count(i64::from(number))?, room)))
}

fn insert(connection: &mut AnyConnection, workspace: &str, delivery: &Delivery) -> Result<(), Failure> {
    let insert = diesel::insert_into(deliveries::table).values((
        deliveries::workspace.eq(workspace),
        deliveries::webhook.eq(&delivery.webhook.0),
        deliveries::number.eq(position(delivery.number)),
        deliveries::event.eq(delivery.event.name()),
        deliveries::payload.eq(&delivery.payload),
        deliveries::state.eq(delivery.state.name()),
        deliveries::attempts.eq(0),
        deliveries::error.eq(delivery.last.error.as_deref().map(encode)),
        deliveries::fence.eq(0_i64),
        deliveries::created.eq(delivery.created.micros()),
        deliveries::ended.eq(delivery.ended.map(Timestamp::micros)),
    ));
    prepared!(connection, inner => insert.execute(inner))?;
    Ok(())
}

/// Deletes ended deliveries that are no longer among the newest.
fn prune_deliveries(
    connection: &mut AnyConnection,
    workspace: &str,
    id: &WebhookId,
    newest: u32,
) -> Result<(), Failure> {
    let Some(oldest) = newest.checked_sub(RETAINED_DELIVERIES).filter(|oldest| *oldest > 0) else {
        return Ok(());
    };
    let old = deliveries::table
        .filter(deliveries::workspace.eq(workspace).and(deliveries::webhook.eq(&id.0)))
        .filter(deliveries::number.le(position(oldest)).and(deliveries::ended.is_not_null()));
    prepared!(connection, inner => diesel::delete(old).execute(inner))?;
    Ok(())
}

/// Emits the end of a run; looks up its agent's namespace.
pub(crate) fn run_finished(
    connection: &mut AnyConnection,
    (workspace, agent): (&str, &str),
    sid: i64,
    state: &str,
    (successful, failed, open): (i32, i32, u32),
    now: Timestamp,
) -> Result<(), Failure> {
    let namespace = namespace(connection, workspace, agent)?;
    let counts = (count(i64::from(successful))?, count(i64::from(failed))?, open);
    emit(connection, workspace, &Event::run_finished(sid, &namespace, state, counts), None, now)?;
    Ok(())
}

/// Emits changed reviews, one event for each run.
pub(crate) fn reviews_decided(
    connection: &mut AnyConnection,
    workspace: &str,
    changed: &[(Review, Revision)],
) -> Result<(), Failure> {
    let mut runs: BTreeMap<i64, Vec<&Review>> = BTreeMap::new();
    for (review, _) in changed {
        runs.entry(review.group.sid.0).or_default().push(review);
    }
    for (sid, reviews) in runs {
        let Some(first) = reviews.first() else { continue };
        let now = first.updated;
        let states: Vec<(&str, u32, &str)> = reviews
            .iter()
            .map(|review| (review.about.id.as_str(), review.group.index, review.state.name()))
            .collect();
        let event = Event::reviews_decided(sid, &first.namespace, &states);
        emit(connection, workspace, &event, None, now)?;
    }
    Ok(())
}

/// Emits a submission of a form; looks up its agent's namespace.
pub(crate) fn form_submitted(
    connection: &mut AnyConnection,
    workspace: &str,
    submission: &Submission,
) -> Result<(), Failure> {
    let namespace = namespace(connection, workspace, &submission.agent)?;
    let Submission { id, session, form_id, created, .. } = submission;
    let event = Event::form_submitted(&namespace, id, (session, form_id), *created);
    emit(connection, workspace, &event, None, *created)?;
    Ok(())
}

fn namespace(connection: &mut AnyConnection, workspace: &str, agent: &str) -> Result<String, Failure> {
    let query = agents::table
        .filter(agents::workspace.eq(workspace).and(agents::id.eq(agent)))
        .select(agents::namespace);
    let found: Option<String> = prepared!(connection, inner => query.get_result(inner).optional())?;
    found.ok_or_else(|| StoreError::Missing("agent").into())
}
