//! The index as its port promises it.

mod graphs;
mod memory;

use std::collections::HashSet;
use std::sync::Arc;
use std::sync::atomic::Ordering;

use futures_executor::block_on;
use kb_core::{ChunkKey, Found, IndexError, ItemSet, VectorIndex as _, VectorQuery};

use super::rows_alone::RowsAlone;
use super::testing::{MODEL, Store, key, query, vector};
use super::{InMemoryVectorIndex, VectorSettings};

const LENGTH: usize = 24;

fn settings() -> VectorSettings {
    VectorSettings { bytes: 64 << 20, ..VectorSettings::default() }
}

/// A base 1 of items of three chunks each, numbered from 1.
fn filled(items: i64) -> Arc<Store> {
    let store = Arc::new(Store::default());
    for item in 1..=items {
        put(&store, item, 10, 0);
    }
    store
}

fn put(store: &Store, item: i64, sequence: i64, version: u64) {
    for position in 0..3 {
        let seed = item as u64 * 1_000 + u64::from(position) + version * 7_777_777;
        store.put(1, key(item, position), sequence, vector(seed, LENGTH));
    }
}

fn index(store: &Arc<Store>, settings: VectorSettings) -> InMemoryVectorIndex {
    InMemoryVectorIndex::new(Arc::new(RowsAlone(Arc::clone(store))), settings)
}

fn search(index: &InMemoryVectorIndex, query: &VectorQuery) -> Found {
    block_on(index.search(query)).unwrap()
}

fn keys(found: &Found) -> Vec<ChunkKey> {
    found.hits.iter().map(|hit| hit.key).collect()
}

fn true_keys(store: &Store, vector: &[f32], limit: usize) -> Vec<ChunkKey> {
    store.truth(1, vector, limit).into_iter().map(|(key, _)| key).collect()
}

#[test]
fn the_nearest_chunks_are_found_with_their_cosine_and_sequence() {
    let store = filled(400);
    let index = index(&store, settings());
    for seed in 0..20 {
        let wanted = vector(900_000 + seed, LENGTH);
        let found = search(&index, &query(1, &wanted, 10));
        assert_eq!(keys(&found), true_keys(&store, &wanted, 10));
        for (hit, (_, truth)) in found.hits.iter().zip(store.truth(1, &wanted, 10)) {
            assert!((f64::from(hit.score) - truth).abs() < 1e-4 && hit.sequence == 10);
        }
        assert!(found.more);
    }
    let asked = store.asked();
    search(&index, &query(1, &vector(5, LENGTH), 10));
    assert!(asked > 0 && store.asked() == 0, "it is read once");
}

#[test]
fn what_is_opposite_scores_nothing_and_equal_ones_are_ordered_by_key() {
    let store = Arc::new(Store::default());
    for item in [5, 3, 4] {
        store.put(1, key(item, 0), 1, vec![1.0, 0.0]);
    }
    store.put(1, key(1, 0), 1, vec![-2.0, 0.0]);
    let found = search(&index(&store, settings()), &query(1, &[4.0, 0.0], 10));
    assert_eq!(keys(&found), [key(3, 0), key(4, 0), key(5, 0), key(1, 0)]);
    let scores: Vec<f32> = found.hits.iter().map(|hit| hit.score).collect();
    assert_eq!(scores, [1.0, 1.0, 1.0, 0.0]);
    assert!(!found.more);
}

#[test]
fn what_was_deleted_or_replaced_never_comes_back_and_what_was_added_is_found() {
    let store = filled(200);
    let index = index(&store, settings());
    let gone = vector(77 * 1_000, LENGTH);
    assert_eq!(keys(&search(&index, &query(1, &gone, 1))), [key(77, 0)]);
    store.remove(1, 77);
    store.remove(1, 78);
    put(&store, 78, 20, 1);
    put(&store, 900, 20, 0);
    block_on(index.changed(&[(77, 0), (78, 1), (900, 1)], &[])).unwrap();
    let all = search(&index, &query(1, &gone, 1_000));
    assert_eq!(all.hits.len(), 200 * 3);
    assert!(all.hits.iter().all(|hit| hit.key.item != 77));
    assert!(all.hits.iter().all(|hit| (hit.sequence == 20) == matches!(hit.key.item, 78 | 900)));
    let new = vector(900 * 1_000 + 2, LENGTH);
    assert_eq!(keys(&search(&index, &query(1, &new, 1))), [key(900, 2)]);
    assert_eq!(keys(&search(&index, &query(1, &new, 30))), true_keys(&store, &new, 30));
}

#[test]
fn a_change_of_a_few_items_reads_little_of_a_large_base() {
    let store = filled(20_000);
    let index = index(&store, settings());
    let wanted = vector(1, LENGTH);
    search(&index, &query(1, &wanted, 1));
    assert_eq!(store.given(), 60_000);
    store.asked();
    block_on(index.changed(&[(5, 1), (6, 1), (19_000, 1)], &[])).unwrap();
    search(&index, &query(1, &wanted, 1));
    assert!(store.given() <= 100 && store.asked() <= 4);
    // Another base's changes are none of its business.
    block_on(index.changed(&[(7, 2)], &[3])).unwrap();
    search(&index, &query(1, &wanted, 1));
    assert_eq!(store.asked(), 0);
}

