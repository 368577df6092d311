//! What is found, and what is not.

use std::sync::atomic::Ordering;
use std::time::Duration;

use gen_core::{IndexWait, WaitFor};
use kb_core::{BaseId, KnowledgeError, Mode, SearchRequest};
use serde_json::{Value, json};
use shared_core::{DomainError as _, ErrorKind, Timer as _};

use crate::ingest::sections;
use crate::kit::{Kit, MODEL, asking, payer, scope};

fn filtered(query: &str, filter: Value) -> SearchRequest {
    SearchRequest { filter: Some(filter), limit: 100, ..asking(query) }
}

/// The code and the places of what is wrong with a request.
async fn refused(kit: &Kit, base: &BaseId, request: SearchRequest) -> (&'static str, Vec<String>) {
    let error = kit.service.search(&scope(), &payer(), base, request).await.unwrap_err();
    (error.code(), error.violations().iter().map(|one| one.path.clone()).collect())
}

#[test]
fn filters_find_the_items_whose_meta_fits() {
    let kit = Kit::new();
    kit.play(async {
        let base = kit.base(None).await;
        let metas = [
            ("a", json!({"year": 1999, "kind": "barn", "tags": ["old", "oak"], "place": {"town": "Ulm"}})),
            ("b", json!({"year": 2005.5, "kind": "mill", "tags": [], "day": "2024-02-01", "x.y": 1})),
            ("c", json!({"year": "2005", "kind": null, "place": {"town": "Bonn"}, "day": "2023-12-31"})),
            ("d", json!({"rooms": [{"size": 10}, {"size": 30}], "x": {"y": 2}, "big": 9_007_199_254_740_993_i64})),
        ];
        let texts: Vec<(&str, String, Value)> =
            metas.iter().map(|(title, meta)| (*title, format!("A house named {title}."), meta.clone())).collect();
        let texts: Vec<(&str, &str, Value)> =
            texts.iter().map(|(title, text, meta)| (*title, text.as_str(), meta.clone())).collect();
        kit.add_with(&base, &texts).await;
        kit.settled(&base).await;
        for (filter, expected) in [
            (json!({}), "abcd"),
            (json!({"kind": "barn"}), "a"),
            (json!({"kind": {"eq": "barn"}}), "a"),
            (json!({"kind": {"$eq": "barn"}}), "a"),
            (json!({"kind": null}), "c"),
            (json!({"kind": {"ne": "barn"}}), "bcd"),
            (json!({"kind": {"in": ["barn", "mill"]}}), "ab"),
            (json!({"kind": {"nin": ["barn", "mill"]}}), "cd"),
            (json!({"kind": {"in": []}}), ""),
            (json!({"year": {"gt": 1999}}), "b"),
            (json!({"year": {"gte": 1999, "lt": 2005.5}}), "a"),
            (json!({"year": {"lte": 2005.5}}), "ab"),
            (json!({"year": {"gt": "1"}}), "c"),
            (json!({"year": 1999.0}), "a"),
            (json!({"big": 9_007_199_254_740_992_i64}), ""),
            (json!({"day": {"gte": "2024-01-01"}}), "b"),
            (json!({"tags": "oak"}), "a"),
            (json!({"tags": {"ne": "oak"}}), "bcd"),
            (json!({"tags": {"eq": ["old", "oak"]}}), "a"),
            (json!({"place.town": "Ulm"}), "a"),
            (json!({"place.town": {"gt": "Bonn"}}), "a"),
            (json!({"x.y": {"gte": 1}}), "bd"),
            (json!({"rooms.size": {"gt": 20}}), "d"),
            (json!({"or": [{"kind": "barn"}, {"day": {"lt": "2024"}}]}), "ac"),
            (json!({"$and": [{"year": {"gt": 0}}, {"$or": [{"kind": "mill"}, {"kind": "barn"}]}], "tags": "old"}), "a"),
            (json!({"absent": {"ne": 1}, "kind": "mill"}), "b"),
            (json!({"absent": 1}), ""),
            (json!({"not": {"kind": "mill"}}), "acd"),
            (json!({"$not": {"not": {"kind": "mill"}}}), "b"),
        ] {
            let mut found = kit.titles(&base, filtered("house", filter.clone())).await;
            found.sort_unstable();
            assert_eq!(found.concat(), expected, "{filter}");
        }
    });
}

