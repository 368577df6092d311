//! The cancellation of a form by a program, without a message.

use shared_core::{Scope, StoreError};

use super::ChatService;
use crate::AgentsError;
use crate::chat::{ChatError, Phase};

impl ChatService {
    /// Ends the filling of a session's form. Returns `false` when nothing is being filled: the form is submitted or
    /// cancelled, or the agent had none.
    ///
    /// # Errors
    /// [`AgentsError::NotFound`], [`AgentsError::SessionNotFound`]; [`ChatError::Busy`] when a message changes the
    /// session meanwhile on another server; or when the store fails.
    pub async fn cancel_form(&self, scope: &Scope, namespace: &str, id: &str) -> Result<bool, ChatError> {
        let agent = self.ports.agents.get(scope, namespace).await?;
        let _turn = self.session_locks.lock(id).await;
        let found = self.ports.sessions.find(scope, &agent.id, id).await.map_err(ChatError::Store)?;
        let mut session = found.ok_or(ChatError::Agents(AgentsError::SessionNotFound))?;
        let Some(form) = session.form.as_mut() else { return Ok(false) };
        if matches!(form.phase, Phase::Submitted | Phase::Cancelled) {
            return Ok(false);
        }
        (form.phase, form.asked) = (Phase::Cancelled, None);
        let expected = session.revision;
        session.revision = expected.next();
        session.updated = self.ports.clock.now();
        match self.ports.sessions.advance(scope, &session, expected, &[], None).await {
            Ok(()) => Ok(true),
            Err(StoreError::Stale) => Err(ChatError::Busy),
            Err(error) => Err(ChatError::Store(error)),
        }
    }
}
