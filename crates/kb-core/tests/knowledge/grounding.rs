//! What generation is given of bases.

use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

use gen_core::{
    Backend, BaseQuery, DocumentSource, GenService, GenerateLimits, GeneratePorts, GenerateRequest,
    GenerateService, IndexWait, KnowledgeQuery, KnowledgeSource as _, Media, MediaStore, Passage, Passages,
    Provider, SourceDocument, SourceError, WaitFor,
};
use kb_core::{BaseId, Grounding, NewData, NewPassage, SearchRequest};
use rules_engine::Extractive;
use shared_core::{Scope, StoreError, Timer as _};

use crate::ingest::sections;
use crate::kit::{Kit, MODEL, asking, payer, scope};

async fn found(kit: &Kit, bases: &[&BaseId], query: &str, max_chars: usize) -> Result<Passages, SourceError> {
    let bases: Vec<BaseQuery> = bases.iter().map(|base| base.0.as_str().into()).collect();
    let question =
        KnowledgeQuery { payer: &payer(), bases: &bases, query, whole: false, max_chars, wait: None };
    Grounding(kit.service.clone()).passages(&scope(), question).await
}

async fn passages(
    kit: &Kit,
    bases: &[&BaseId],
    query: &str,
    max_chars: usize,
) -> Result<Vec<Passage>, SourceError> {
    Ok(found(kit, bases, query, max_chars).await?.passages)
}

#[test]
fn what_was_looked_for_by_words_alone_is_said_once() {
    let kit = Kit::new();
    kit.play(async {
        let (one, two) = (kit.base(Some(MODEL)).await, kit.base(Some(MODEL)).await);
        for base in [&one, &two] {
            kit.add(base, &[("Hay", "Hay is dry.")]).await;
            kit.settled(base).await;
        }
        assert!(found(&kit, &[&one, &two], "dry hay", 1_000).await.unwrap().warnings.is_empty());
        kit.model.failures.store(u32::MAX, Ordering::SeqCst);
        let told = found(&kit, &[&one, &two], "the driest hay", 1_000).await.unwrap();
        assert!(!told.passages.is_empty());
        assert_eq!(told.warnings.len(), 1, "{:?}", told.warnings);
        assert!(told.warnings[0].contains("by words alone"));
    });
}

#[test]
fn passages_come_best_first_with_their_headings_and_neighbours() {
    let kit = Kit::new();
    kit.play(async {
        let base = kit.base(Some(MODEL)).await;
        let items = kit.add(&base, &[("Barn", &sections(9, "barn")), ("Mill", &sections(9, "mill"))]).await;
        kit.settled(&base).await;
        let found = passages(&kit, &[&base], "mill 4, line 3 of part 4", 100_000).await.unwrap();
        assert_eq!((&found[0].id, found[0].title.as_str()), (&items[1].id.0, "Mill.md"));
        assert!(found[0].text.contains("## mill 3") && found[0].text.contains("## mill 5"), "neighbours");
        assert!(found.windows(2).all(|pair| pair[0].score >= pair[1].score));
        let all: String = found.iter().map(|passage| passage.text.as_str()).collect();
        assert_eq!(all.matches("## mill 4").count(), 1, "nothing is given twice");
        assert!(found.iter().all(|passage| passage.knowledge_id.as_deref() == Some(base.0.as_str())));
    });
}

