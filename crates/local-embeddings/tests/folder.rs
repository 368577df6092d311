//! Folders without a usable model.
#![allow(clippy::unwrap_used, reason = "tests")]

use std::fs;
use std::path::Path;

use local_embeddings::LocalEmbeddings;

const CONFIG: &str = r#"{"model_type": "bert", "hidden_act": "gelu", "hidden_size": 4, "num_hidden_layers": 1,
    "num_attention_heads": 2, "max_position_embeddings": 8, "layer_norm_eps": 1e-12}"#;

fn refused(folder: &Path) -> String {
    LocalEmbeddings::open(folder, 1).unwrap_err().to_string()
}

#[test]
fn a_folder_without_a_model_is_refused_with_the_file_that_is_missing_or_wrong() {
    let parent = tempfile::tempdir().unwrap();
    let folder = parent.path().join("tiny");
    assert!(refused(&folder).contains("tiny cannot be read"));
    fs::create_dir(&folder).unwrap();
    assert!(refused(&folder).contains("config.json cannot be read"));
    fs::write(folder.join("config.json"), "{").unwrap();
    assert!(refused(&folder).contains("config.json is not valid"));
    fs::write(folder.join("config.json"), CONFIG.replace("gelu", "relu")).unwrap();
    assert!(refused(&folder).contains("only BERT models"));
    fs::write(folder.join("config.json"), CONFIG.replace("heads\": 2", "heads\": 3")).unwrap();
    assert!(refused(&folder).contains("multiple"));
    fs::write(folder.join("config.json"), CONFIG).unwrap();
    assert!(refused(&folder).contains("tokenizer.json cannot be read"));
    fs::write(folder.join("tokenizer.json"), "[]").unwrap();
    assert!(refused(&folder).contains("tokenizer.json is not valid"));
    let tokenizer =
        r#"{"version": "1.0", "model": {"type": "WordLevel", "vocab": {"a": 0}, "unk_token": "a"}}"#;
    fs::write(folder.join("tokenizer.json"), tokenizer).unwrap();
    for weights in [&b""[..], b"\xff\xff\xff\xff\xff\xff\xff\xff{}", b"\x02\0\0\0\0\0\0\0{}"] {
        fs::write(folder.join("model.safetensors"), weights).unwrap();
        assert!(refused(&folder).contains("model.safetensors is not valid"));
    }
    fs::create_dir(folder.join("1_Pooling")).unwrap();
    fs::write(folder.join("1_Pooling/config.json"), r#"{"pooling_mode_cls_token": true}"#).unwrap();
    assert!(refused(&folder).contains("mean pooling"));
}

#[test]
fn the_name_of_the_folder_has_to_be_a_models_name() {
    let parent = tempfile::tempdir().unwrap();
    for name in ["Big", "extractive", "a b"] {
        fs::create_dir(parent.path().join(name)).unwrap();
        assert!(refused(&parent.path().join(name)).contains("must be named by"), "{name}");
    }
}