#[test]
fn a_filter_that_breaks_the_grammar_is_refused_with_its_place() {
    let kit = Kit::new();
    kit.play(async {
        let base = kit.base(None).await;
        let mut deep = json!({"a": 1});
        for _ in 0..12 {
            deep = json!({"and": [deep]});
        }
        let many: Vec<u32> = (0..3_000).collect();
        for (filter, path) in [
            (json!([1]), "/filter"),
            (json!("a"), "/filter"),
            (json!({"and": {}}), "/filter/and"),
            (json!({"or": []}), "/filter/or"),
            (json!({"not": [{"a": 1}]}), "/filter/not"),
            (json!({"not": {"a": {}}}), "/filter/not/a"),
            (json!({"or": [{"a": 1}, 7]}), "/filter/or/1"),
            (json!({"a": {}}), "/filter/a"),
            (json!({"a": [1]}), "/filter/a"),
            (json!({"a/b": {"like": 1}}), "/filter/a~1b/like"),
            (json!({"a": {"in": 3}}), "/filter/a/in"),
            (json!({"a": {"gt": null}}), "/filter/a/gt"),
            (json!({"a": {"lte": [1]}}), "/filter/a/lte"),
            (json!({"": 1}), "/filter/"),
            (json!({"a": {"in": many}}), "/filter/a/in"),
            (json!({"a": "x".repeat(20_000)}), "/filter/a"),
            (json!({"a": "x".repeat(70_000)}), "/filter"),
            (deep, "/filter/and/0/and/0/and/0/and/0/and/0/and/0/and/0/and/0/and/0/and/0/and"),
        ] {
            let places = vec![path.to_owned()];
            assert_eq!(refused(&kit, &base, filtered("house", filter)).await, ("validation_failed", places));
        }
    });
}

#[test]
fn a_filter_follows_the_meta_at_once_and_reads_it_once() {
    let kit = Kit::new();
    kit.play(async {
        let base = kit.base(None).await;
        let item = kit.add_with(&base, &[("a", "A house.", json!({"floor": 1}))]).await.remove(0);
        kit.settled(&base).await;
        let ask = || filtered("house", json!({"floor": 1}));
        assert_eq!(kit.search(&base, ask()).await.len(), 1);
        let read = kit.items.called("attributes");
        assert_eq!(kit.search(&base, ask()).await.len(), 1);
        assert_eq!(kit.items.called("attributes"), read);
        let meta = json!({"floor": 2}).as_object().cloned();
        let update = kb_core::ItemUpdate { meta, ..kb_core::ItemUpdate::default() };
        kit.service.update_item(&scope(), &item.id, update).await.unwrap();
        assert_eq!(kit.search(&base, ask()).await, []);
    });
}

#[test]
fn requests_that_break_rules_are_refused() {
    let kit = Kit::new();
    kit.play(async {
        let base = kit.base(None).await;
        for (request, path) in [
            (asking(" "), "/query"),
            (asking(&"x".repeat(10_001)), "/query"),
            (SearchRequest { limit: 0, ..asking("a") }, "/limit"),
            (SearchRequest { limit: 101, ..asking("a") }, "/limit"),
            (SearchRequest { min_score: Some(f32::NAN), ..asking("a") }, "/minScore"),
            (SearchRequest { min_score: Some(1.1), ..asking("a") }, "/minScore"),
            (SearchRequest { neighbours: 11, ..asking("a") }, "/neighbours"),
        ] {
            assert_eq!(refused(&kit, &base, request).await, ("validation_failed", vec![path.to_owned()]));
        }
        let semantic = SearchRequest { mode: Some(Mode::Semantic), ..asking("a") };
        assert_eq!(refused(&kit, &base, semantic).await, ("no_embedding_model", vec!["/mode".to_owned()]));
        let hybrid = SearchRequest { mode: Some(Mode::Hybrid), ..asking("a") };
        assert_eq!(kit.search(&base, hybrid).await, [], "words alone where there are no vectors");
        let unknown = refused(&kit, &BaseId("kb_none".into()), asking("a")).await;
        assert_eq!(unknown.0, "knowledge_base_not_found");
        let mut stranger = scope();
        stranger.workspace.0.push('x');
        let foreign = kit.service.search(&stranger, &payer(), &base, asking("a")).await.unwrap_err();
        assert!(matches!(foreign, KnowledgeError::BaseNotFound(_)));
    });
}

