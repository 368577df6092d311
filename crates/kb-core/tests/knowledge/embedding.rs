//! Vectors of what was added.

use std::sync::atomic::Ordering;
use std::time::Duration;

use kb_core::{ItemStatus, Mode, SearchRequest};
use shared_core::Timer as _;

use crate::ingest::sections;
use crate::kit::{Kit, MODEL, OTHER, asking, scope};

#[test]
fn ready_made_chunks_are_embedded_as_they_are() {
    let kit = Kit::new();
    kit.play(async {
        let base = kit.base(Some(MODEL)).await;
        let item = kit.add_chunks(&base, "Facts", &["Hay is dry.", "Slate is grey."]).await;
        assert_eq!(item.status, ItemStatus::Queued);
        kit.settled(&base).await;
        let item = kit.item(&item.id).await;
        assert_eq!((item.status, item.chunks, item.embedded.as_deref()), (ItemStatus::Ready, 2, Some(MODEL)));
        assert_eq!(kit.texts(&item.id).await, ["Hay is dry.", "Slate is grey."]);
        assert_eq!(kit.parser.calls.load(Ordering::SeqCst), 0);
    });
}

#[test]
fn with_another_model_everything_is_embedded_anew_and_nothing_is_parsed_again() {
    let kit = Kit::new();
    kit.play(async {
        let base = kit.base(None).await;
        kit.add(&base, &[("Barn", &sections(3, "barn")), ("Mill", &sections(3, "mill"))]).await;
        kit.add_chunks(&base, "Facts", &["Hay is dry."]).await;
        let parsed = kit.settled(&base).await.counts;
        kit.wants(&base, Some(MODEL)).await;
        while kit.look(&base).await.serving.is_none() {
            kit.timer.sleep(Duration::from_millis(100)).await;
        }
        let now = kit.look(&base).await;
        assert_eq!((now.counts, now.serving.as_deref()), (parsed, Some(MODEL)));
        assert_eq!(kit.model.texts.lock().len() as u64, parsed.chunks);
        assert_eq!(kit.parser.calls.load(Ordering::SeqCst), 2);
        let found = kit.search(&base, asking("hay is dry")).await;
        assert!(found[0].semantic.is_some() && found[0].lexical.is_some());
    });
}

#[test]
fn what_gets_no_vectors_says_so_and_is_found_by_words_until_it_is_tried_again() {
    let kit = Kit::new();
    kit.play(async {
        let base = kit.base(Some(MODEL)).await;
        kit.model.unpaid.store(true, Ordering::SeqCst);
        let doc = kit.add(&base, &[("Barn", &sections(3, "barn"))]).await.remove(0);
        let facts = kit.add_chunks(&base, "Facts", &["Hay is dry.", "Slate is grey."]).await;
        kit.settled(&base).await;
        for id in [&doc.id, &facts.id] {
            assert_eq!(kit.status(id).await, (ItemStatus::Failed, Some("provider_billing".into())));
        }
        assert_eq!(kit.look(&base).await.counts.chunks, 5);
        let by_words = |query| SearchRequest { mode: Some(Mode::Lexical), ..asking(query) };
        assert_eq!(kit.search(&base, by_words("barn part 2 line 7")).await[0].item, doc.id);
        assert_eq!(kit.search(&base, by_words("slate")).await[0].chunk.text, "Slate is grey.");

        kit.model.unpaid.store(false, Ordering::SeqCst);
        for id in [&doc.id, &facts.id] {
            kit.service.retry(&scope(), id).await.unwrap();
            assert_eq!(kit.search(&base, by_words("barn slate")).await.len(), 4, "it is found meanwhile");
        }
        let base = kit.settled(&base).await;
        assert_eq!((base.counts.ready, base.counts.chunks, base.serving.as_deref()), (2, 5, Some(MODEL)));
        let found = kit.search(&base.id, asking("slate is grey")).await;
        assert!(found[0].semantic.is_some());
    });
}

#[test]
fn a_model_that_cannot_be_paid_lets_the_base_go_on_and_the_next_one_gets_what_failed() {
    let kit = Kit::new();
    kit.play(async {
        let base = kit.base(None).await;
        let item = kit.add(&base, &[("Barn", &sections(3, "barn"))]).await.remove(0);
        kit.settled(&base).await;
        kit.model.unpaid.store(true, Ordering::SeqCst);
        kit.wants(&base, Some(MODEL)).await;
        while kit.look(&base).await.counts.failed == 0 {
            kit.timer.sleep(Duration::from_millis(100)).await;
        }
        assert_eq!(kit.status(&item.id).await, (ItemStatus::Failed, Some("provider_billing".into())));
        assert_eq!(kit.look(&base).await.serving.as_deref(), Some(MODEL));
        assert_eq!(
            kit.search(&base, SearchRequest { mode: Some(Mode::Lexical), ..asking("barn") }).await.len(),
            3
        );

        kit.wants(&base, None).await;
        kit.settled(&base).await;
        assert_eq!(kit.status(&item.id).await, (ItemStatus::Ready, None), "no vectors, no failure");

        kit.wants(&base, Some(MODEL)).await;
        while kit.look(&base).await.counts.failed == 0 {
            kit.timer.sleep(Duration::from_millis(100)).await;
        }
        kit.model.unpaid.store(false, Ordering::SeqCst);
        kit.wants(&base, Some(OTHER)).await;
        let now = kit.settled(&base).await;
        assert_eq!((now.counts.ready, now.serving.as_deref()), (1, Some(OTHER)));
        assert_eq!(kit.item(&item.id).await.embedded.as_deref(), Some(OTHER));
    });
}
