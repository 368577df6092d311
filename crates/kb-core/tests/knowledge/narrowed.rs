//! Bases that a request narrows, and models that do not answer.

use std::sync::atomic::Ordering;
use std::time::Duration;

use gen_core::{BaseQuery, KnowledgeQuery, KnowledgeSource as _, Passages, SourceError};
use kb_core::{BaseId, Grounding, ItemStatus, Mode, SearchRequest};
use serde_json::json;
use shared_core::Timer as _;

use crate::kit::{Kit, MODEL, asking, payer, scope};

async fn asked(kit: &Kit, bases: &[BaseQuery], query: &str, whole: bool) -> Result<Passages, SourceError> {
    let question = KnowledgeQuery { payer: &payer(), bases, query, whole, max_chars: 100_000, wait: None };
    Grounding(kit.service.clone()).passages(&scope(), question).await
}

fn titles(found: &Passages) -> Vec<&str> {
    found.passages.iter().map(|passage| passage.title.as_str()).collect()
}

fn of(base: &BaseId) -> BaseQuery {
    base.0.as_str().into()
}

#[test]
fn a_filter_of_a_question_keeps_back_what_does_not_fit_also_where_all_is_wanted() {
    let kit = Kit::new();
    kit.play(async {
        let base = kit.base(None).await;
        let (north, south) = (json!({"tenant": "north"}), json!({"tenant": "south"}));
        kit.add_with(&base, &[("North", "Hay is dry.", north), ("South", "Hay is wet.", south)]).await;
        kit.settled(&base).await;
        for whole in [false, true] {
            let all = asked(&kit, &[of(&base)], "hay", whole).await.unwrap();
            assert_eq!(all.passages.len(), 2);
            let filter = Some(json!({"tenant": "south"}));
            let own = asked(&kit, &[BaseQuery { filter, ..of(&base) }], "hay", whole).await.unwrap();
            assert_eq!(titles(&own), ["South.md"], "{whole}");
            let filter = Some(json!({"tenant": "nobody"}));
            let none = asked(&kit, &[BaseQuery { filter, ..of(&base) }], "hay", whole).await.unwrap();
            assert!(none.passages.is_empty(), "{whole}");
        }
    });
}

#[test]
fn a_limit_a_least_score_and_a_mode_hold_for_the_base_that_they_are_given_with() {
    let kit = Kit::new();
    kit.play(async {
        let (one, two) = (kit.base(Some(MODEL)).await, kit.base(Some(MODEL)).await);
        for base in [&one, &two] {
            let texts = [("A", "Hay is dry."), ("B", "Hay is warm and sweet."), ("C", "Slate and hay.")];
            kit.add(base, &texts).await;
            kit.settled(base).await;
        }
        let limited = BaseQuery { limit: Some(1), ..of(&one) };
        let found = asked(&kit, &[limited, of(&two)], "dry hay", false).await.unwrap();
        let from = |base: &BaseId| {
            found.passages.iter().filter(|one| one.knowledge_id.as_deref() == Some(base.0.as_str())).count()
        };
        assert_eq!((from(&one), from(&two)), (1, 2), "what one gives, the other does not give again");
        let best = BaseQuery { min_score: Some(0.99), ..of(&one) };
        let found = asked(&kit, &[best], "hay is dry", false).await.unwrap();
        assert_eq!(titles(&found), ["A.md"]);
        let before = kit.model.calls.load(Ordering::SeqCst);
        let by_words = BaseQuery { mode: Some("lexical".into()), ..of(&one) };
        asked(&kit, &[by_words], "unheard of hay", false).await.unwrap();
        assert_eq!(kit.model.calls.load(Ordering::SeqCst), before, "no vector is made");
        let plain = kit.base(None).await;
        kit.add(&plain, &[("Hay", "Hay is dry.")]).await;
        kit.settled(&plain).await;
        let semantic = BaseQuery { mode: Some("semantic".into()), ..of(&plain) };
        let refused = asked(&kit, &[semantic], "hay", false).await.unwrap_err();
        assert!(matches!(refused, SourceError::Unusable { code: "no_embedding_model", .. }), "{refused:?}");
    });
}

#[test]
fn what_is_wrong_with_how_a_base_is_searched_is_told_with_its_place() {
    let kit = Kit::new();
    let grounding = Grounding(kit.service.clone());
    let base = || BaseQuery::from("kb");
    for (wrong, place) in [
        (BaseQuery { limit: Some(0), ..base() }, "/knowledge/1/limit"),
        (BaseQuery { limit: Some(101), ..base() }, "/knowledge/1/limit"),
        (BaseQuery { min_score: Some(1.5), ..base() }, "/knowledge/1/minScore"),
        (BaseQuery { mode: Some("best".into()), ..base() }, "/knowledge/1/mode"),
    ] {
        let told = grounding.check(&wrong, "/knowledge/1");
        assert_eq!(told.iter().map(|one| one.path.as_str()).collect::<Vec<_>>(), [place]);
    }
    let filter = BaseQuery { filter: Some(json!({"a": {"like": 1}})), ..base() };
    assert!(grounding.check(&filter, "/knowledge/1")[0].path.starts_with("/knowledge/1/filter"));
    assert!(grounding.check(&base(), "/knowledge/1").is_empty());
}

