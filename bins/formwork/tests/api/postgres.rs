//! What depends on the database, on PostgreSQL too.

use testkit::vendor::{Behaviour, Vendor};

use crate::kit::Home;
use crate::{
    administration, agents, audit, backup, bodies, commit_crashes, content, delta, delta_events, delta_runs,
    durability, keys, kill, knowledge, lists, metrics, oidc, quotas, usage,
};

#[tokio::test(flavor = "multi_thread")]
async fn on_postgresql_the_main_job_gives_the_same_and_workspaces_are_apart() {
    let Some(home) = Home::on_postgres() else { return };
    delta::main_job(&home.start()).await;
    let Some(home) = Home::on_postgres() else { return };
    keys::isolation(&home.start()).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn on_postgresql_lists_and_texts_are_the_same() {
    let Some(home) = Home::on_postgres() else { return };
    let server = home.start();
    bodies::texts(&server).await;
    lists::titles(&server).await;
    let Some(home) = Home::on_postgres() else { return };
    lists::cursors(&home.start()).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn on_postgresql_work_at_the_same_time_ends_the_same() {
    let Some(home) = Home::on_postgres() else { return };
    let server = home.start();
    agents::one_namespace(&server).await;
    agents::changes(&server).await;
    content::equal_contents(&server).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn on_postgresql_everything_acknowledged_survives_kill_nine_too() {
    let Some(home) = Home::on_postgres() else { return };
    kill::kills(&home).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn on_postgresql_nothing_finished_is_lost_or_asked_for_again_after_kills() {
    durability::kills::killed_on_postgres().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn on_postgresql_a_server_that_stops_keeps_answers_and_gives_the_rest_back() {
    durability::draining::drained_on_postgres().await;
    durability::interruptions::found_on_postgres().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn on_postgresql_administration_and_the_audit_log_are_the_same() {
    administration::hold_on_postgres().await;
    oidc::hold_on_postgres().await;
    audit::tell_on_postgres().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn on_postgresql_the_metrics_are_the_same() {
    metrics::told_on_postgres().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn on_postgresql_quotas_hold_also_for_concurrent_requests() {
    quotas::hold_on_postgres().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn on_postgresql_runs_are_followed_called_off_and_done_again() {
    let Some(home) = Home::on_postgres_with(delta_events::ONE_BY_ONE) else { return };
    delta_events::cut_off_readers(&home.start()).await;
    let vendor = Vendor::start(Behaviour::default()).unwrap();
    let Some(home) = Home::on_postgres_with(&delta_runs::before(&vendor)) else { return };
    delta_runs::called_off(&home.start(), &vendor).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn on_postgresql_usage_and_limits_are_the_same() {
    let Some(home) = Home::on_postgres() else { return };
    usage::told(&home.start()).await;
    let Some(home) = Home::on_postgres() else { return };
    usage::exactly_ten(&home).await;
    let Some(home) = Home::on_postgres() else { return };
    usage::outlives(&home).await;
    let vendor = usage::twelve();
    let Some(home) = Home::on_postgres_with(&usage::priced(&vendor)) else { return };
    usage::booked_though_killed(&home, &vendor).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn on_postgresql_knowledge_bases_are_the_same() {
    let Some(home) = Home::on_postgres() else { return };
    let server = home.start();
    knowledge::bases::changes(&server).await;
    knowledge::items::listed(&server).await;
    knowledge::hostile::odd_texts(&server).await;
    knowledge::search::apart(&server).await;
    knowledge::deletion::rounds(&server, 5).await;
    knowledge::positions::told(&server).await;
    let Some(home) = Home::on_postgres() else { return };
    knowledge::add::duplicates(&home.start()).await;
    let Some(home) = Home::on_postgres() else { return };
    knowledge::attributes::replaced(&home.start()).await;
    let Some(home) = Home::on_postgres() else { return };
    knowledge::attributes::concurrent(&home.start()).await;
    let Some(home) = Home::on_postgres_with("[limits]\nlease_seconds = 3") else { return };
    knowledge::durable::killed(&home).await;
    let Some(home) = Home::on_postgres() else { return };
    knowledge::durable::reindexed(&home).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn on_postgresql_a_request_has_one_effect_and_one_answer_wherever_the_server_dies() {
    commit_crashes::survived_on_postgres().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn on_postgresql_files_are_checked_and_backups_are_its_own() {
    let Some(home) = Home::on_postgres() else { return };
    backup::checked(&home.start()).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn on_postgresql_what_one_server_wrote_another_finds_at_once_by_its_position() {
    let Some(home) = Home::on_postgres() else { return };
    knowledge::positions::across(&home).await;
}
