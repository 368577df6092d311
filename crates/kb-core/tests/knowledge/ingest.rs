//! From what was added to chunks that can be found.

use std::sync::atomic::Ordering;
use std::time::Duration;

use futures_util::future::join_all;
use kb_core::{ItemStatus, ItemUpdate, NewData, Source};
use shared_core::Timer as _;

use crate::faults::Fails;
use crate::kit::{Kit, MODEL, asking, payer, scope};

/// A text of some sections, each as long as a chunk.
pub(crate) fn sections(count: usize, about: &str) -> String {
    let section = |at: usize| {
        let sentences: String = (0..18)
            .map(|line| format!("The {about} of part {at} has its line {line} in the book. "))
            .collect();
        format!("## {about} {at}\n\n{sentences}\n\n")
    };
    format!("# About {about}\n\n{}", (0..count).map(section).collect::<String>())
}

#[test]
fn a_text_becomes_chunks_that_are_found_with_their_headings_and_language() {
    let kit = Kit::new();
    kit.play(async {
        let base = kit.base(None).await;
        let item = kit.add(&base, &[("Barn", &sections(4, "barn"))]).await.remove(0);
        assert_eq!(item.status, ItemStatus::Queued);
        let base = kit.settled(&base).await;
        assert_eq!((base.counts.ready, base.languages.as_slice()), (1, ["en".to_owned()].as_slice()));
        let item = kit.item(&item.id).await;
        assert_eq!((item.status, item.chunks, item.embedded), (ItemStatus::Ready, 4, None));
        assert_eq!(kit.texts(&item.id).await.concat(), sections(4, "barn").trim_end());
        let found = kit.search(&base.id, asking("line 7 of part 2")).await;
        assert!(found[0].chunk.text.starts_with("## barn 2"));
        assert_eq!(found[0].chunk.heading, "About barn");
    });
}

#[test]
fn what_was_read_in_part_is_found_and_says_so_with_other_vectors_too() {
    let kit = Kit::new();
    kit.play(async {
        let base = kit.base(None).await;
        let item = kit.add(&base, &[("Barn", "endless barns")]).await.remove(0).id;
        kit.settled(&base).await;
        let in_part = (ItemStatus::Ready, Some("document_in_part".to_owned()));
        assert_eq!(kit.status(&item).await, in_part);
        assert_eq!(kit.titles(&base, asking("barns")).await, ["Barn"]);
        kit.wants(&base, Some(MODEL)).await;
        while kit.item(&item).await.embedded.is_none() {
            kit.timer.sleep(Duration::from_millis(200)).await;
        }
        assert_eq!(kit.status(&item).await, in_part);
        let whole = ItemUpdate { content: Some("Barns.".into()), ..ItemUpdate::default() };
        kit.service.update_item(&scope(), &item, whole).await.unwrap();
        kit.settled(&base).await;
        assert_eq!(kit.status(&item).await, (ItemStatus::Ready, None));
    });
}

#[test]
fn the_same_content_many_times_at_once_is_parsed_once_and_is_one_item() {
    let kit = Kit::new();
    kit.play(async {
        let base = kit.base(Some(MODEL)).await;
        let text = sections(3, "mill");
        let texts = [("Mill", text.as_str())];
        let added = join_all((0..40).map(|_| kit.add(&base, &texts))).await;
        let first = &added[0][0];
        assert!(added.iter().all(|items| items[0].id == first.id));
        let base = kit.settled(&base).await;
        assert_eq!((base.counts.items(), base.counts.ready), (1, 1));
        assert_eq!(kit.parser.calls.load(Ordering::SeqCst), 1);
        let texts = kit.model.texts.lock().clone();
        assert_eq!(texts.len() as u64, base.counts.chunks, "each text is paid once");
        let other = kit.base(Some(MODEL)).await;
        kit.add(&other, &[("Mill", &text)]).await;
        kit.settled(&other).await;
        assert_eq!(kit.parser.calls.load(Ordering::SeqCst), 1, "another base has it from what was parsed");
        assert_eq!(kit.model.texts.lock().len(), texts.len());
    });
}

