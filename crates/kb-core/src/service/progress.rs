//! How the work on a base goes on, for those who watch it.

use std::time::Duration;

use futures_util::future::select;
use futures_util::stream::{self, Stream};
use shared_core::Scope;

use super::KnowledgeService;
use crate::{Base, BaseId, KnowledgeError};

/// How often the store is asked when nothing is heard: other servers may do the work.
const POLL: Duration = Duration::from_millis(500);
/// Changes within this time are told together.
const GATHER: Duration = Duration::from_millis(100);

/// What is told of a base.
#[derive(Clone, Debug, PartialEq)]
pub enum BaseEvent {
    /// Items wait or are worked on.
    Progress(Base),
    /// Nothing is left to do.
    End(Base),
}

/// Where a stream of events is.
enum State {
    Begin(Base),
    Following(Base),
    Over,
}

impl KnowledgeService {
    /// Tells of a base as it is now and whenever what it holds has changed, until nothing is left to do.
    pub fn events(
        &self,
        scope: &Scope,
        base: Base,
    ) -> impl Stream<Item = Result<BaseEvent, KnowledgeError>> + Send + use<> {
        let (service, scope) = (self.clone(), scope.clone());
        stream::unfold(State::Begin(base), move |state| {
            let (service, scope) = (service.clone(), scope.clone());
            async move {
                let now = match state {
                    State::Begin(base) => Ok(base),
                    State::Following(last) => service.next(&scope, last).await,
                    State::Over => return None,
                };
                Some(match now {
                    Ok(base) if open(&base) == 0 => (Ok(BaseEvent::End(base)), State::Over),
                    Ok(base) => (Ok(BaseEvent::Progress(base.clone())), State::Following(base)),
                    Err(error) => (Err(error), State::Over),
                })
            }
        })
    }

    /// The base when it is no longer what it was.
    async fn next(&self, scope: &Scope, last: Base) -> Result<Base, KnowledgeError> {
        let id: BaseId = last.id;
        loop {
            let timer = self.ports.timer.as_ref();
            select(self.applied.listen(), timer.sleep(POLL)).await;
            timer.sleep(GATHER).await;
            let base = self.get(scope, &id).await?;
            if base.counts != last.counts {
                return Ok(base);
            }
        }
    }
}

fn open(base: &Base) -> u64 {
    base.counts.queued + base.counts.processing
}
