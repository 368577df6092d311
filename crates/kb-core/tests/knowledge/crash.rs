//! A process that crashes at any step: the next one continues its work.

use kb_core::ItemStatus;

use crate::ingest::sections;
use crate::kit::{Kit, MODEL, asking};

#[test]
fn wherever_a_process_is_lost_the_next_one_goes_on() {
    let whole = {
        let kit = Kit::new();
        kit.play(work(&kit)).1
    };
    assert!(whole > 4);
    for steps in 1..160 {
        let mut kit = Kit::new();
        if let Some((_, chunks)) = kit.play_for(steps, work(&kit)) {
            assert_eq!(chunks, whole);
            assert!(steps > 10, "it was lost at many steps, not {steps}");
            return;
        }
        kit.restart();
        let (base, chunks) = kit.play(work(&kit));
        assert_eq!(chunks, whole, "{steps}");
        kit.play(async {
            let base = kit.look(&base).await;
            assert_eq!((base.counts.ready, base.counts.items()), (2, 2), "{steps}");
        });
    }
    panic!("it never ends");
}

/// Adds two texts to the only base, and waits for them; the base and how many chunks it has.
async fn work(kit: &Kit) -> (kb_core::BaseId, u64) {
    let page = shared_core::PageRequest::first(1);
    let there = kit.service.list(&crate::kit::scope(), &page).await.unwrap().items.pop();
    let base = match there {
        Some(base) => base.id,
        None => kit.base(Some(MODEL)).await,
    };
    kit.add(&base, &[("Barn", &sections(3, "barn")), ("Mill", &sections(2, "mill"))]).await;
    let chunks = kit.settled(&base).await.counts.chunks;
    assert!(!kit.search(&base, asking("barn")).await.is_empty());
    (base, chunks)
}

#[test]
fn what_takes_the_process_down_each_time_is_given_up() {
    let mut kit = Kit::new();
    let (base, item) = kit.play(async {
        let base = kit.base(None).await;
        (base.clone(), kit.add(&base, &[("Barn", "Hay.")]).await.remove(0))
    });
    for _ in 0..30 {
        kit.restart();
        // Dropped as soon as the item is in processing.
        let begun = kit.items.called("begin");
        kit.play(async {
            while kit.items.called("begin") == begun && kit.status(&item.id).await.0 != ItemStatus::Failed {
                gen_core::scripted::turn().await;
            }
        });
    }
    kit.restart();
    kit.play(async {
        kit.settled(&base).await;
        assert_eq!(kit.status(&item.id).await, (ItemStatus::Failed, Some("interrupted".into())));
        let message = kit.item(&item.id).await.error.unwrap().message;
        assert!(message.contains("attempts that ended with the process"), "{message}");
    });
}
