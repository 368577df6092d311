//! Settings of the model calls of a run.

use std::time::Duration;

use gen_core::{ChatRequest, Effort, request_tokens};

/// The limit of a call with a small prompt. Ten minutes, the default of the vendors' clients, hold a group for as long when
/// an answer never comes. Chosen by hand; no measurement is recorded.
const SMALL_CALL: Duration = Duration::from_secs(60);
/// Input tokens for each further second: an answer may list all of them again, and slow models write so many tokens in a
/// second. Chosen by hand; no measurement is recorded.
const TOKENS_PER_SECOND: u64 = 25;

/// Settings of the model calls of a run.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct CallOptions {
    /// How much the model may reason; the vendor's default when `None`.
    pub effort: Option<Effort>,
    /// Limit of one attempt at a call; measured from the prompt when `None`.
    pub timeout: Option<Duration>,
}

impl CallOptions {
    /// Sets the options of a request.
    pub(super) fn apply(&self, request: &mut ChatRequest) {
        let measured = || SMALL_CALL + Duration::from_secs(request_tokens(request) / TOKENS_PER_SECOND);
        let timeout = self.timeout.unwrap_or_else(measured);
        (request.effort, request.timeout) = (self.effort, Some(timeout));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_call_has_time_by_the_size_of_its_prompt_unless_it_is_set() {
        let limit = |options: CallOptions, letters: usize| {
            let mut request = ChatRequest { system: Some("x".repeat(letters)), ..ChatRequest::default() };
            options.apply(&mut request);
            request.timeout.map(|limit| limit.as_secs())
        };
        let set = CallOptions { timeout: Some(Duration::from_secs(5)), ..CallOptions::default() };
        let measured = CallOptions::default();
        assert_eq!(
            [limit(measured, 40), limit(measured, 4_000), limit(set, 4_000)],
            [Some(60), Some(100), Some(5)]
        );
    }
}
