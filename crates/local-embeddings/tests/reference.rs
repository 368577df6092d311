//! The vectors beside those of the reference, sentence-transformers 6.2.0 with all-MiniLM-L6-v2. The model is not
//! part of the repository: FORMWORK_MODEL names its folder, which `formwork models add all-minilm-l6-v2` prints.
#![allow(
    clippy::unwrap_used,
    clippy::print_stderr,
    clippy::disallowed_methods,
    reason = "a test that says when it cannot run"
)]

use std::path::PathBuf;

use futures_executor::block_on;
use gen_core::{EmbedModel as _, EmbedRequest, ModelKind};
use local_embeddings::LocalModels;

/// The model of FORMWORK_MODEL.
fn model(threads: usize) -> Option<LocalModels> {
    let Some(folder) = std::env::var_os("FORMWORK_MODEL").map(PathBuf::from) else {
        eprintln!("not run: FORMWORK_MODEL does not name the folder of all-minilm-l6-v2");
        return None;
    };
    Some(LocalModels::open(&[folder], threads).unwrap())
}

fn embed(models: &LocalModels, texts: &[String]) -> Vec<Vec<f32>> {
    let model = models.to_listed_models().remove(0).model;
    let request = EmbedRequest { model, texts: texts.to_vec(), ..EmbedRequest::default() };
    block_on(models.embed(request)).unwrap().vectors
}

/// Texts, each with the 1st, 2nd, 101st and 384th number that the reference gives.
fn known() -> Vec<(String, [f32; 4])> {
    let long = "The warranty covers the motor, the valves and the seals. ".repeat(60);
    vec![
        (
            "The pump is switched off when the tank is full.".to_owned(),
            [0.0140547, 0.0274626, 0.0414264, -0.0076686],
        ),
        (
            "Die Pumpe wird abgeschaltet, sobald der Kessel voll ist – außer bei Überdruck.".to_owned(),
            [-0.1076183, 0.0595631, 0.004446, 0.0602828],
        ),
        ("水箱满了,水泵就会关闭。".to_owned(), [0.0124612, 0.0784444, 0.0257637, 0.0392531]),
        ("x".to_owned(), [-0.0979095, -0.0640008, 0.0184541, -0.0116279]),
        (
            "Invoice No. 2024-0815: 1,234.56 EUR due by 31/12/2024 (VAT 19 %), IBAN DE00 1234.".to_owned(),
            [-0.091871, 0.0584159, 0.0471445, 0.0126398],
        ),
        (
            "Ünïcödé\u{0} \u{200b}tabs\tand\nlines 🙂 naïve façade ﬁne".to_owned(),
            [0.0130193, 0.019658, -0.0066597, 0.0293753],
        ),
        (long, [-0.0896539, 0.0278486, 0.0410365, -0.0412637]),
    ]
}

#[test]
fn the_vectors_equal_those_of_the_reference_alone_and_together() {
    let Some(model) = model(2) else { return };
    let texts: Vec<String> = known().into_iter().map(|(text, _)| text).collect();
    let together = embed(&model, &texts);
    for ((text, numbers), vector) in known().into_iter().zip(&together) {
        let alone = embed(&model, std::slice::from_ref(&text)).remove(0);
        for own in [vector, &alone] {
            assert_eq!(own.len(), 384);
            let length: f32 = own.iter().map(|number| number * number).sum();
            assert!((length - 1.0).abs() < 1e-5);
            for (place, number) in [0, 1, 100, 383].into_iter().zip(numbers) {
                // Of 8 bits: the reference has 32.
                assert!((own[place] - number).abs() < 0.02, "{text:.40}: {} for {number}", own[place]);
            }
        }
    }
}

#[test]
fn a_text_is_cut_to_the_models_length_and_none_is_too_strange() {
    let Some(model) = model(1) else { return };
    let listed = model.to_listed_models().remove(0);
    assert_eq!(listed.context_tokens, Some(256));
    assert_eq!(listed.kind, Some(ModelKind::TextToEmbedding));
    let words = "tank ".repeat(254);
    let texts = [words.clone(), words + &"pump ".repeat(100_000), " ".to_owned(), "\u{0}".to_owned()];
    let vectors = embed(&model, &texts);
    let apart = vectors[0].iter().zip(&vectors[1]).map(|(a, b)| (a - b).abs()).fold(0.0, f32::max);
    assert!(apart < 1e-5, "{apart}");
    assert!(vectors.iter().flatten().all(|number| number.is_finite()));
    assert!(embed(&model, &[]).is_empty());
}
