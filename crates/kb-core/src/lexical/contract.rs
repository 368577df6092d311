//! The conformance suite of [`LexicalIndex`], for its implementations.

use crate::{
    ChunkKey, Found, IndexMark, IndexedChunk, ItemSet, LexicalIndex, LexicalQuery, TermConstraint, TermPrefix,
};

const BASE: i64 = 7;

fn chunk(item: i64, position: u32, text: &str) -> IndexedChunk {
    IndexedChunk {
        key: ChunkKey { item, position },
        base: BASE,
        sequence: item * 10,
        title: String::new(),
        heading: String::new(),
        text: text.to_owned(),
        language: Some("en".to_owned()),
    }
}

fn mark(sequence: i64) -> IndexMark {
    IndexMark { sequence, generation: 1 }
}

fn query(text: &str) -> LexicalQuery {
    LexicalQuery {
        base: BASE,
        text: text.to_owned(),
        languages: vec!["en".to_owned()],
        limit: 10,
        ..LexicalQuery::default()
    }
}

async fn filled(index: &dyn LexicalIndex, chunks: Vec<IndexedChunk>) {
    index.put(chunks).await.expect("put");
    index.commit(mark(1)).await.expect("commit");
}

async fn found(index: &dyn LexicalIndex, query: &LexicalQuery) -> Vec<(i64, u32)> {
    let found = index.search(query).await.expect("search");
    found.hits.iter().map(|hit| (hit.key.item, hit.key.position)).collect()
}

/// Any of the words matches a chunk. The one with more of the rarer words ranks first; scores are between 0
/// and 1.
pub async fn any_of_the_words_finds_and_rare_ones_weigh_more(index: &dyn LexicalIndex) {
    let texts = ["The ferry leaves the harbour.", "The harbour has a lighthouse.", "Bread and butter."];
    let mut chunks: Vec<_> = (1..).zip(texts).map(|(item, text)| chunk(item, 0, text)).collect();
    chunks.extend((10..20).map(|item| chunk(item, 0, "The harbour is closed.")));
    filled(index, chunks).await;
    let found = index.search(&query("lighthouses of a harbour")).await.expect("search");
    assert_eq!(found.hits.first().map(|hit| (hit.key.item, hit.sequence)), Some((2, 20)));
    assert!(found.more, "twelve have a word of it, and ten were wanted");
    assert!(found.hits.iter().all(|hit| hit.score > 0.0 && hit.score <= 1.0));
    assert!(found.hits.is_sorted_by(|a, b| a.score >= b.score));
    assert_eq!(index.search(&query("zeppelin")).await.expect("search"), Found::default());
    assert_eq!(index.search(&query(" ?! \"' ")).await.expect("search"), Found::default());
}

/// Chunks of equal score are ordered by key, wherever the limit cuts them.
pub async fn equal_findings_are_in_the_order_of_their_keys(index: &dyn LexicalIndex) {
    let mut chunks: Vec<_> = (0..40).rev().map(|n| chunk(n / 4 + 1, (n % 4) as u32, "A red kite.")).collect();
    chunks.swap(3, 30);
    let late = chunks.split_off(20);
    filled(index, chunks).await;
    filled(index, late).await;
    let expected: Vec<(i64, u32)> = (0..40).map(|n| (n / 4 + 1, (n % 4) as u32)).collect();
    for limit in [1, 7, 39, 40] {
        let cut = LexicalQuery { limit, ..query("kites") };
        assert_eq!(found(index, &cut).await, expected[..limit]);
        assert_eq!(index.search(&cut).await.expect("search").more, limit < 40);
    }
}

/// Writes become visible with the commit, which carries the mark.
pub async fn nothing_is_seen_before_its_commit(index: &dyn LexicalIndex) {
    filled(index, vec![chunk(1, 0, "An otter."), chunk(2, 0, "An otter."), chunk(2, 1, "Two otters.")]).await;
    assert_eq!(index.mark().await.expect("mark"), Some(mark(1)));
    index.remove(&[2, 99], &[]).await.expect("remove");
    index.put(vec![chunk(3, 0, "An otter.")]).await.expect("put");
    assert_eq!(found(index, &query("otter")).await.len(), 3);
    index.commit(mark(5)).await.expect("commit");
    assert_eq!(found(index, &query("otter")).await, [(1, 0), (3, 0)]);
    assert_eq!(index.mark().await.expect("mark"), Some(mark(5)));
    index.commit(mark(6)).await.expect("a commit of nothing");
    assert_eq!(index.mark().await.expect("mark"), Some(mark(6)));
}

