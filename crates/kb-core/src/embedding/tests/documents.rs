//! The vectors of documents.

use super::*;

#[test]
fn each_text_is_paid_once_however_often_and_wherever_it_stands() {
    let kit = Kit::new();
    let first = chunks(["oak", "elm", "oak", " "].map(str::to_owned));
    kit.embed(&kit.task("a", &first), &first).unwrap();
    assert_eq!(kit.model.texts(), ["Trees\n\noak", "Trees\n\nelm", "Trees\n\n"]);
    let second = chunks(["ash", "elm"].map(str::to_owned));
    let task = kit.task("b", &second);
    kit.embed(&task, &second).unwrap();
    assert_eq!(kit.model.texts()[3..], ["Trees\n\nash"]);
    assert!(kit.has_all(&task, &second));
    kit.embed(&task, &second).unwrap();
    assert_eq!(kit.model.texts().len(), 4);
}

#[test]
fn what_was_paid_before_a_failure_is_kept_and_not_paid_again() {
    let kit = Kit::new();
    let chunks = numbered(1_000);
    let task = kit.task("a", &chunks);
    kit.model.fails(|_, calls| (calls >= 5).then_some(Fault::Overloaded));
    let failure = kit.embed(&task, &chunks).unwrap_err();
    assert_eq!(failure.retryability(), Retryability::MayPass(None));
    let paid = kit.model.texts().len();
    assert_eq!(paid, 5 * 64);
    kit.model.fails(|_, _| None);
    kit.embed(&task, &chunks).unwrap();
    assert!(kit.has_all(&task, &chunks));
    let texts = kit.model.texts();
    let different: std::collections::HashSet<&String> = texts.iter().collect();
    assert_eq!((texts.len(), different.len()), (1_000, 1_000));
}

#[test]
fn calls_under_way_when_one_fails_are_waited_for_and_kept() {
    let kit = Kit::new();
    let chunks = numbered(256);
    let task = kit.task("a", &chunks);
    kit.model.fails(|request, _| request.texts[0].ends_with(" 0").then_some(Fault::Auth));
    assert_eq!(kit.embed(&task, &chunks).unwrap_err().retryability(), Retryability::Lasts);
    assert_eq!(kit.model.texts().len(), 192);
    assert!(kit.has_all(&task, &chunks[64..]));
}

#[test]
fn the_same_texts_at_the_same_time_are_embedded_once() {
    let kit = Kit::new();
    let chunks = numbered(300);
    let tasks: Vec<Task> = (0..6).map(|number| kit.task(&format!("item {number}"), &chunks)).collect();
    let heard = Heard::default();
    let model = model();
    let all = tasks.iter().map(|task| kit.embedder.embed(task, &chunks, &model, &heard));
    block_on(join_all(all)).into_iter().for_each(|done| done.unwrap());
    assert_eq!(kit.model.texts().len(), 300);
}

#[test]
fn who_waits_for_another_embeds_itself_when_that_fails() {
    let kit = Kit::new();
    let chunks = numbered(3);
    let (a, b) = (kit.task("a", &chunks), kit.task("b", &chunks));
    static FAILED: AtomicUsize = AtomicUsize::new(0);
    kit.model.fails(|_, _| (FAILED.fetch_add(1, Ordering::SeqCst) == 0).then_some(Fault::Failed));
    let (heard, model) = (Heard::default(), model());
    let (first, second) = block_on(join(
        kit.embedder.embed(&a, &chunks, &model, &heard),
        kit.embedder.embed(&b, &chunks, &model, &heard),
    ));
    assert!(first.is_err() && second.is_ok());
    assert!(kit.has_all(&b, &chunks));
}

#[test]
fn work_that_is_given_up_lets_others_go_on() {
    let kit = Kit::new();
    let chunks = numbered(3);
    let task = kit.task("a", &chunks);
    let (heard, model) = (Heard::default(), model());
    {
        let mut given_up = Box::pin(kit.embedder.embed(&task, &chunks, &model, &heard));
        let mut context = std::task::Context::from_waker(std::task::Waker::noop());
        assert!(given_up.as_mut().poll(&mut context).is_pending());
    }
    kit.embed(&task, &chunks).unwrap();
    assert!(kit.has_all(&task, &chunks));
}

#[test]
fn batches_are_bounded_and_a_few_are_under_way_at_the_same_time() {
    let kit = Kit::new();
    let mut texts: Vec<String> = (0..400).map(|number| format!("oak {number}")).collect();
    texts.extend((0..10).map(|number| format!("{number} {}", "elm ".repeat(7_900))));
    let chunks = chunks(texts);
    kit.embed(&kit.task("a", &chunks), &chunks).unwrap();
    for call in kit.model.calls.lock().iter() {
        let tokens: usize = call.texts.iter().map(|text| gen_core::estimate_tokens(text)).sum();
        assert!(call.texts.len() <= 64 && tokens <= 16_384, "{} texts, {tokens} tokens", call.texts.len());
    }
    let most = kit.model.most_at_once.load(Ordering::SeqCst);
    assert!((2..=4).contains(&most), "{most}");
}

