//! Statements on idempotency records.

use accounts_core::idempotency::{Attempt, EffectRef, Fingerprint, KeyState, RecordedResponse};
use diesel::dsl::sql;
use diesel::sql_types::{Nullable, Text};
use diesel::{
    BoolExpressionMethods as _, ExpressionMethods as _, OptionalExtension as _, QueryDsl as _, Queryable,
    RunQueryDsl as _,
};
use shared_core::{Scope, StoreError, Timestamp};

use crate::connection::{AnyConnection, prepared};
use crate::failure::{Failure, constraint_violation_as, corrupt};
use crate::rows::{from_json, to_json};
use crate::schema::kept_answers;

#[derive(Queryable)]
struct IdempotencyRow {
    fingerprint: String,
    until: i64,
    effect: Option<String>,
    status: Option<i32>,
    content_type: Option<String>,
    body: Option<Vec<u8>>,
}

impl IdempotencyRow {
    /// The state of an unexpired record.
    fn read(self, asked: &Fingerprint) -> Result<KeyState, StoreError> {
        if self.fingerprint != asked.0 {
            return Ok(KeyState::Mismatched);
        }
        let (Some(status), Some(content_type), Some(body)) = (self.status, self.content_type, self.body)
        else {
            return Ok(KeyState::Running);
        };
        let status = u16::try_from(status).map_err(corrupt)?;
        Ok(KeyState::Completed(RecordedResponse { status, content_type, body }))
    }
}

/// The key of a record, owned by the closures that run on the database's threads.
#[derive(Clone, Debug)]
pub(super) struct RecordKey {
    workspace: String,
    author: String,
    key: String,
    token: String,
}

impl RecordKey {
    pub(super) fn of(scope: &Scope, attempt: &Attempt) -> Self {
        Self {
            workspace: scope.workspace.0.clone(),
            author: scope.user.0.clone(),
            key: attempt.key.as_str().to_owned(),
            token: attempt.token.clone(),
        }
    }
}

/// The row of a key.
macro_rules! row {
    ($place:expr) => {
        kept_answers::table.filter(
            kept_answers::workspace
                .eq(&$place.workspace)
                .and(kept_answers::author.eq(&$place.author))
                .and(kept_answers::request_key.eq(&$place.key)),
        )
    };
}

/// The row of a key whose attempt is in flight.
macro_rules! held {
    ($place:expr) => {
        row!($place).filter(kept_answers::token.eq(&$place.token).and(kept_answers::status.is_null()))
    };
}

pub(super) fn claim(
    connection: &mut AnyConnection,
    place: &RecordKey,
    fingerprint: &Fingerprint,
    now: Timestamp,
    until: Timestamp,
) -> Result<KeyState, Failure> {
    let query = row!(place).select((
        kept_answers::fingerprint,
        kept_answers::until,
        kept_answers::effect,
        kept_answers::status,
        kept_answers::content_type,
        kept_answers::body,
    ));
    let found: Option<IdempotencyRow> = prepared!(connection, inner => query.get_result(inner).optional())?;
    if let Some(found) = found {
        if found.until > now.micros() {
            return Ok(found.read(fingerprint)?);
        }
        if found.status.is_none()
            && let Some(effect) = &found.effect
        {
            if found.fingerprint != fingerprint.0 {
                return Ok(KeyState::Mismatched);
            }
            let effects = effect.lines().map(from_json).collect::<Result<_, _>>()?;
            take_over(connection, place, now, until)?;
            return Ok(KeyState::Recovered(effects));
        }
        // Only the row that was read: another attempt may have taken it meanwhile.
        let ended = row!(place).filter(kept_answers::until.le(now.micros()));
        if diesel::delete(ended).execute(connection)? == 0 {
            return Err(Failure::Retry);
        }
    }
    insert(connection, place, fingerprint, until)?;
    Ok(KeyState::Claimed)
}

/// Gives the key of an expired attempt to this one.
fn take_over(
    connection: &mut AnyConnection,
    place: &RecordKey,
    now: Timestamp,
    until: Timestamp,
) -> Result<(), Failure> {
    let expired =
        row!(place).filter(kept_answers::until.le(now.micros()).and(kept_answers::status.is_null()));
    let update = diesel::update(expired)
        .set((kept_answers::token.eq(&place.token), kept_answers::until.eq(until.micros())));
    // Another attempt may have taken it meanwhile.
    if update.execute(connection)? == 0 { Err(Failure::Retry) } else { Ok(()) }
}

