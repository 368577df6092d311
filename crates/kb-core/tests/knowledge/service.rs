//! Bases and items: a failure leaves nothing behind, and the rest of the process is notified of changes.

use std::collections::HashMap;
use std::sync::atomic::Ordering;

use files_core::FileId;
use futures_util::StreamExt as _;
use kb_core::{
    BaseEvent, ItemId, ItemStatus, ItemUpdate, KnowledgeError, NewData, NewPassage, NewText, SourceDeletion,
};
use shared_core::{DomainError as _, StoreError};

use crate::faults::Fails;
use crate::kit::{Kit, MODEL, payer, scope};

fn text(content: &str) -> NewData {
    let text = NewText { title: "t".into(), content: content.into(), ..NewText::default() };
    NewData { texts: vec![text], ..NewData::default() }
}

/// Number of unreferenced contents.
async fn orphans(kit: &Kit) -> u64 {
    kit.files.sweep(0).await.unwrap()
}

#[test]
fn a_store_that_fails_leaves_no_bytes_of_what_was_to_be_added_or_replaced() {
    let kit = Kit::new();
    kit.play(async {
        let base = kit.base(None).await;
        kit.items.fail("add", 1, Fails::Away);
        let refused = kit.service.add(&payer(), &base, text("never stored")).await;
        assert!(matches!(refused, Err(KnowledgeError::Store(_))), "{refused:?}");
        assert_eq!((orphans(&kit).await, kit.look(&base).await.counts.items()), (0, 0));

        let item = kit.service.add(&payer(), &base, text("the first words")).await.unwrap().remove(0);
        kit.settled(&base).await;
        kit.items.fail("update", 1, Fails::Away);
        let update = ItemUpdate { content: Some("other words".into()), ..ItemUpdate::default() };
        assert!(kit.service.update_item(&scope(), &item.id, update).await.is_err());
        assert_eq!(orphans(&kit).await, 0);
        let (item, chunks) = kit.service.item_with_chunks(&scope(), &item.id).await.unwrap();
        assert_eq!((item.status, item.text_of(&chunks).trim()), (ItemStatus::Ready, "the first words"));
    });
}

#[test]
fn contents_go_with_the_last_who_refers_to_them() {
    let kit = Kit::new();
    kit.play(async {
        let (one, two) = (kit.base(None).await, kit.base(None).await);
        for base in [&one, &two] {
            kit.service.add(&payer(), base, text("shared words")).await.unwrap();
        }
        let own = kit.service.add(&payer(), &one, text("own words")).await.unwrap().remove(0);
        let update = ItemUpdate { content: Some("newer words".into()), ..ItemUpdate::default() };
        kit.service.update_item(&scope(), &own.id, update).await.unwrap();
        assert_eq!(orphans(&kit).await, 0, "the replaced content was not removed");
        kit.service.delete(&scope(), &one).await.unwrap();
        assert_eq!(orphans(&kit).await, 0, "contents of the deleted base were not removed");
        kit.settled(&two).await;
        let all = SourceDeletion { all: true, ..SourceDeletion::default() };
        assert_eq!(kit.service.delete_sources(&scope(), &two, all).await.unwrap().count, 1);
        assert_eq!(orphans(&kit).await, 0);
    });
}

#[test]
fn unknown_files_are_all_named_and_nothing_is_added() {
    let kit = Kit::new();
    kit.play(async {
        let base = kit.base(None).await;
        let known = kit.file("a.txt", "words").await.id;
        let files = [known, FileId(98), FileId(99)].map(Into::into).to_vec();
        let refused =
            kit.service.add(&payer(), &base, NewData { files, ..text("beside") }).await.unwrap_err();
        let places: Vec<&str> = refused.violations().iter().map(|one| one.path.as_str()).collect();
        assert_eq!((refused.code(), places), ("file_not_found", vec!["/file_ids/1", "/file_ids/2"]));
        assert_eq!((kit.look(&base).await.counts.items(), orphans(&kit).await), (0, 0));
        // Another workspace's file is as unknown.
        let mut stranger = payer();
        stranger.scope.workspace.0 = "other".into();
        let data = NewData { files: vec![known.into()], ..NewData::default() };
        let refused = kit.service.add(&stranger, &base, data).await.unwrap_err();
        assert_eq!(refused.code(), "knowledge_base_not_found");
    });
}

