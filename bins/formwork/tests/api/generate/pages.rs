//! Citations open on the page where the fact stands, whatever way the document comes.

#![allow(clippy::print_stdout, reason = "the figures are printed")]

use serde_json::{Value, json};

use super::kit::{ask, ask_streamed, told};
use super::paged::{Fact, document};
use crate::kit::{Parts, Server, settle};

/// What citations of facts came to.
#[derive(Default)]
struct Tally {
    asked: usize,
    answered: usize,
    right: usize,
    boxed: usize,
}

impl Tally {
    fn count(&mut self, fact: &Fact, answer: &Value) {
        self.asked += 1;
        let cited = answer["citations"].as_array().unwrap();
        let Some(citation) = cited.iter().find(|one| one["quote"].as_str().unwrap().contains(&fact.value))
        else {
            println!("no citation of {}: {}", fact.value, answer["text"]);
            return;
        };
        self.answered += 1;
        let item = &answer["context"][usize::try_from(citation["n"].as_u64().unwrap()).unwrap() - 1];
        let is_there = |page: &Value| page.as_u64().is_some_and(|page| fact.pages.contains(&page));
        let first = cited.iter().find(|one| one["n"] == citation["n"]).unwrap();
        let right =
            is_there(&citation["page"]) && item["page"] == first["page"] && citation["supported"] == true;
        self.right += usize::from(right);
        self.boxed += usize::from(citation["box"].is_object());
        if !right {
            println!("{}: pages {:?}, cited {citation}, passage {}", fact.question, fact.pages, item["page"]);
        }
    }

    fn judge(&self, way: &str) {
        let Self { asked, answered, right, boxed } = self;
        println!("{way}: {asked} asked, {answered} cited, {right} on the right page, {boxed} with a box");
        assert!(answered * 100 >= asked * 90, "{way}: {answered} of {asked}");
        assert!(right * 100 >= answered * 98 && boxed * 100 >= answered * 98, "{way}: {right} of {answered}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_citation_has_the_page_of_its_fact_through_files_knowledge_bases_chat_and_streams() {
    let server = Server::start();
    for seed in [1, 2] {
        let (bytes, facts) = document(seed);
        let name = format!("harbour-{seed}.pdf");
        let file = server.upload(Parts::new().file(&name, &bytes)).await.ok()[0]["id"].clone();
        let base =
            server.post("/knowledgebase", json!({"name": "Harbour"})).await.ok()["knowledgeId"].clone();
        let path = format!("/knowledgebase/{}/files", base.as_str().unwrap());
        let item = server.post(&path, json!({"file_ids": [file]})).await.ok()["files"][0]["id"].clone();
        let item = format!("/knowledgebase/files/{}", item.as_str().unwrap());
        settle("the item", async || server.get(&item).await.ok()["status"] == "ready").await;
        let agent = format!("desk-{seed}");
        server.post("/v1/agent", json!({"namespace": agent, "knowledge": [base]})).await.ok();
        let chat = format!("/v1/agent/{agent}/chat");
        let mut tallies: [Tally; 3] = Default::default();
        // Each document comes one way with all its facts.
        let (whole, source) = match seed {
            1 => ("urls", json!({"urls": [file]})),
            _ => ("knowledge base", json!({"knowledgeId": base})),
        };
        for (at, fact) in facts.iter().enumerate() {
            let mut asked = source.clone();
            asked["modelId"] = "extractive@formwork".into();
            asked["prompt"] = fact.question.as_str().into();
            tallies[0].count(fact, &ask(&server, asked.clone()).await.ok());
            // The other ways differ by the shell alone. A page has four facts: a fifth of them has all kinds.
            if at % 5 == 0 {
                tallies[1].count(fact, told(&ask_streamed(&server, asked).await).1.1);
                tallies[2].count(fact, &server.post(&chat, json!({"message": fact.question})).await.ok());
            }
        }
        for (tally, way) in tallies.iter().zip([whole, "stream", "chat"]) {
            tally.judge(&format!("document {seed}, {way}"));
        }
    }
}
