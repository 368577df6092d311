//! Rows of sessions, turns and submissions, and their domain values.

use agents_core::chat::{Session, Speaker, Submission, Turn, TurnDetails};
use diesel::{Insertable, Queryable};
use shared_core::{Revision, Scope, StoreError, WorkspaceId};

use crate::failure::corrupt;
use crate::rows::{author, count, from_json, position, time, to_json};
use crate::schema::{session_turns, submissions};
use crate::text_encoding::{decode, encode};

/// Name and e-mail address of an author.
pub(super) type AuthorColumns = (String, String);

#[derive(Queryable)]
pub(super) struct SessionRow {
    workspace: String,
    id: String,
    agent: String,
    author: String,
    title: String,
    language: String,
    turns: i32,
    revision: i64,
    created: i64,
    updated: i64,
    _form_bytes: i64,
    form: Option<String>,
    _phase: Option<String>,
    taken_over: Option<String>,
}

impl SessionRow {
    pub(super) fn read(self, (name, email): AuthorColumns) -> Result<Session, StoreError> {
        Ok(Session {
            id: self.id,
            workspace: WorkspaceId(self.workspace),
            author: author(self.author, name, email),
            agent: self.agent,
            title: decode(self.title),
            form: self.form.as_deref().map(from_json).transpose()?,
            taken_over: self.taken_over.as_deref().map(from_json).transpose()?,
            language: decode(self.language),
            turns: count(i64::from(self.turns))?,
            revision: Revision(self.revision),
            created: time(self.created)?,
            updated: time(self.updated)?,
        })
    }
}

#[derive(Queryable)]
pub(super) struct TurnRow {
    _workspace: String,
    _session: String,
    number: i32,
    speaker: String,
    created: i64,
    _content_bytes: i64,
    content: String,
    usage: Option<String>,
    details: Option<String>,
}

impl TurnRow {
    pub(super) fn read(self) -> Result<Turn, StoreError> {
        let speaker = [Speaker::User, Speaker::Assistant].into_iter().find(|one| name(*one) == self.speaker);
        Ok(Turn {
            number: count(i64::from(self.number))?,
            speaker: speaker.ok_or_else(|| corrupt(format!("'{}' is no speaker", self.speaker)))?,
            text: decode(self.content),
            at: time(self.created)?,
            outcome: self.usage.as_deref().map(from_json).transpose()?,
            details: self.details.as_deref().map(from_json).transpose()?.unwrap_or_default(),
        })
    }
}

/// The stored name of a speaker.
const fn name(speaker: Speaker) -> &'static str {
    match speaker {
        Speaker::User => "user",
        Speaker::Assistant => "assistant",
    }
}

#[derive(Clone, Debug, Insertable)]
#[diesel(table_name = session_turns)]
pub(super) struct NewTurn {
    workspace: String,
    session: String,
    number: i32,
    speaker: &'static str,
    created: i64,
    content_bytes: i64,
    content: String,
    usage: Option<String>,
    details: Option<String>,
}

impl NewTurn {
    pub(super) fn of(scope: &Scope, session: &str, turn: &Turn) -> Result<Self, StoreError> {
        let details = (turn.details != TurnDetails::default()).then(|| to_json(&turn.details)).transpose()?;
        let bytes = turn.text.len() + details.as_ref().map_or(0, String::len);
        Ok(Self {
            workspace: scope.workspace.0.clone(),
            session: session.to_owned(),
            number: position(turn.number),
            speaker: name(turn.speaker),
            created: turn.at.micros(),
            content_bytes: i64::try_from(bytes).unwrap_or(i64::MAX),
            content: encode(&turn.text).into_owned(),
            usage: turn.outcome.as_ref().map(to_json).transpose()?,
            details,
        })
    }
}

#[derive(Queryable)]
pub(super) struct SubmissionRow {
    workspace: String,
    id: String,
    agent: String,
    author: String,
    session: String,
    form: String,
    created: i64,
    _record_bytes: i64,
    record: String,
}

impl SubmissionRow {
    pub(super) fn read(self, (name, email): AuthorColumns) -> Result<Submission, StoreError> {
        Ok(Submission {
            id: self.id,
            workspace: WorkspaceId(self.workspace),
            author: author(self.author, name, email),
            agent: self.agent,
            session: self.session,
            form_id: self.form,
            record: from_json(&self.record)?,
            created: time(self.created)?,
        })
    }
}

#[derive(Clone, Debug, Insertable)]
#[diesel(table_name = submissions)]
pub(super) struct NewSubmission {
    workspace: String,
    id: String,
    agent: String,
    author: String,
    session: String,
    form: String,
    created: i64,
    record_bytes: i64,
    record: String,
}

impl NewSubmission {
    pub(super) fn of(scope: &Scope, submission: &Submission) -> Result<Self, StoreError> {
        let record = to_json(&submission.record)?;
        Ok(Self {
            workspace: scope.workspace.0.clone(),
            id: submission.id.clone(),
            agent: submission.agent.clone(),
            author: scope.user.0.clone(),
            session: submission.session.clone(),
            form: submission.form_id.clone(),
            created: submission.created.micros(),
            record_bytes: text_bytes(&record),
            record,
        })
    }
}

/// Size of a text in bytes, for bounding pages.
pub(super) fn text_bytes(text: &str) -> i64 {
    i64::try_from(text.len()).unwrap_or(i64::MAX)
}