#[test]
fn a_passage_has_the_page_of_what_was_found_in_it() {
    let kit = Kit::new();
    kit.play(async {
        let base = kit.base(None).await;
        let texts = ["Hay is dry.", "Zebras are striped.", "Oats are gold.", "Slate is grey."];
        let passage = |(index, text): (usize, &&str)| NewPassage {
            title: "Facts".into(),
            content: (*text).into(),
            page: u32::try_from(index).ok().map(|index| 2 * index + 1),
            ..NewPassage::default()
        };
        let chunks = texts.iter().enumerate().map(passage).collect();
        kit.service.add(&payer(), &base, NewData { chunks, ..NewData::default() }).await.unwrap();
        kit.settled(&base).await;
        let found = passages(&kit, &[&base], "golden oats", 1_000).await.unwrap();
        assert!(found[0].text.starts_with("Zebras") && found[0].text.ends_with("grey."), "{}", found[0].text);
        assert_eq!(found[0].page, Some(5), "the page of the oats");
        let pages: Vec<Option<u32>> = found[0].stretches.iter().map(|stretch| stretch.page).collect();
        assert_eq!(pages, [Some(3), Some(5), Some(7)]);
        let told = answer(&kit, &base, "What are oats?").await;
        assert_eq!((told.citations[0].place.page, told.context[0].page), (Some(5), Some(5)), "{told:?}");
        let joined = SearchRequest { neighbours: 1, limit: 1, ..asking("gold oats") };
        assert_eq!(kit.search(&base, joined).await[0].chunk.page, Some(3));
    });
}

#[test]
fn the_same_content_in_two_bases_or_twice_in_one_is_one_source() {
    let kit = Kit::new();
    kit.play(async {
        let (first, second) = (kit.base(None).await, kit.base(None).await);
        let text = sections(9, "barn");
        kit.add(&first, &[("Barn", &text)]).await;
        kit.add(&second, &[("Copy", &text)]).await;
        kit.settled(&first).await;
        kit.settled(&second).await;
        let found = passages(&kit, &[&first, &second], "barn 4, line 3 of part 4", 100_000).await.unwrap();
        let all: String = found.iter().map(|passage| passage.text.as_str()).collect();
        assert_eq!(all.matches("## barn 4").count(), 1, "nothing is given twice");
        let hashes: Vec<_> = found.iter().map(|passage| passage.sha256.clone()).collect();
        assert!(hashes[0].is_some() && hashes.iter().all(|hash| *hash == hashes[0]));
    });
}

#[test]
fn the_budget_is_kept_and_the_best_fits_in() {
    let kit = Kit::new();
    kit.play(async {
        let base = kit.base(None).await;
        kit.add(&base, &[("Barn", &sections(20, "barn"))]).await;
        kit.settled(&base).await;
        for max in [0, 500, 1_500, 3_000, 10_000] {
            let found = passages(&kit, &[&base], "barn 7 part 7", max).await.unwrap();
            assert!(found.iter().map(|one| one.text.chars().count()).sum::<usize>() <= max, "{max}");
            assert_eq!(found.is_empty(), max < 1_500, "{max}");
        }
    });
}

#[test]
fn several_bases_are_ranked_together_and_an_unknown_one_is_refused() {
    let kit = Kit::new();
    kit.play(async {
        let (first, second, empty) =
            (kit.base(None).await, kit.base(Some(MODEL)).await, kit.base(None).await);
        kit.add(&first, &[("Hay", "Hay is dry and gold."), ("Same", "The key hangs left of the door.")])
            .await;
        kit.add(&second, &[("Slate", "Slate is grey."), ("Same", "The key hangs left of the door!")]).await;
        kit.settled(&first).await;
        kit.settled(&second).await;
        let found = passages(&kit, &[&empty, &first, &second], "Where hangs the key?", 10_000).await.unwrap();
        assert_eq!(found.iter().filter(|one| one.text.contains("key")).count(), 1, "said once");
        assert!(found[0].text.contains("key"));
        let unknown = BaseId("kb_none".into());
        let error = passages(&kit, &[&first, &unknown], "key", 10_000).await.unwrap_err();
        assert!(matches!(error, SourceError::Unusable { code: "unknown_knowledge_base", .. }));
        assert!(error.to_string().contains("kb_none"));
        assert_eq!(passages(&kit, &[&empty], "key", 10_000).await.unwrap(), []);
    });
}

