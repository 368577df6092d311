//! The adapter of sessions and submissions. No state is kept in memory between calls.

mod read;
mod rows;
mod steps;

use accounts_core::idempotency::EffectRef;
use agents_core::chat::{Phase, Session, SessionRepository, Submission, Turn};
use async_trait::async_trait;
use diesel::{BoolExpressionMethods as _, ExpressionMethods as _, QueryDsl as _, RunQueryDsl as _};
use shared_core::{Cursor, Page, PageRequest, Position, Revision, Scope, StoreError, Timestamp};

use self::steps::Exchange;
use crate::connection::{AnyConnection, prepared};
use crate::database::Database;
use crate::idempotency::effect;
use crate::schema::submissions;
use crate::text_encoding::encode;

/// Sessions and submissions in the database.
#[derive(Clone, Debug)]
pub struct DieselSessions(Database);

impl DieselSessions {
    /// Uses `database`.
    #[must_use]
    pub fn new(database: Database) -> Self {
        Self(database)
    }
}

/// Workspace, agent and id, owned. An id from a request may have any characters.
fn owned_key(scope: &Scope, agent: &str, id: &str) -> (String, String, String) {
    (scope.workspace.0.clone(), agent.to_owned(), encode(id).into_owned())
}

/// The exchange as the effect of a request.
fn reference(session: &Session) -> impl Fn(&()) -> Option<EffectRef> + Send + 'static {
    let id = session.id.clone();
    move |()| effect("session", [&id])
}

#[async_trait]
impl SessionRepository for DieselSessions {
    async fn insert(
        &self,
        scope: &Scope,
        session: &Session,
        turns: &[Turn],
        submission: Option<&Submission>,
    ) -> Result<(), StoreError> {
        let exchange = Exchange::of(scope, session, turns, submission)?;
        let reference = reference(session);
        self.0.write_effect(move |connection| exchange.begin(connection), reference).await
    }

    async fn find(&self, scope: &Scope, agent: &str, id: &str) -> Result<Option<Session>, StoreError> {
        let (workspace, agent, id) = owned_key(scope, agent, id);
        self.0.look_up(move |connection| read::session(connection, &workspace, (&agent, &id))).await
    }

    async fn list(
        &self,
        scope: &Scope,
        agent: &str,
        phase: Option<Phase>,
        page: &PageRequest,
    ) -> Result<Page<Session>, StoreError> {
        let (workspace, agent, page) = (scope.workspace.0.clone(), agent.to_owned(), page.clone());
        self.0.read(move |connection| read::list(connection, &workspace, &agent, phase, &page)).await
    }

    async fn turns(&self, scope: &Scope, session: &str, last: usize) -> Result<Vec<Turn>, StoreError> {
        let (workspace, session) = (scope.workspace.0.clone(), encode(session).into_owned());
        self.0.read(move |connection| read::last_turns(connection, &workspace, &session, last)).await
    }

    async fn advance(
        &self,
        scope: &Scope,
        session: &Session,
        expected: Revision,
        turns: &[Turn],
        submission: Option<&Submission>,
    ) -> Result<(), StoreError> {
        let exchange = Exchange::of(scope, session, turns, submission)?;
        let reference = reference(session);
        self.0.write_effect(move |connection| exchange.advance(connection, expected), reference).await
    }

    async fn delete(&self, scope: &Scope, agent: &str, id: &str) -> Result<bool, StoreError> {
        let (workspace, agent, id) = owned_key(scope, agent, id);
        self.0.bulk().write(move |connection| steps::delete(connection, &workspace, (&agent, &id))).await
    }

    async fn delete_until(
        &self,
        scope: &Scope,
        agent: &str,
        until: Timestamp,
        most: u32,
    ) -> Result<u32, StoreError> {
        let (workspace, agent) = (scope.workspace.0.clone(), agent.to_owned());
        let delete =
            move |connection: &mut _| steps::delete_until(connection, &workspace, &agent, until, most);
        self.0.bulk().write(delete).await
    }

    async fn submissions(
        &self,
        scope: &Scope,
        agent: &str,
        page: &PageRequest,
    ) -> Result<Page<Submission>, StoreError> {
        let (workspace, agent, page) = (scope.workspace.0.clone(), agent.to_owned(), page.clone());
        self.0.read(move |connection| read::submissions(connection, &workspace, &agent, &page)).await
    }

    async fn submissions_after(
        &self,
        scope: &Scope,
        agent: &str,
        after: Option<&Cursor>,
        most: u32,
    ) -> Result<(Vec<Submission>, Option<Cursor>), StoreError> {
        let (workspace, agent) = (scope.workspace.0.clone(), agent.to_owned());
        let position = after.map_or(Position::Number(1), |cursor| Position::After(cursor.clone()));
        let page = PageRequest { position, limit: most };
        self.0.read(move |connection| read::submissions_after(connection, &workspace, &agent, &page)).await
    }

    async fn submitted_forms(
        &self,
        scope: &Scope,
        agent: &str,
        most: u32,
    ) -> Result<Vec<String>, StoreError> {
        let (workspace, agent) = (scope.workspace.0.clone(), agent.to_owned());
        let list = move |connection: &mut AnyConnection| {
            let query = submissions::table
                .filter(submissions::workspace.eq(&workspace).and(submissions::agent.eq(&agent)))
                .select(submissions::form)
                .distinct()
                .order(submissions::form)
                .limit(i64::from(most));
            Ok(prepared!(connection, inner => query.load(inner))?)
        };
        self.0.read(list).await
    }

    async fn submission(
        &self,
        scope: &Scope,
        agent: &str,
        id: &str,
    ) -> Result<Option<Submission>, StoreError> {
        let (workspace, agent, id) = owned_key(scope, agent, id);
        self.0.look_up(move |connection| read::submission(connection, &workspace, (&agent, &id))).await
    }

    async fn delete_submission(&self, scope: &Scope, agent: &str, id: &str) -> Result<bool, StoreError> {
        let (workspace, agent, id) = owned_key(scope, agent, id);
        let delete = move |connection: &mut AnyConnection| {
            let named = submissions::table
                .filter(submissions::workspace.eq(&workspace).and(submissions::id.eq(&id)))
                .filter(submissions::agent.eq(&agent));
            Ok(prepared!(connection, inner => diesel::delete(named).execute(inner))? > 0)
        };
        self.0.write(delete).await
    }
}
