//! Filters by what the server knows of an item, facets, groups and pages.

use std::time::Duration;

use kb_core::{BaseId, Facet, SearchAnswer, SearchRequest};
use serde_json::{Value, json};
use shared_core::{DomainError as _, Timer as _};

use crate::kit::{Kit, MODEL, asking, payer, scope};

/// Long enough for its language to be detected.
const ENGLISH: &str = "The old house stands at the end of the street, where the river turns to the north, and nobody \
    has lived in it since the roof fell in.";

async fn answer(kit: &Kit, base: &BaseId, request: SearchRequest) -> SearchAnswer {
    kit.service.search(&scope(), &payer(), base, request).await.unwrap()
}

async fn filtered(kit: &Kit, base: &BaseId, filter: &Value) -> String {
    let request = SearchRequest { filter: Some(filter.clone()), limit: 100, ..asking("house") };
    let mut titles = kit.titles(base, request).await;
    titles.sort();
    titles.dedup();
    titles.concat()
}

fn counts(facet: &Facet) -> Vec<(Value, u64)> {
    facet.values.iter().map(|one| (one.value.clone(), one.count)).collect()
}

#[test]
fn filters_compare_what_the_server_knows_of_an_item() {
    let kit = Kit::new();
    kit.play(async {
        let base = kit.base(None).await;
        let first = kit.add_with(&base, &[("a", ENGLISH, json!({"$file": 1}))]).await.remove(0);
        kit.settled(&base).await;
        kit.timer.sleep(Duration::from_secs(60)).await;
        let second = kit.add_chunks(&base, "b", &["Das Haus und house ist alt."]).await;
        kit.settled(&base).await;
        let between = first.created.plus_seconds(30).rfc3339();
        let exact = kit.item(&first.id).await.created;
        let in_another_zone = between.replace('Z', "+00:00");
        for (filter, expected) in [
            (json!({"$file": first.id.0}), "a"),
            (json!({"$file": {"in": [first.id.0, second.id.0]}}), "ab"),
            (json!({"$file": {"ne": first.id.0}}), "b"),
            (json!({"$title": "a.md"}), "a"),
            (json!({"$title": {"gte": "b"}}), "b"),
            (json!({"$created": {"lt": between}}), "a"),
            (json!({"$created": {"gte": in_another_zone}}), "b"),
            (json!({"$updated": {"gt": between}}), "b"),
            (json!({"$created": {"gte": "2000-01-01T00:00:00Z", "lt": between}}), "a"),
            (json!({"$source": "chunks"}), "b"),
            (json!({"$source": {"in": ["text", "web"]}}), "a"),
            (json!({"not": {"$source": "chunks"}}), "a"),
            (json!({"$language": "en"}), "a"),
            (json!({"$language": {"ne": "en"}}), "b"),
            // A key of the meta with the same name.
            (json!({"$$file": 1}), "a"),
            (json!({"$$file": {"ne": 1}}), "b"),
        ] {
            assert_eq!(filtered(&kit, &base, &filter).await, expected, "{filter}");
        }
        assert_eq!(exact, first.created);
    });
}

#[test]
fn unknown_names_and_texts_that_are_no_times_are_refused_with_their_places() {
    let kit = Kit::new();
    kit.play(async {
        let base = kit.base(None).await;
        for (filter, path, word) in [
            (json!({"$pages": 1}), "/filter/$pages", "$language"),
            (json!({"or": [{"a": 1}, {"$File": "x"}]}), "/filter/or/1/$File", "$file"),
            (json!({"$": 1}), "/filter/$", "$title"),
            (json!({"$created": "yesterday"}), "/filter/$created", "RFC 3339"),
            (json!({"$created": 5}), "/filter/$created", "RFC 3339"),
            (json!({"$updated": {"gt": "2026-01-01"}}), "/filter/$updated/gt", "RFC 3339"),
            (
                json!({"$updated": {"in": ["2026-01-01T00:00:00Z", null]}}),
                "/filter/$updated/in/1",
                "RFC 3339",
            ),
        ] {
            let request = SearchRequest { filter: Some(filter), ..asking("house") };
            let error = kit.service.search(&scope(), &payer(), &base, request).await.unwrap_err();
            let told: Vec<_> = error.violations().iter().map(|one| one.path.as_str()).collect();
            assert_eq!((error.code(), told), ("validation_failed", vec![path]));
            assert!(error.violations()[0].message.contains(word), "{error}");
        }
        let many: Vec<&str> = vec!["x"; 1_500];
        let request = SearchRequest { filter: Some(json!({"$created": {"in": many}})), ..asking("house") };
        let error = kit.service.search(&scope(), &payer(), &base, request).await.unwrap_err();
        assert!(error.violations().len() <= 20, "{}", error.violations().len());
    });
}

