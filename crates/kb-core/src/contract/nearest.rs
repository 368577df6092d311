//! Contract of vector indexes.

use std::sync::Arc;

use shared_core::Scope;

use super::stores::{Stores, at, chunks, document, finished, replacement};
use crate::{Base, ChunkKey, Found, Item, ItemSet, Selection, VectorIndex, VectorQuery};

/// The model of the suite.
const MODEL: &str = "m@x";
/// Another one.
const OTHER: &str = "n@x";
/// Greatest error of a cosine: indexes may store few bits of each number.
const PRECISION: f32 = 2e-3;

/// A vector index with the stores that it follows.
#[derive(Clone, Debug)]
pub struct IndexedStores {
    /// Where the index reads chunks and vectors.
    pub stores: Stores,
    /// The index under test.
    pub index: Arc<dyn VectorIndex>,
}

impl IndexedStores {
    /// A new base with the model of the suite.
    pub async fn base(&self, scope: &Scope, name: &str) -> Base {
        self.stores.base(scope, name, Some(MODEL)).await
    }

    /// Takes the model from a base.
    pub async fn without_model(&self, scope: &Scope, base: &Base) {
        let now = self.stores.look(scope, base).await;
        let without = Base { embedding: None, ..now.clone() };
        self.stores.bases.update(scope, &without, now.revision, at(20)).await.expect("updates");
    }

    /// Deletes an item; the index is not told.
    pub async fn delete(&self, scope: &Scope, item: &Item) {
        let selection = Selection::Ids(None, vec![item.id.clone()]);
        self.stores.items.delete(scope, &selection, at(12)).await.expect("deletes");
    }

    /// Stores vectors of the chunks that begin with a word.
    async fn embed(&self, scope: &Scope, model: &str, word: &str, vectors: &[Vec<f32>]) {
        let texts = chunks(word, u32::try_from(vectors.len()).expect("few"));
        let rows = texts.iter().zip(vectors).map(|(chunk, vector)| (chunk.hash(), vector.as_slice().into()));
        self.stores.embeddings.store_vectors(scope, model, rows.collect()).await.expect("keeps");
    }

    /// Adds an item whose chunks have these vectors.
    pub async fn put(&self, scope: &Scope, base: &Base, name: &str, vectors: &[Vec<f32>]) -> Item {
        let item = self.stores.add_one(scope, base, document(scope, name)).await;
        self.embed(scope, MODEL, name, vectors).await;
        let count = u32::try_from(vectors.len()).expect("few");
        let item = self.stores.finish(scope, base, &item, &finished(name, count, Some(MODEL))).await;
        self.index.changed(&[(item.number, base.number)], &[]).await.expect("follows");
        item
    }

    async fn ask(&self, base: &Base, vector: &[f32], limit: usize) -> Found {
        self.search(query(base, vector, limit)).await
    }

    async fn search(&self, query: VectorQuery) -> Found {
        self.index.search(&query).await.expect("searches")
    }
}

fn query(base: &Base, vector: &[f32], limit: usize) -> VectorQuery {
    VectorQuery {
        base: base.number,
        model: MODEL.into(),
        vector: vector.into(),
        items: None,
        exact: false,
        limit,
    }
}

fn key(item: &Item, position: u32) -> ChunkKey {
    ChunkKey { item: item.number, position }
}

fn keys(found: &Found) -> Vec<ChunkKey> {
    found.hits.iter().map(|hit| hit.key).collect()
}

/// The nearest chunks come first, with their cosine, at least 0, and the sequence of their item.
pub async fn the_nearest_come_first(kit: &IndexedStores, own: &Scope, _other: &Scope) {
    let base = kit.base(own, "a").await;
    let one = kit.put(own, &base, "1", &[vec![1.0, 0.0, 0.0], vec![0.6, 0.8, 0.0]]).await;
    let two = kit.put(own, &base, "2", &[vec![0.0, 5.0, 0.0], vec![-3.0, 0.0, 0.1]]).await;
    let found = kit.ask(&base, &[9.0, 0.0, 0.0], 10).await;
    assert_eq!(keys(&found), [key(&one, 0), key(&one, 1), key(&two, 0), key(&two, 1)]);
    for (hit, score) in found.hits.iter().zip([1.0, 0.6, 0.0, 0.0]) {
        assert!((hit.score - score).abs() < PRECISION && hit.score >= 0.0, "{hit:?}");
        let item = if hit.key.item == one.number { &one } else { &two };
        assert_eq!(hit.sequence, item.sequence);
    }
    assert!(!found.more);
    let exact = VectorQuery { exact: true, ..query(&base, &[9.0, 0.0, 0.0], 10) };
    assert_eq!(kit.search(exact).await, found);
    let found = kit.ask(&base, &[9.0, 0.0, 0.0], 3).await;
    assert!(found.hits.len() == 3 && found.more);
    assert!(kit.ask(&base, &[9.0, 0.0, 0.0], 0).await.hits.is_empty());
}