/// An item that is removed and put in one commit exists once, in its last state; repeating the commit changes
/// nothing.
pub async fn steps_can_be_repeated(index: &dyn LexicalIndex) {
    for round in 0..3 {
        index.remove(&[1], &[]).await.expect("remove");
        let parts = vec![chunk(1, 0, "A walnut tree."), chunk(1, 1, "A walnut table.")];
        index.put(parts).await.expect("put");
        index.commit(mark(round)).await.expect("commit");
        assert_eq!(found(index, &query("walnut")).await, [(1, 0), (1, 1)]);
    }
    index.remove(&[1], &[]).await.expect("remove");
    index.put(vec![IndexedChunk { sequence: 77, ..chunk(1, 0, "An elm tree.") }]).await.expect("put");
    index.commit(mark(9)).await.expect("commit");
    assert_eq!(found(index, &query("walnut")).await, []);
    let now = index.search(&query("tree")).await.expect("search");
    assert_eq!(now.hits.iter().map(|hit| (hit.key.position, hit.sequence)).collect::<Vec<_>>(), [(0, 77)]);
}

/// A base is searched alone, its words are weighted by its own chunks, and it is removed as a whole.
pub async fn bases_do_not_know_of_each_other(index: &dyn LexicalIndex) {
    let other = |item, text: &str| IndexedChunk { base: 8, ..chunk(item, 0, text) };
    let mut chunks: Vec<_> = (100..200).map(|item| other(item, "A pump with a gasket.")).collect();
    // In this base every chunk is about pumps, and a gasket is rare.
    chunks.extend((1..9).map(|item| chunk(item, 0, "A pump with a valve.")));
    chunks.push(chunk(9, 0, "Some gasket for some valve."));
    filled(index, chunks).await;
    let own = found(index, &query("gasket of a pump")).await;
    assert_eq!((own.len(), own[0]), (9, (9, 0)));
    let before = index.search(&query("gasket pump")).await.expect("search");
    index.remove(&[], &[8]).await.expect("remove");
    index.commit(mark(2)).await.expect("commit");
    assert_eq!(index.search(&query("gasket pump")).await.expect("search"), before);
    let gone = LexicalQuery { base: 8, ..query("pump") };
    assert_eq!(index.search(&gone).await.expect("search"), Found::default());
}

/// Only the chunks of the given items are found, however many they are.
pub async fn only_the_wanted_items_are_found(index: &dyn LexicalIndex) {
    let chunks = (0..6000).map(|n| chunk(n / 2 + 1, (n % 2) as u32, "A blue plum.")).collect();
    filled(index, chunks).await;
    for items in [vec![], vec![4_000_000], vec![17], (2000..2003).collect(), (3..2999).rev().collect()] {
        let mut sorted: Vec<i64> = items.clone();
        sorted.sort_unstable();
        let expected = sorted.iter().filter(|item| **item <= 3000);
        let expected: Vec<(i64, u32)> = expected.flat_map(|item| [(*item, 0), (*item, 1)]).take(10).collect();
        let some = LexicalQuery { items: Some(ItemSet::new(items)), ..query("plums") };
        assert_eq!(found(index, &some).await, expected);
    }
}

