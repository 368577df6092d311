//! Every conformance suite on both databases.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::print_stdout,
    reason = "tests assert"
)]

mod common;

use std::pin::Pin;
use std::sync::Arc;

use shared_core::Scope;
use store_diesel::Database;

use common::{Kind, block_on, fresh, two_workspaces};

type Test = Pin<Box<dyn Future<Output = ()>>>;

fn scoped<S: ?Sized>(
    kind: Kind,
    make: fn(Database) -> Arc<S>,
    test: impl FnOnce(Arc<S>, Scope, Scope) -> Test,
) {
    let Some(throwaway) = fresh(kind) else { return };
    block_on(async {
        let (own, other) = two_workspaces(&throwaway.database).await;
        test(make(throwaway.database.clone()), own, other).await;
    });
}

macro_rules! suites {
    ($module:ident, $kind:expr) => {
        mod $module {
            use super::*;

            mod accounts {
                use super::*;
                use accounts_core::AccountRepository;
                fn run(_name: &str, test: impl FnOnce(Arc<dyn AccountRepository>) -> Test) {
                    let Some(throwaway) = fresh($kind) else { return };
                    block_on(test(Arc::new(store_diesel::DieselAccounts::new(throwaway.database.clone()))));
                }
                accounts_core::account_repository_contract!(run);
            }

            mod audit {
                use super::*;
                use accounts_core::audit::AuditRepository;
                fn run(_name: &str, test: impl FnOnce(Arc<dyn AuditRepository>) -> Test) {
                    let Some(throwaway) = fresh($kind) else { return };
                    block_on(async {
                        common::workspaces(&throwaway.database, ["w1", "w2"]).await;
                        test(Arc::new(store_diesel::DieselAudit::new(throwaway.database.clone()))).await;
                    });
                }
                accounts_core::audit_repository_contract!(run);
            }

            mod answers {
                use super::*;
                use accounts_core::idempotency::IdempotencyRepository;
                fn run(_name: &str, test: impl FnOnce(Arc<dyn IdempotencyRepository>, Scope, Scope) -> Test) {
                    scoped($kind, |database| Arc::new(store_diesel::DieselIdempotency::new(database)), test);
                }
                accounts_core::answer_repository_contract!(run);
            }

            mod usage {
                use super::*;
                use accounts_core::usage::UsageRepository;
                fn run(_name: &str, test: impl FnOnce(Arc<dyn UsageRepository>, Scope, Scope) -> Test) {
                    let Some(throwaway) = fresh($kind) else { return };
                    block_on(async {
                        let database = throwaway.database.clone();
                        let (own, other) = two_workspaces(&database).await;
                        for scope in [&own, &other] {
                            common::add_key(&database, scope).await;
                        }
                        test(Arc::new(store_diesel::DieselUsage::new(database)), own, other).await;
                    });
                }
                accounts_core::usage_repository_contract!(run);
            }

            mod files {
                use super::*;
                use files_core::FileRepository;
                fn run(_name: &str, test: impl FnOnce(Arc<dyn FileRepository>, Scope, Scope) -> Test) {
                    scoped($kind, |database| Arc::new(store_diesel::DieselFiles::new(database)), test);
                }
                files_core::file_repository_contract!(run);
            }

            mod forms {
                use super::*;
                use forms_core::FormRepository;
                fn run(_name: &str, test: impl FnOnce(Arc<dyn FormRepository>, Scope, Scope) -> Test) {
                    scoped($kind, |database| Arc::new(store_diesel::DieselForms::new(database)), test);
                }
                forms_core::form_repository_contract!(run);
            }

            mod agents {
                use super::*;
                use agents_core::AgentRepository;
                fn run(_name: &str, test: impl FnOnce(Arc<dyn AgentRepository>, Scope, Scope) -> Test) {
                    scoped($kind, |database| Arc::new(store_diesel::DieselAgents::new(database)), test);
                }
                agents_core::agent_repository_contract!(run);
            }

            mod sessions {
                use super::*;
                use agents_core::chat::contract::Stores;
                fn run(_name: &str, test: impl FnOnce(Stores, Scope, Scope) -> Test) {
                    let Some(throwaway) = fresh($kind) else { return };
                    block_on(async {
                        let database = throwaway.database.clone();
                        let (own, other) = two_workspaces(&database).await;
                        let sessions = Arc::new(store_diesel::DieselSessions::new(database.clone()));
                        let agents = Arc::new(store_diesel::DieselAgents::new(database));
                        test(Stores { sessions, agents }, own, other).await;
                    });
                }
                agents_core::session_repository_contract!(run);
            }

            mod parsed {
                use super::*;
                use document::ParsedDocuments;
                fn run(_name: &str, test: impl FnOnce(Arc<dyn ParsedDocuments>, Scope, Scope) -> Test) {
                    scoped(
                        $kind,
                        |database| Arc::new(store_diesel::DieselParsedDocuments::new(database)),
                        test,
                    );
                }
                document::parsed_documents_contract!(run);
            }

            mod thumbnails {
                use super::*;
                use utilities_core::contract::Stores;
                fn run(_name: &str, test: impl FnOnce(Stores, Scope, Scope) -> Test) {
                    let Some(throwaway) = fresh($kind) else { return };
                    block_on(async {
                        let database = throwaway.database.clone();
                        let (own, other) = two_workspaces(&database).await;
                        let thumbnails = Arc::new(store_diesel::DieselThumbnails::new(database.clone()));
                        let files = Arc::new(store_diesel::DieselFiles::new(database));
                        test(Stores { thumbnails, files }, own, other).await;
                    });
                }
                utilities_core::thumbnail_repository_contract!(run);
            }

            mod webhooks {
                use super::*;
                use jobs_core::JobQueue;
                use webhooks_core::WebhookRepository;
                fn run(
                    _name: &str,
                    test: impl FnOnce(Arc<dyn WebhookRepository>, Arc<dyn JobQueue>, Scope, Scope) -> Test,
                ) {
                    let Some(throwaway) = fresh($kind) else { return };
                    block_on(async {
                        let database = throwaway.database.clone();
                        let (own, other) = two_workspaces(&database).await;
                        let jobs = Arc::new(store_diesel::DieselJobs::new(database.clone()));
                        test(Arc::new(store_diesel::DieselWebhooks::new(database)), jobs, own, other).await;
                    });
                }
                webhooks_core::webhook_repository_contract!(run);
            }

            mod notes {
                use super::*;
                use agents_core::AgentRepository as _;
                use notes_core::NoteRepository;
                fn run(_name: &str, test: impl FnOnce(Arc<dyn NoteRepository>, Scope, Scope) -> Test) {
                    let Some(throwaway) = fresh($kind) else { return };
                    block_on(async {
                        let database = throwaway.database.clone();
                        let (own, other) = two_workspaces(&database).await;
                        let agents = store_diesel::DieselAgents::new(database.clone());
                        for scope in [&own, &other] {
                            for namespace in notes_core::contract::NAMESPACES {
                                let agent = agents_core::contract::agent(scope, namespace, 1);
                                agents.insert(scope, &agent).await.unwrap();
                            }
                        }
                        test(Arc::new(store_diesel::DieselNotes::new(database)), own, other).await;
                    });
                }
                notes_core::note_repository_contract!(run);
            }

            mod jobs {
                use super::*;
                use futures_util::future::BoxFuture;
                use jobs_core::contract::QueueHarness;
                use jobs_core::{Job, JobQueue};
                use shared_core::Timestamp;
                struct Stored(store_diesel::DieselJobs);
                impl QueueHarness for Stored {
                    fn queue(&self) -> &dyn JobQueue {
                        &self.0
                    }
                    fn put(&self, jobs: Vec<Job>, ready: Timestamp) -> BoxFuture<'_, ()> {
                        Box::pin(async move { self.0.put(jobs, ready).await.unwrap() })
                    }
                }
                fn run(_name: &str, test: impl FnOnce(Arc<dyn QueueHarness>, Scope, Scope) -> Test) {
                    let stored = |database| -> Arc<dyn QueueHarness> {
                        Arc::new(Stored(store_diesel::DieselJobs::new(database)))
                    };
                    scoped($kind, stored, test);
                }
                jobs_core::job_queue_contract!(run);
            }

            mod runs {
                use super::*;
                use agents_core::{Agent, AgentRepository as _};
                use delta_core::contract::RunStores;
                fn run(_name: &str, test: impl FnOnce(RunStores, Scope, Scope) -> Test) {
                    let Some(throwaway) = fresh($kind) else { return };
                    block_on(async {
                        let database = throwaway.database.clone();
                        let (own, other) = two_workspaces(&database).await;
                        let agents = store_diesel::DieselAgents::new(database.clone());
                        for scope in [&own, &other] {
                            let id = delta_core::contract::agent_id(scope);
                            let agent = Agent { id, ..agents_core::contract::agent(scope, "runs", 1) };
                            agents.insert(scope, &agent).await.unwrap();
                        }
                        let runs = Arc::new(store_diesel::DieselRuns::new(database.clone()));
                        let stores = RunStores {
                            groups: runs.clone(),
                            responses: runs.clone(),
                            answers: runs.clone(),
                            batches: runs.clone(),
                            reviews: runs.clone(),
                            runs,
                            jobs: Arc::new(store_diesel::DieselJobs::new(database)),
                        };
                        test(stores, own, other).await;
                    });
                }
                delta_core::run_repository_contract!(run);
            }

            mod evaluation {
                use super::*;
                use agents_core::{Agent, AgentRepository as _};
                use evaluation_core::contract::{EvaluationStores, FORM};
                use forms_core::FormRepository as _;
                fn run(_name: &str, test: impl FnOnce(EvaluationStores, Scope, Scope) -> Test) {
                    let Some(throwaway) = fresh($kind) else { return };
                    block_on(async {
                        let database = throwaway.database.clone();
                        let (own, other) = two_workspaces(&database).await;
                        let agents = store_diesel::DieselAgents::new(database.clone());
                        let forms = store_diesel::DieselForms::new(database.clone());
                        for scope in [&own, &other] {
                            let id = delta_core::contract::agent_id(scope);
                            let agent = Agent { id, ..agents_core::contract::agent(scope, "runs", 1) };
                            agents.insert(scope, &agent).await.unwrap();
                            forms
                                .insert(scope, &forms_core::contract::form(scope, FORM, "F", 1))
                                .await
                                .unwrap();
                        }
                        let stores = EvaluationStores {
                            sets: Arc::new(store_diesel::DieselEvaluationSets::new(database.clone())),
                            runs: Arc::new(store_diesel::DieselRuns::new(database)),
                        };
                        test(stores, own, other).await;
                    });
                }
                evaluation_core::evaluation_repository_contract!(run);
            }

            mod questions {
                use super::*;
                use evaluation_core::retrieval::contract::{QuestionSets, bases};
                use kb_core::{Base, BaseId, BaseRepository as _};
                fn run(_name: &str, test: impl FnOnce(QuestionSets, Scope, Scope) -> Test) {
                    let Some(throwaway) = fresh($kind) else { return };
                    block_on(async {
                        let database = throwaway.database.clone();
                        let (own, other) = two_workspaces(&database).await;
                        let knowledge = store_diesel::DieselKnowledge::new(database.clone());
                        for scope in [&own, &other] {
                            for id in bases(scope) {
                                let base = Base { id: BaseId(id), ..kb_core::contract::base(scope) };
                                knowledge.insert(scope, &base).await.unwrap();
                            }
                        }
                        let sets = Arc::new(store_diesel::DieselQuestionSets::new(database));
                        test(sets, own, other).await;
                    });
                }
                evaluation_core::question_set_contract!(run);
            }

            mod knowledge {
                use super::*;
                use kb_core::contract::Stores;
                fn run(_name: &str, test: impl FnOnce(Stores, Scope, Scope) -> Test) {
                    let Some(throwaway) = fresh($kind) else { return };
                    block_on(async {
                        let database = throwaway.database.clone();
                        let (own, other) = two_workspaces(&database).await;
                        let store = Arc::new(store_diesel::DieselKnowledge::new(database.clone()));
                        let stores = Stores {
                            bases: store.clone(),
                            items: store.clone(),
                            ingest: store.clone(),
                            chunks: store.clone(),
                            embeddings: store.clone(),
                            feed: store.clone(),
                            stock: store,
                            jobs: Arc::new(store_diesel::DieselJobs::new(database.clone())),
                            files: Arc::new(store_diesel::DieselFiles::new(database)),
                        };
                        test(stores, own, other).await;
                    });
                }
                kb_core::knowledge_contract!(run);
            }
        }
    };
}

suites!(sqlite, Kind::Sqlite);
suites!(postgres, Kind::Postgres);
suites!(postgres_over_tls, Kind::PostgresOverTls);
