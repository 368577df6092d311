//! The adapter of idempotency records.

use accounts_core::idempotency::{Attempt, Fingerprint, IdempotencyRepository, KeyState, RecordedResponse};
use async_trait::async_trait;
use diesel::{
    BoolExpressionMethods as _, ExpressionMethods as _, OptionalExtension as _, QueryDsl as _, Queryable,
    RunQueryDsl as _,
};
use shared_core::{Scope, StoreError, Timestamp};

use crate::connection::{AnyConnection, prepared};
use crate::database::Database;
use crate::failure::{Failure, constraint_violation_as, corrupt};
use crate::schema::kept_answers;

/// Stored answers in the database.
#[derive(Clone, Debug)]
pub struct DieselIdempotency(Database);

impl DieselIdempotency {
    /// Uses `database`.
    #[must_use]
    pub fn new(database: Database) -> Self {
        Self(database)
    }
}

#[derive(Queryable)]
struct IdempotencyRow {
    fingerprint: String,
    until: i64,
    status: Option<i32>,
    content_type: Option<String>,
    body: Option<Vec<u8>>,
}

impl IdempotencyRow {
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
#[derive(Clone)]
struct RecordKey {
    workspace: String,
    author: String,
    key: String,
    token: String,
}

impl RecordKey {
    fn of(scope: &Scope, attempt: &Attempt) -> Self {
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

fn claim(
    connection: &mut AnyConnection,
    place: &RecordKey,
    fingerprint: &Fingerprint,
    now: Timestamp,
    until: Timestamp,
) -> Result<KeyState, Failure> {
    let query = row!(place).select((
        kept_answers::fingerprint,
        kept_answers::until,
        kept_answers::status,
        kept_answers::content_type,
        kept_answers::body,
    ));
    let found: Option<IdempotencyRow> = prepared!(connection, inner => query.get_result(inner).optional())?;
    if let Some(found) = found {
        if found.until > now.micros() {
            return Ok(found.read(fingerprint)?);
        }
        // Only the row that was read: another attempt may have taken it meanwhile.
        let ended = row!(place).filter(kept_answers::until.le(now.micros()));
        if diesel::delete(ended).execute(connection)? == 0 {
            return Err(Failure::Retry);
        }
    }
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
    Ok(KeyState::Claimed)
}

#[async_trait]
impl IdempotencyRepository for DieselIdempotency {
    async fn claim(
        &self,
        scope: &Scope,
        attempt: &Attempt,
        fingerprint: &Fingerprint,
        now: Timestamp,
        until: Timestamp,
    ) -> Result<KeyState, StoreError> {
        let (place, fingerprint) = (RecordKey::of(scope, attempt), fingerprint.clone());
        self.0.write(move |connection| claim(connection, &place, &fingerprint, now, until)).await
    }

    async fn renew(&self, scope: &Scope, attempt: &Attempt, until: Timestamp) -> Result<bool, StoreError> {
        let place = RecordKey::of(scope, attempt);
        let renew = move |connection: &mut AnyConnection| {
            let update = diesel::update(held!(place)).set(kept_answers::until.eq(until.micros()));
            Ok(prepared!(connection, inner => update.execute(inner))? > 0)
        };
        self.0.write(renew).await
    }

    async fn complete(
        &self,
        scope: &Scope,
        attempt: &Attempt,
        answer: &RecordedResponse,
        until: Timestamp,
    ) -> Result<bool, StoreError> {
        let (place, answer) = (RecordKey::of(scope, attempt), answer.clone());
        let complete = move |connection: &mut AnyConnection| {
            let update = diesel::update(held!(place)).set((
                kept_answers::until.eq(until.micros()),
                kept_answers::status.eq(Some(i32::from(answer.status))),
                kept_answers::content_type.eq(Some(&answer.content_type)),
                kept_answers::body.eq(Some(&answer.body)),
            ));
            Ok(prepared!(connection, inner => update.execute(inner))? > 0)
        };
        self.0.write(complete).await
    }

    async fn release(&self, scope: &Scope, attempt: &Attempt) -> Result<(), StoreError> {
        let place = RecordKey::of(scope, attempt);
        let release = move |connection: &mut AnyConnection| {
            diesel::delete(held!(place)).execute(connection)?;
            Ok(())
        };
        self.0.write(release).await
    }

    async fn sweep(&self, now: Timestamp, limit: u32) -> Result<u64, StoreError> {
        let sweep = move |connection: &mut AnyConnection| {
            let ended: Vec<(String, String, String)> = kept_answers::table
                .filter(kept_answers::until.le(now.micros()))
                .order(kept_answers::until)
                .limit(i64::from(limit))
                .select((kept_answers::workspace, kept_answers::author, kept_answers::request_key))
                .load(connection)?;
            let mut gone = 0;
            for (workspace, author, key) in ended {
                let place = RecordKey { workspace, author, key, token: String::new() };
                let row = row!(place).filter(kept_answers::until.le(now.micros()));
                gone += diesel::delete(row).execute(connection)? as u64;
            }
            Ok(gone)
        };
        self.0.write(sweep).await
    }
}