#[test]
fn many_changes_give_the_same_as_reading_anew() {
    let store = filled(3_000);
    let index = index(&store, settings());
    let wanted = vector(123, LENGTH);
    search(&index, &query(1, &wanted, 1));
    for round in 1..=6_i64 {
        let changed: Vec<i64> = (1..=3_000).filter(|item| item % 7 != round).collect();
        for item in &changed {
            store.remove(1, *item);
            if item % 3 != round % 3 {
                put(&store, *item, round * 100, round as u64);
            }
        }
        let pairs: Vec<(i64, i64)> = changed.iter().map(|item| (*item, 1)).collect();
        block_on(index.changed(&pairs, &[])).unwrap();
        let found = search(&index, &query(1, &wanted, 20_000));
        let mut seen: Vec<_> = found.hits.iter().map(|hit| (hit.key, hit.sequence)).collect();
        let fresh = search(&self::index(&store, settings()), &query(1, &wanted, 20_000));
        let mut truth: Vec<_> = fresh.hits.iter().map(|hit| (hit.key, hit.sequence)).collect();
        seen.sort_unstable();
        truth.sort_unstable();
        assert_eq!(seen, truth, "round {round}");
    }
    // Dead vectors do not pile up.
    let live = 3_000 * 3 * (2 * LENGTH + 28);
    assert!(index.bytes() < 4 * live, "{} of {live}", index.bytes());
}

#[test]
fn a_base_that_is_gone_and_a_reset_leave_nothing_behind() {
    let store = filled(50);
    let index = index(&store, settings());
    let wanted = vector(1, LENGTH);
    assert!(!search(&index, &query(1, &wanted, 5)).hits.is_empty());
    (1..=50).for_each(|item| store.remove(1, item));
    block_on(index.changed(&[], &[1])).unwrap();
    assert_eq!(index.bytes(), 0);
    assert!(search(&index, &query(1, &wanted, 5)).hits.is_empty());
    put(&store, 3, 30, 0);
    block_on(index.reset());
    assert_eq!(search(&index, &query(1, &wanted, 5)).hits.len(), 3);
}

#[test]
fn bases_are_strangers_to_each_other_and_so_are_models() {
    let store = filled(20);
    store.put(2, key(1_000, 0), 1, vector(1, LENGTH));
    let index = index(&store, settings());
    assert_eq!(keys(&search(&index, &query(2, &vector(9, LENGTH), 50))), [key(1_000, 0)]);
    assert_eq!(search(&index, &query(1, &vector(9, LENGTH), 50)).hits.len(), 50);
    let other = VectorQuery { model: "other@test".to_owned(), ..query(1, &vector(9, LENGTH), 50) };
    assert_eq!(search(&index, &other), Found::default());
    assert_ne!(MODEL, other.model);
}

#[test]
fn vectors_of_another_length_or_without_direction_are_left_out() {
    let store = filled(10);
    store.put(1, key(11, 0), 1, vector(1, LENGTH + 1));
    store.put(1, key(12, 0), 1, vec![0.0; LENGTH]);
    store.put(1, key(13, 0), 1, vec![f32::NAN; LENGTH]);
    store.put(1, key(14, 0), 1, Vec::new());
    let index = index(&store, settings());
    assert_eq!(search(&index, &query(1, &vector(4, LENGTH), 100)).hits.len(), 30);
    assert_eq!(keys(&search(&index, &query(1, &vector(1, LENGTH + 1), 100))), [key(11, 0)]);
    for strange in [vec![], vec![0.0; LENGTH], vec![f32::NAN; LENGTH], vec![1.0; 200_000]] {
        assert_eq!(search(&index, &query(1, &strange, 100)), Found::default());
    }
    assert_eq!(search(&index, &query(1, &vector(4, LENGTH), 0)).hits, []);
    assert_eq!(search(&index, &query(1, &vector(4, LENGTH), usize::MAX / 4)).hits.len(), 30);
}

#[test]
fn a_search_in_some_items_finds_the_nearest_of_these() {
    let store = filled(5_000);
    let index = index(&store, settings());
    let wanted = vector(42, LENGTH);
    for step in [1_000, 50, 2] {
        let items: Vec<i64> = (1..=5_000).filter(|item| item % step == 0).chain([7_000_000]).collect();
        let chosen: HashSet<i64> = items.iter().copied().collect();
        let found = search(&index, &VectorQuery { items: Some(ItemSet::new(items)), ..query(1, &wanted, 5) });
        let mut truth = true_keys(&store, &wanted, usize::MAX);
        truth.retain(|key| chosen.contains(&key.item));
        truth.truncate(5);
        assert_eq!(keys(&found), truth, "every {step}th");
    }
    let none = VectorQuery { items: Some(ItemSet::new(Vec::new())), ..query(1, &wanted, 10) };
    assert_eq!(search(&index, &none), Found::default());
}
