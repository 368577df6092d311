//! Conversations that are put into a server's database as the conversation itself puts them there.

use agents_core::chat::{
    FormState, Phase, Session, SessionRepository as _, Speaker, Submission, Turn, TurnDetails,
};
use diesel::sql_types::Text;
use diesel::{Connection as _, QueryableByName, RunQueryDsl as _, SqliteConnection};
use serde_json::{Map, Value};
use shared_core::{Author, Revision, Scope, Timestamp, UserId, WorkspaceId};
use store_diesel::{Database, DatabaseSettings, DieselSessions};

use crate::kit::Server;

/// What is known of an agent in the database.
#[derive(QueryableByName)]
struct Row {
    #[diesel(sql_type = Text)]
    workspace: String,
    #[diesel(sql_type = Text)]
    author: String,
    #[diesel(sql_type = Text)]
    id: String,
    #[diesel(sql_type = Text)]
    form: String,
}

/// The conversations with an agent of a server on SQLite.
pub(crate) struct Conversations {
    database: Database,
    pub(crate) stored: DieselSessions,
    pub(crate) scope: Scope,
    agent: String,
    form: String,
}

impl Drop for Conversations {
    fn drop(&mut self) {
        tokio::task::block_in_place(|| self.database.close());
    }
}

pub(crate) fn at(seconds: i64) -> Timestamp {
    Timestamp::from_micros((1_700_000_000 + seconds) * 1_000_000).unwrap()
}

/// What a user and the agent say in turn.
pub(crate) fn turns(first: u32, texts: &[&str]) -> Vec<Turn> {
    let turn = |(number, text): (u32, &&str)| {
        let speaker = if number % 2 == 1 { Speaker::User } else { Speaker::Assistant };
        Turn {
            number,
            speaker,
            text: (*text).to_owned(),
            at: at(i64::from(number)),
            outcome: None,
            details: TurnDetails::default(),
        }
    };
    (first..).zip(texts).map(turn).collect()
}

fn object(value: Value) -> Map<String, Value> {
    value.as_object().unwrap().clone()
}

impl Conversations {
    /// Those with the agent of this namespace, in the name of who made it.
    pub(crate) fn of(server: &Server, namespace: &str) -> Self {
        let path = server.home.path("data/formwork.db");
        let path = path.to_str().unwrap();
        let query = format!(
            "SELECT workspace, author, id, coalesce(form, '') AS form FROM agents WHERE namespace = '{namespace}'"
        );
        let mut connection = SqliteConnection::establish(path).unwrap();
        let row: Row = diesel::sql_query(query).get_result(&mut connection).unwrap();
        let settings = DatabaseSettings { readers: 1, writers: 1 };
        let database = Database::open(&format!("sqlite://{path}"), settings).unwrap();
        Self {
            stored: DieselSessions::new(database.clone()),
            database,
            scope: Scope { workspace: WorkspaceId(row.workspace), user: UserId(row.author) },
            agent: row.id,
            form: row.form,
        }
    }

    fn author(&self) -> Author {
        Author { id: self.scope.user.clone(), name: String::new(), email: String::new() }
    }

    /// A session that began then, with two turns and these values.
    pub(crate) fn session(&self, id: &str, seconds: i64, values: Value) -> Session {
        let form = FormState { form_id: self.form.clone(), values: object(values), ..FormState::default() };
        Session {
            id: id.to_owned(),
            workspace: self.scope.workspace.clone(),
            author: self.author(),
            agent: self.agent.clone(),
            title: format!("Title of {id}"),
            form: Some(form),
            taken_over: None,
            language: "en".to_owned(),
            turns: 2,
            revision: Revision::FIRST,
            created: at(seconds),
            updated: at(seconds),
        }
    }

    pub(crate) async fn begin(&self, session: &Session) {
        let turns = turns(1, &["hello", "What is the total?"]);
        self.stored.insert(&self.scope, session, &turns, None).await.unwrap();
    }

    pub(crate) fn submission(&self, session: &Session, id: &str, record: Value) -> Submission {
        Submission {
            id: id.to_owned(),
            workspace: self.scope.workspace.clone(),
            author: self.author(),
            agent: self.agent.clone(),
            session: session.id.clone(),
            form_id: self.form.clone(),
            record: object(record),
            created: session.created,
        }
    }

    /// A session whose form was filled and confirmed.
    pub(crate) async fn submitted(&self, id: &str, submission: &str, record: Value) {
        self.submitted_at(id, submission, 0, record).await;
    }

    pub(crate) async fn submitted_at(&self, id: &str, submission: &str, seconds: i64, record: Value) {
        let mut session = self.session(id, seconds, record.clone());
        self.begin(&session).await;
        let made = self.submission(&session, submission, record);
        session.form = session.form.map(|form| FormState { phase: Phase::Submitted, ..form });
        (session.revision, session.turns, session.updated) = (Revision(2), 4, at(seconds + 9));
        let said = turns(3, &["yes", "It was sent."]);
        self.stored.advance(&self.scope, &session, Revision::FIRST, &said, Some(&made)).await.unwrap();
    }
}
