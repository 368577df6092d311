//! The port of reviews.

use std::fmt;

use async_trait::async_trait;
use shared_core::{Page, PageRequest, Revision, Scope, StoreError, Timestamp};

use super::{NewReview, Review, ReviewFilter};
use crate::GroupId;

/// Stores reviews. Implementations must pass `run_repository_contract!`.
///
/// [`GroupRepository::finish_group`](crate::GroupRepository::finish_group) stores the reviews of an outcome with it.
/// [`RunRepository::reopen`](crate::RunRepository::reopen) deletes the reviews of the groups that it opens.
/// [`ResponseRepository`](crate::ResponseRepository) applies the reviews of a response when it reads it. Reviews are
/// deleted with their run.
#[async_trait]
pub trait ReviewRepository: fmt::Debug + Send + Sync + 'static {
    /// Stores new reviews of a group, except those of paths that have one. Returns the number of stored ones.
    async fn insert(
        &self,
        scope: &Scope,
        agent_id: &str,
        group: GroupId,
        reviews: &[NewReview],
        now: Timestamp,
    ) -> Result<u32, StoreError>;
    /// The reviews with these ids that the workspace has, in any order.
    async fn find(&self, scope: &Scope, ids: &[String]) -> Result<Vec<Review>, StoreError>;
    /// Reviews of the workspace in the order of the filter. Cursors are those of [`Review::cursor`].
    async fn list(
        &self,
        scope: &Scope,
        filter: &ReviewFilter,
        page: &PageRequest,
    ) -> Result<Page<Review>, StoreError>;
    /// Stores changed reviews in one transaction, each if its stored revision is the given one, and emits the event
    /// `review.decided` for each agent. `Stale` when one has another revision or does not exist; then nothing is
    /// stored.
    async fn update(&self, scope: &Scope, changed: &[(Review, Revision)]) -> Result<(), StoreError>;
}
