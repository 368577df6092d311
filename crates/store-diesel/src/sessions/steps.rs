//! Statements that change sessions and submissions.

use agents_core::chat::{Session, Submission, Turn};
use diesel::{BoolExpressionMethods as _, ExpressionMethods as _, QueryDsl as _, RunQueryDsl as _};
use shared_core::{Revision, Scope, StoreError, Timestamp};

use super::rows::{NewSubmission, NewTurn, text_bytes};
use crate::connection::{AnyConnection, prepared};
use crate::failure::{Failure, constraint_violation_as, foreign_key_violation_as};
use crate::rows::{position, to_json};
use crate::schema::{session_turns, sessions, submissions};
use crate::text_encoding::encode;
use crate::webhooks::form_submitted;

/// A turn of the user and the agent, ready to be stored.
pub(super) struct Exchange {
    scope: Scope,
    session: Session,
    form: Option<String>,
    taken_over: Option<String>,
    turns: Vec<NewTurn>,
    submission: Option<(Submission, NewSubmission)>,
}

impl Exchange {
    pub(super) fn of(
        scope: &Scope,
        session: &Session,
        turns: &[Turn],
        submission: Option<&Submission>,
    ) -> Result<Self, StoreError> {
        let row = |made: &Submission| Ok((made.clone(), NewSubmission::of(scope, made)?));
        Ok(Self {
            scope: scope.clone(),
            session: session.clone(),
            form: session.form.as_ref().map(to_json).transpose()?,
            taken_over: session.taken_over.as_ref().map(to_json).transpose()?,
            turns: turns
                .iter()
                .map(|turn| NewTurn::of(scope, &session.id, turn))
                .collect::<Result<_, _>>()?,
            submission: submission.map(row).transpose()?,
        })
    }

    fn form_bytes(&self) -> i64 {
        self.form.as_deref().map_or(0, text_bytes)
    }

    fn phase(&self) -> Option<&'static str> {
        self.session.form.as_ref().map(|form| form.phase.name())
    }

    /// Stores the first exchange of a new session.
    pub(super) fn begin(&self, connection: &mut AnyConnection) -> Result<(), Failure> {
        let Self { scope, session, .. } = self;
        let insert = diesel::insert_into(sessions::table).values((
            sessions::workspace.eq(&scope.workspace.0),
            sessions::id.eq(&session.id),
            sessions::agent.eq(&session.agent),
            sessions::author.eq(&scope.user.0),
            sessions::title.eq(encode(&session.title)),
            sessions::language.eq(encode(&session.language)),
            sessions::turns.eq(position(session.turns)),
            sessions::revision.eq(session.revision.0),
            sessions::created.eq(session.created.micros()),
            sessions::updated.eq(session.updated.micros()),
            sessions::form_bytes.eq(self.form_bytes()),
            sessions::form.eq(&self.form),
            sessions::phase.eq(self.phase()),
            sessions::taken_over.eq(&self.taken_over),
        ));
        prepared!(connection, inner => insert.execute(inner))
            .map_err(constraint_violation_as("session", "agent"))?;
        self.insert_turns(connection)?;
        self.insert_submission(connection)?;
        self.emit_event(connection)
    }

    /// Stores a further exchange if the session is still at the revision `expected`.
    pub(super) fn advance(&self, connection: &mut AnyConnection, expected: Revision) -> Result<(), Failure> {
        // Locks the agent's row first, as the deletion of an agent does before its sessions.
        self.insert_submission(connection).map_err(|failure| match failure {
            Failure::Store(StoreError::Missing(_)) => StoreError::Stale.into(),
            other => other,
        })?;
        self.update(connection, expected)?;
        self.insert_turns(connection)?;
        self.emit_event(connection)
    }

    fn update(&self, connection: &mut AnyConnection, expected: Revision) -> Result<(), Failure> {
        let Self { scope, session, .. } = self;
        let same = sessions::table
            .filter(sessions::workspace.eq(&scope.workspace.0).and(sessions::id.eq(&session.id)))
            .filter(sessions::agent.eq(&session.agent).and(sessions::revision.eq(expected.0)));
        let update = diesel::update(same).set((
            sessions::title.eq(encode(&session.title)),
            sessions::language.eq(encode(&session.language)),
            sessions::turns.eq(position(session.turns)),
            sessions::revision.eq(session.revision.0),
            sessions::updated.eq(session.updated.micros()),
            sessions::form_bytes.eq(self.form_bytes()),
            sessions::form.eq(&self.form),
            sessions::phase.eq(self.phase()),
            sessions::taken_over.eq(&self.taken_over),
        ));
        let changed = prepared!(connection, inner => update.execute(inner))?;
        if changed == 0 { Err(StoreError::Stale.into()) } else { Ok(()) }
    }

    /// One by one: an exchange has two at most.
    fn insert_turns(&self, connection: &mut AnyConnection) -> Result<(), Failure> {
        for turn in &self.turns {
            let insert = diesel::insert_into(session_turns::table).values(turn);
            prepared!(connection, inner => insert.execute(inner))
                .map_err(constraint_violation_as("turn", "session"))?;
        }
        Ok(())
    }

    fn insert_submission(&self, connection: &mut AnyConnection) -> Result<(), Failure> {
        let Some((_, row)) = &self.submission else { return Ok(()) };
        let insert = diesel::insert_into(submissions::table).values(row);
        prepared!(connection, inner => insert.execute(inner)).map_err(foreign_key_violation_as("agent"))?;
        Ok(())
    }

    /// Emits the webhook event. The rows of webhooks are locked last.
    fn emit_event(&self, connection: &mut AnyConnection) -> Result<(), Failure> {
        match &self.submission {
            Some((submission, _)) => form_submitted(connection, &self.scope.workspace.0, submission),
            None => Ok(()),
        }
    }
}

/// Deletes the session; its turns are deleted by cascade.
pub(super) fn delete(
    connection: &mut AnyConnection,
    workspace: &str,
    (agent, id): (&str, &str),
) -> Result<bool, Failure> {
    let named = sessions::table
        .filter(sessions::workspace.eq(workspace).and(sessions::id.eq(id)))
        .filter(sessions::agent.eq(agent));
    Ok(prepared!(connection, inner => diesel::delete(named).execute(inner))? > 0)
}

/// Deletes the oldest sessions that began until `until`.
pub(super) fn delete_until(
    connection: &mut AnyConnection,
    workspace: &str,
    agent: &str,
    until: Timestamp,
    most: u32,
) -> Result<u32, Failure> {
    let query = sessions::table
        .filter(sessions::workspace.eq(workspace).and(sessions::agent.eq(agent)))
        .filter(sessions::created.le(until.micros()))
        .order((sessions::created, sessions::id))
        .limit(i64::from(most))
        .select(sessions::id);
    let ids: Vec<String> = prepared!(connection, inner => query.load(inner))?;
    let mut gone = 0;
    for id in ids {
        gone += u32::from(delete(connection, workspace, (agent, &id))?);
    }
    Ok(gone)
}