fn insert(
    connection: &mut AnyConnection,
    place: &RecordKey,
    fingerprint: &Fingerprint,
    until: Timestamp,
) -> Result<(), Failure> {
    let insert = diesel::insert_into(kept_answers::table).values((
        kept_answers::workspace.eq(&place.workspace),
        kept_answers::author.eq(&place.author),
        kept_answers::request_key.eq(&place.key),
        kept_answers::token.eq(&place.token),
        kept_answers::fingerprint.eq(&fingerprint.0),
        kept_answers::until.eq(until.micros()),
    ));
    prepared!(connection, inner => insert.execute(inner)).map_err(|error| {
        match constraint_violation_as("key", "user")(error) {
            Failure::Store(StoreError::Taken(_)) => Failure::Retry,
            other => other,
        }
    })?;
    Ok(())
}

pub(super) fn renew(
    connection: &mut AnyConnection,
    place: &RecordKey,
    until: Timestamp,
) -> Result<bool, Failure> {
    let update = diesel::update(held!(place)).set(kept_answers::until.eq(until.micros()));
    Ok(prepared!(connection, inner => update.execute(inner))? > 0)
}

pub(super) fn complete(
    connection: &mut AnyConnection,
    place: &RecordKey,
    answer: &RecordedResponse,
    until: Timestamp,
) -> Result<bool, Failure> {
    let update = diesel::update(held!(place)).set((
        kept_answers::until.eq(until.micros()),
        kept_answers::status.eq(Some(i32::from(answer.status))),
        kept_answers::content_type.eq(Some(&answer.content_type)),
        kept_answers::body.eq(Some(&answer.body)),
    ));
    Ok(prepared!(connection, inner => update.execute(inner))? > 0)
}

pub(super) fn record_effect(
    connection: &mut AnyConnection,
    place: &RecordKey,
    effect: &EffectRef,
) -> Result<bool, Failure> {
    let line = to_json(effect)? + "\n";
    let lines = sql::<Nullable<Text>>("COALESCE(effect, '') || ").bind::<Text, _>(&line);
    let update = diesel::update(held!(place)).set(kept_answers::effect.eq(lines));
    Ok(prepared!(connection, inner => update.execute(inner))? > 0)
}

pub(super) fn release(
    connection: &mut AnyConnection,
    place: &RecordKey,
    now: Timestamp,
) -> Result<(), Failure> {
    diesel::delete(held!(place).filter(kept_answers::effect.is_null())).execute(connection)?;
    diesel::update(held!(place)).set(kept_answers::until.eq(now.micros())).execute(connection)?;
    Ok(())
}

pub(super) fn expire_attempts(connection: &mut AnyConnection, now: Timestamp) -> Result<u64, Failure> {
    let open =
        kept_answers::table.filter(kept_answers::status.is_null().and(kept_answers::until.gt(now.micros())));
    Ok(diesel::update(open).set(kept_answers::until.eq(now.micros())).execute(connection)? as u64)
}

/// Deletes expired records, oldest first.
pub(super) fn sweep(
    connection: &mut AnyConnection,
    now: Timestamp,
    effects_before: Timestamp,
    limit: u32,
) -> Result<u64, Failure> {
    let is_expired = || {
        let has_only_effect = kept_answers::effect.is_not_null().and(kept_answers::status.is_null());
        let is_old = kept_answers::until.le(effects_before.micros());
        kept_answers::until.le(now.micros()).and(is_old.or(diesel::dsl::not(has_only_effect)))
    };
    let ended: Vec<(String, String, String)> = kept_answers::table
        .filter(is_expired())
        .order(kept_answers::until)
        .limit(i64::from(limit))
        .select((kept_answers::workspace, kept_answers::author, kept_answers::request_key))
        .load(connection)?;
    let mut gone = 0;
    for (workspace, author, key) in ended {
        let place = RecordKey { workspace, author, key, token: String::new() };
        gone += diesel::delete(row!(place).filter(is_expired())).execute(connection)? as u64;
    }
    Ok(gone)
}
