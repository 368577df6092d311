//! A model test of random operations. Whatever their order: the counts of a base are those of its items, an
//! index that follows the changes ends up with what is findable, and only findable chunks are returned.

use std::collections::BTreeMap;

use jobs_core::{Claim, ClaimedJob};
use shared_core::{PageRequest, Position, Rng as _, Scope, SeededRng, StoreError};

use super::stores::{Stores, at, chunked, document, error, finished, new_item, replacement};
use crate::{
    Base, ChangeKind, ChunkKey, Contents, Counts, IngestResult, Item, ItemFilter, ItemStatus, QUEUE,
    Selection,
};

const MODELS: [Option<&str>; 3] = [None, Some("m@x"), Some("n@y")];

/// Random choices from a seed.
#[derive(Debug)]
struct Draw(SeededRng);

impl Draw {
    fn below(&self, end: usize) -> usize {
        let mut bytes = [0; 8];
        self.0.fill(&mut bytes);
        usize::try_from(u64::from_le_bytes(bytes) % end.max(1) as u64).unwrap_or_default()
    }
}

/// A client that performs random operations.
struct Actor<'a> {
    stores: &'a Stores,
    scope: &'a Scope,
    bases: Vec<Base>,
    draw: Draw,
    held: Vec<ClaimedJob>,
    now: i64,
}

/// An index that follows the changes: for each item its sequence, its base, and the number of its chunks.
#[derive(Debug, Default)]
struct Index {
    applied: i64,
    items: BTreeMap<i64, (i64, i64, usize)>,
}