#[test]
fn both_ways_together_find_what_either_finds_and_scores_are_told() {
    let kit = Kit::new();
    kit.play(async {
        let base = kit.base(Some(MODEL)).await;
        kit.add(&base, &[("Hay", "Hay is dry."), ("Slate", "Slate is grey."), ("Oats", "Oats are gold.")])
            .await;
        kit.settled(&base).await;
        let by = |mode| SearchRequest { mode, ..asking("dry hay is") };
        let lexical = kit.search(&base, by(Some(Mode::Lexical))).await;
        assert!(lexical.iter().all(|one| one.semantic.is_none() && one.lexical == Some(one.score)));
        let semantic = kit.search(&base, by(Some(Mode::Semantic))).await;
        assert!(semantic.iter().all(|one| one.lexical.is_none() && one.semantic == Some(one.score)));
        let all_well = kit.service.search(&scope(), &payer(), &base, by(None)).await.unwrap();
        assert_eq!(all_well.warnings, []);
        let hybrid = all_well.results;
        assert_eq!(hybrid[0].title, "Hay.md");
        assert!((hybrid[0].score - 1.0).abs() < 1e-6, "first in both");
        assert!(hybrid[0].lexical.is_some() && hybrid[0].semantic.is_some());
        assert_eq!(hybrid, kit.search(&base, by(Some(Mode::Hybrid))).await);
        assert_eq!(kit.model.calls.load(Ordering::SeqCst), 3 + 1, "the query is embedded once");

        let least = SearchRequest { min_score: Some(0.95), ..by(None) };
        assert_eq!(kit.titles(&base, least).await, ["Hay"]);
        kit.model.failures.store(u32::MAX, Ordering::SeqCst);
        let answer = kit.service.search(&scope(), &payer(), &base, asking("grey slate")).await.unwrap();
        let told: Vec<&str> = answer.warnings.iter().map(|warning| warning.code).collect();
        assert_eq!(told, ["searched_by_words_alone"]);
        let other = answer.results;
        assert!(other[0].title == "Slate.md" && other[0].semantic.is_none(), "words do without the model");
        let asked = SearchRequest { mode: Some(Mode::Hybrid), ..asking("golden oats") };
        let error = kit.service.search(&scope(), &payer(), &base, asked).await.unwrap_err();
        assert!(matches!(error, KnowledgeError::Model(_)));
    });
}

#[test]
fn neighbours_are_joined_in_reading_order() {
    let kit = Kit::new();
    kit.play(async {
        let base = kit.base(None).await;
        let text = sections(5, "barn");
        let item = kit.add(&base, &[("Barn", &text)]).await.remove(0);
        let facts = kit.add_chunks(&base, "Facts", &["Hay is dry.", "Zebras are striped.", "Oats."]).await;
        kit.settled(&base).await;
        let chunks = kit.texts(&item.id).await;
        let ask = |neighbours| SearchRequest { neighbours, limit: 1, ..asking("barn 2 part 2") };
        let alone = kit.search(&base, ask(0)).await.remove(0);
        assert_eq!((alone.chunk.position, &alone.chunk.text), (2, &chunks[2]));
        let joined = kit.search(&base, ask(1)).await.remove(0);
        assert_eq!(joined.chunk.text, chunks[1..4].concat());
        let range: String = text.chars().skip(joined.chunk.start as usize).collect();
        assert!(range.starts_with(&joined.chunk.text));
        let all = kit.search(&base, ask(10)).await.remove(0);
        assert_eq!((all.chunk.text, all.chunk.start), (chunks.concat(), 0));
        let zebras = SearchRequest { neighbours: 1, ..asking("zebras") };
        let found = kit.search(&base, zebras).await.remove(0);
        assert_eq!(
            (found.item, found.chunk.text.as_str()),
            (facts.id, "Hay is dry.\n\nZebras are striped.\n\nOats.")
        );
    });
}