#[test]
fn each_item_is_told_of_when_its_state_changes_and_many_at_once_by_the_last_of_them() {
    let kit = Kit::new();
    kit.play(async {
        let base = kit.base(None).await;
        kit.add(&base, &[("Old", "Hay is dry.")]).await;
        kit.settled(&base).await;
        let texts: Vec<(String, String)> =
            (0..300).map(|n| (format!("t{n}"), format!("words {n}"))).collect();
        let texts: Vec<(&str, &str)> = texts.iter().map(|(a, b)| (a.as_str(), b.as_str())).collect();
        kit.add(&base, &texts).await;
        let now = kit.look(&base).await;
        let mut events = std::pin::pin!(kit.service.events(&scope(), now));
        let (mut in_a_row, mut told) = (0, HashMap::new());
        while let Some(event) = events.next().await {
            match event.unwrap() {
                BaseEvent::Item(item) => {
                    let state = (item.status, item.progress);
                    assert_ne!(told.insert(item.name, state), Some(state), "nothing is told twice");
                    in_a_row += 1;
                    assert!(in_a_row <= 100);
                }
                BaseEvent::Progress(_) | BaseEvent::End(_) => in_a_row = 0,
            }
        }
        assert!(!told.is_empty() && !told.contains_key("Old.md"), "{told:?}");
    });
}

#[test]
fn the_work_on_a_base_is_told_until_nothing_is_left() {
    let kit = Kit::new();
    kit.play(async {
        let base = kit.base(None).await;
        kit.service.add(&payer(), &base, text("some words")).await.unwrap();
        let now = kit.look(&base).await;
        let events: Vec<_> = kit.service.events(&scope(), now).collect().await;
        let last = events.last().unwrap();
        assert!(matches!(last, Ok(BaseEvent::End(base)) if base.counts.ready == 1), "{events:?}");
        let before = &events[..events.len() - 1];
        assert!(!before.iter().any(|event| matches!(event, Ok(BaseEvent::End(_)) | Err(_))), "{events:?}");
        let unknown = kit.service.retry(&scope(), &ItemId("none".into())).await;
        assert!(matches!(unknown, Err(KnowledgeError::ItemNotFound)));
    });
}

#[test]
fn long_texts_are_hashed_and_cut_by_the_workers_and_short_ones_at_once() {
    let kit = Kit::new();
    kit.play(async {
        let base = kit.base(Some(MODEL)).await;
        let jobs = || kit.workers.jobs.swap(0, Ordering::SeqCst);
        kit.add_chunks(&base, "Short", &["Hay is dry."]).await;
        kit.settled(&base).await;
        assert_eq!(jobs(), 0);
        let long: Vec<String> = (0..12).map(|at| format!("{at} {}", "hay ".repeat(24_000))).collect();
        let item = kit.add_chunks(&base, "Long", &long.iter().map(String::as_str).collect::<Vec<_>>()).await;
        assert_eq!(jobs(), 1);
        kit.settled(&base).await;
        assert_eq!((jobs(), kit.status(&item.id).await.0), (1, ItemStatus::Ready));
        assert_eq!(kit.texts(&item.id).await, long);
        let there = kit.add_chunks(&base, "Long", &long.iter().map(String::as_str).collect::<Vec<_>>()).await;
        assert_eq!(there.id, item.id);
    });
}

#[test]
fn workers_that_are_gone_leave_nothing_of_what_was_to_be_added() {
    let kit = Kit::new();
    kit.play(async {
        let base = kit.base(None).await;
        kit.workers.gone.store(true, Ordering::SeqCst);
        let content = "hay ".repeat(24_000);
        let passage = NewPassage { title: "t".into(), content, ..NewPassage::default() };
        let data = NewData { chunks: vec![passage; 12], ..text("beside them") };
        let refused = kit.service.add(&payer(), &base, data).await;
        assert!(matches!(refused, Err(KnowledgeError::Store(StoreError::Unavailable(_)))), "{refused:?}");
        assert_eq!((orphans(&kit).await, kit.look(&base).await.counts.items()), (0, 0));
    });
}
