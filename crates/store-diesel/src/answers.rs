//! Kept answers.

use accounts_core::idempotency::{AnswerRepository, Attempt, Fingerprint, Found, KeptAnswer};
use async_trait::async_trait;
use diesel::{
    BoolExpressionMethods as _, ExpressionMethods as _, OptionalExtension as _, QueryDsl as _, Queryable,
    RunQueryDsl as _,
};
use shared_core::{Scope, StoreError, Timestamp};

use crate::connection::{AnyConnection, prepared};
use crate::database::Database;
use crate::failure::{Failure, corrupt, taken_or_missing};
use crate::schema::kept_answers;

/// Kept answers in the database.
#[derive(Clone, Debug)]
pub struct DieselAnswers(Database);

impl DieselAnswers {
    /// Uses `database`.
    #[must_use]
    pub fn new(database: Database) -> Self {
        Self(database)
    }
}

#[derive(Queryable)]
struct AnswerRow {
    fingerprint: String,
    until: i64,
    status: Option<i32>,
    content_type: Option<String>,
    body: Option<Vec<u8>>,
}

impl AnswerRow {
    fn read(self, asked: &Fingerprint) -> Result<Found, StoreError> {
        if self.fingerprint != asked.0 {
            return Ok(Found::Other);
        }
        let (Some(status), Some(content_type), Some(body)) = (self.status, self.content_type, self.body)
        else {
            return Ok(Found::Running);
        };
        let status = u16::try_from(status).map_err(corrupt)?;
        Ok(Found::Answered(KeptAnswer { status, content_type, body }))
    }
}

/// The place of a key, owned by the closures that run on the database's threads.
#[derive(Clone)]
struct Place {
    workspace: String,
    author: String,
    key: String,
    token: String,
}

impl Place {
    fn of(scope: &Scope, attempt: &Attempt) -> Self {
        Self {
            workspace: scope.workspace.0.clone(),
            author: scope.user.0.clone(),
            key: attempt.key.as_str().to_owned(),
            token: attempt.token.clone(),
        }
    }
}

/// The row of a place.
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

/// The row of a place while its attempt holds it, unanswered.
macro_rules! held {
    ($place:expr) => {
        row!($place).filter(kept_answers::token.eq(&$place.token).and(kept_answers::status.is_null()))
    };
}

fn claim(
    connection: &mut AnyConnection,
    place: &Place,
    fingerprint: &Fingerprint,
    now: Timestamp,
    until: Timestamp,
) -> Result<Found, Failure> {
    let query = row!(place).select((
        kept_answers::fingerprint,
        kept_answers::until,
        kept_answers::status,
        kept_answers::content_type,
        kept_answers::body,
    ));
    let found: Option<AnswerRow> = prepared!(connection, inner => query.get_result(inner).optional())?;
    if let Some(found) = found {
        if found.until > now.micros() {
            return Ok(found.read(fingerprint)?);
        }
        // Only the row that was seen: another attempt may have taken it in the meantime.
        let ended = row!(place).filter(kept_answers::until.le(now.micros()));
        if diesel::delete(ended).execute(connection)? == 0 {
            return Err(Failure::Again);
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
        match taken_or_missing("key", "user")(error) {
            Failure::Store(StoreError::Taken(_)) => Failure::Again,
            other => other,
        }
    })?;
    Ok(Found::Claimed)
}

#[async_trait]
impl AnswerRepository for DieselAnswers {
    async fn claim(
        &self,
        scope: &Scope,
        attempt: &Attempt,
        fingerprint: &Fingerprint,
        now: Timestamp,
        until: Timestamp,
    ) -> Result<Found, StoreError> {
        let (place, fingerprint) = (Place::of(scope, attempt), fingerprint.clone());
        self.0.write(move |connection| claim(connection, &place, &fingerprint, now, until)).await
    }

    async fn renew(&self, scope: &Scope, attempt: &Attempt, until: Timestamp) -> Result<bool, StoreError> {
        let place = Place::of(scope, attempt);
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
        answer: &KeptAnswer,
        until: Timestamp,
    ) -> Result<bool, StoreError> {
        let (place, answer) = (Place::of(scope, attempt), answer.clone());
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
        let place = Place::of(scope, attempt);
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
                let place = Place { workspace, author, key, token: String::new() };
                let row = row!(place).filter(kept_answers::until.le(now.micros()));
                gone += diesel::delete(row).execute(connection)? as u64;
            }
            Ok(gone)
        };
        self.0.write(sweep).await
    }
}