/// Only the vectors of one base, one model and one length are searched.
pub async fn bases_models_and_lengths_are_apart(kit: &IndexedStores, own: &Scope, other: &Scope) {
    let (base, second) = (kit.base(own, "a").await, kit.base(own, "b").await);
    let theirs = kit.base(other, "a").await;
    let one = kit.put(own, &base, "1", &[vec![1.0, 0.5]]).await;
    let longer = kit.put(own, &base, "2", &[vec![1.0, 0.5, 0.5]]).await;
    let elsewhere = kit.put(own, &second, "3", &[vec![1.0, 0.5]]).await;
    let foreign = kit.put(other, &theirs, "4", &[vec![1.0, 0.5]]).await;
    kit.embed(own, OTHER, "1", &[vec![1.0, 0.5]]).await;
    for (base, item) in [(&base, &one), (&second, &elsewhere), (&theirs, &foreign)] {
        assert_eq!(keys(&kit.ask(base, &[1.0, 0.0], 9).await), [key(item, 0)]);
    }
    assert_eq!(keys(&kit.ask(&base, &[1.0, 0.0, 0.0], 9).await), [key(&longer, 0)]);
    assert!(kit.ask(&base, &[1.0, 0.0, 0.0, 0.0], 9).await.hits.is_empty());
    let strange = VectorQuery { model: "x\u{0}".into(), ..query(&base, &[1.0, 0.0], 9) };
    assert!(kit.search(strange).await.hits.is_empty());
    let unknown = VectorQuery { base: i64::MAX, ..query(&base, &[1.0, 0.0], 9) };
    assert!(kit.search(unknown).await.hits.is_empty());
}

/// A search may be restricted to items.
pub async fn chosen_items_alone_are_searched(kit: &IndexedStores, own: &Scope, _other: &Scope) {
    let base = kit.base(own, "a").await;
    let mut items = Vec::new();
    for n in 0..30_u8 {
        let vectors = [vec![1.0, f32::from(n)], vec![1.0, f32::from(n) + 0.5]];
        items.push(kit.put(own, &base, &n.to_string(), &vectors).await);
    }
    let among = async |chosen: Vec<i64>| {
        let restricted = VectorQuery { items: Some(ItemSet::new(chosen)), ..query(&base, &[1.0, 0.0], 3) };
        keys(&kit.search(restricted).await)
    };
    let third = [key(&items[20], 0), key(&items[20], 1), key(&items[25], 0)];
    assert_eq!(among(vec![items[25].number, items[20].number, i64::MAX]).await, third);
    assert_eq!(among(Vec::new()).await, []);
    let many: Vec<i64> = (items[10].number..items[10].number + 5_000).collect();
    assert_eq!(among(many).await, [key(&items[10], 0), key(&items[10], 1), key(&items[11], 0)]);
}

/// After a change, an item is found as it is, and what was deleted is not found.
pub async fn changes_are_followed(kit: &IndexedStores, own: &Scope, _other: &Scope) {
    let base = kit.base(own, "a").await;
    let one = kit.put(own, &base, "1", &[vec![1.0, 0.0], vec![0.9, 0.1]]).await;
    let two = kit.put(own, &base, "2", &[vec![0.0, 1.0]]).await;
    let stores = &kit.stores;
    stores.items.update(own, &one.id, &replacement("e"), at(9)).await.expect("updates");
    kit.embed(own, MODEL, "e", &[vec![0.1, 0.9]]).await;
    let new = stores.finish(own, &base, &one, &finished("e", 1, Some(MODEL))).await;
    kit.index.changed(&[(one.number, base.number)], &[]).await.expect("follows");
    let found = kit.ask(&base, &[0.0, 1.0], 9).await;
    assert_eq!(keys(&found), [key(&two, 0), key(&new, 0)]);
    assert_eq!(found.hits[1].sequence, new.sequence);
    // Once more, as by another server.
    kit.index.changed(&[(one.number, base.number), (two.number, base.number)], &[]).await.expect("follows");
    assert_eq!(kit.ask(&base, &[0.0, 1.0], 9).await, found);
    kit.delete(own, &two).await;
    kit.index.changed(&[(two.number, 0)], &[]).await.expect("follows");
    assert_eq!(keys(&kit.ask(&base, &[0.0, 1.0], 9).await), [key(&new, 0)]);
    kit.index.reset().await;
    stores.bases.delete(own, &base.id, at(13)).await.expect("deletes");
    kit.index.changed(&[], &[base.number]).await.expect("follows");
    assert!(kit.ask(&base, &[0.0, 1.0], 9).await.hits.is_empty());
}

