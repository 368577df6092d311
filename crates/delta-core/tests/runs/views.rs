//! What clients read of runs: lists, the status of groups, tables, and streams of more rows than a page has.

use std::time::Duration;

use delta_core::export::ExportExtras;
use delta_core::{ErrorClass, GroupState, RunEvent, RunId, RunState};
use forms_core::table::ListLayout;
use futures_executor::block_on;
use futures_util::TryStreamExt as _;
use serde_json::json;
use shared_core::{DomainError as _, PageRequest, Timer as _};

use crate::kit::{Kit, scope};

#[test]
fn the_runs_of_an_agent_are_listed_newest_first_and_found_by_their_numbers_alone() {
    let kit = block_on(Kit::new());
    kit.play(async {
        let good = kit.file("good").await;
        let first = kit.start(vec![vec![good.clone()]], false).await.unwrap();
        kit.timer.sleep(Duration::from_secs(1)).await;
        let second = kit.start(vec![vec![good]], false).await.unwrap();
        let page = kit.service.list(&scope("w"), "agent", None, &PageRequest::first(9)).await.unwrap();
        assert_eq!(page.items.iter().map(|run| run.sid).collect::<Vec<_>>(), [second.sid, first.sid]);
        let others = kit.service.list(&scope("w"), "plain", None, &PageRequest::first(9)).await.unwrap();
        assert_eq!(others.total, 0);
        assert_eq!(kit.service.get(&scope("w"), "agent", first.sid).await.unwrap().sid, first.sid);
        let missing = kit.service.get(&scope("w"), "plain", first.sid).await.unwrap_err();
        assert_eq!(missing.code(), "run_not_found");
    });
}

#[test]
fn the_status_of_groups_tells_what_each_waits_for_in_any_part_of_the_run() {
    let kit = block_on(Kit::with(1, 64));
    kit.play(async {
        let (good, refused, slow) =
            (kit.file("good").await, kit.file("refuse").await, kit.file("slow").await);
        let groups = vec![vec![good], vec![refused.clone()], vec![slow.clone()], vec![slow]];
        let run = kit.start(groups, false).await.unwrap();
        kit.timer.sleep(Duration::from_millis(500)).await;
        let all = kit.service.groups(&scope("w"), &run, 0, 9).await.unwrap();
        let states: Vec<_> = all.iter().map(|group| (group.index, group.state, group.attempts)).collect();
        assert_eq!(
            states,
            [
                (0, GroupState::Succeeded, 1),
                (1, GroupState::Failed, 1),
                (2, GroupState::Running, 1),
                (3, GroupState::Queued, 0)
            ]
        );
        assert_eq!(all[1].error.as_ref().unwrap().class, ErrorClass::Model);
        assert_eq!((all[0].error.as_ref(), &all[1].documents), (None, &vec![refused]));
        assert_eq!(kit.service.groups(&scope("w"), &run, 1, 2).await.unwrap(), all[1..3]);
        let finished: Vec<_> = kit.service.finished(&scope("w"), &run).try_collect().await.unwrap();
        assert_eq!(finished.iter().map(|group| group.index).collect::<Vec<_>>(), [0, 1]);
    });
}

#[test]
fn streams_have_every_row_once_though_a_run_has_more_than_a_page() {
    let kit = block_on(Kit::new());
    kit.play(async {
        let good = kit.file("good").await;
        let run = kit.start(vec![vec![good]; 150], false).await.unwrap();
        let outcomes = kit.complete(&run).await;
        assert!(outcomes.iter().map(|group| group.index).eq(0..150));
        let finished: Vec<_> = kit.service.finished(&scope("w"), &run).try_collect().await.unwrap();
        assert_eq!(finished, outcomes);
        let events: Vec<RunEvent> = kit.service.events(&scope("w"), &run, 0).try_collect().await.unwrap();
        let mut groups: Vec<u32> = Vec::new();
        for event in &events {
            if let RunEvent::Group(group) = event {
                groups.push(group.index);
            }
        }
        groups.sort_unstable();
        assert!(groups.into_iter().eq(0..150));
        assert!(matches!(events.last(), Some(RunEvent::End(run)) if run.state == RunState::Succeeded));
        let (total, skipped) =
            kit.service.responses(&scope("w"), "agent", Some(run.sid), 0, 20).await.unwrap();
        let skipped: Vec<_> = skipped.try_collect().await.unwrap();
        assert_eq!(total, 150);
        assert!(skipped.iter().map(|response| response.index).eq(20..150));
        let plain = kit.service.responses(&scope("w"), "plain", None, 0, 0).await.err().unwrap();
        assert_eq!(plain.code(), "agent_without_form");
    });
}

