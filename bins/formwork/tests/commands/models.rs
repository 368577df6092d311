//! Embedding models that run in the server: `models add`, `list`, `remove`.

use testkit::write_embedding_model;

use crate::Workplace;

const ZIP: &[u8] = b"PK\x03\x04 and nothing else";

#[test]
fn a_model_is_installed_listed_and_removed() {
    let workplace = Workplace::new(&[]);
    write_embedding_model(&workplace.path("tiny")).unwrap();
    assert!(!workplace.printed(&["models"]).contains("tiny"));
    let told = workplace.printed(&["models", "add", "tiny"]);
    assert!(told.starts_with("tiny@formwork was installed in "), "{told}");
    assert!(workplace.printed(&["models", "list"]).contains("tiny@formwork  text-to-embedding  24 tokens"));
    assert!(workplace.printed(&["doctor"]).contains("Models: tiny."));
    assert!(workplace.refused(&["models", "add", "tiny"]).contains("remove it first"));
    workplace.printed(&["models", "add", "tiny", "--name", "other"]);
    workplace.printed(&["models", "remove", "tiny"]);
    assert!(
        workplace.refused(&["models", "remove", "tiny"]).contains("there is no local model named 'tiny'")
    );
    let listed = workplace.printed(&["models"]);
    assert!(listed.contains("other@formwork") && !listed.contains("tiny"), "{listed}");
}

#[test]
fn what_is_no_model_is_refused_and_leaves_nothing() {
    let workplace = Workplace::new(&[("notes.txt", "Just a text.")]);
    std::fs::write(workplace.path("broken.zip"), ZIP).unwrap();
    let hash = "00".repeat(32);
    for (arguments, told) in [
        (vec!["no-such-model"], "neither a known model (multilingual-e5-small, all-minilm-l6-v2)"),
        (vec!["notes.txt", "--name", "notes"], "neither a folder nor an archive"),
        (vec!["notes.txt"], "needs a name: --name"),
        (vec!["broken.zip", "--name", "broken"], "broken.zip is not valid"),
        (vec!["broken.zip", "--name", "broken", "--sha256", &hash], "the file has the SHA-256"),
        (vec!["http://127.0.0.1:9/model.zip", "--name", "far"], "needs its hash: --sha256"),
        (vec!["http://127.0.0.1:9/model.zip", "--name", "far", "--sha256", &hash], "cannot be downloaded"),
    ] {
        let arguments: Vec<&str> = ["models", "add"].into_iter().chain(arguments).collect();
        let refused = workplace.refused(&arguments);
        assert!(refused.contains(told), "{arguments:?}: {refused}");
    }
    let models = workplace.path("formwork-data/models");
    assert!(!models.exists() || std::fs::read_dir(models).unwrap().next().is_none());
}
