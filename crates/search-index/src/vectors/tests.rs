//! The index as its port promises it.

use std::collections::HashSet;
use std::sync::Arc;
use std::sync::atomic::Ordering;

use futures_executor::block_on;
use kb_core::{ChunkKey, Found, IndexError, ItemSet, VectorIndex as _, VectorQuery};

use super::testing::{MODEL, Store, key, query, vector};
use super::{VectorSettings, Vectors};

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

fn index(store: &Arc<Store>, settings: VectorSettings) -> Vectors {
    Vectors::new(Arc::clone(store) as _, settings)
}

fn search(index: &Vectors, query: &VectorQuery) -> Found {
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

#[test]
fn bases_searched_longest_ago_are_let_go_and_come_back_from_the_store() {
    let store = Arc::new(Store::default());
    for base in 1..=8 {
        for item in 0..100 {
            store.put(base, key(base * 1_000 + item, 0), 1, vector((base * 1_000 + item) as u64, LENGTH));
        }
    }
    let one = {
        let index = index(&store, settings());
        search(&index, &query(1, &vector(1, LENGTH), 1));
        index.bytes()
    };
    let index = index(&store, VectorSettings { bytes: one * 3 + one / 2, ..settings() });
    for base in 1..=8 {
        assert_eq!(search(&index, &query(base, &vector(1, LENGTH), 200)).hits.len(), 100);
        search(&index, &query(1, &vector(1, LENGTH), 1));
        assert!(index.bytes() <= one * 3 + one / 2);
    }
    store.asked();
    for base in [1, 8, 7] {
        search(&index, &query(base, &vector(1, LENGTH), 1));
    }
    assert_eq!(store.asked(), 0, "those are still there");
    search(&index, &query(2, &vector(1, LENGTH), 1));
    assert!(store.asked() > 0);
}

#[test]
fn a_base_without_room_is_searched_in_the_store_and_pushes_no_other_out_for_long() {
    let store = filled(4_000);
    let index = index(&store, VectorSettings { bytes: 100_000, ..settings() });
    let wanted = vector(42, LENGTH);
    let found = search(&index, &query(1, &wanted, 10));
    assert_eq!(keys(&found), true_keys(&store, &wanted, 10));
    assert!(found.more && index.bytes() < 100_000);
    store.given();
    let items = ItemSet::new(vec![5, 6, 3_999]);
    let few = search(&index, &VectorQuery { items: Some(items), ..query(1, &wanted, 100) });
    assert_eq!(few.hits.len(), 9);
    assert!(store.given() < 100);
    store.remove(1, 7);
    block_on(index.changed(&[(7, 1)], &[])).unwrap();
    assert!(search(&index, &query(1, &wanted, 20_000)).hits.iter().all(|hit| hit.key.item != 7));
    // When it has shrunk, there is room.
    (100..=4_000).for_each(|item| store.remove(1, item));
    search(&index, &query(1, &wanted, 10));
    search(&index, &query(1, &wanted, 10));
    store.asked();
    assert_eq!(keys(&search(&index, &query(1, &wanted, 10))), true_keys(&store, &wanted, 10));
    assert_eq!(store.asked(), 0);
}

#[test]
fn a_store_that_fails_fails_the_search_and_the_next_one_goes_on() {
    let store = filled(10);
    let index = index(&store, settings());
    store.broken.store(true, Ordering::Relaxed);
    let failed = block_on(index.search(&query(1, &vector(1, LENGTH), 1)));
    assert!(matches!(failed, Err(IndexError::Failed(_))), "{failed:?}");
    store.broken.store(false, Ordering::Relaxed);
    assert_eq!(search(&index, &query(1, &vector(1, LENGTH), 100)).hits.len(), 30);
    // A change is not lost with the search that could not read it.
    store.remove(1, 4);
    block_on(index.changed(&[(4, 1)], &[])).unwrap();
    store.broken.store(true, Ordering::Relaxed);
    assert!(block_on(index.search(&query(1, &vector(1, LENGTH), 1))).is_err());
    store.broken.store(false, Ordering::Relaxed);
    assert_eq!(search(&index, &query(1, &vector(1, LENGTH), 100)).hits.len(), 27);
}

#[test]
fn searches_at_the_same_time_read_a_base_once() {
    let store = filled(2_000);
    let index = index(&store, settings());
    std::thread::scope(|scope| {
        for seed in 0..8 {
            let (index, store) = (&index, &store);
            scope.spawn(move || {
                let wanted = vector(seed, LENGTH);
                let found = search(index, &query(1, &wanted, 10));
                assert_eq!(keys(&found), true_keys(store, &wanted, 10));
            });
        }
    });
    assert_eq!(store.given(), 6_000);
}

#[test]
fn deletes_beside_searches_are_never_undone() {
    let store = filled(600);
    let index = index(&store, settings());
    let wanted = vector(9, LENGTH);
    let done = std::sync::atomic::AtomicI64::new(0);
    std::thread::scope(|scope| {
        let (index, store, wanted, done) = (&index, &store, &wanted, &done);
        scope.spawn(move || {
            for item in 1..=500 {
                store.remove(1, item);
                block_on(index.changed(&[(item, 1)], &[])).unwrap();
                done.store(item, Ordering::SeqCst);
            }
        });
        for _ in 0..3 {
            scope.spawn(move || {
                while done.load(Ordering::SeqCst) < 500 {
                    let gone = done.load(Ordering::SeqCst);
                    let found = search(index, &query(1, wanted, 2_000));
                    assert!(found.hits.iter().all(|hit| hit.key.item > gone));
                }
            });
        }
    });
    assert_eq!(search(&index, &query(1, &wanted, 2_000)).hits.len(), 300);
}

/// A base with its graph.
fn grown(store: &Arc<Store>, from: usize) -> Vectors {
    let index = index(store, VectorSettings { graph_from: from, threads: 2, ..settings() });
    search(&index, &query(1, &vector(1, LENGTH), 1));
    index.settle();
    index
}

/// The part of the true nearest ten that is found, over some queries.
fn recall(index: &Vectors, store: &Store, items: Option<&ItemSet>) -> f64 {
    let mut found = 0;
    for seed in 0..20 {
        let wanted = vector(5_000_000 + seed, LENGTH);
        let mut truth = true_keys(store, &wanted, usize::MAX);
        truth.retain(|key| items.is_none_or(|items| items.contains(key.item)));
        truth.truncate(10);
        let asked = VectorQuery { items: items.cloned(), ..query(1, &wanted, 10) };
        found += keys(&search(index, &asked)).iter().filter(|key| truth.contains(key)).count();
    }
    found as f64 / 200.0
}

#[test]
fn a_large_base_gets_a_graph_that_finds_nearly_all_of_the_nearest() {
    let store = filled(3_000);
    let index = grown(&store, 5_000);
    assert_eq!(index.graph_places(1), [9_000]);
    let reached = recall(&index, &store, None);
    assert!(reached >= 0.95, "{reached}");
}

#[test]
fn what_is_added_beside_a_graph_is_found_and_what_is_deleted_is_not() {
    let store = filled(3_000);
    let index = grown(&store, 5_000);
    for item in 1..=1_000 {
        store.remove(1, item);
    }
    put(&store, 8_000, 30, 3);
    let changed: Vec<(i64, i64)> = (1..=1_000).chain([8_000]).map(|item| (item, 1)).collect();
    block_on(index.changed(&changed, &[])).unwrap();
    for position in 0..3 {
        let own = vector(8_000_000 + position + 3 * 7_777_777, LENGTH);
        let found = search(&index, &query(1, &own, 5));
        assert_eq!(found.hits[0].key, key(8_000, position as u32));
        assert!(found.hits[0].score > 0.999);
    }
    for seed in 0..30 {
        let found = search(&index, &query(1, &vector(1_000 * seed, LENGTH), 50));
        assert!(found.hits.len() == 50 && found.hits.iter().all(|hit| hit.key.item > 1_000));
    }
    let reached = recall(&index, &store, None);
    assert!(reached >= 0.95, "{reached}");
}

#[test]
fn a_graph_is_extended_when_much_was_added_and_made_anew_when_much_was_deleted() {
    let store = filled(2_000);
    let index = grown(&store, 3_000);
    assert_eq!(index.graph_places(1), [6_000]);
    (2_001..=3_000).for_each(|item| put(&store, item, 30, 0));
    let added: Vec<(i64, i64)> = (2_001..=3_000).map(|item| (item, 1)).collect();
    block_on(index.changed(&added, &[])).unwrap();
    search(&index, &query(1, &vector(1, LENGTH), 1));
    index.settle();
    assert_eq!(index.graph_places(1), [9_000]);
    let reached = recall(&index, &store, None);
    assert!(reached >= 0.95, "{reached}");
    (1..=1_700).for_each(|item| store.remove(1, item));
    let gone: Vec<(i64, i64)> = (1..=1_700).map(|item| (item, 1)).collect();
    block_on(index.changed(&gone, &[])).unwrap();
    search(&index, &query(1, &vector(1, LENGTH), 1));
    index.settle();
    assert_eq!(index.graph_places(1), [3_900]);
    let reached = recall(&index, &store, None);
    assert!(reached >= 0.95, "{reached}");
}

#[test]
fn a_search_in_some_items_of_a_large_base_finds_these_be_they_few_or_many() {
    let store = filled(3_000);
    let index = grown(&store, 5_000);
    for step in [300, 20, 3, 2] {
        let items = ItemSet::new((1..=3_000).filter(|item| item % step == 0).collect());
        let reached = recall(&index, &store, Some(&items));
        assert!(reached >= 0.95, "every {step}th: {reached}");
    }
}

#[test]
fn thousands_of_equal_vectors_hide_nothing_and_each_of_them_can_be_found() {
    let store = filled(2_000);
    let same = vector(31_337, LENGTH);
    (10_001..=14_000).for_each(|item| store.put(1, key(item, 0), 5, same.clone()));
    let index = grown(&store, 5_000);
    let found = search(&index, &query(1, &same, 5_000));
    let equal: HashSet<i64> =
        found.hits.iter().filter(|hit| hit.score > 0.999).map(|hit| hit.key.item).collect();
    assert_eq!(equal.len(), 4_000);
    // The one that stands for the others may go.
    let gone: Vec<(i64, i64)> = (10_001..=13_999).map(|item| (item, 1)).collect();
    gone.iter().for_each(|(item, _)| store.remove(1, *item));
    block_on(index.changed(&gone, &[])).unwrap();
    assert_eq!(keys(&search(&index, &query(1, &same, 1))), [key(14_000, 0)]);
    let reached = recall(&index, &store, None);
    assert!(reached >= 0.95, "{reached}");
}

#[test]
fn an_item_that_is_deleted_while_a_base_is_being_read_is_taken_out_again() {
    let store = filled(30);
    let index = index(&store, settings());
    store.broken.store(true, Ordering::Relaxed);
    assert!(block_on(index.search(&query(1, &vector(1, LENGTH), 1))).is_err());
    store.broken.store(false, Ordering::Relaxed);
    // Nobody knows its base any more, and it may be among what has been read.
    block_on(index.changed(&[(4, 0)], &[])).unwrap();
    store.asked();
    search(&index, &query(1, &vector(1, LENGTH), 1));
    assert_eq!(store.asked(), 3, "two pages, and the item for itself");
}
