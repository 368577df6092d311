//! Queries with phrases, prefixes, exclusions, words of the title and web sites.

use kb_core::{BaseId, Mode, NewData, QuerySyntax, SearchRequest};
use serde_json::json;
use shared_core::DomainError as _;

use crate::kit::{Kit, MODEL, asking, payer, scope};

fn reading(query: &str) -> SearchRequest {
    SearchRequest { syntax: QuerySyntax::Query, limit: 100, ..asking(query) }
}

async fn found(kit: &Kit, base: &BaseId, query: &str) -> String {
    let mut titles = kit.titles(base, reading(query)).await;
    titles.sort();
    titles.concat()
}

async fn harbour(kit: &Kit, model: Option<&str>) -> BaseId {
    let base = kit.base(model).await;
    kit.add(
        &base,
        &[
            ("a", "The cost of tugs rose."),
            ("b", "Tugs rose at no cost of ours, tugs of cost."),
            ("c", "A tugboat and a ferry."),
            ("d", "Ferries cost little."),
        ],
    )
    .await;
    kit.settled(&base).await;
    base
}

#[test]
fn the_parts_of_a_query_narrow_what_is_found_by_words() {
    let kit = Kit::new();
    kit.play(async {
        let base = harbour(&kit, None).await;
        for (query, expected) in [
            ("cost of tugs", "abd"),
            ("\"cost of tugs\"", "a"),
            ("ferry \"cost of tugs\"", "a"),
            ("tug*", "abc"),
            ("tugb*", "c"),
            ("cost -tugs", "d"),
            ("cost -tug -ferry", ""),
            ("cost -\"tugs of cost\"", "ad"),
            ("title:d cost", "d"),
            ("title:d", "d"),
            ("cost title:zzz", ""),
            ("cost site:port.example", ""),
        ] {
            assert_eq!(found(&kit, &base, query).await, expected, "{query}");
        }
        let url = "https://www.port.example/tugs";
        kit.web.put(url, "e.md", "The cost of tugs on the web.");
        let data = NewData { urls: vec![url.to_owned().into()], ..NewData::default() };
        kit.service.add(&payer(), &base, data).await.unwrap();
        kit.settled(&base).await;
        assert_eq!(found(&kit, &base, "cost site:port.example").await, "e");
        let words = kit.titles(&base, asking("\"cost of tugs\" -ferry")).await;
        assert_eq!(words.len(), 5, "without the syntax all is words");
    });
}

#[test]
fn exclusions_and_phrases_hold_for_what_vectors_find() {
    let kit = Kit::new();
    kit.play(async {
        let base = harbour(&kit, Some(MODEL)).await;
        for mode in [Mode::Semantic, Mode::Hybrid] {
            let ask = async |query: &str| {
                let request = SearchRequest { mode: Some(mode), ..reading(query) };
                let mut titles = kit.titles(&base, request).await;
                titles.sort();
                titles.concat()
            };
            assert_eq!(ask("cost").await, "abcd", "{mode:?}");
            assert_eq!(ask("cost -tug").await, "cd", "{mode:?}");
            assert_eq!(ask("\"cost of tugs\"").await, "a", "{mode:?}");
            assert_eq!(ask("cost title:c").await, "c", "{mode:?}");
        }
        let facets = vec!["$title".to_owned()];
        let request = SearchRequest { facets, ..reading("cost -tug") };
        let answer = kit.service.search(&scope(), &payer(), &base, request).await.unwrap();
        let counted: Vec<_> = answer.facets[0].values.iter().map(|one| one.value.clone()).collect();
        assert_eq!(counted, [json!("d.md")]);
    });
}

#[test]
fn what_is_no_syntax_is_told_and_nothing_to_look_for_is_refused() {
    let kit = Kit::new();
    kit.play(async {
        let base = harbour(&kit, None).await;
        let answer = kit.service.search(&scope(), &payer(), &base, reading("tugs \"rose")).await.unwrap();
        assert_eq!(answer.results.len(), 2);
        let told: Vec<&str> = answer.warnings.iter().map(|warning| warning.code).collect();
        assert_eq!(told, ["syntax_read_as_words"]);
        for query in ["-tug", "site:port.example", "-\"a b\" -c"] {
            let error = kit.service.search(&scope(), &payer(), &base, reading(query)).await.unwrap_err();
            let places: Vec<_> = error.violations().iter().map(|one| one.path.as_str()).collect();
            assert_eq!((error.code(), places), ("validation_failed", vec!["/query"]), "{query}");
        }
    });
}
