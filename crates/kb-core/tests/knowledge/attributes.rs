//! What is said about entries: external ids, meta and expiry.

use std::sync::atomic::Ordering;
use std::time::Duration;

use kb_core::{
    BaseId, EntryAttributes, FileEntry, Item, ItemFilter, ItemStatus, ItemUpdate, KnowledgeError, NewData,
    NewPassage, NewText,
};
use serde_json::{Map, Value, json};
use shared_core::{DomainError as _, PageRequest, Timer as _, Timestamp};

use crate::kit::{Kit, MODEL, asking, payer, scope};

/// When the clock of the kit starts, in microseconds since 1970.
const START: i64 = 1_700_000_000_000_000;

fn object(meta: &Value) -> Map<String, Value> {
    meta.as_object().cloned().unwrap_or_default()
}

fn owned(id: &str, meta: &Value) -> EntryAttributes {
    EntryAttributes { external_id: Some(id.into()), meta: object(meta), expires: None }
}

/// What ends this many seconds after the start of the clock.
fn until(seconds: i64) -> EntryAttributes {
    let expires = Timestamp::from_micros(START + seconds * 1_000_000);
    EntryAttributes { expires, ..EntryAttributes::default() }
}

fn text(title: &str, content: &str, attributes: EntryAttributes) -> NewData {
    let text = NewText { title: title.into(), content: content.into(), attributes };
    NewData { texts: vec![text], ..NewData::default() }
}

async fn add(kit: &Kit, base: &BaseId, data: NewData) -> Item {
    kit.service.add(&payer(), base, data).await.unwrap().remove(0)
}

#[test]
fn an_entry_replaces_the_text_with_its_id_and_an_equal_one_costs_nothing() {
    let kit = Kit::new();
    kit.play(async {
        let base = kit.base(Some(MODEL)).await;
        let entry = |content: &str, meta| text("Hay", content, owned("cms/1", &meta));
        let first = add(&kit, &base, entry("Hay is dry.", json!({"v": 1}))).await;
        kit.settled(&base).await;
        let (parsed, embedded) = (kit.parser.calls.load(Ordering::SeqCst), kit.model.texts.lock().len());
        let latest = kit.latest().await;
        let same = add(&kit, &base, entry("Hay is dry.", json!({"v": 1}))).await;
        assert_eq!((&same.id, same.status), (&first.id, ItemStatus::Ready));
        kit.settled(&base).await;
        assert_eq!(kit.latest().await, latest, "nothing has changed");
        let labelled = add(&kit, &base, entry("Hay is dry.", json!({"v": 2}))).await;
        assert_eq!((&labelled.id, labelled.status), (&first.id, ItemStatus::Ready));
        let counted = (kit.parser.calls.load(Ordering::SeqCst), kit.model.texts.lock().len());
        assert_eq!(counted, (parsed, embedded), "neither parsed nor embedded again");
        assert_eq!(kit.search(&base, asking("hay")).await[0].meta, object(&json!({"v": 2})));

        let second = add(&kit, &base, entry("Hay is golden.", json!({"v": 3}))).await;
        assert_eq!((&second.id, second.status), (&first.id, ItemStatus::Queued));
        assert_eq!(kit.search(&base, asking("hay")).await[0].chunk.text, "Hay is dry.", "until then");
        let settled = kit.settled(&base).await;
        let found = kit.search(&base, asking("hay")).await;
        assert_eq!((found.len(), found[0].chunk.text.as_str()), (1, "Hay is golden."));
        assert_eq!((settled.counts.items(), settled.counts.chunks), (1, 1));
        assert_eq!(kit.files.sweep(0).await.unwrap(), 0, "the replaced text is gone");
        // A change by its id keeps the item that of its external id.
        let update = ItemUpdate { meta: Some(object(&json!({"v": 4}))), ..ItemUpdate::default() };
        kit.service.update_item(&scope(), &first.id, update).await.unwrap();
        let back = add(&kit, &base, entry("Hay is golden.", json!({"v": 3}))).await;
        assert_eq!((&back.id, &back.meta), (&first.id, &object(&json!({"v": 3}))));
        assert_eq!(kit.look(&base).await.counts.items(), 1);
    });
}