#[test]
fn tables_have_the_columns_of_every_version_of_the_form_that_runs_used() {
    let kit = block_on(Kit::new());
    kit.play(async {
        let good = kit.file("good").await;
        let old = kit.start(vec![vec![good.clone()]], false).await.unwrap();
        kit.complete(&old).await;
        kit.change_form(&old, json!({"b": {"type": "string"}})).await;
        let new = kit.start(vec![vec![good]], false).await.unwrap();
        let columns = async |sid: Option<RunId>| {
            let layout = kit
                .service
                .layout(&scope("w"), "agent", sid, ListLayout::Flat, ExportExtras::default())
                .await;
            layout.map(|layout| layout.tables()[0].columns.join(" ")).map_err(|error| error.code())
        };
        assert_eq!(columns(None).await.unwrap(), "gid sid b a form_version");
        assert_eq!(columns(Some(old.sid)).await.unwrap(), "gid sid a form_version");
        assert_eq!(columns(Some(new.sid)).await.unwrap(), "gid sid b form_version");
        assert_eq!(columns(Some(RunId(99))).await, Err("run_not_found"));
        // The run with the old version is no longer among the newest hundred.
        for _ in 0..100 {
            kit.start(vec![vec![kit.file("good").await]], false).await.unwrap();
        }
        assert_eq!(columns(None).await.unwrap(), "gid sid b a form_version");
    });
}

#[test]
fn what_no_known_form_has_stands_in_a_further_column() {
    let columns = async |kit: &Kit| {
        let layout =
            kit.service.layout(&scope("w"), "agent", None, ListLayout::Flat, ExportExtras::default()).await;
        layout.unwrap().tables()[0].columns.join(" ")
    };
    let kit = block_on(Kit::new());
    kit.play(async {
        let run = kit.start(vec![vec![kit.file("good").await]], false).await.unwrap();
        kit.complete(&run).await;
        kit.replace_form(&run, json!({"b": {"type": "string"}})).await;
        assert_eq!(columns(&kit).await, "gid sid b other form_version", "the old form is deleted");
    });
    let kit = block_on(Kit::new());
    kit.play(async {
        let good = kit.file("good").await;
        for version in 0..100 {
            let run = kit.start(vec![vec![good.clone()]], false).await.unwrap();
            kit.change_form(&run, json!({"b": {"type": "string", "description": version.to_string()}})).await;
        }
        assert_eq!(
            columns(&kit).await,
            "gid sid b other form_version",
            "the first of 101 versions is not read"
        );
    });
}

#[test]
fn a_group_that_keeps_ending_its_process_is_given_up_after_eight_times() {
    let end_after = |crashes: u32| {
        let mut kit = block_on(Kit::new());
        let run = kit.play(async {
            let slow = kit.file("slow").await;
            let run = kit.start(vec![vec![slow]], false).await.unwrap();
            kit.timer.sleep(Duration::from_millis(500)).await;
            run
        });
        for _ in 1..crashes {
            kit.restart();
            kit.play(kit.timer.sleep(Duration::from_millis(500)));
        }
        kit.restart();
        let outcome = kit.play(kit.complete(&run)).remove(0);
        outcome.failures.first().map(|failure| failure.error.code.clone())
    };
    assert_eq!(end_after(8), None);
    assert_eq!(end_after(9).as_deref(), Some("interrupted"));
}
