//! Calls of one model for one group. Stored answers are not requested again, and the spend of every call is
//! counted.

use parking_lot::{Mutex, MutexGuard};

use gen_core::{
    CallerContext, ChatAnswer, ChatRequest, Cost, Finish, GenError, GenService, ModelChoice, ModelId, Spend,
};
use shared_core::StoreError;

use super::answer_store::{AnswerStore, CallRoute, SavedAnswer};
use super::call_options::CallOptions;
use super::error::Failure;

/// The model calls of one group.
#[derive(Debug)]
pub(super) struct ModelCaller<'a> {
    generation: &'a GenService,
    payer: &'a CallerContext,
    model: &'a ModelId,
    answers: &'a dyn AnswerStore,
    options: CallOptions,
    state: Mutex<CallState>,
}

#[derive(Debug, Default)]
struct CallState {
    spent: Spend,
    /// Whether the plan has only one call; its answer is then stored only if another call follows.
    is_single: bool,
    /// Usable answers to be stored once another call follows.
    pending: Vec<(String, SavedAnswer)>,
    /// The failure of storing an answer.
    save_error: Option<StoreError>,
    /// Whether the group has failed, so that no further call is made.
    is_stopped: bool,
}

/// An answer and its call.
#[derive(Debug)]
pub(super) struct CallAnswer {
    pub(super) answer: ChatAnswer,
    /// The id of the call; `None` when the answer is stored already or need not be.
    call: Option<String>,
    cost: Option<Cost>,
}

impl<'a> ModelCaller<'a> {
    pub(super) fn new(
        generation: &'a GenService,
        payer: &'a CallerContext,
        model: &'a ModelId,
        answers: &'a dyn AnswerStore,
        options: CallOptions,
    ) -> Self {
        Self { generation, payer, model, answers, options, state: Mutex::default() }
    }

    /// Starts a plan of `calls` calls.
    pub(super) fn begin(&self, calls: usize) {
        let mut books = self.lock_state();
        (books.is_single, books.is_stopped) = (calls <= 1, false);
    }

    /// The spend of all calls so far, including stored answers of an earlier attempt.
    pub(super) fn spent(&self) -> Spend {
        self.lock_state().spent
    }

    fn lock_state(&self) -> MutexGuard<'_, CallState> {
        self.state.lock()
    }

    /// The answer to a request: the stored one, else the model's.
    pub(super) async fn ask(&self, mut question: ChatRequest) -> Result<CallAnswer, Failure> {
        self.options.apply(&mut question);
        // The built-in model is free, so its answers need not be stored.
        let is_paid = !self.model.is_extractive();
        let call = is_paid.then(|| self.answers.call_id(self.model, &question)).flatten();
        if let Some(call) = &call
            && let Some(kept) = self.answers.find(call).await.map_err(Failure::Store)?
        {
            let cost = kept.cost;
            self.lock_state().spent += Spend { usage: kept.usage, cost };
            return reject_refusal(CallAnswer { answer: kept.into(), call: None, cost });
        }
        if let Some(call) = &call
            && let Some(asked) = self.ask_in_batch(call, &question).await?
        {
            return reject_refusal(asked);
        }
        self.save_pending().await;
        self.ensure_payable()?;
        let choice = ModelChoice::from(self.model.clone());
        match self.generation.answer(self.payer, &choice, question).await {
            Ok(generated) => {
                self.lock_state().spent += Spend { usage: generated.usage, cost: generated.cost };
                reject_refusal(CallAnswer { answer: generated.answer, call, cost: generated.cost })
            }
            Err(error) => {
                self.lock_state().spent += error.spent();
                Err(Failure::Model(error))
            }
        }
    }

    /// The answer that a batch has given; `None` for a call that is made directly, also after a batch gave what is no
    /// answer.
    async fn ask_in_batch(&self, call: &str, question: &ChatRequest) -> Result<Option<CallAnswer>, Failure> {
        let body = match self.answers.route(call) {
            CallRoute::Direct => return Ok(None),
            CallRoute::Batch => {
                let prepared = self.generation.prepare_batch_call(self.payer, self.model, question).await;
                self.answers.defer(call.to_owned(), prepared.map_err(Failure::Model)?);
                return Err(Failure::Deferred);
            }
            CallRoute::Answered(body) => body,
        };
        match self.generation.read_batch_answer(self.payer, self.model, question, &body).await {
            Ok(read) => {
                self.lock_state().spent += Spend { usage: read.usage, cost: read.cost };
                let call = Some(call.to_owned());
                let mut asked = CallAnswer { answer: read.answer, call, cost: read.cost };
                // Stored at once: it is paid, and would be counted again when the group is processed again.
                self.save(&mut asked).await;
                Ok(Some(asked))
            }
            Err(error @ GenError::Provider { .. }) => {
                self.lock_state().spent += error.spent();
                Ok(None)
            }
            Err(error) => Err(Failure::Model(error)),
        }
    }

    /// Whether a retryable failure should fail the attempt: another one follows and reuses the stored
    /// answers.
    pub(super) fn is_worth_retrying(&self, failure: &Failure) -> bool {
        self.answers.will_retry() && failure.may_pass()
    }

    /// Stops the group: calls in flight are completed and counted, and no further ones are made.
    pub(super) fn stop(&self) {
        self.lock_state().is_stopped = true;
    }

    fn ensure_payable(&self) -> Result<(), Failure> {
        let mut books = self.lock_state();
        match books.save_error.take() {
            Some(error) => {
                books.is_stopped = true;
                Err(Failure::Store(error))
            }
            None if books.is_stopped => Err(Failure::Stopped),
            // The built-in model answers at once and costs nothing.
            None if !self.model.is_extractive() && !self.answers.may_call() => Err(Failure::Interrupted),
            None => Ok(()),
        }
    }

    /// Stores a usable answer: at once when the plan has more calls, else once another call follows.
    pub(super) async fn save_useful(&self, asked: &mut CallAnswer) {
        let is_single = self.lock_state().is_single;
        if is_single {
            let kept = asked.call.take().map(|call| (call, to_saved_answer(asked)));
            self.lock_state().pending.extend(kept);
        } else {
            self.save(asked).await;
        }
    }

    /// Stores an answer, usable or not, because another call follows from it.
    pub(super) async fn save(&self, asked: &mut CallAnswer) {
        if let Some(call) = asked.call.take() {
            self.store(&call, &to_saved_answer(asked)).await;
        }
    }

    async fn save_pending(&self) {
        let pending = std::mem::take(&mut self.lock_state().pending);
        for (call, answer) in pending {
            self.store(&call, &answer).await;
        }
    }

    async fn store(&self, call: &str, answer: &SavedAnswer) {
        if let Err(error) = self.answers.save(call, answer).await {
            self.lock_state().save_error = Some(error);
        }
    }
}

fn to_saved_answer(asked: &CallAnswer) -> SavedAnswer {
    let ChatAnswer { text, citations, finish, usage, .. } = asked.answer.clone();
    SavedAnswer { text, citations, finish, usage, cost: asked.cost }
}

fn reject_refusal(asked: CallAnswer) -> Result<CallAnswer, Failure> {
    match asked.answer.finish {
        Finish::Refused => Err(Failure::Refused),
        Finish::Stop | Finish::Length | Finish::ToolCalls | Finish::Other => Ok(asked),
    }
}
