//! Records of files by the built-in model, one JSON line each.
use forms_core::*;
use futures_executor::block_on;
use gen_core::{CallerContext, GenService, ModelId, Provider};
use rules_engine::Extractive;
use std::sync::Arc;

fn main() {
    let mut args = std::env::args().skip(1);
    let form: serde_json::Value =
        serde_json::from_str(&std::fs::read_to_string(args.next().unwrap()).unwrap()).unwrap();
    let schema = FormSchema::parse(form.as_object().unwrap()).unwrap();
    for path in args {
        let bytes = std::fs::read(&path).unwrap();
        let document = match documents_core::parse(&bytes, &path, &documents_core::Limits::default()) {
            Ok(d) => d,
            Err(e) => {
                println!("{}", serde_json::json!({"file": path, "error": e.to_string()}));
                continue;
            }
        };
        let attachments: Vec<String> = document.attachments.iter().map(|a| a.name.clone()).collect();
        let text = document.text.clone();
        let mut group = DocumentGroup::default();
        group.add(path.rsplit('/').next().unwrap().to_owned(), None, Arc::new(document));
        let generation = GenService::builder().with_chat(Provider::Formwork, Arc::new(Extractive)).build();
        let payer = CallerContext::keyless(shared_core::Scope {
            workspace: shared_core::WorkspaceId("w".into()),
            user: shared_core::UserId("u".into()),
        });
        let request = ExtractRequest {
            payer: &payer,
            schema: &schema,
            instructions: "",
            model: &ModelId::extractive(),
            documents: group.documents(),
            answers: &NoopAnswerStore,
        };
        let mut e = block_on(ExtractionEngine::new(generation).extract(request)).unwrap();
        group.name_documents(&mut e, &[Some((0, path.clone()))]);
        println!(
            "{}",
            serde_json::json!({"file": path, "attachments": attachments, "record": e.record, "conflicts": e.conflicts, "errors": e.errors,
          "evidence": e.evidence, "text": text})
        );
    }
}
