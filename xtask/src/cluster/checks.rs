//! What must hold when the batch is over and all faults are healed.

use std::collections::{BTreeMap, BTreeSet};
use std::time::{Duration, Instant};

use anyhow::ensure;
use serde_json::Value;
use testkit::vendor::delivery_note;

use super::clients::Clients;
use super::engines::Engines;
use super::run::BatchRun;
use super::workload::Receipts;

/// How long the delivery of the webhook may take: longer than the pauses between its first attempts.
const DELIVERY: Duration = Duration::from_secs(120);
/// Notes of one page.
const PAGE: usize = 100;

/// Compares what is stored with what was acknowledged.
pub(super) async fn check(
    clients: &Clients,
    batch: &BatchRun,
    engines: &Engines,
    receipts: &Receipts,
) -> anyhow::Result<()> {
    check_batch(clients, batch).await?;
    check_webhook(clients, batch, engines).await?;
    check_notes(clients, receipts).await?;
    for (id, text) in &receipts.files {
        let content = clients.content(id).await?;
        clients.tally.expect(content == *text, || format!("the file {id} has the content {content:?}"));
    }
    for word in receipts.texts.values() {
        clients.search(&batch.base, word).await?;
    }
    println!(
        "checked: {} groups, {} notes, {} deleted notes, {} files, {} texts",
        batch.groups,
        receipts.notes.len(),
        receipts.deleted.len(),
        receipts.files.len(),
        receipts.texts.len()
    );
    Ok(())
}

/// Every group has one record, and it is right.
async fn check_batch(clients: &Clients, batch: &BatchRun) -> anyhow::Result<()> {
    let run = batch.look(clients).await?;
    ensure!(run["state"] == "succeeded" && run["successful"] == batch.groups, "the run ended as {run}");
    let records = batch.records(clients).await?;
    let mut groups = BTreeSet::new();
    for record in &records {
        let group = delivery_note::group_of(record);
        let is_right =
            group.is_some_and(|group| delivery_note::is_right(group, record) && groups.insert(group));
        clients.tally.expect(is_right, || format!("a record is wrong or stored twice: {record}"));
    }
    ensure!(groups.len() == batch.groups, "{} of {} groups have a record", groups.len(), batch.groups);
    Ok(())
}

/// The receiver heard of the end of the run under one id. Deliveries are made at least once.
async fn check_webhook(clients: &Clients, batch: &BatchRun, engines: &Engines) -> anyhow::Result<()> {
    let began = Instant::now();
    while engines.receiver.count() == 0 {
        ensure!(began.elapsed() < DELIVERY, "no webhook was delivered: {}", {
            clients.get(&format!("/v1/webhooks/{}/deliveries", batch.webhook)).await?
        });
        tokio::time::sleep(Duration::from_millis(200)).await;
    }
    let ids: BTreeSet<String> = engines
        .receiver
        .requests()
        .iter()
        .filter_map(|request| request.header("webhook-id").map(str::to_owned))
        .collect();
    clients.tally.expect(ids.len() == 1, || format!("the end of one run has the events {ids:?}"));
    Ok(())
}

/// Every acknowledged note is there once, with its last content, and no deleted one.
async fn check_notes(clients: &Clients, receipts: &Receipts) -> anyhow::Result<()> {
    let mut contents: BTreeMap<String, Vec<String>> = BTreeMap::new();
    let mut page = 1;
    loop {
        let listed = clients.get(&format!("/v1/notes/agent/notes?limit={PAGE}&page={page}")).await?;
        let notes: Vec<Value> = listed["notes"].as_array().cloned().unwrap_or_default();
        for note in &notes {
            let text = |name: &str| note[name].as_str().unwrap_or_default().to_owned();
            contents.entry(text("content")).or_default().push(text("noteId"));
        }
        page += 1;
        if notes.len() < PAGE {
            break;
        }
    }
    for (id, content) in &receipts.notes {
        let ids = contents.remove(content).unwrap_or_default();
        clients.tally.expect(ids == [id.as_str()], || format!("{content} ({id}) is stored as {ids:?}"));
    }
    clients
        .tally
        .expect(contents.is_empty(), || format!("notes that nobody created are stored: {contents:?}"));
    Ok(())
}

/// No more calls were paid twice than were in flight when something failed.
pub(super) fn check_paid_calls(engines: &Engines, groups: usize, interrupted: usize) -> anyhow::Result<()> {
    let calls: usize = {
        let accounts = engines.vendor.ledger();
        (0..groups).map(|group| accounts.calls(group) as usize).sum()
    };
    let again = calls.saturating_sub(groups);
    println!(
        "{calls} model calls for {groups} groups: {again} were paid again; {interrupted} may have been in flight"
    );
    ensure!(again <= interrupted, "{again} calls were paid again, but at most {interrupted} were in flight");
    Ok(())
}