#[test]
fn chunks_with_an_id_are_replaced_at_once_and_known_texts_are_not_embedded_again() {
    let kit = Kit::new();
    kit.play(async {
        let base = kit.base(Some(MODEL)).await;
        let entry = |texts: &[&str]| {
            let passage = |text: &&str| NewPassage {
                title: "Facts".into(),
                content: (*text).into(),
                page: None,
                attributes: owned("facts", &json!({})),
            };
            NewData { chunks: texts.iter().map(passage).collect(), ..NewData::default() }
        };
        let first = add(&kit, &base, entry(&["Hay is dry.", "Slate is grey."])).await;
        kit.settled(&base).await;
        let embedded = kit.model.texts.lock().len();
        let second = add(&kit, &base, entry(&["Slate is grey.", "Oats are gold."])).await;
        assert_eq!(second.id, first.id);
        kit.settled(&base).await;
        assert_eq!(kit.texts(&first.id).await, ["Slate is grey.", "Oats are gold."]);
        assert_eq!(kit.model.texts.lock().len(), embedded + 1);
        assert_eq!(kit.search(&base, asking("oats are gold")).await[0].chunk.position, 1);
        assert!(kit.search(&base, asking("hay")).await.iter().all(|one| !one.chunk.text.contains("Hay")));
    });
}

#[test]
fn the_same_file_with_another_meta_or_id_is_an_item_of_its_own_and_is_parsed_once() {
    let kit = Kit::new();
    kit.play(async {
        let base = kit.base(Some(MODEL)).await;
        let file = kit.file("hay.txt", "Hay is dry.").await.id;
        let entry = |attributes| FileEntry { id: file, attributes };
        let meta = |meta| EntryAttributes { meta: object(&meta), ..EntryAttributes::default() };
        let files = vec![
            file.into(),
            entry(meta(json!({"team": "a", "n": 1}))),
            entry(meta(json!({"n": 1, "team": "a"}))),
            entry(meta(json!({"team": "b"}))),
            entry(owned("x", &json!({"team": "b"}))),
        ];
        let shared = meta(json!({}));
        let data = NewData { files, shared, ..NewData::default() };
        let items = kit.service.add(&payer(), &base, data.clone()).await.unwrap();
        assert_eq!(items[1].id, items[2].id);
        assert_eq!(kit.settled(&base).await.counts.items(), 4);
        assert_eq!(kit.parser.calls.load(Ordering::SeqCst), 1);
        assert_eq!(kit.model.texts.lock().len(), 1);
        let again = kit.service.add(&payer(), &base, data).await.unwrap();
        let ids = |items: &[Item]| items.iter().map(|item| item.id.clone()).collect::<Vec<_>>();
        assert_eq!(ids(&again), ids(&items));
        let mut request = asking("hay");
        request.filter = Some(json!({"team": "b"}));
        assert_eq!(kit.search(&base, request).await.len(), 2);
        // A change of the meta makes it the item of the content with that meta.
        let update = ItemUpdate { meta: Some(object(&json!({"team": "c"}))), ..ItemUpdate::default() };
        kit.service.update_item(&scope(), &items[1].id, update).await.unwrap();
        let data = NewData { files: vec![entry(meta(json!({"team": "c"})))], ..NewData::default() };
        assert_eq!(add(&kit, &base, data).await.id, items[1].id);
        // That of a file whose meta is no part of what it is does not.
        kit.service.set_meta(&scope(), &items[0].id, object(&json!({"team": "d"}))).await.unwrap();
        let data = NewData { files: vec![file.into()], ..NewData::default() };
        assert_eq!(add(&kit, &base, data).await.id, items[0].id);
    });
}

#[test]
fn what_the_request_says_counts_where_an_entry_says_nothing() {
    let kit = Kit::new();
    kit.play(async {
        let base = kit.base(None).await;
        let shared = EntryAttributes { meta: object(&json!({"a": 1, "b": {"c": 1}})), ..until(90) };
        let own = EntryAttributes { meta: object(&json!({"b": 2, "d": 3})), ..until(50) };
        let mut data = text("one", "Hay is dry.", own);
        data.texts.extend(text("two", "Slate is grey.", EntryAttributes::default()).texts);
        let items = kit.service.add(&payer(), &base, NewData { shared, ..data }).await.unwrap();
        assert_eq!(items[0].meta, object(&json!({"a": 1, "b": 2, "d": 3})));
        assert_eq!(items[1].meta, object(&json!({"a": 1, "b": {"c": 1}})));
        assert_eq!((items[0].expires, items[1].expires), (until(50).expires, until(90).expires));
    });
}

