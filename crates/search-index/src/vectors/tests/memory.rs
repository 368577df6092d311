//! Tests of the memory of bases, and of the reads from the store.

use super::*;

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

#[test]
fn an_item_that_is_deleted_while_a_base_is_being_read_is_taken_out_again() {
    let store = filled(30);
    let index = index(&store, settings());
    store.broken.store(true, Ordering::Relaxed);
    assert!(block_on(index.search(&query(1, &vector(1, LENGTH), 1))).is_err());
    store.broken.store(false, Ordering::Relaxed);
    // Its base is unknown now, and it may be among the rows that have been read.
    block_on(index.changed(&[(4, 0)], &[])).unwrap();
    store.asked();
    search(&index, &query(1, &vector(1, LENGTH), 1));
    assert_eq!(store.asked(), 3, "two pages, and the item for itself");
}
