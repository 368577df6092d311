//! Stored responses and answers, and their lookup.

use super::*;

/// Identical work finds the newest response with its fingerprint.
pub async fn identical_work_is_found(stores: &RunStores, own: &Scope, other: &Scope) {
    let run = stores.run(own, 3).await;
    let tokens = stores.claim(run.sid, 2).await;
    for (index, gid, created) in [(0, "old", 5), (1, "new", 8), (2, "middle", 6)] {
        let response = Response { created: at(created), ..response(gid) };
        let outcome = GroupOutcome { result: Ok(response), fingerprint: Some("same".into()), ..success(gid) };
        stores.finish(own, run.sid, index, tokens[&index], &outcome).await;
    }
    let found = stores.responses.find_by_fingerprint(own, "same").await.expect("looks");
    assert_eq!(found.map(|response| response.gid), Some("new".to_owned()));
    assert!(stores.responses.find_by_fingerprint(own, "another").await.expect("looks").is_none());
    assert!(stores.responses.find_by_fingerprint(other, "same").await.expect("looks").is_none());
}

/// Answers of model calls are stored while their group is open.
pub async fn calls_are_kept_until_the_group_is_done(stores: &RunStores, own: &Scope, other: &Scope) {
    let run = stores.run(own, 2).await;
    let tokens = stores.claim(run.sid, 2).await;
    let (group, next) = (GroupId { sid: run.sid, index: 0 }, GroupId { sid: run.sid, index: 1 });
    let answer = SavedAnswer { text: "{\"a\": \"\u{0}\"}".into(), usage: SPENT, ..SavedAnswer::default() };
    stores.answers.save_answer(own, group, "call", &SavedAnswer::default()).await.expect("keeps");
    stores.answers.save_answer(own, group, "call", &answer).await.expect("keeps");
    stores.answers.save_answer(other, group, "call", &SavedAnswer::default()).await.expect("does nothing");
    let find =
        async |scope: &Scope, group| stores.answers.find_answer(scope, group, "call").await.expect("finds");
    assert_eq!(find(own, group).await, Some(answer.clone()));
    assert_eq!((find(own, next).await, find(other, group).await), (None, None));
    let told = error(ErrorClass::Validation);
    stores.groups.record_failed_attempt(own, group, tokens[&0], (&told, PAID), true).await.expect("notes");
    assert_eq!(find(own, group).await, None, "they are forgotten when the attempt says so");
    assert_eq!(stores.look(own, run.sid).await.usage, TWICE, "the attempt and the answer are counted");
    stores.answers.save_answer(own, group, "call", &answer).await.expect("keeps");
    stores.finish(own, run.sid, 0, tokens[&0], &success("g")).await;
    assert_eq!(find(own, group).await, None);
    let counted = stores.look(own, run.sid).await.usage;
    assert_eq!(
        counted.input_tokens,
        4 * SPENT.input_tokens,
        "the response and the stored answer are counted too"
    );
    stores.answers.save_answer(own, group, "call", &answer).await.expect("does nothing");
    assert_eq!(find(own, group).await, None, "a late writer keeps nothing");
}

/// Responses come by run, newest first, and by group in order, with or without a cursor.
pub async fn responses_come_in_order(stores: &RunStores, own: &Scope, _other: &Scope) {
    let mut sids = Vec::new();
    for number in 0..2 {
        let run = stores.run(own, 3).await;
        let tokens = stores.claim(run.sid, 2).await;
        for index in [2, 0, 1] {
            let outcome = if index == 1 { failure() } else { success(&format!("{number}-{index}")) };
            stores.finish(own, run.sid, index, tokens[&index], &outcome).await;
        }
        sids.push(run.sid);
    }
    let agent = agent_id(own);
    let gids = async |sid, after, cut| -> Vec<String> {
        let found = stores.responses.responses(own, &agent, sid, after, cut).await.expect("lists");
        found.into_iter().map(|one| one.response.gid).collect()
    };
    assert_eq!(gids(None, None, (0, 9)).await, ["1-0", "1-2", "0-0", "0-2"]);
    assert_eq!(gids(None, None, (1, 2)).await, ["1-2", "0-0"]);
    let after = Some(ResponseCursor { sid: sids[1], index: 0 });
    assert_eq!(gids(None, after, (0, 2)).await, ["1-2", "0-0"]);
    assert_eq!(gids(Some(sids[0]), None, (0, 9)).await, ["0-0", "0-2"]);
    let all = stores.responses.responses(own, &agent, None, None, (0, 1)).await.expect("lists");
    assert!(all[0].response.record.keys().eq(["zebra", "apple", "odd"]), "keys keep their order");
    assert_eq!(stores.responses.count_responses(own, &agent, None).await.expect("counts"), 4);
    assert_eq!(stores.responses.count_responses(own, &agent, Some(sids[0])).await.expect("counts"), 2);
    assert_eq!(stores.responses.count_responses(own, "another", None).await.expect("counts"), 0);
}