#[test]
fn replacing_one_of_a_hundred_files_changes_its_chunks_alone_and_embeds_what_is_new() {
    let kit = Kit::new();
    kit.play(async {
        let base = kit.base(Some(MODEL)).await;
        let texts: Vec<(String, String)> =
            (0..100).map(|at| (format!("t{at}"), sections(3, &format!("topic{at}")))).collect();
        let texts: Vec<(&str, &str)> = texts.iter().map(|(title, text)| (&**title, &**text)).collect();
        let items = kit.add(&base, &texts).await;
        assert_eq!(kit.settled(&base).await.counts.ready, 100);
        let before = kit.latest().await;
        kit.model.taken();

        let chosen = &items[42];
        let text = sections(3, "topic42").replace("part 1", "wing 1");
        let update = ItemUpdate { content: Some(text.clone()), ..ItemUpdate::default() };
        let replaced = kit.service.update_item(&scope(), &chosen.id, update).await.unwrap();
        assert_eq!(replaced.status, ItemStatus::Queued);
        let old = kit.search(&base, asking("topic42 part 1")).await;
        assert_eq!(old[0].item, chosen.id, "what it was is found until the new is ready");
        kit.settled(&base).await;

        let changed = kit.latest().await;
        assert_eq!(changed, before + 2, "one change for the index of words and one for that of vectors");
        let embedded = kit.model.taken();
        let new: Vec<&String> = embedded.iter().filter(|text| text.contains("line")).collect();
        assert!(new.len() == 1 && new[0].contains("wing 1"), "{new:?}");
        assert_eq!(kit.texts(&chosen.id).await.concat(), text.trim_end());
        assert_eq!(kit.search(&base, asking("wing")).await[0].item, chosen.id);
    });
}

#[test]
fn a_deleted_file_leaves_its_item_and_its_content_with_the_base() {
    let kit = Kit::new();
    kit.play(async {
        let base = kit.base(None).await;
        let file = kit.file("hay.md", "# Hay\n\nIt is dry.").await;
        let data = NewData { files: vec![file.id.into()], ..NewData::default() };
        let item = kit.service.add(&payer(), &base, data).await.unwrap().remove(0);
        kit.files.delete(&scope(), file.id).await.unwrap();
        kit.settled(&base).await;
        assert_eq!(kit.status(&item.id).await, (ItemStatus::Ready, None));
        let document = kit.service.read_item(&scope(), &kit.item(&item.id).await).await.unwrap().unwrap();
        assert_eq!(document.text, "# Hay\n\nIt is dry.");
        let mut stranger = scope();
        stranger.workspace.0.push('x');
        assert!(kit.service.read_item(&stranger, &item).await.unwrap().is_none());
    });
}

#[test]
fn a_bad_document_fails_at_once_with_its_reason_and_can_be_tried_again() {
    let kit = Kit::new();
    kit.play(async {
        let base = kit.base(None).await;
        let file = kit.file("broken.pdf", "%PDF-1.7\nnothing").await;
        let data = NewData { files: vec![file.id.into()], ..NewData::default() };
        let item = kit.service.add(&payer(), &base, data).await.unwrap().remove(0);
        kit.settled(&base).await;
        let (status, code) = kit.status(&item.id).await;
        assert_eq!(status, ItemStatus::Failed);
        assert!(code.unwrap().starts_with("document_"));
        assert_eq!(kit.parser.calls.load(Ordering::SeqCst), 1);
        kit.service.retry(&scope(), &item.id).await.unwrap();
        assert_eq!(kit.settled(&base).await.counts.failed, 1);
    });
}

fn of_web(urls: &[&str]) -> NewData {
    NewData { urls: urls.iter().map(|url| (*url).to_owned().into()).collect(), ..NewData::default() }
}

#[test]
fn a_page_of_the_web_is_got_once_and_its_bytes_are_kept() {
    let kit = Kit::new();
    let url = "https://elsewhere.example/hay";
    kit.web.put(url, "hay.md", "# Hay\n\nIt is dry.");
    kit.play(async {
        let base = kit.base(None).await;
        let item = kit.service.add(&payer(), &base, of_web(&[url, url])).await.unwrap().remove(1);
        assert_eq!((item.status, item.name.as_str(), &item.content), (ItemStatus::Queued, url, &None));
        kit.settled(&base).await;
        let ready = kit.item(&item.id).await;
        assert_eq!((ready.status, ready.name.as_str(), ready.bytes), (ItemStatus::Ready, "hay.md", 17));
        assert_eq!((ready.source, kit.web.asked()), (Source::Web { url: url.to_owned() }, 1));
        assert_eq!(kit.search(&base, asking("dry")).await.len(), 1);

        // With other chunking settings the stored original is chunked again.
        let document = kit.service.read_item(&scope(), &kit.item(&item.id).await).await.unwrap().unwrap();
        assert_eq!((document.text.as_str(), kit.web.asked()), ("# Hay\n\nIt is dry.", 1));
        let content = ready.content.unwrap();
        assert!(kit.files.open_blob(&content.blob).await.is_ok());
        kit.service.delete_item(&scope(), &item.id).await.unwrap();
        assert!(kit.files.open_blob(&content.blob).await.is_err(), "nobody refers to it any more");
    });
}

