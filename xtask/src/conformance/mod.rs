//! `cargo xtask conformance`: checks the real server against its OpenAPI document with schemathesis.
//!
//! schemathesis generates valid and invalid requests from `/openapi.json` and validates every answer. The
//! hostile bodies and texts of the open corpus are not sent here: the API tests send them to the same binary
//! (`bins/formwork/tests/api/{corpus,notes}.rs`) and check the answers.

mod agents;
mod clients;
mod mcp;
mod openai;
mod packages;
mod samples;
mod search;

use std::path::{Path, PathBuf};

use samples::Samples;

use crate::python::Environment;
use crate::server::{Profile, Server};
use crate::shell::run;

/// schemathesis and its dependencies, pinned, so that findings are reproducible.
const REQUIREMENTS: &str = include_str!("requirements.txt");
/// Rejections that are correct although the request matches the schema.
const HOOKS: &str = include_str!("hooks.py");
/// Length of a key's prefix: `fw_` and eight characters.
const KEY_BEGINNING: usize = 11;
/// Seed of the generated requests.
const SEED: &str = "7";
/// Number of requests per operation and phase of the short run, the same on every machine.
const EXAMPLES: &str = "25";
/// Duration of the manual run in seconds.
const SECONDS: &str = "300";

/// Runs every check for some minutes against the release binary.
pub(crate) fn run_all() -> anyhow::Result<()> {
    let folder = tempfile::tempdir()?;
    let environment = Environment::with_requirements(folder.path(), REQUIREMENTS)?;
    let provider = search::engine()?;
    let server = Server::start_with(|command| search::with_searxng(command, &provider.url()))?;
    run_schemathesis(folder.path(), &environment, &server, &["--max-time", SECONDS])?;
    search::run(Profile::Release)
}

/// Runs searches against a real SearXNG, and over feeds.
pub(crate) fn run_search() -> anyhow::Result<()> {
    search::run(Profile::Dev)
}

/// Generates clients and does the main job with each.
pub(crate) fn run_clients() -> anyhow::Result<()> {
    clients::run_all()
}

/// Clients of OpenAI's interface, before a scripted model server.
pub(crate) fn run_openai() -> anyhow::Result<()> {
    openai::run_all()
}

/// Fills a form with the clients of A2A and AG-UI.
pub(crate) fn run_agents() -> anyhow::Result<()> {
    agents::run_all()
}

/// Works with the clients of the Model Context Protocol.
pub(crate) fn run_mcp() -> anyhow::Result<()> {
    mcp::run_all()
}

/// Runs the tests of the client packages.
pub(crate) fn run_packages() -> anyhow::Result<()> {
    packages::run_all()
}

/// Runs every check with a fixed number of requests, against the binary that the tests have built.
pub(crate) fn run_short() -> anyhow::Result<()> {
    let folder = tempfile::tempdir()?;
    let environment = Environment::with_requirements(folder.path(), REQUIREMENTS)?;
    run_schemathesis_short(folder.path(), &environment)
}

/// The short run; skipped when Python or its packages are not available.
pub(crate) fn run_in_ci() -> anyhow::Result<()> {
    let folder = tempfile::tempdir()?;
    match Environment::with_requirements(folder.path(), REQUIREMENTS) {
        Ok(environment) => run_schemathesis_short(folder.path(), &environment),
        Err(error) => {
            println!("schemathesis is not available ({error}): the conformance run is SKIPPED");
            Ok(())
        }
    }
}

fn run_schemathesis_short(folder: &Path, environment: &Environment) -> anyhow::Result<()> {
    let provider = search::engine()?;
    let server = Server::start_checked(|command| search::with_searxng(command, &provider.url()))?;
    run_schemathesis(folder, environment, &server, &["--max-examples", EXAMPLES])
}

/// Fails when a check has a finding.
fn run_schemathesis(
    folder: &Path,
    environment: &Environment,
    server: &Server,
    bound: &[&str],
) -> anyhow::Result<()> {
    let samples = Samples::make(server)?;
    run(environment
        .program("st")
        .current_dir(folder)
        .env("FORMWORK_FORM", &samples.form)
        .env("FORMWORK_FILE", &samples.file)
        .env("FORMWORK_KEY_BEGINNING", server.key.get(..KEY_BEGINNING).unwrap_or_default())
        .env("FORMWORK_SAMPLES", [&samples.agent, &samples.file, &samples.note].map(String::as_str).join(" "))
        .arg("--config-file")
        .arg(write_settings(folder, &server.key, &samples)?)
        .args(["run", &format!("{}/openapi.json", server.url), "--no-color", "--continue-on-failure"])
        .args(["--checks", "all", "--seed", SEED, "--request-timeout", "20"])
        .args(bound))
}

/// The settings of schemathesis. The key is in a file, because the command is printed. Both headers for the
/// key are set: schemathesis would fill a missing one with a random key, which contradicts the other.
fn write_settings(folder: &Path, key: &str, samples: &Samples) -> anyhow::Result<PathBuf> {
    let (file, hooks) = (folder.join("schemathesis.toml"), folder.join("hooks.py"));
    std::fs::write(&hooks, HOOKS)?;
    // Administration needs another key, which would revoke itself or remove its member in the middle of the run. So do the
    // operations for public keys, which no other operation takes.
    let mut settings = format!(
        "hooks = {hooks:?}\n\
         [auth.openapi]\nserviceKey = {{ api_key = {key:?} }}\nbearer = {{ bearer = {key:?} }}\n\
         [generation]\ndatabase = \"none\"\nwith-security-parameters = false\n\
         [warnings]\nfail-on = [\"missing_auth\", \"unsupported_regex\"]\n\
         [[operations]]\ninclude-tag = \"administration\"\nenabled = false\n"
    );
    settings.push_str("[[operations]]\ninclude-path-regex = \"^/v1/public/\"\nenabled = false\n");
    // So do the gates of forms, which only owners set.
    for operation in ["set_form_gate", "remove_form_gate"] {
        settings
            .push_str(&format!("[[operations]]\ninclude-operation-id = {operation:?}\nenabled = false\n"));
    }
    let Samples { agent, file: sample, token, note, .. } = samples;
    // Operations on an existing resource that do not delete it. Deletions are tested with resources that the
    // run creates.
    for (operation, parameters) in [
        ("run_delta", format!("namespace = {agent:?}")),
        ("list_delta_responses", format!("namespace = {agent:?}")),
        ("get_file", format!("file_id = {sample}")),
        ("get_content", format!("token = {token:?}")),
        ("get_named_content", format!("token = {token:?}")),
        ("get_reference_part", "part = \"reference.js\"".to_owned()),
        ("get_console_part", "console_part = \"runs\"".to_owned()),
        ("get_logo", "logo = \"formwork.svg\"".to_owned()),
        ("get_note", format!("note_id = {note}")),
        ("update_note", format!("note_id = {note}")),
        ("list_notes", format!("resource = \"agent\", resource_id = {agent:?}")),
    ] {
        settings.push_str(&format!(
            "[[operations]]\ninclude-operation-id = {operation:?}\nparameters = {{ {parameters} }}\n"
        ));
    }
    std::fs::write(&file, settings)?;
    Ok(file)
}