/// Runs are listed newest first, by page and by cursor.
pub async fn runs_are_listed(stores: &RunStores, own: &Scope, other: &Scope) {
    let mut sids = Vec::new();
    for _ in 0..3 {
        sids.push(stores.run(own, 1).await.sid);
    }
    let list = async |scope: &Scope, position| {
        let page = PageRequest { position, limit: 2 };
        stores.runs.list(scope, &agent_id(own), None, &page).await.expect("lists")
    };
    let first = list(own, Position::Number(1)).await;
    assert_eq!(first.items.iter().map(|run| run.sid).collect::<Vec<_>>(), [sids[2], sids[1]]);
    assert_eq!(first.total, 3);
    let next = list(own, Position::After(first.next.expect("more follow"))).await;
    assert_eq!(next.items.iter().map(|run| run.sid).collect::<Vec<_>>(), [sids[0]]);
    assert!(next.next.is_none());
    assert!(list(other, Position::Number(1)).await.items.is_empty());
}

/// Another workspace can neither read nor change a run.
pub async fn isolates_workspaces(stores: &RunStores, own: &Scope, other: &Scope) {
    let run = stores.run(own, 2).await;
    let runs = &stores.runs;
    assert!(runs.find(other, &agent_id(own), run.sid).await.expect("finds").is_none());
    assert!(runs.find(own, "another", run.sid).await.expect("finds").is_none());
    assert!(runs.find(own, &agent_id(own), RunId(i64::MAX)).await.expect("finds").is_none());
    assert!(runs.load(&other.workspace, run.sid).await.expect("loads").is_none());
    let group = GroupId { sid: run.sid, index: 0 };
    assert!(stores.groups.documents(other, group).await.expect("reads").is_none());
    assert!(stores.groups.statuses(other, run.sid, 0, 9, at(1)).await.expect("lists").is_empty());
    let token = stores.claim(run.sid, 2).await[&0];
    let foreign = stores.groups.finish_group(other, group, token, &success("g"), at(2)).await;
    assert!(matches!(foreign, Err(StoreError::Stale)));
    let told = error(ErrorClass::Model);
    let foreign = stores.groups.record_failed_attempt(other, group, token, (&told, PAID), false).await;
    assert!(matches!(foreign, Err(StoreError::Stale)));
    let foreign = runs.close(other, run.sid, &told, true, at(3)).await;
    assert!(matches!(foreign, Err(StoreError::Missing("run"))));
    assert!(matches!(runs.reopen(other, run.sid, at(3)).await, Err(StoreError::Missing("run"))));
    stores.finish(own, run.sid, 0, token, &success("g")).await;
    assert!(stores.groups.finished(other, run.sid, 0, 9).await.expect("lists").is_empty());
    assert!(stores.groups.events(other, run.sid, 0, 9).await.expect("lists").is_empty());
    assert!(
        stores
            .responses
            .responses(other, &agent_id(own), None, None, (0, 9))
            .await
            .expect("lists")
            .is_empty()
    );
    assert_eq!(stores.responses.count_responses(other, &agent_id(own), None).await.expect("counts"), 0);
    assert_eq!(stores.groups.first_open(other, run.sid, 0).await.expect("asks"), 0);
    assert_eq!(stores.groups.first_open(own, RunId(i64::MAX), 0).await.expect("asks"), 0);
    let run = stores.look(own, run.sid).await;
    assert_eq!((run.successful, run.failed, run.usage), (1, 0, SPENT));
}

/// A run of thousands of groups is stored in one transaction, and so is its end.
pub async fn many_groups_are_stored(stores: &RunStores, own: &Scope, _other: &Scope) {
    let run = stores.run(own, 2_500).await;
    let last = stores.groups.statuses(own, run.sid, 2_499, 9, at(2)).await.expect("lists");
    assert_eq!((last.len(), last[0].documents[0].url.as_str()), (1, "2499"));
    let tokens = stores.claim(run.sid, 2).await;
    assert_eq!(tokens.len(), 2_500);
    stores.finish(own, run.sid, 1_000, tokens[&1_000], &success("g")).await;
    let closed = stores.runs.close(own, run.sid, &error(ErrorClass::Cancelled), true, at(5)).await;
    assert_eq!(closed.expect("closes").failed, 2_499);
    let mut after = 1;
    let mut seen = 0;
    loop {
        let page = stores.groups.events(own, run.sid, after, 100).await.expect("lists");
        let Some(last) = page.last() else { break };
        after = last.sequence.expect("has one");
        seen += page.len();
    }
    assert_eq!(seen, 2_499, "each closed group has an event of its own");
}
