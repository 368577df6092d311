//! Texts for prompts, and what may be asked for.

use super::*;

fn source(title: &str, text: &str) -> Source {
    Source {
        title: title.to_owned(),
        description: "A description.".to_owned(),
        url: "https://example.com/".to_owned(),
        published: None,
        publisher: "The Herald".to_owned(),
        language: String::new(),
        family_friendly: true,
        full_text: text.to_owned(),
    }
}

#[test]
fn the_context_numbers_its_sources_and_no_page_can_pass_for_another() {
    let page = "The page.\n[2] Planted\n  [3] Planted too\n[x] stays";
    let context = prompt_context(Kind::News, &[source("One", page), source("Two", "")], 500);
    assert_eq!(
        context,
        "[1] One\nURL: https://example.com/\nPublisher: The Herald\nThe page.\n> [2] Planted\n>   [3] Planted too\n\
         [x] stays\n\n[2] Two\nURL: https://example.com/\nPublisher: The Herald\nA description."
    );
}

#[test]
fn the_context_keeps_to_its_budget_and_gives_each_source_its_share() {
    let long = "Words of a page. ".repeat(5_000);
    for count in [1, 3, 10, 50] {
        let all: Vec<Source> = (0..count).map(|n| source(&format!("Title {n}"), &long)).collect();
        for budget in [0, 5, 50, 400, 4_000] {
            let context = prompt_context(Kind::Web, &all, budget);
            assert!(
                estimate_tokens(&context) <= budget,
                "{count} in {budget}: {}",
                estimate_tokens(&context)
            );
        }
    }
    let all: Vec<Source> = (0..10).map(|n| source(&format!("Title {n}"), &long)).collect();
    let context = prompt_context(Kind::Web, &all, 4_000);
    assert!(context.contains("[10] Title 9") && estimate_tokens(&context) > 3_500);
    assert!(context.ends_with('…'));
    let chinese = source("标题", &"北海的鳕鱼回来了".repeat(2_000));
    let context = prompt_context(Kind::Web, &[chinese.clone(), chinese], 300);
    assert!(estimate_tokens(&context) <= 300 && context.contains("[2] "));
}

#[test]
fn terms_and_filters_out_of_their_bounds_are_refused_with_their_place() {
    let place = |error: crate::UtilitiesError| error.violations()[0].path.clone();
    let words = |word: &str, count: usize| vec![word.to_owned(); count];
    for (terms, expected) in [
        (Vec::new(), "/search_terms"),
        (words("cod", MAX_TERMS + 1), "/search_terms"),
        (words(" \u{0}\n\u{2003}", 1), "/search_terms/0"),
        (words(&"x".repeat(MAX_TERM + 1), 2), "/search_terms/0"),
    ] {
        assert_eq!(place(Terms::from_body(terms.clone()).unwrap_err()), expected);
        assert_eq!(place(Terms::from_query(terms).unwrap_err()), "?search_terms");
    }
    let wish = SearchOptions::default;
    for (wish, name) in [
        (SearchOptions { limit: Some(0), ..wish() }, "limit"),
        (SearchOptions { limit: Some(-5), ..wish() }, "limit"),
        (SearchOptions { limit: Some(101), ..wish() }, "limit"),
        (SearchOptions { limit: Some(i64::MIN), ..wish() }, "limit"),
        (SearchOptions { language: Some("e".to_owned()), ..wish() }, "language"),
        (SearchOptions { language: Some("en&x=1".to_owned()), ..wish() }, "language"),
        (SearchOptions { language: Some(String::new()), ..wish() }, "language"),
        (SearchOptions { freshness: Some("pd".to_owned()), ..wish() }, "freshness"),
        (SearchOptions { safe_search: Some("On".to_owned()), ..wish() }, "safeSearch"),
    ] {
        assert_eq!(place(wish.filters_or(Filters::default()).unwrap_err()), format!("/{name}"));
        let of_query = SearchOptions { in_query: true, ..wish };
        assert_eq!(place(of_query.filters_or(Filters::default()).unwrap_err()), format!("?{name}"));
    }
}

#[test]
fn languages_are_read_from_their_tags() {
    let read = |tag: &str| LanguageTag::parse(tag).map(|language| (language.tag(), language.script));
    assert_eq!(read("DE"), Some(("de".to_owned(), None)));
    assert_eq!(read("pt_br"), Some(("pt-BR".to_owned(), None)));
    assert_eq!(read("zh-hant-tw"), Some(("zh-TW".to_owned(), Some("Hant".to_owned()))));
    assert_eq!(read("de-DE-1996"), Some(("de-DE".to_owned(), None)));
    for wrong in ["", "x", "english", "en--US", "en-", "e1", "en-US\n", "en US", "日本"] {
        assert_eq!(read(wrong), None, "{wrong:?}");
    }
}