impl Actor<'_> {
    async fn all(&self) -> Vec<Item> {
        let (mut all, mut position) = (Vec::new(), Position::Number(1));
        loop {
            let page = PageRequest { position, limit: 7 };
            let page =
                self.stores.items.list(self.scope, &ItemFilter::default(), &page).await.expect("lists");
            all.extend(page.items);
            match page.next {
                Some(next) => position = Position::After(next),
                None => return all,
            }
        }
    }

    async fn act(&mut self) {
        self.now += 1;
        match self.draw.below(13) {
            0..=3 => self.add().await,
            4 => self.claim().await,
            5..=7 => self.work().await,
            8 => self.change().await,
            9 => self.remove().await,
            10 => self.want().await,
            11 => self.expire().await,
            _ => self.retry().await,
        }
    }

    fn base(&self) -> Base {
        self.bases[self.draw.below(self.bases.len())].clone()
    }

    async fn some(&self) -> Option<Item> {
        let all = self.all().await;
        (!all.is_empty()).then(|| all[self.draw.below(all.len())].clone())
    }

    async fn add(&self) {
        let mut given = Vec::new();
        for _ in 0..=self.draw.below(3) {
            let name = self.draw.below(60).to_string();
            let id = crate::ItemId(format!("{}-{}-{}", self.now, given.len(), self.scope.workspace));
            let new = match self.draw.below(4) {
                0 => document(self.scope, &name),
                1 => new_item(self.scope, &name, Contents::Unusable(error("unusable"))),
                _ => chunked(self.scope, &name, u32::try_from(self.draw.below(4)).unwrap_or_default()),
            };
            let external_id = (self.draw.below(3) == 0).then(|| format!("own {}\u{0}", self.draw.below(5)));
            let fingerprint = format!("{} {external_id:?}", new.fingerprint);
            let soon = i64::try_from(self.draw.below(60)).unwrap_or_default();
            let expires = (self.draw.below(5) == 0).then(|| at(self.now + 1 + soon));
            given.push(crate::NewItem { id, external_id, expires, fingerprint, ..new });
        }
        let (base, now) = (self.base().id, at(self.now));
        self.stores.items.add(self.scope, &base, given, u64::MAX, now).await.expect("adds");
    }

    async fn claim(&mut self) {
        let claim = Claim {
            queue: QUEUE,
            worker: "actor",
            now: at(self.now),
            until: at(self.now + 9),
            count: 5,
            per_owner: 50,
            per_workspace: 50,
            owners: None,
        };
        self.held.extend(self.stores.jobs.claim(&claim).await.expect("claims"));
    }

    /// Does a step for a job that was claimed at some time and may be lost since.
    async fn work(&mut self) {
        if self.held.is_empty() {
            return;
        }
        let job = self.held[self.draw.below(self.held.len())].clone();
        let (owner, place) = (crate::BaseId(job.job.key.owner.clone()), job.job.key.position);
        let stores = self.stores;
        let Some(task) = stores.ingest.task(&job.job.workspace, &owner, place).await.expect("asks") else {
            return;
        };
        let (token, now) = (job.token, at(self.now));
        let model = task.base.embedding.clone();
        let ended = match self.draw.below(7) {
            0 => stores.ingest.begin(&task, token, now).await,
            1 => stores.ingest.progress(&task, token, 1, 2, now).await,
            2 => stores.ingest.postpone(&task, token, &error("later"), now).await,
            3 => stores.ingest.fail(&task, token, &error("bad"), now).await,
            _ if task.item.content.is_some() && task.item.status != ItemStatus::Ready => {
                let count = u32::try_from(self.draw.below(4)).unwrap_or_default();
                stores.ingest.finish(&task, token, &finished("w", count, model.as_deref()), now).await
            }
            _ => {
                let failure = (self.draw.below(4) == 0).then(|| error("no vectors"));
                let embedded = model.filter(|_| failure.is_none());
                let done = IngestResult { chunks: None, language: None, embedded, failure, remark: None };
                stores.ingest.finish(&task, token, &done, now).await
            }
        };
        assert!(matches!(ended, Ok(()) | Err(StoreError::Stale)), "{ended:?}");
    }

    async fn change(&self) {
        let Some(item) = self.some().await else { return };
        let mut change = match self.draw.below(2) {
            0 => replacement(&format!("{}-{}", self.scope.workspace, self.draw.below(60))),
            _ => crate::ItemChange::default(),
        };
        change.name = Some(format!("name {}", self.draw.below(3)));
        let changed = self.stores.items.update(self.scope, &item.id, &change, at(self.now)).await;
        assert!(matches!(changed, Ok(Some(_)) | Err(StoreError::Taken("content"))), "{changed:?}");
    }

    async fn remove(&mut self) {
        let selection = match self.draw.below(8) {
            0 => Selection::All(self.base().id),
            1 => return self.replace_base().await,
            _ => match self.some().await {
                Some(item) => Selection::Ids(None, vec![item.id]),
                None => return,
            },
        };
        self.stores.items.delete(self.scope, &selection, at(self.now)).await.expect("deletes");
    }

    async fn expire(&self) {
        self.stores.items.remove_expired(at(self.now), 3).await.expect("deletes");
    }

    async fn replace_base(&mut self) {
        let index = self.draw.below(self.bases.len());
        let gone = self.stores.bases.delete(self.scope, &self.bases[index].id, at(self.now)).await;
        assert!(gone.expect("deletes").is_some());
        let model = MODELS[self.draw.below(3)];
        self.bases[index] = self.stores.base(self.scope, &format!("new {}", self.now), model).await;
    }

    async fn want(&self) {
        let base = self.stores.look(self.scope, &self.base()).await;
        let model = MODELS[self.draw.below(3)].map(str::to_owned);
        let wanted = Base { embedding: model, ..base.clone() };
        let now = at(self.now);
        self.stores.bases.update(self.scope, &wanted, base.revision, now).await.expect("updates");
    }

    async fn retry(&self) {
        let Some(item) = self.some().await else { return };
        let tried = self.stores.items.retry(self.scope, &item.id, at(self.now)).await;
        assert_eq!(tried.is_ok(), item.status == ItemStatus::Failed, "{tried:?}");
    }

    /// Compares the counts of bases with their items.
    async fn check(&self) {
        let items = self.all().await;
        for base in &self.bases {
            let base = self.stores.look(self.scope, base).await;
            let own: Vec<&Item> = items.iter().filter(|item| item.base == base.id).collect();
            let mut counts = Counts::default();
            own.iter().for_each(|item| counts.include(item));
            assert_eq!(base.counts, counts);
            let lacking = own.iter().any(|item| item.lacks(base.embedding.as_deref()));
            assert!(lacking || base.serving == base.embedding, "{base:?}");
            for status in ItemStatus::ALL {
                let filter =
                    ItemFilter { base: Some(base.id.clone()), status: Some(status), ..ItemFilter::default() };
                let page = PageRequest::first(100);
                let page = self.stores.items.list(self.scope, &filter, &page).await.expect("lists");
                let wanted: Vec<&Item> = own.iter().copied().filter(|item| item.status == status).collect();
                assert!(page.items.iter().eq(wanted), "{status:?}");
                assert_eq!(page.total, page.items.len() as u64);
            }
        }
        for item in &items {
            assert_eq!(item.is_findable(), self.stores.feed.item(item.number).await.expect("asks").is_some());
            let stored = self.stores.chunks.chunks(self.scope, &item.id, 0, 99).await.expect("lists");
            assert!(!item.is_findable() || stored.len() as u64 == item.chunks, "{item:?}");
            let found = [(ChunkKey { item: item.number, position: 0 }, item.sequence)];
            let live =
                self.stores.chunks.load_live_chunks(self.scope, &item.base, &found).await.expect("looks");
            assert_eq!(live[0].is_some(), item.chunks > 0, "{item:?}");
        }
    }

    /// Applies new changes to an index, and compares it with what is findable.
    async fn follow(&self, index: &mut Index) {
        let feed = &self.stores.feed;
        for change in feed.changes(index.applied, 10_000).await.expect("lists") {
            assert_eq!(change.sequence, index.applied + 1);
            index.applied = change.sequence;
            match change.what {
                ChangeKind::BaseGone { base } => index.items.retain(|_, item| item.1 != base),
                ChangeKind::Put { item } | ChangeKind::Gone { item } => {
                    index.items.remove(&item);
                    if let Some(now) = feed.item(item).await.expect("asks") {
                        let chunks = feed.chunks(item, 0, 99).await.expect("lists").len();
                        index.items.insert(item, (now.sequence, now.base, chunks));
                    }
                }
            }
        }
        let mut findable = BTreeMap::new();
        for item in feed.items(0, 10_000).await.expect("lists") {
            let chunks = feed.chunks(item.number, 0, 99).await.expect("lists").len();
            findable.insert(item.number, (item.sequence, item.base, chunks));
        }
        assert_eq!(index.items, findable);
    }
}

/// Hundreds of random operations: see the module.
pub async fn counts_are_those_of_the_items_whatever_happens(stores: &Stores, own: &Scope, other: &Scope) {
    let mut actors = Vec::new();
    for (seed, scope) in [(1, own), (2, other)] {
        let mut bases = Vec::new();
        for (n, model) in MODELS.into_iter().enumerate() {
            bases.push(stores.base(scope, &n.to_string(), model).await);
        }
        let draw = Draw(SeededRng::new(seed));
        actors.push(Actor { stores, scope, bases, draw, held: Vec::new(), now: 10 });
    }
    let mut index = Index { applied: stores.feed.state().await.expect("tells").latest, ..Index::default() };
    let mut compared = 0;
    for _ in 0..12 {
        for actor in &mut actors {
            for _ in 0..25 {
                actor.act().await;
            }
            actor.check().await;
        }
        actors[0].follow(&mut index).await;
        compared += index.items.len();
    }
    assert!(compared > 20, "there is something to compare");
}