/// All items with one of the words are listed, without those that were removed, and of the wanted ones.
pub async fn all_items_with_a_word_are_listed(index: &dyn LexicalIndex) {
    let chunks = (0..3000).map(|n| {
        let text = if n % 30 == 0 { "A quince and a plum." } else { "A blue plum." };
        chunk(n / 3 + 1, (n % 3) as u32, text)
    });
    filled(index, chunks.collect()).await;
    filled(index, vec![IndexedChunk { base: 8, ..chunk(9_000, 0, "A quince.") }]).await;
    let ask = async |text: &str, items: Option<Vec<i64>>| {
        let query = LexicalQuery { items: items.map(ItemSet::new), limit: 1, ..query(text) };
        index.matching_items(&query).await.expect("items").numbers().to_vec()
    };
    let every_tenth: Vec<i64> = (0..100).map(|n| n * 10 + 1).collect();
    assert_eq!(ask("quinces", None).await, every_tenth);
    assert_eq!(ask("quince or plum", None).await, (1..=1000).collect::<Vec<_>>());
    assert_eq!(ask("quince", Some(vec![11, 12, 21, 5_000])).await, [11, 21]);
    assert!(ask("quince", Some(Vec::new())).await.is_empty());
    assert!(ask("zeppelin", None).await.is_empty());
    index.remove(&[11], &[]).await.expect("remove");
    index.commit(mark(2)).await.expect("commit");
    assert_eq!(ask("quince", Some(vec![11, 12, 21])).await, [21]);
}

/// Terms can be demanded and excluded, of a search and of a list; a prefix counts as a word.
pub async fn constraints_hold_and_prefixes_are_words(index: &dyn LexicalIndex) {
    let texts = ["A red kite.", "A red kitchen.", "A blue kite in a kitchen.", "Red kitten.", "A tower."];
    filled(index, (1..).zip(texts).map(|(item, text)| chunk(item, 0, text)).collect()).await;
    filled(index, vec![IndexedChunk { base: 8, ..chunk(9, 0, "A kitesurfer.") }]).await;
    let terms = |words: &[&str]| words.iter().map(|word| (*word).to_owned()).collect::<Vec<String>>();
    let ask = async |text: &str, constraint: TermConstraint| {
        let query = LexicalQuery { constraint, ..query(text) };
        let mut found: Vec<i64> = found(index, &query).await.into_iter().map(|(item, _)| item).collect();
        found.sort_unstable();
        let listed = index.matching_items(&query).await.expect("items");
        assert_eq!(listed.numbers(), found, "{text}");
        found
    };
    let required = |all: &[&[&str]]| TermConstraint {
        required: all.iter().map(|any| terms(any)).collect(),
        ..TermConstraint::default()
    };
    assert_eq!(ask("red blue", required(&[&["kite"]])).await, [1, 3]);
    assert_eq!(ask("red blue", required(&[&["kite", "kitten"], &["red"]])).await, [1, 4]);
    assert!(ask("red blue", required(&[&["zeppelin"]])).await.is_empty());
    let excluded = TermConstraint { excluded: terms(&["kite", "zeppelin"]), ..TermConstraint::default() };
    assert_eq!(ask("red blue kite", excluded).await, [2, 4]);
    let prefix = |prefix: &str, further: &[&str]| TermConstraint {
        prefixes: vec![TermPrefix { prefix: prefix.to_owned(), terms: terms(further) }],
        ..TermConstraint::default()
    };
    assert_eq!(ask("", prefix("kit", &[])).await, [1, 2, 3, 4]);
    assert_eq!(ask("", prefix("kitt", &["tower"])).await, [4, 5]);
    assert_eq!(ask("tower", prefix("kitt", &[])).await, [4, 5]);
    assert!(ask("", prefix("zep", &[])).await.is_empty());
}

/// Words are analysed in each language of the base, and count once.
pub async fn a_base_can_have_several_languages(index: &dyn LexicalIndex) {
    let german = |item, text: &str| IndexedChunk { language: Some("de".to_owned()), ..chunk(item, 0, text) };
    let unknown = |item, text: &str| IndexedChunk { language: None, ..chunk(item, 0, text) };
    filled(
        index,
        vec![
            chunk(1, 0, "Three houses stand at the river."),
            german(2, "Die Häuser stehen am Fluss."),
            unknown(3, "Häuser"),
            german(4, "图书馆在河边"),
            chunk(5, 0, "ห้องสมุดอยู่ริมแม่น้ำ"),
        ],
    )
    .await;
    let both = |text: &str| LexicalQuery { languages: vec!["de".to_owned(), "en".to_owned()], ..query(text) };
    assert_eq!(found(index, &both("house")).await, [(1, 0)]);
    assert_eq!(found(index, &both("Haus")).await.first(), Some(&(2, 0)));
    assert_eq!(found(index, &both("HAUSER")).await.len(), 2);
    assert_eq!(found(index, &both("河边的图书馆")).await, [(4, 0)]);
    assert_eq!(found(index, &both("แม่น้ำ")).await, [(5, 0)]);
}