#[test]
fn an_index_that_is_not_ready_is_said_to_be_so() {
    let kit = Kit::new();
    kit.play(async {
        let base = kit.base(None).await;
        kit.held.store(true, Ordering::SeqCst);
        kit.add_chunks(&base, "Facts", &["Hay is dry."]).await;
        let error = passages(&kit, &[&base], "hay", 10_000).await.unwrap_err();
        assert!(matches!(error, SourceError::NotReady { code: "index_not_ready", .. }), "{error}");
        let bases = [base.0.as_str().into()];
        let wait = Some(IndexWait { until: WaitFor::Everything, at_most: Duration::from_secs(3) });
        let question = KnowledgeQuery {
            payer: &payer(),
            bases: &bases,
            query: "hay",
            whole: false,
            max_chars: 100,
            wait,
        };
        let begun = kit.timer.elapsed();
        let found = Grounding(kit.service.clone()).passages(&scope(), question).await.unwrap();
        assert!(found.warnings[0].contains("the search index is at position 0, behind 1"), "{found:?}");
        assert_eq!((found.passages.len(), (kit.timer.elapsed() - begun).as_secs()), (0, 3));
    });
}

#[derive(Debug)]
struct Nothing;

#[async_trait::async_trait]
impl DocumentSource for Nothing {
    async fn read(&self, _: &Scope, _: &str) -> Result<SourceDocument, SourceError> {
        unreachable!("no document is named")
    }
}

#[async_trait::async_trait]
impl MediaStore for Nothing {
    async fn store(&self, _: &Scope, _: &str, _: Media) -> Result<String, StoreError> {
        unreachable!("nothing is made")
    }
}

/// Generation on the bases of the kit, by the built-in model.
fn generation(kit: &Kit) -> GenerateService {
    let own = Arc::new(Extractive);
    let own = Backend { chat: Some(own.clone()), stream: Some(own), ..Backend::default() };
    let models = GenService::builder().provider(Provider::Formwork, own).build();
    let knowledge = Arc::new(Grounding(kit.service.clone()));
    let sources = GeneratePorts { documents: Arc::new(Nothing), knowledge, media: Arc::new(Nothing) };
    GenerateService::new(models, sources, GenerateLimits::default())
}

async fn answer(kit: &Kit, base: &BaseId, prompt: &str) -> gen_core::GenerateAnswer {
    let request = GenerateRequest {
        model_id: "extractive@formwork".into(),
        prompt: prompt.into(),
        knowledge_id: Some(base.0.clone()),
        ..GenerateRequest::default()
    };
    generation(kit).generate(&payer(), request).await.unwrap()
}

#[test]
fn answers_cite_the_passage_they_rest_on_and_say_when_there_is_none() {
    let kit = Kit::new();
    kit.play(async {
        let base = kit.base(None).await;
        let nothing = answer(&kit, &base, "Who keeps the key of the barn?").await;
        assert_eq!(nothing.text, "The given documents do not answer this question.");
        let texts = [
            ("Barn", "# Barn\n\nThe key of the barn is kept by Ada Winter. The barn was built in 1890."),
            ("Mill", "# Mill\n\nThe mill grinds oats on Mondays. Its wheel is of oak."),
        ];
        kit.add(&base, &texts).await;
        kit.settled(&base).await;
        let found = answer(&kit, &base, "Who keeps the key of the barn?").await;
        assert!(found.text.contains("Ada Winter"), "{}", found.text);
        let cited = found.context.iter().find(|item| found.text.contains(&format!("[{}]", item.n))).unwrap();
        assert_eq!((cited.title.as_str(), cited.knowledge_id.as_deref()), ("Barn.md", Some(base.0.as_str())));
        let summary = answer(&kit, &base, "Summarise this").await;
        assert!(summary.text.contains("barn") && summary.text.contains("mill"), "{}", summary.text);
        assert!(summary.text.contains("[1]") && summary.text.contains("[2]"), "{}", summary.text);
        for question in ["What is the capital of Peru?", "How much does a ticket to the moon cost?"] {
            let none = answer(&kit, &base, question).await;
            assert_eq!(none.text, "The given documents do not answer this question.", "{question}");
        }
    });
}
