//! Reviews in memory.

use async_trait::async_trait;
use shared_core::{Page, PageRequest, Revision, Scope, StoreError, Timestamp, WorkspaceId};

use super::MemoryRuns;
use super::run::{MemoryRun, find};
use crate::review::{NewReview, Review, ReviewFilter, ReviewRepository};
use crate::{GroupId, Response, Run};

impl MemoryRuns {
    /// Stores reviews of a group except those of paths that have one. Returns the number of stored ones.
    pub(super) fn put_reviews(&self, run: &Run, index: u32, reviews: &[NewReview], now: Timestamp) -> u32 {
        let group = GroupId { sid: run.sid, index };
        let mut stored = self.reviews.lock();
        let mut count = 0;
        for new in reviews {
            let has_one =
                |(_, known): &(WorkspaceId, Review)| known.group == group && known.about.path == new.path;
            if !stored.iter().any(has_one) {
                let agent = (run.plan.agent_id.clone(), run.plan.namespace.clone());
                stored.push((run.workspace.clone(), Review::new(new.clone(), agent, group, now)));
                count += 1;
            }
        }
        count
    }

    pub(super) fn delete_reviews(&self, group: GroupId) {
        self.reviews.lock().retain(|(_, review)| review.group != group);
    }

    /// The response of a group with its reviews.
    pub(super) fn reviewed(&self, row: &MemoryRun, index: u32, mut response: Response) -> Response {
        let group = GroupId { sid: row.run.sid, index };
        let stored = self.reviews.lock();
        let own = stored.iter().filter(|(_, review)| review.group == group);
        response.apply_reviews(own.map(|(_, review)| review.clone()).collect());
        response
    }
}

#[async_trait]
impl ReviewRepository for MemoryRuns {
    async fn insert(
        &self,
        scope: &Scope,
        _agent_id: &str,
        group: GroupId,
        reviews: &[NewReview],
        now: Timestamp,
    ) -> Result<u32, StoreError> {
        let rows = self.rows();
        let row = find(&rows, &scope.workspace, group.sid).ok_or(StoreError::Missing("run"))?;
        Ok(self.put_reviews(&row.run, group.index, reviews, now))
    }

    async fn find(&self, scope: &Scope, ids: &[String]) -> Result<Vec<Review>, StoreError> {
        let stored = self.reviews.lock();
        let own = stored.iter().filter(|(workspace, _)| *workspace == scope.workspace);
        let named = own.filter(|(_, review)| ids.contains(&review.about.id));
        Ok(named.map(|(_, review)| review.clone()).collect())
    }

    async fn list(
        &self,
        scope: &Scope,
        filter: &ReviewFilter,
        page: &PageRequest,
    ) -> Result<Page<Review>, StoreError> {
        let stored = self.reviews.lock();
        let own = stored.iter().filter(|(workspace, _)| *workspace == scope.workspace);
        let wanted = own.filter(|(_, review)| filter.matches(review)).map(|(_, review)| review.clone());
        Ok(Page::paginate(wanted.collect(), page, |review: &Review| review.cursor(filter.order)))
    }

    async fn update(&self, scope: &Scope, changed: &[(Review, Revision)]) -> Result<(), StoreError> {
        let mut stored = self.reviews.lock();
        let mut places = Vec::with_capacity(changed.len());
        for (review, expected) in changed {
            let place = stored.iter().position(|(workspace, known)| {
                *workspace == scope.workspace
                    && known.about.id == review.about.id
                    && known.revision == *expected
            });
            places.push(place.ok_or(StoreError::Stale)?);
        }
        for (place, (review, _)) in places.into_iter().zip(changed) {
            if let Some(known) = stored.get_mut(place) {
                known.1 = review.clone();
            }
        }
        Ok(())
    }
}