/// Title and headings are searched like the text.
pub async fn titles_and_headings_are_found(index: &dyn LexicalIndex) {
    let titled = IndexedChunk {
        title: "Orchard handbook.pdf".to_owned(),
        heading: "Pruning\nIn winter".to_owned(),
        ..chunk(1, 0, "Use a sharp saw.")
    };
    filled(index, vec![titled, chunk(2, 0, "Water the beds.")]).await;
    for text in ["orchards", "handbook", "prune", "winter", "saws", "orchard-handbook.PDF"] {
        assert_eq!(found(index, &query(text)).await, [(1, 0)], "{text}");
    }
}

/// A rebuilt index replaces the present one when it is finished; a dropped one does not.
pub async fn a_rebuild_takes_the_place_when_it_is_done(index: &dyn LexicalIndex) {
    filled(index, vec![chunk(1, 0, "An old anchor.")]).await;
    let mut dropped = index.rebuild().await.expect("rebuild");
    dropped.put(vec![chunk(5, 0, "A lost anchor.")]).await.expect("put");
    drop(dropped);
    let mut fresh = index.rebuild().await.expect("rebuild");
    fresh.put(vec![chunk(2, 0, "A new anchor.")]).await.expect("put");
    fresh.put(vec![chunk(3, 0, "Another anchor.")]).await.expect("put");
    assert_eq!(found(index, &query("anchor")).await, [(1, 0)]);
    fresh.finish(IndexMark { sequence: 4, generation: 2 }).await.expect("finish");
    assert_eq!(index.mark().await.expect("mark"), Some(IndexMark { sequence: 4, generation: 2 }));
    assert_eq!(found(index, &query("anchor")).await.len(), 2);
    index.remove(&[2], &[]).await.expect("remove");
    index.commit(IndexMark { sequence: 5, generation: 2 }).await.expect("commit");
    assert_eq!(found(index, &query("anchor")).await, [(3, 0)]);
}

/// The query has no syntax: all of it is words.
pub async fn a_query_is_never_a_program(index: &dyn LexicalIndex) {
    filled(index, vec![chunk(1, 0, "The word AND between others; field:value^2 and *.")]).await;
    for text in [
        "+AND -others",
        "field:value^2",
        "\"word between\"~3",
        "(((",
        "val*",
        "/.*/",
        "a OR (b AND",
        "\0\u{1}",
    ] {
        index.search(&query(text)).await.expect("a search");
    }
    let long = "word ".repeat(50_000) + &(0..5_000).map(|n| format!("w{n} ")).collect::<String>();
    assert_eq!(found(index, &query(&long)).await, [(1, 0)]);
    filled(index, vec![chunk(2, 0, &"x".repeat(200_000)), chunk(3, 0, &"nought \u{fdfa} ".repeat(90_000))])
        .await;
    assert_eq!(found(index, &query("nought")).await, [(3, 0)]);
    let nothing = LexicalQuery { limit: 0, ..query("word") };
    assert!(index.search(&nothing).await.expect("search").hits.is_empty());
}

/// Makes a test of each case: `lexical_contract!(run)`, where `run` takes the case's name and a function from
/// an empty index to the case.
#[macro_export]
macro_rules! lexical_contract {
    ($run:ident) => {
        $crate::lexical_contract!($run:
            any_of_the_words_finds_and_rare_ones_weigh_more
            equal_findings_are_in_the_order_of_their_keys
            nothing_is_seen_before_its_commit
            steps_can_be_repeated
            bases_do_not_know_of_each_other
            only_the_wanted_items_are_found
            all_items_with_a_word_are_listed
            constraints_hold_and_prefixes_are_words
            a_base_can_have_several_languages
            titles_and_headings_are_found
            a_rebuild_takes_the_place_when_it_is_done
            a_query_is_never_a_program
        );
    };
    ($run:ident: $($name:ident)*) => {
        $(#[test] fn $name() {
            $run(stringify!($name), |index| {
                Box::pin(async move { $crate::lexical_contract::$name(&*index).await })
            });
        })*
    };
}