#[test]
fn a_page_that_cannot_be_had_for_now_is_tried_again_and_one_that_is_refused_is_not() {
    let kit = Kit::new();
    let (slow, gone) = ("https://elsewhere.example/slow", "https://elsewhere.example/gone");
    kit.web.put(slow, "slow.txt", "At last.");
    kit.web.failing.lock().insert(slow.to_owned(), 2);
    kit.play(async {
        let base = kit.base(None).await;
        let items = kit.service.add(&payer(), &base, of_web(&[slow, gone])).await.unwrap();
        kit.settled(&base).await;
        assert_eq!(kit.status(&items[0].id).await, (ItemStatus::Ready, None));
        assert!(kit.timer.elapsed() >= Duration::from_secs(60), "the site asked for twice 30 seconds");
        assert_eq!(kit.status(&items[1].id).await, (ItemStatus::Failed, Some("fetch_status".into())));
        assert_eq!(kit.web.asked(), 4);

        kit.web.put(gone, "back.txt", "Back again.");
        let again = kit.service.add(&payer(), &base, of_web(&[gone])).await.unwrap().remove(0);
        assert_eq!((again.id, again.status), (items[1].id.clone(), ItemStatus::Queued));
        kit.settled(&base).await;
        assert_eq!(kit.status(&items[1].id).await, (ItemStatus::Ready, None));
    });
}

#[test]
fn a_page_that_is_larger_than_a_file_may_be_fails_and_leaves_nothing() {
    let kit = Kit::new();
    let url = "https://elsewhere.example/large";
    kit.web.put(url, "large.txt", &"large ".repeat(200_000));
    kit.play(async {
        let base = kit.base(None).await;
        let item = kit.service.add(&payer(), &base, of_web(&[url])).await.unwrap().remove(0);
        kit.settled(&base).await;
        assert_eq!(kit.status(&item.id).await, (ItemStatus::Failed, Some("file_too_large".into())));
        assert_eq!(kit.item(&item.id).await.content, None);
    });
}

#[test]
fn a_parser_without_places_is_waited_for_and_the_item_says_so_meanwhile() {
    let kit = Kit::new();
    kit.play(async {
        let base = kit.base(None).await;
        kit.parser.busy.store(3, Ordering::SeqCst);
        let item = kit.add(&base, &[("Barn", "Hay.")]).await.remove(0);
        kit.timer.sleep(Duration::from_secs(1)).await;
        let waiting = (ItemStatus::Queued, Some("parser_unavailable".to_owned()));
        assert_eq!(kit.status(&item.id).await, waiting);
        kit.settled(&base).await;
        assert_eq!(kit.status(&item.id).await, (ItemStatus::Ready, None));
        assert!(kit.timer.elapsed() >= Duration::from_secs(14), "2, 4 and 8 seconds");

        kit.parser.busy.store(u32::MAX, Ordering::SeqCst);
        let item = kit.add(&base, &[("Mill", "Flour.")]).await.remove(0);
        kit.settled(&base).await;
        assert_eq!(kit.status(&item.id).await, (ItemStatus::Failed, Some("parser_unavailable".into())));
        assert_eq!(kit.parser.calls.load(Ordering::SeqCst), 4 + 5);
    });
}

#[test]
fn a_model_that_is_overloaded_is_waited_for_and_nothing_is_paid_twice() {
    let kit = Kit::new();
    kit.play(async {
        let base = kit.base(Some(MODEL)).await;
        kit.model.failures.store(2, Ordering::SeqCst);
        let item = kit.add(&base, &[("Barn", &sections(3, "barn"))]).await.remove(0);
        kit.settled(&base).await;
        let item = kit.item(&item.id).await;
        assert_eq!((item.status, item.embedded.as_deref()), (ItemStatus::Ready, Some(MODEL)));
        assert_eq!(kit.model.texts.lock().len() as u64, item.chunks);
        assert_eq!(kit.parser.calls.load(Ordering::SeqCst), 1, "it was parsed before");
    });
}

