//! Asking one model on behalf of one group: what is kept is not asked again, and everything that is spent
//! is counted, whichever call spent it.

use std::sync::{Mutex, MutexGuard, PoisonError};

use gen_core::{ChatAnswer, ChatRequest, Cost, Finish, GenService, ModelChoice, ModelId, Payer, Spend};
use shared_core::StoreError;

use super::answers::{KeptAnswer, KeptAnswers};
use super::call_id::call_id;
use super::error::Failure;

/// The calls of one group.
#[derive(Debug)]
pub(super) struct Asking<'a> {
    generation: &'a GenService,
    payer: &'a Payer,
    model: &'a ModelId,
    answers: &'a dyn KeptAnswers,
    books: Mutex<Books>,
}

#[derive(Debug, Default)]
struct Books {
    spent: Spend,
    /// Whether the plan has one call only, so that its answer is kept only if another call follows.
    is_single: bool,
    /// Useful answers that are kept once another call follows.
    pending: Vec<(String, KeptAnswer)>,
    /// Why an answer could not be kept.
    unkept: Option<StoreError>,
    /// Whether the group has failed, so that no further call is paid for.
    is_stopped: bool,
}

/// An answer, and the call that it belongs to.
#[derive(Debug)]
pub(super) struct Asked {
    pub(super) answer: ChatAnswer,
    /// The name of the call; `None` when the answer is kept already, or need not be.
    call: Option<String>,
    cost: Option<Cost>,
}

impl<'a> Asking<'a> {
    pub(super) fn new(
        generation: &'a GenService,
        payer: &'a Payer,
        model: &'a ModelId,
        answers: &'a dyn KeptAnswers,
    ) -> Self {
        Self { generation, payer, model, answers, books: Mutex::default() }
    }

    /// Begins with a plan of so many calls.
    pub(super) fn begin(&self, calls: usize) {
        let mut books = self.books();
        (books.is_single, books.is_stopped) = (calls <= 1, false);
    }

    /// What all calls together took so far, those of an earlier attempt that are kept included.
    pub(super) fn spent(&self) -> Spend {
        self.books().spent
    }

    fn books(&self) -> MutexGuard<'_, Books> {
        self.books.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The answer to a question: the kept one, else the model's.
    pub(super) async fn ask(&self, question: ChatRequest) -> Result<Asked, Failure> {
        // The built-in model costs nothing, so nothing is lost with its answers.
        let call = (!self.model.is_extractive()).then(|| call_id(self.model, &question));
        if let Some(call) = &call
            && let Some(kept) = self.answers.find(call).await.map_err(Failure::Store)?
        {
            let cost = kept.cost;
            self.books().spent += Spend { usage: kept.usage, cost };
            return judged(Asked { answer: kept.into(), call: None, cost });
        }
        self.keep_pending().await;
        self.may_pay()?;
        let choice = ModelChoice::from(self.model.clone());
        match self.generation.answer(self.payer, &choice, question).await {
            Ok(generated) => {
                self.books().spent += Spend { usage: generated.usage, cost: generated.cost };
                judged(Asked { answer: generated.answer, call, cost: generated.cost })
            }
            Err(error) => {
                self.books().spent += error.spent();
                Err(Failure::Model(error))
            }
        }
    }

    /// Whether a failure should fail the attempt, since another one follows that may go better and costs
    /// nothing twice.
    pub(super) fn waits_for(&self, failure: &Failure) -> bool {
        self.answers.is_begun_again() && failure.may_pass()
    }

    /// Stops the group: what is under way is let come to its end and counted, and nothing else is asked.
    pub(super) fn stop(&self) {
        self.books().is_stopped = true;
    }

    fn may_pay(&self) -> Result<(), Failure> {
        let mut books = self.books();
        match books.unkept.take() {
            Some(error) => {
                books.is_stopped = true;
                Err(Failure::Store(error))
            }
            None if books.is_stopped => Err(Failure::Stopped),
            None => Ok(()),
        }
    }

    /// Keeps an answer that is of use: now where more calls are under way, else once another call follows.
    pub(super) async fn keep_useful(&self, asked: &mut Asked) {
        let is_single = self.books().is_single;
        if is_single {
            let kept = asked.call.take().map(|call| (call, kept(asked)));
            self.books().pending.extend(kept);
        } else {
            self.keep(asked).await;
        }
    }

    /// Keeps an answer, of use or not, because another call follows from it.
    pub(super) async fn keep(&self, asked: &mut Asked) {
        if let Some(call) = asked.call.take() {
            self.store(&call, &kept(asked)).await;
        }
    }

    async fn keep_pending(&self) {
        let pending = std::mem::take(&mut self.books().pending);
        for (call, answer) in pending {
            self.store(&call, &answer).await;
        }
    }

    async fn store(&self, call: &str, answer: &KeptAnswer) {
        if let Err(error) = self.answers.keep(call, answer).await {
            self.books().unkept = Some(error);
        }
    }
}

fn kept(asked: &Asked) -> KeptAnswer {
    let ChatAnswer { text, citations, finish, usage, .. } = asked.answer.clone();
    KeptAnswer { text, citations, finish, usage, cost: asked.cost }
}

fn judged(asked: Asked) -> Result<Asked, Failure> {
    match asked.answer.finish {
        Finish::Refused => Err(Failure::Refused),
        Finish::Stop | Finish::Length | Finish::ToolCalls | Finish::Other => Ok(asked),
    }
}