#[test]
fn what_says_nearly_the_same_is_left_out_when_asked() {
    let kit = Kit::new();
    kit.play(async {
        let base = kit.base(None).await;
        let text: String = (0..30).map(|at| format!("The {at}th barn has a roof of slate. ")).collect();
        let near = text.replace("The 7th barn", "The seventh barn");
        kit.add(&base, &[("One", &text), ("Two", &near), ("Other", "A barn without any roof.")]).await;
        kit.settled(&base).await;
        assert_eq!(kit.search(&base, asking("barn roof")).await.len(), 3);
        let found = kit.titles(&base, SearchRequest { distinct: true, ..asking("barn roof") }).await;
        assert!(found.len() == 2 && found.contains(&"Other".to_owned()), "{found:?}");
        let one = SearchRequest { distinct: true, limit: 2, ..asking("barn roof") };
        assert_eq!(kit.titles(&base, one).await.len(), 2, "others take the place");
    });
}

#[test]
fn what_says_the_same_is_not_read_without_end() {
    let kit = Kit::new();
    kit.play(async {
        let base = kit.base(None).await;
        let long = format!("Hay, hay, hay. {}", "x".repeat(95_000));
        let few = vec![long.as_str(); 100];
        kit.add_chunks(&base, "Few", &few).await;
        kit.add_chunks(&base, "Other", &["Of all that grows on this farm, some is hay."]).await;
        kit.settled(&base).await;
        let two = || SearchRequest { distinct: true, limit: 2, ..asking("hay") };
        assert_eq!(kit.titles(&base, two()).await, ["Few", "Other"]);
        kit.add_chunks(&base, "Many", &[few.as_slice(), &few].concat()).await;
        kit.settled(&base).await;
        assert_eq!(
            kit.titles(&base, two()).await.len(),
            1,
            "more than 16 MiB are not read for one that differs"
        );
    });
}

#[test]
fn what_is_deleted_never_shows_though_the_index_still_has_it() {
    let kit = Kit::new();
    kit.play(async {
        let base = kit.base(Some(MODEL)).await;
        let titles: Vec<String> = (0..400).map(|at| format!("n{at}")).collect();
        let texts: Vec<String> = (0..400).map(|at| format!("Hay of field {at} is dry.")).collect();
        let pairs: Vec<(&str, &str)> =
            titles.iter().zip(&texts).map(|(a, b)| (a.as_str(), b.as_str())).collect();
        let items = kit.add(&base, &pairs).await;
        kit.settled(&base).await;
        assert_eq!(kit.search(&base, asking("hay")).await.len(), 10);
        kit.held.store(true, Ordering::SeqCst);
        for item in &items[..395] {
            kit.service.delete_item(&scope(), &item.id).await.unwrap();
        }
        let mut left = kit.titles(&base, asking("hay")).await;
        left.sort_unstable();
        assert_eq!(
            left,
            ["n395", "n396", "n397", "n398", "n399"],
            "what is there is found behind what is gone"
        );
        kit.service.delete(&scope(), &base).await.unwrap();
        let gone = kit.service.search(&scope(), &payer(), &base, asking("hay")).await.unwrap_err();
        assert_eq!(gone.kind(), ErrorKind::NotFound);
    });
}