#[test]
fn a_text_that_the_provider_finds_too_long_is_cut_and_its_neighbours_are_not() {
    let kit = Kit::new();
    let chunks = chunks(["oak".to_owned(), "elm ".repeat(2_000), "ash".to_owned()]);
    let task = kit.task("a", &chunks);
    kit.model.fails(|request, _| {
        let long = request.texts.iter().any(|text| text.len() > 5_000);
        long.then_some(Fault::ContextTooLong)
    });
    kit.embed(&task, &chunks).unwrap();
    assert!(kit.has_all(&task, &chunks));
    let texts = kit.model.texts();
    let longest = texts.iter().map(String::len).max().unwrap();
    assert!(texts.len() == 3 && longest > 3_000, "{longest}");
}

#[test]
fn a_text_that_the_provider_finds_wrong_fails_the_item_after_the_others_are_kept() {
    let kit = Kit::new();
    let chunks = numbered(8);
    let task = kit.task("a", &chunks);
    kit.model.fails(|request, _| {
        request.texts.iter().any(|text| text.ends_with(" 5")).then_some(Fault::InvalidRequest)
    });
    let failure = kit.embed(&task, &chunks).unwrap_err();
    assert_eq!(failure.retryability(), Retryability::Lasts);
    assert_eq!(failure.item_error().code, "provider_invalid_request");
    assert!(kit.has_all(&task, &chunks[..5]));
}

#[test]
fn progress_grows_to_all_chunks_and_who_hears_it_can_end_the_work() {
    let kit = Kit::new();
    let mut chunks = numbered(700);
    chunks.extend(chunks.clone());
    chunks.iter_mut().enumerate().for_each(|(position, chunk)| chunk.position = position as u32);
    let task = kit.task("a", &chunks);
    let heard = Heard::default();
    block_on(kit.embedder.embed(&task, &chunks, &model(), &heard)).unwrap();
    let reports = heard.reports.into_inner();
    assert!(reports.windows(2).all(|pair| pair[0].0 <= pair[1].0) && reports.len() > 5);
    assert_eq!(reports.last(), Some(&(1_400, 1_400)));
    let (kit, heard) = (Kit::new(), Heard { until: Some(1), ..Heard::default() });
    let task = kit.task("a", &chunks);
    let stopped = block_on(kit.embedder.embed(&task, &chunks, &model(), &heard));
    assert!(matches!(stopped, Err(EmbedFailure::Store(StoreError::Stale))));
    assert!(kit.model.calls() <= 4);
}

#[test]
fn the_chunks_that_the_store_has_are_embedded_for_another_model() {
    let kit = Kit::new();
    let chunks = numbered(1_300);
    let task = kit.task("a", &chunks);
    block_on(kit.embedder.embed_stored(&task, &model(), &Heard::default())).unwrap();
    assert_eq!(kit.model.texts().len(), 1_300);
    assert!(kit.has_all(&task, &chunks));
}

#[test]
fn a_model_that_is_not_there_lasts() {
    let kit = Kit::new();
    let chunks = numbered(1);
    let task = kit.task("a", &chunks);
    for name in ["mistral-embed@mistral", "gpt-6-luna@openai", "unknown@formwork"] {
        let model: ModelId = name.parse().unwrap();
        let failure = block_on(kit.embedder.embed(&task, &chunks, &model, &Heard::default())).unwrap_err();
        assert_eq!(failure.retryability(), Retryability::Lasts, "{name}");
    }
}

/// Takes half an hour for each report, and loses all vectors at the first end.
struct Slow<'a>(&'a Kit, AtomicUsize);

#[async_trait::async_trait]
impl Progress for Slow<'_> {
    async fn report(&self, done: u64, total: u64) -> Result<(), EmbedFailure> {
        if self.1.fetch_add(1, Ordering::SeqCst) < 3 {
            *self.0.timer.0.lock() += Duration::from_secs(30 * 60);
        }
        if done == total && self.1.load(Ordering::SeqCst) == 3 {
            let kind = VectorKind { workspace: scope().workspace, model: MODEL.to_owned() };
            let names = self.0.store.names(&kind, None, 99).await?;
            for later in [0, 1] {
                self.0.store.discard(&kind, &names, now().plus_seconds(later), now()).await?;
            }
        }
        Ok(())
    }
}

#[test]
fn an_attempt_of_hours_ends_with_all_its_vectors_though_some_went_meanwhile() {
    let kit = Kit::new();
    // Each is a call of its own.
    let chunks = chunks((0..2).map(|at| format!("{at} {}", "w".repeat(60_000))));
    let task = kit.task("one", &chunks);
    let slow = Slow(&kit, AtomicUsize::new(0));
    block_on(kit.embedder.embed(&task, &chunks, &model(), &slow)).unwrap();
    assert!(kit.has_all(&task, &chunks));
    assert_eq!(kit.model.texts().len(), 4, "both were lost, and made once more");
}

#[test]
fn vectors_that_cannot_be_compared_are_a_failure_that_lasts() {
    let kit = Kit::new();
    let mixed = chunks(["oak", "less"].map(str::to_owned));
    let failure = kit.embed(&kit.task("a", &mixed), &mixed).unwrap_err();
    assert_eq!(failure.retryability(), Retryability::Lasts);
    assert_eq!(failure.item_error().code, "provider_protocol");
    assert_eq!(failure.to_string(), "the embedding model returned vectors of 2 and of 1 dimensions");
}
