//! How far a group is that is processed in batches.

use std::collections::HashMap;

use super::CallState;
use crate::ItemError;

/// Where a group stands.
#[derive(Debug)]
pub(crate) enum BatchRound {
    /// Its calls are made directly.
    Off,
    /// Its first calls are gathered.
    Gather,
    /// Its calls wait.
    Waiting,
    /// Its calls have these states, none of which waits.
    Over(HashMap<String, CallState>),
    /// The provider refused its batch.
    Refused(ItemError),
}