#[test]
fn what_has_expired_is_found_by_nothing_before_it_is_removed_and_then_leaves_nothing() {
    let kit = Kit::new();
    kit.play(async {
        let base = kit.base(None).await;
        let item = add(&kit, &base, text("Hay", "Hay is dry.", until(60))).await;
        add(&kit, &base, text("Slate", "Slate is grey, and no hay.", EntryAttributes::default())).await;
        kit.settled(&base).await;
        let titles = async || -> Vec<String> {
            kit.search(&base, asking("hay")).await.into_iter().map(|hit| hit.title).collect()
        };
        assert_eq!(titles().await.len(), 2);
        kit.timer.sleep(Duration::from_secs(61)).await;
        assert_eq!(titles().await, ["Slate"]);
        let update = ItemUpdate { expires: Some(None), ..ItemUpdate::default() };
        let refused = kit.service.update_item(&scope(), &item.id, update).await;
        assert!(matches!(refused, Err(KnowledgeError::ItemNotFound)));
        let filter = ItemFilter { base: Some(base.clone()), ..ItemFilter::default() };
        let listed =
            async || kit.service.items(&scope(), &filter, &PageRequest::first(9)).await.unwrap().items.len();
        assert_eq!((listed().await, kit.look(&base).await.counts.items()), (1, 2));
        assert_eq!(kit.service.sweep_expired().await.unwrap(), 1);
        assert_eq!(kit.service.sweep_expired().await.unwrap(), 0);
        assert_eq!((titles().await, listed().await), (vec!["Slate".to_owned()], 1));
        assert_eq!(kit.look(&base).await.counts.items(), 1);
        assert_eq!(kit.files.sweep(0).await.unwrap(), 0, "its text is gone");
    });
}

#[test]
fn an_expiry_moves_by_a_change_and_by_another_addition() {
    let kit = Kit::new();
    kit.play(async {
        let base = kit.base(None).await;
        let item = add(&kit, &base, text("Hay", "Hay is dry.", until(60))).await;
        kit.settled(&base).await;
        let past = ItemUpdate { expires: Some(until(-1).expires), ..ItemUpdate::default() };
        let refused = kit.service.update_item(&scope(), &item.id, past).await.unwrap_err();
        assert_eq!(refused.violations()[0].path, "/expires");
        let later = ItemUpdate { expires: Some(until(120).expires), ..ItemUpdate::default() };
        let changed = kit.service.update_item(&scope(), &item.id, later).await.unwrap();
        assert_eq!((changed.expires, changed.status), (until(120).expires, ItemStatus::Ready));
        kit.timer.sleep(Duration::from_secs(61)).await;
        assert_eq!(
            (kit.service.sweep_expired().await.unwrap(), kit.search(&base, asking("hay")).await.len()),
            (0, 1)
        );
        kit.timer.sleep(Duration::from_secs(60)).await;
        assert!(kit.search(&base, asking("hay")).await.is_empty());
        let again = add(&kit, &base, text("Hay", "Hay is dry.", EntryAttributes::default())).await;
        assert_eq!((&again.id, again.expires), (&item.id, None));
        assert_eq!(
            (kit.service.sweep_expired().await.unwrap(), kit.search(&base, asking("hay")).await.len()),
            (0, 1)
        );
    });
}

#[test]
fn an_external_id_twice_in_a_request_is_refused_and_nothing_is_stored() {
    let kit = Kit::new();
    kit.play(async {
        let base = kit.base(None).await;
        let mut data = text("one", "Hay.", owned("x", &json!({})));
        data.texts.extend(text("two", "Slate.", owned("x", &json!({}))).texts);
        let refused = kit.service.add(&payer(), &base, data).await.unwrap_err();
        let places: Vec<&str> = refused.violations().iter().map(|one| one.path.as_str()).collect();
        assert_eq!((refused.code(), places), ("validation_failed", vec!["/texts/1/externalId"]));
        assert_eq!(kit.look(&base).await.counts.items(), 0);
    });
}