#[test]
fn a_vector_that_does_not_come_is_waited_for_no_longer_than_its_budget() {
    let kit = Kit::new();
    kit.play(async {
        let base = kit.base(Some(MODEL)).await;
        kit.add(&base, &[("Hay", "Hay is dry.")]).await;
        kit.settled(&base).await;
        kit.model.hangs.store(true, Ordering::SeqCst);
        let begun = kit.timer.elapsed();
        let answer = kit.service.search(&scope(), &payer(), &base, asking("dry")).await.unwrap();
        assert_eq!(kit.timer.elapsed() - begun, Duration::from_millis(1_500));
        assert_eq!((answer.results.len(), answer.warnings[0].code), (1, "searched_by_words_alone"));
        let begun = kit.timer.elapsed();
        let (one, two) = (of(&base), of(&kit.base(Some(MODEL)).await));
        let found = asked(&kit, &[one, two], "how dry", false).await.unwrap();
        assert_eq!(kit.timer.elapsed() - begun, Duration::from_millis(1_500));
        assert_eq!((found.passages.len(), found.warnings.len()), (1, 1));
        let begun = kit.timer.elapsed();
        let semantic = SearchRequest { mode: Some(Mode::Semantic), ..asking("so dry") };
        kit.service.search(&scope(), &payer(), &base, semantic).await.unwrap_err();
        assert_eq!(kit.timer.elapsed() - begun, Duration::from_secs(15));
    });
}

#[test]
fn text_is_found_by_its_words_while_its_vectors_do_not_come() {
    let kit = Kit::new();
    kit.play(async {
        let base = kit.base(Some(MODEL)).await;
        kit.model.hangs.store(true, Ordering::SeqCst);
        let item = kit.add(&base, &[("Hay", "Hay is dry.")]).await.remove(0);
        let chunks = kit.add_chunks(&base, "Facts", &["Zebras are striped."]).await;
        assert_eq!(chunks.chunks, 1, "ready-made chunks are findable with their transaction");
        let lexical = |query| SearchRequest { mode: Some(Mode::Lexical), ..asking(query) };
        assert_eq!(kit.titles(&base, lexical("zebras")).await, ["Facts"]);
        while kit.item(&item.id).await.chunks == 0 {
            kit.timer.sleep(Duration::from_millis(10)).await;
        }
        assert_eq!(kit.titles(&base, lexical("dry hay")).await, ["Hay"]);
        let waits = kit.item(&item.id).await;
        assert_eq!((waits.status, waits.embedded), (ItemStatus::Processing, None));
    });
}

#[test]
fn a_model_that_forgets_vectors_or_fails_leaves_what_words_find_and_writes_the_chunks_once() {
    let kit = Kit::new();
    kit.play(async {
        let base = kit.base(Some(MODEL)).await;
        kit.model.forgets.store(true, Ordering::SeqCst);
        let item = kit.add(&base, &[("Hay", "Hay is dry.")]).await.remove(0);
        kit.settled(&base).await;
        let failed = kit.item(&item.id).await;
        assert_eq!((failed.status, failed.chunks), (ItemStatus::Failed, 1));
        let sequence = failed.sequence;
        assert_eq!(
            kit.titles(&base, SearchRequest { mode: Some(Mode::Lexical), ..asking("dry") }).await,
            ["Hay"]
        );
        kit.model.forgets.store(false, Ordering::SeqCst);
        kit.service.retry(&scope(), &item.id).await.unwrap();
        kit.settled(&base).await;
        let ready = kit.item(&item.id).await;
        assert_eq!((ready.status, ready.embedded.as_deref()), (ItemStatus::Ready, Some(MODEL)));
        assert_eq!(ready.sequence, sequence, "what was found stays as it was");
        assert_eq!(
            kit.titles(&base, SearchRequest { mode: Some(Mode::Semantic), ..asking("dry") }).await,
            ["Hay"]
        );
    });
}

#[test]
fn the_same_text_with_another_title_or_meta_is_kept_and_a_change_lets_the_first_be_added_again() {
    let kit = Kit::new();
    kit.play(async {
        let base = kit.base(None).await;
        let (north, south) = (json!({"tenant": "north"}), json!({"tenant": "south"}));
        let text = "Closed on Sundays.";
        let add = async |title: &str, meta: &serde_json::Value| {
            kit.add_with(&base, &[(title, text, meta.clone())]).await.remove(0)
        };
        let one = add("Berth", &north).await;
        let two = add("Berth", &south).await;
        let three = add("Quay", &north).await;
        assert!(one.id != two.id && one.id != three.id && two.id != three.id);
        assert_eq!(add("Berth", &north).await.id, one.id);
        let meta = json!({"tenant": "east"}).as_object().cloned();
        let change = kb_core::ItemUpdate { meta, ..kb_core::ItemUpdate::default() };
        kit.service.update_item(&scope(), &one.id, change).await.unwrap();
        let again = add("Berth", &north).await;
        assert!(again.id != one.id && again.meta == *north.as_object().unwrap());
        assert_eq!(add("Berth", &json!({"tenant": "east"})).await.id, one.id);
        kit.settled(&base).await;
        let south = SearchRequest { filter: Some(json!({"tenant": "south"})), ..asking("sundays") };
        assert_eq!(kit.search(&base, south).await.remove(0).item, two.id);
    });
}
