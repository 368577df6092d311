//! The vectors of queries.

use super::*;

#[test]
fn documents_and_queries_are_told_apart() {
    let kit = Kit::new();
    let chunks = numbered(1);
    kit.embed(&kit.task("a", &chunks), &chunks).unwrap();
    block_on(kit.embedder.query(&CallerContext::keyless(scope()), &model(), "oak")).unwrap();
    let purposes: Vec<_> = kit.model.calls.lock().iter().map(|call| call.purpose).collect();
    assert_eq!(purposes, [EmbedPurpose::Document, EmbedPurpose::Query]);
}

#[test]
fn a_repeated_query_costs_nothing_and_one_of_another_workspace_is_its_own() {
    let kit = Kit::new();
    let (model, payer) = (model(), CallerContext::keyless(scope()));
    let ask = |payer, text| block_on(kit.embedder.query(payer, &model, text)).unwrap();
    let first = ask(&payer, "which tree?");
    assert_eq!(ask(&payer, " which tree? "), first);
    assert_eq!(kit.model.calls(), 1);
    let other = Scope { workspace: WorkspaceId("v".to_owned()), ..scope() };
    ask(&CallerContext::keyless(other), "which tree?");
    assert_eq!(kit.model.calls(), 2);
}

#[test]
fn a_query_asked_many_times_at_once_is_embedded_once_and_a_failure_is_not_remembered() {
    let kit = Kit::new();
    let (model, payer) = (model(), CallerContext::keyless(scope()));
    let at_once = (0..10).map(|_| kit.embedder.query(&payer, &model, "which tree?"));
    assert!(block_on(join_all(at_once)).into_iter().all(|vector| vector.is_ok()));
    assert_eq!(kit.model.calls(), 1);
    kit.model.fails(|_, _| Some(Fault::Unreachable));
    assert!(block_on(kit.embedder.query(&payer, &model, "which bush?")).is_err());
    kit.model.fails(|_, _| None);
    assert!(block_on(kit.embedder.query(&payer, &model, "which bush?")).is_ok());
}
