//! The conformance suite on the port in memory.

use std::pin::Pin;
use std::sync::Arc;

use delta_core::MemoryRuns;
use evaluation_core::MemoryEvaluationSets;
use evaluation_core::contract::EvaluationStores;
use shared_core::{Scope, UserId, WorkspaceId};

type Test = Pin<Box<dyn Future<Output = ()>>>;

fn scope(name: &str) -> Scope {
    Scope { workspace: WorkspaceId(name.into()), user: UserId(format!("user-{name}")) }
}

fn sets(_name: &str, test: impl FnOnce(EvaluationStores, Scope, Scope) -> Test) {
    let runs = Arc::new(MemoryRuns::default());
    let stores = EvaluationStores { sets: Arc::new(MemoryEvaluationSets::new(runs.clone())), runs };
    futures_executor::block_on(test(stores, scope("own"), scope("other")));
}

evaluation_core::evaluation_repository_contract!(sets);

mod questions {
    use std::sync::Arc;

    use evaluation_core::retrieval::MemoryQuestionSets;
    use evaluation_core::retrieval::contract::QuestionSets;
    use shared_core::Scope;

    use super::{Test, scope};

    fn run(_name: &str, test: impl FnOnce(QuestionSets, Scope, Scope) -> Test) {
        let sets: QuestionSets = Arc::new(MemoryQuestionSets::default());
        futures_executor::block_on(test(sets, scope("own"), scope("other")));
    }

    evaluation_core::question_set_contract!(run);
}
