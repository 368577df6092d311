//! Which model serves a base.

use shared_core::Scope;

use super::stores::{Stores, at, chunked, document, error, finished, new_base, replacement};
use crate::{Base, Finished, Item, ItemStatus, Selection};

/// What a worker gives whose chunks are stored already.
fn embedded(model: &str) -> Finished {
    Finished { chunks: None, language: None, embedded: Some(model.into()) }
}

async fn want(stores: &Stores, scope: &Scope, base: &Base, model: Option<&str>) -> Base {
    let base = stores.look(scope, base).await;
    let wanted = Base { embedding: model.map(str::to_owned), ..base.clone() };
    stores.bases.update(scope, &wanted, base.revision, at(20)).await.expect("updates")
}

/// The model that is wanted, and the one that serves.
async fn models(stores: &Stores, scope: &Scope, base: &Base) -> (Option<String>, Option<String>) {
    let base = stores.look(scope, base).await;
    (base.embedding, base.serving)
}

fn both(wanted: Option<&str>, serving: Option<&str>) -> (Option<String>, Option<String>) {
    (wanted.map(str::to_owned), serving.map(str::to_owned))
}

/// The model that serves follows the wanted one once the last item has its vectors; at once where none lacks
/// them, or none are wanted.
pub async fn serving_follows_the_last_item(stores: &Stores, own: &Scope, _other: &Scope) {
    let base = stores.base(own, "a", None).await;
    want(stores, own, &base, Some("m@x")).await;
    assert_eq!(models(stores, own, &base).await, both(Some("m@x"), Some("m@x")), "there is nothing yet");
    want(stores, own, &base, None).await;
    assert_eq!(models(stores, own, &base).await, both(None, None));
    let items = stores.add(own, &base, vec![chunked(own, "1", 2), chunked(own, "2", 3)]).await;
    let latest = stores.feed.state().await.expect("tells").latest;
    assert_eq!(want(stores, own, &base, Some("m@x")).await.serving, None);
    let tokens = stores.claim(&base, 30).await;
    assert_eq!(tokens.keys().copied().collect::<Vec<_>>(), [0, 1], "each is a job");
    for (place, serving) in [(1_u32, None), (0, Some("m@x"))] {
        let before = &items[place as usize].item;
        let task = stores.task(before).await;
        stores.items.begin(&task, tokens[&place], at(31)).await.expect("begins");
        assert_eq!(stores.find(own, before).await.status, ItemStatus::Ready, "it can be found meanwhile");
        stores.items.finish(&task, tokens[&place], &embedded("m@x"), at(32)).await.expect("finishes");
        let after = stores.find(own, before).await;
        let wanted = Item {
            embedded: Some("m@x".into()),
            progress: after.progress,
            updated: at(32),
            ..before.clone()
        };
        assert_eq!(after, wanted, "its findings stay as they are");
        assert_eq!(models(stores, own, &base).await, both(Some("m@x"), serving));
    }
    let told = stores.feed.changes(latest, 9).await.expect("lists");
    assert_eq!(told.len(), 2, "who has read vectors before is told of the new ones");
    want(stores, own, &base, Some("n@y")).await;
    assert_eq!(models(stores, own, &base).await, both(Some("n@y"), Some("m@x")), "the old ones serve");
    want(stores, own, &base, Some("m@x")).await;
    assert_eq!(models(stores, own, &base).await, both(Some("m@x"), Some("m@x")));
    want(stores, own, &base, Some("n@y")).await;
    assert_eq!(want(stores, own, &base, None).await.serving, None);
    assert_eq!(models(stores, own, &base).await, both(None, None));
}

/// The model that serves follows as well when the last item that lacks vectors fails or is deleted; what waits
/// and has never been findable keeps nobody waiting.
pub async fn serving_follows_when_the_last_item_fails_or_goes(stores: &Stores, own: &Scope, _other: &Scope) {
    let base = stores.base(own, "a", None).await;
    let given = vec![chunked(own, "1", 1), chunked(own, "2", 1), document(own, "d"), chunked(own, "none", 0)];
    let items = stores.add(own, &base, given).await;
    want(stores, own, &base, Some("m@x")).await;
    let tokens = stores.claim(&base, 30).await;
    let task = stores.task(&items[0].item).await;
    stores.items.fail(&task, tokens[&0], &error("x"), at(31)).await.expect("fails");
    assert_eq!(models(stores, own, &base).await, both(Some("m@x"), None));
    let selection = Selection::Ids(None, vec![items[1].item.id.clone()]);
    stores.items.delete(own, &selection, at(32)).await.expect("deletes");
    assert_eq!(models(stores, own, &base).await, both(Some("m@x"), Some("m@x")));
    stores.items.retry(own, &items[0].item.id, at(33)).await.expect("answers");
    assert_eq!(models(stores, own, &base).await, both(Some("m@x"), Some("m@x")), "it serves already");
    want(stores, own, &base, Some("n@y")).await;
    assert_eq!(models(stores, own, &base).await, both(Some("n@y"), Some("m@x")));
    stores.items.delete(own, &Selection::All(base.id.clone()), at(34)).await.expect("deletes");
    assert_eq!(models(stores, own, &base).await, both(Some("n@y"), Some("n@y")));
}

/// Where another model was wanted while a worker was at an item, the item is a job again; its replaced content
/// has the vectors that its worker gave it.
pub async fn another_model_during_the_work_is_a_job_again(stores: &Stores, own: &Scope, _other: &Scope) {
    let new = new_base(own, "a", Some("m@x"), 1);
    let base = stores.bases.insert(own, &new).await.expect("inserts");
    let item = stores.add_one(own, &base, document(own, "d")).await;
    let token = stores.claim(&base, 10).await[&item.place];
    let task = stores.task(&item).await;
    want(stores, own, &base, Some("n@y")).await;
    assert_eq!(models(stores, own, &base).await, both(Some("n@y"), Some("n@y")));
    let done = finished("w", 2, Some("m@x"));
    stores.items.finish(&task, token, &done, at(11)).await.expect("finishes");
    let ready = stores.find(own, &item).await;
    assert_eq!((ready.status, ready.embedded.as_deref()), (ItemStatus::Ready, Some("m@x")));
    let again = stores.claim(&base, 30).await[&item.place];
    assert!(again > token);
    let task = stores.task(&item).await;
    stores.items.finish(&task, again, &embedded("n@y"), at(31)).await.expect("finishes");
    let done = stores.find(own, &item).await;
    assert_eq!((done.embedded.as_deref(), done.sequence), (Some("n@y"), ready.sequence));
    assert!(stores.claim(&base, 900).await.is_empty());
    stores.items.update(own, &item.id, &replacement("e"), at(40)).await.expect("updates");
    want(stores, own, &base, Some("o@z")).await;
    assert_eq!(models(stores, own, &base).await, both(Some("o@z"), Some("n@y")), "the old chunks are found");
    let done = stores.finish(own, &base, &item, &finished("e", 1, Some("o@z"))).await;
    assert_eq!(done.embedded.as_deref(), Some("o@z"));
    assert_eq!(models(stores, own, &base).await, both(Some("o@z"), Some("o@z")));
}