#[test]
fn room_under_a_limit_is_waited_for_however_often_it_is_not_there() {
    let kit = Kit::new();
    kit.play(async {
        let base = kit.base(Some(MODEL)).await;
        kit.limits.refusals.store(20, Ordering::SeqCst);
        let item = kit.add(&base, &[("Barn", "Hay is dry.")]).await.remove(0);
        kit.timer.sleep(Duration::from_secs(1)).await;
        assert_eq!(kit.status(&item.id).await, (ItemStatus::Queued, Some("limit_reached".into())));
        kit.settled(&base).await;
        assert_eq!(kit.status(&item.id).await, (ItemStatus::Ready, None));
        assert!(kit.timer.elapsed() >= Duration::from_secs(20 * 7));
    });
}

#[test]
fn a_defect_fails_its_item_and_no_other() {
    let kit = Kit::new();
    kit.play(async {
        let base = kit.base(None).await;
        let items = kit.add(&base, &[("Bad", "panic now"), ("Good", "Hay is dry.")]).await;
        kit.settled(&base).await;
        assert_eq!(kit.status(&items[0].id).await, (ItemStatus::Failed, Some("internal".into())));
        assert_eq!(kit.status(&items[1].id).await, (ItemStatus::Ready, None));
    });
}

#[test]
fn a_store_that_is_away_fails_nothing_and_one_that_refuses_fails_the_item_in_the_end() {
    let kit = Kit::new();
    kit.play(async {
        let base = kit.base(None).await;
        kit.items.fail("finish", 20, Fails::Away);
        let item = kit.add(&base, &[("Barn", "Hay.")]).await.remove(0);
        kit.settled(&base).await;
        assert_eq!(kit.status(&item.id).await, (ItemStatus::Ready, None));
        for method in ["task", "begin", "finish"] {
            kit.items.fail(method, 3, Fails::Away);
        }
        let item = kit.add(&base, &[("Mill", "Flour.")]).await.remove(0);
        kit.settled(&base).await;
        assert_eq!(kit.status(&item.id).await, (ItemStatus::Ready, None));
        kit.items.fail("finish", u32::MAX, Fails::Corrupt);
        let item = kit.add(&base, &[("Well", "Water.")]).await.remove(0);
        kit.settled(&base).await;
        assert_eq!(kit.status(&item.id).await, (ItemStatus::Failed, Some("internal".into())));
    });
}

#[test]
fn an_item_that_is_deleted_while_it_is_worked_on_ends_quietly() {
    let kit = Kit::new();
    kit.play(async {
        let base = kit.base(Some(MODEL)).await;
        for wait in 0..30 {
            let text = sections(2, &format!("barn{wait}"));
            let item = kit.add(&base, &[("Barn", &text)]).await.remove(0);
            for _ in 0..wait * 2 {
                gen_core::scripted::turn().await;
            }
            kit.service.delete_item(&scope(), &item.id).await.unwrap();
            assert_eq!(kit.search(&base, asking("barn")).await, []);
        }
        kit.timer.sleep(Duration::from_secs(60)).await;
        let base = kit.look(&base).await;
        assert_eq!((base.counts.items(), base.counts.chunks), (0, 0));
    });
}

#[test]
fn what_was_replaced_while_it_was_worked_on_has_the_last_content() {
    let kit = Kit::new();
    kit.play(async {
        let base = kit.base(Some(MODEL)).await;
        for wait in 0..20 {
            let item = kit.add(&base, &[("Barn", &sections(2, &format!("barn{wait}")))]).await.remove(0);
            for _ in 0..wait * 3 {
                gen_core::scripted::turn().await;
            }
            let text = format!("Slate number{wait}.");
            let update = ItemUpdate { content: Some(text.clone()), ..ItemUpdate::default() };
            kit.service.update_item(&scope(), &item.id, update).await.unwrap();
            kit.settled(&base).await;
            assert_eq!(kit.texts(&item.id).await, [text]);
        }
    });
}
