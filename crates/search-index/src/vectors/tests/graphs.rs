//! Large bases, whose vectors stand in a graph.

use super::*;

/// A base with its graph.
fn grown(store: &Arc<Store>, from: usize) -> InMemoryVectorIndex {
    let index = index(store, VectorSettings { graph_from: from, threads: 2, ..settings() });
    search(&index, &query(1, &vector(1, LENGTH), 1));
    index.settle();
    index
}

/// The part of the true nearest ten that is found, over some queries.
fn recall(index: &InMemoryVectorIndex, store: &Store, items: Option<&ItemSet>) -> f64 {
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
fn an_exact_search_leaves_the_graph_out() {
    let store = filled(3_000);
    let (with, without) = (grown(&store, 5_000), grown(&store, usize::MAX));
    assert_eq!((with.graph_places(1).len(), without.graph_places(1).len()), (1, 0));
    let mut missed = 0;
    for seed in 0..200 {
        let approximate = query(1, &vector(5_000_000 + seed, LENGTH), 10);
        let exact = VectorQuery { exact: true, ..approximate.clone() };
        let scanned = search(&without, &approximate);
        assert_eq!(search(&with, &exact), scanned);
        missed += usize::from(search(&with, &approximate) != scanned);
    }
    assert!(missed > 0, "the graph finds the same, so that this shows nothing");
}

#[test]
fn a_graph_that_misses_too_much_is_not_used_and_the_measured_recall_is_told() {
    let easy = grown(&filled(3_000), 5_000);
    let told = easy.recall(1).unwrap();
    assert!((0.965..=1.0).contains(&told), "{told}");
    assert_eq!(easy.recall(2), None);
    // The nearest of so many random directions are hardly nearer than any.
    let store = Arc::new(Store::default());
    let length = 256;
    (0..9_000).for_each(|seed| store.put(1, key(seed, 0), 10, vector(seed as u64, length)));
    let settings = VectorSettings { graph_from: 5_000, threads: 2, ..settings() };
    let hard = index(&store, settings);
    assert_eq!((search(&hard, &query(1, &vector(1, length), 1)).hits.len(), hard.recall(1)), (1, None));
    hard.settle();
    assert_eq!((hard.graph_places(1), hard.recall(1)), (vec![9_000], Some(1.0)));
    for seed in 0..20 {
        let wanted = vector(5_000_000 + seed, length);
        assert_eq!(keys(&search(&hard, &query(1, &wanted, 10))), true_keys(&store, &wanted, 10), "{seed}");
    }
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