#[test]
fn deletions_and_searches_at_the_same_time_never_show_what_is_gone() {
    let kit = Kit::new();
    kit.play(async {
        let base = kit.base(None).await;
        for round in 0..300 {
            let title = format!("r{round}");
            let item = kit.add(&base, &[(&title, &format!("Hay of round {round} is dry."))]).await.remove(0);
            kit.settled(&base).await;
            let look = async {
                for _ in 0..round % 7 {
                    gen_core::scripted::turn().await;
                }
                kit.service.delete_item(&scope(), &item.id).await.unwrap();
                kit.search(&base, asking("hay")).await
            };
            let (_, after) = futures_util::future::join(kit.search(&base, asking("hay")), look).await;
            assert!(after.is_empty(), "{round}");
        }
    });
}

#[test]
fn a_search_waits_for_what_was_written_before_it_and_not_for_ever() {
    let kit = Kit::new();
    kit.play(async {
        let base = kit.base(None).await;
        kit.held.store(true, Ordering::SeqCst);
        kit.add_chunks(&base, "Facts", &["Hay is dry."]).await;
        let begun = kit.timer.elapsed();
        let error = kit.service.search(&scope(), &payer(), &base, asking("hay")).await.unwrap_err();
        assert_eq!((error.code(), error.retry_after()), ("index_not_ready", Some(1)));
        assert_eq!((kit.timer.elapsed() - begun).as_secs(), 5);
        let release = async {
            kit.timer.sleep(Duration::from_secs(2)).await;
            kit.held.store(false, Ordering::SeqCst);
            kit.applied.written();
        };
        let (found, ()) = futures_util::future::join(kit.search(&base, asking("hay")), release).await;
        assert_eq!(found.len(), 1);
    });
}

#[test]
fn a_search_waits_for_a_position_as_long_as_asked_then_goes_on_and_warns() {
    let kit = Kit::new();
    kit.play(async {
        let base = kit.base(None).await;
        let seen = kit.add_chunks(&base, "Seen", &["Hay is dry."]).await;
        assert_eq!(kit.search(&base, asking("hay")).await.len(), 1);
        kit.held.store(true, Ordering::SeqCst);
        let new = kit.add_chunks(&base, "New", &["Hay is green."]).await;
        assert_eq!((seen.position, new.position), (1, 2));
        let ask = async |until, seconds| {
            let wait = Some(IndexWait { until, at_most: Duration::from_secs(seconds) });
            let begun = kit.timer.elapsed();
            let request = SearchRequest { wait, ..asking("hay") };
            let found = kit.service.search(&scope(), &payer(), &base, request).await.unwrap();
            let codes: Vec<&str> = found.warnings.iter().map(|warning| warning.code).collect();
            (found.results.len(), codes, (kit.timer.elapsed() - begun).as_secs())
        };
        let behind = vec!["index_behind"];
        assert_eq!(ask(WaitFor::Position(1), 9).await, (1, vec![], 0), "what it has is not waited for");
        assert_eq!(ask(WaitFor::Position(2), 3).await, (1, behind.clone(), 3));
        assert_eq!(ask(WaitFor::Everything, 2).await, (1, behind.clone(), 2));
        assert_eq!(ask(WaitFor::Everything, 0).await, (1, behind.clone(), 0));
        assert_eq!(ask(WaitFor::Position(3), 9).await, (1, behind, 0), "no change has the number");
        let release = async {
            kit.timer.sleep(Duration::from_secs(4)).await;
            kit.held.store(false, Ordering::SeqCst);
            kit.applied.written();
        };
        let asked = ask(WaitFor::Position(2), 9);
        let (found, ()) = futures_util::future::join(asked, release).await;
        assert_eq!(found, (2, vec![], 4));
        assert_eq!(ask(WaitFor::Everything, 9).await, (2, vec![], 0));
    });
}

#[test]
fn the_position_of_an_item_with_vectors_is_that_of_its_vectors() {
    let kit = Kit::new();
    kit.play(async {
        let base = kit.base(Some(MODEL)).await;
        let item = kit.add(&base, &[("Facts", "Hay is dry.")]).await.remove(0);
        assert_eq!(item.position, 0, "nothing of it is found yet");
        let settled = kit.settled(&base).await;
        let item = kit.item(&item.id).await;
        assert!(item.position > item.sequence, "the vectors come after the chunks");
        assert_eq!(item.position, settled.written);
    });
}