#[test]
fn facets_count_all_that_matches_and_not_only_the_results() {
    let kit = Kit::new();
    kit.play(async {
        let base = kit.base(Some(MODEL)).await;
        let texts: Vec<(String, Value)> = (0..30)
            .map(|n| {
                (format!("t{n}"), json!({"n": n % 3, "tags": ["all", if n < 10 { "low" } else { "high" }]}))
            })
            .collect();
        let texts: Vec<(&str, &str, Value)> = texts
            .iter()
            .map(|(title, meta)| {
                (title.as_str(), if title == "t7" { "An anchor." } else { "A barn." }, meta.clone())
            })
            .collect();
        kit.add_with(&base, &texts).await;
        kit.settled(&base).await;
        let facets = || ["n", "tags", "$source", "absent"].map(str::to_owned).to_vec();
        let request = SearchRequest { limit: 2, facets: facets(), ..asking("barns") };
        let found = answer(&kit, &base, request).await;
        assert_eq!(found.results.len(), 2);
        assert_eq!(counts(&found.facets[0]), [(json!(0), 10), (json!(2), 10), (json!(1), 9)]);
        assert_eq!(counts(&found.facets[1]), [(json!("all"), 29), (json!("high"), 20), (json!("low"), 9)]);
        assert_eq!(counts(&found.facets[2]), [(json!("text"), 29)]);
        assert_eq!((found.facets[3].field.as_str(), &*counts(&found.facets[3])), ("absent", &[][..]));
        assert!(found.facets.iter().all(|facet| !facet.truncated));
        let filter = Some(json!({"n": {"gte": 1}}));
        let some = SearchRequest { filter, facets: facets(), ..asking("barns") };
        assert_eq!(counts(&answer(&kit, &base, some).await.facets[0]), [(json!(2), 10), (json!(1), 9)]);
        // By vectors every item matches to some degree.
        let mode = Some(kb_core::Mode::Semantic);
        let all = SearchRequest { mode, facets: facets(), ..asking("barns") };
        assert_eq!(counts(&answer(&kit, &base, all).await.facets[2]), [(json!("text"), 30)]);
        let nothing = SearchRequest { filter: Some(json!({"n": 9})), facets: facets(), ..asking("barns") };
        let nothing = answer(&kit, &base, nothing).await;
        assert!(nothing.facets.len() == 4 && nothing.facets.iter().all(|facet| facet.values.is_empty()));
        assert_eq!(answer(&kit, &base, asking("barns")).await.facets, []);
    });
}

#[test]
fn a_grouped_search_gives_each_item_once_and_counts_its_other_chunks() {
    let kit = Kit::new();
    kit.play(async {
        let base = kit.base(None).await;
        let texts: Vec<String> = (0..40).map(|n| format!("The anchor, chapter {n}.")).collect();
        let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
        kit.add_chunks(&base, "book", &texts).await;
        kit.add_chunks(&base, "leaf", &["The anchor of a ship lies in the harbour, says the long leaf."])
            .await;
        kit.settled(&base).await;
        let plain = kit.titles(&base, asking("anchor")).await;
        assert_eq!(plain, vec!["book"; 10], "the chunks of one item take all places");
        let found = answer(&kit, &base, SearchRequest { grouped: true, ..asking("anchor") }).await;
        let told: Vec<_> = found.results.iter().map(|one| (one.title.as_str(), one.others)).collect();
        assert_eq!(told, [("book", Some(39)), ("leaf", Some(0))]);
        let best =
            answer(&kit, &base, SearchRequest { limit: 1, ..asking("anchor") }).await.results.remove(0);
        assert_eq!((best.chunk, best.others), (found.results[0].chunk.clone(), None));
    });
}

#[test]
fn pages_give_every_result_once_in_the_order_of_one_ranking() {
    let kit = Kit::new();
    kit.play(async {
        for model in [None, Some(MODEL)] {
            let base = kit.base(model).await;
            let texts: Vec<String> =
                (0..130).map(|n| format!("Barn {n} with {}.", "hay ".repeat(1 + n % 7))).collect();
            let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
            kit.add_chunks(&base, "barns", &texts).await;
            kit.settled(&base).await;
            let page =
                |offset, limit| SearchRequest { offset: Some(offset), limit, ..asking("hay in barn 7") };
            let whole = answer(&kit, &base, page(0, 100)).await;
            assert_eq!(whole.next, Some(100));
            let mut all = whole.results;
            let rest = answer(&kit, &base, page(100, 100)).await;
            assert_eq!((rest.results.len(), rest.next), (30, None));
            all.extend(rest.results);
            let (mut seen, mut offset) = (Vec::new(), Some(0));
            while let Some(from) = offset {
                let found = answer(&kit, &base, page(from, 13)).await;
                offset = found.next;
                seen.extend(found.results);
            }
            assert_eq!(seen, all, "{model:?}");
            let beyond = answer(&kit, &base, page(900, 100)).await;
            assert_eq!((beyond.results.len(), beyond.next), (0, None));
            assert_eq!(answer(&kit, &base, asking("hay")).await.next, None);
        }
    });
}

#[test]
fn facets_and_pages_that_break_rules_are_refused() {
    let kit = Kit::new();
    kit.play(async {
        let base = kit.base(None).await;
        let facets = |names: &[&str]| names.iter().map(|name| (*name).to_owned()).collect::<Vec<_>>();
        for (request, path) in [
            (SearchRequest { offset: Some(991), ..asking("a") }, "/offset"),
            (SearchRequest { offset: Some(usize::MAX), ..asking("a") }, "/offset"),
            (SearchRequest { facets: facets(&["a"; 11]), ..asking("a") }, "/facets"),
            (SearchRequest { facets: facets(&["a", ""]), ..asking("a") }, "/facets/1"),
            (SearchRequest { facets: facets(&["$pages"]), ..asking("a") }, "/facets/0"),
            (SearchRequest { facets: facets(&["$created"]), ..asking("a") }, "/facets/0"),
        ] {
            let error = kit.service.search(&scope(), &payer(), &base, request).await.unwrap_err();
            let told: Vec<_> = error.violations().iter().map(|one| one.path.as_str()).collect();
            assert_eq!((error.code(), told), ("validation_failed", vec![path]));
        }
        let last = SearchRequest { offset: Some(990), ..asking("a") };
        assert_eq!(answer(&kit, &base, last).await.results, []);
    });
}