/// A vector without a direction is near to nothing. Others may have any length.
pub async fn vectors_without_direction_are_left_out(kit: &IndexedStores, own: &Scope, _other: &Scope) {
    let base = kit.base(own, "a").await;
    let vectors = [vec![0.0, 0.0], vec![f32::NAN, 1.0], vec![1e8, 1e8], vec![1e-8, 0.0]];
    let item = kit.put(own, &base, "1", &vectors).await;
    assert_eq!(keys(&kit.ask(&base, &[1.0, 1.0], 9).await), [key(&item, 2), key(&item, 3)]);
    for strange in [vec![], vec![0.0, 0.0], vec![f32::NAN, 1.0], vec![1.0; 100_000]] {
        assert_eq!(kit.ask(&base, &strange, 9).await, Found::default());
    }
}

/// Of many vectors nearly all of the nearest are found.
pub async fn the_nearest_of_many_are_found(kit: &IndexedStores, own: &Scope, _other: &Scope) {
    const LENGTH: u64 = 12;
    let base = kit.base(own, "a").await;
    let vector = |seed: u64| -> Vec<f32> { (0..LENGTH).map(|at| noise(seed * LENGTH + at)).collect() };
    let mut all: Vec<(ChunkKey, Vec<f32>)> = Vec::new();
    for n in 0..20_u64 {
        let vectors: Vec<Vec<f32>> = (0..25).map(|position| vector(n * 25 + position)).collect();
        let item = kit.put(own, &base, &format!("{n} of many"), &vectors).await;
        all.extend((0..).map(|position| key(&item, position)).zip(vectors));
    }
    let mut common = 0;
    for seed in 1_000..1_020 {
        let wanted = vector(seed);
        let mut truth: Vec<(f32, ChunkKey)> =
            all.iter().map(|(key, vector)| (cosine(vector, &wanted), *key)).collect();
        truth.sort_by(|one, other| other.0.total_cmp(&one.0));
        let found = kit.ask(&base, &wanted, 10).await;
        assert!(found.hits.len() == 10 && found.more);
        common += found.hits.iter().filter(|hit| truth[..10].iter().any(|(_, key)| *key == hit.key)).count();
    }
    // Of 200. A graph may miss a few.
    assert!(common >= 190, "{common}");
}

/// A number between -0.5 and 0.5, the same in every run.
fn noise(seed: u64) -> f32 {
    let mut state = (seed + 1).wrapping_mul(0x9E37_79B9_7F4A_7C15);
    state = (state ^ (state >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    state = (state ^ (state >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    ((state ^ (state >> 31)) >> 40) as f32 / (1_u64 << 24) as f32 - 0.5
}

fn cosine(one: &[f32], other: &[f32]) -> f32 {
    let dot = |one: &[f32], other: &[f32]| one.iter().zip(other).map(|(a, b)| a * b).sum::<f32>();
    dot(one, other) / (dot(one, one) * dot(other, other)).sqrt()
}

/// Expands to the tests of a vector index. `$run` takes a name and a closure from `(kit, own scope, other
/// scope)` to a future and runs it on new stores.
#[macro_export]
macro_rules! vector_contract {
    ($run:ident) => {
        $crate::vector_contract!($run: the_nearest_come_first bases_models_and_lengths_are_apart chosen_items_alone_are_searched changes_are_followed vectors_without_direction_are_left_out the_nearest_of_many_are_found);
    };
    ($run:ident: $($name:ident)*) => {
        $(#[test] fn $name() {
            $run(stringify!($name), |kit, own, other| {
                Box::pin(async move { $crate::contract::$name(&kit, &own, &other).await })
            });
        })*
    };
}
