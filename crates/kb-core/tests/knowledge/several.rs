//! Searches in several bases.

use gen_core::BaseQuery;
use kb_core::{BaseId, KnowledgeError, SearchAnswer, SearchRequest};
use serde_json::{Value, json};
use shared_core::DomainError as _;

use crate::kit::{Kit, MODEL, asking, payer, scope};

async fn searched(
    kit: &Kit,
    bases: &[BaseQuery],
    request: SearchRequest,
) -> Result<SearchAnswer, KnowledgeError> {
    kit.service.search_bases(&scope(), &payer(), bases, request).await
}

fn of(base: &BaseId) -> BaseQuery {
    base.0.as_str().into()
}

fn titles(answer: &SearchAnswer) -> Vec<&str> {
    answer.results.iter().map(|one| one.title.trim_end_matches(".md")).collect()
}

/// A base with texts of these titles, which are all about barns, with the year as meta.
async fn barns(kit: &Kit, model: Option<&str>, texts: &[(&str, &str, u32)]) -> BaseId {
    let base = kit.base(model).await;
    let texts: Vec<(&str, &str, Value)> =
        texts.iter().map(|(title, text, year)| (*title, *text, json!({ "year": year }))).collect();
    kit.add_with(&base, &texts).await;
    kit.settled(&base).await;
    base
}

#[test]
fn results_of_several_bases_are_one_ranking_and_say_where_they_are() {
    let kit = Kit::new();
    kit.play(async {
        let one = barns(&kit, None, &[("a", "A red barn roof.", 2025), ("b", "A barn.", 2026)]).await;
        let two = barns(&kit, Some(MODEL), &[("c", "A red barn.", 2026), ("d", "Slate.", 2026)]).await;
        let empty = kit.base(None).await;
        let bases = [of(&one), of(&empty), of(&two)];
        let facets = vec!["year".to_owned()];
        let found = searched(&kit, &bases, SearchRequest { facets, ..asking("red barn") }).await.unwrap();
        let mut places: Vec<_> =
            found.results.iter().map(|one| (one.title.trim_end_matches(".md"), one.base.clone())).collect();
        places.sort_by_key(|(title, _)| *title);
        let expected = [("a", &one), ("b", &one), ("c", &two), ("d", &two)];
        assert_eq!(places, expected.map(|(title, base)| (title, base.clone())));
        assert!(found.results.is_sorted_by(|a, b| a.score >= b.score));
        let counted: Vec<_> =
            found.facets[0].values.iter().map(|one| (one.value.clone(), one.count)).collect();
        assert_eq!(counted, [(json!(2026), 2), (json!(2025), 1)], "over both, without what has no word");
        let request = SearchRequest { filter: Some(json!({"year": 2026})), ..asking("red barn") };
        let found = searched(&kit, &bases, request).await.unwrap();
        assert!(!titles(&found).contains(&"a"), "{found:?}");
        assert!(titles(&found).contains(&"b") && titles(&found).contains(&"c"));
        let alone = kit.service.search(&scope(), &payer(), &one, asking("red barn")).await.unwrap();
        assert_eq!(alone, searched(&kit, &[of(&one)], asking("red barn")).await.unwrap());
    });
}

#[test]
fn the_restrictions_of_a_base_hold_beside_those_of_the_request() {
    let kit = Kit::new();
    kit.play(async {
        let texts = [("a", "A barn.", 1), ("b", "A barn.", 2), ("c", "A barn.", 3)];
        let (one, two) = (barns(&kit, None, &texts).await, barns(&kit, None, &texts).await);
        let own = BaseQuery { filter: Some(json!({"year": {"lte": 2}})), ..of(&one) };
        let few = BaseQuery { limit: Some(1), ..of(&two) };
        let request = SearchRequest { filter: Some(json!({"year": {"gte": 2}})), ..asking("barn") };
        let found = searched(&kit, &[own, few], request).await.unwrap();
        let from = |base: &BaseId| {
            let own = found.results.iter().filter(|result| result.base == *base);
            own.map(|result| result.title.as_str()).collect::<Vec<_>>()
        };
        assert_eq!(from(&one), ["b.md"]);
        assert_eq!(from(&two).len(), 1);
        // Ten levels each are allowed, and both together.
        let mut deep = json!({"year": 2});
        for _ in 0..9 {
            deep = json!({"and": [deep]});
        }
        let own = BaseQuery { filter: Some(deep.clone()), ..of(&one) };
        let both = SearchRequest { filter: Some(deep), ..asking("barn") };
        assert_eq!(titles(&searched(&kit, &[own], both).await.unwrap()), ["b"]);
    });
}

#[test]
fn what_is_wrong_with_the_bases_is_told_with_its_place() {
    let kit = Kit::new();
    kit.play(async {
        let base = barns(&kit, None, &[("a", "A barn.", 1)]).await;
        let many: Vec<BaseQuery> = (0..21).map(|n| format!("kb_{n}").into()).collect();
        for (bases, path) in [
            (vec![], "/knowledge"),
            (many, "/knowledge"),
            (vec![of(&base), of(&base)], "/knowledge/1/id"),
            (vec![BaseQuery { limit: Some(0), ..of(&base) }], "/knowledge/0/limit"),
            (vec![BaseQuery { mode: Some("best".into()), ..of(&base) }], "/knowledge/0/mode"),
            (vec![BaseQuery { filter: Some(json!({"$x": 1})), ..of(&base) }], "/knowledge/0/filter/$x"),
        ] {
            let error = searched(&kit, &bases, asking("barn")).await.unwrap_err();
            let told: Vec<_> = error.violations().iter().map(|one| one.path.as_str()).collect();
            assert_eq!((error.code(), told), ("validation_failed", vec![path]));
        }
        let unknown = searched(&kit, &[of(&base), "kb_none".into()], asking("barn")).await.unwrap_err();
        assert!(matches!(unknown, KnowledgeError::BaseNotFound(_)), "{unknown:?}");
        let semantic = BaseQuery { mode: Some("semantic".into()), ..of(&base) };
        let error = searched(&kit, &[semantic], asking("barn")).await.unwrap_err();
        assert_eq!(error.code(), "no_embedding_model");
    });
}
