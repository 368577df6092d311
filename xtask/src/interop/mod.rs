//! `cargo xtask conformance models`: the server against third-party servers that implement vendors' APIs. `conformance
//! sign-in`: the server against a third-party OpenID provider.

mod browser;
mod caller;
mod llama;
mod servers;
mod sign_in;
mod vendor_spec;
mod vendors;

use std::path::PathBuf;

use crate::litellm;
use crate::server::Server;
use crate::shell::is_installed;
use caller::{Caller, Tally};
use sign_in::ClaimsPlace;

/// Runs all suites whose programs are installed.
pub(crate) fn run() -> anyhow::Result<()> {
    let runtime = runtime()?;
    let mut tally = Tally::default();
    if is_installed("node") && is_installed("npm") {
        runtime.block_on(check_aimock(&mut tally, &servers::aimock()?))?;
    } else {
        println!("node and npm are not installed: aimock is SKIPPED");
    }
    if !is_installed("python3") {
        println!("python3 is not installed: llama.cpp and LiteLLM are SKIPPED");
        return tally.end();
    }
    match std::env::var_os("FORMWORK_PEERS").map(PathBuf::from) {
        Some(peers) => {
            let llama = servers::llama(&peers)?;
            let server = start_server(&format!(
                "[models]\nretries = 0\n[[models.own]]\nname = \"tiny\"\nbase_url = \"http://{}/v1\"\n",
                llama.address
            ))?;
            runtime.block_on(llama::check_all(&mut tally, &Caller::new(&server)?))?;
        }
        None => println!("FORMWORK_PEERS is not set to a folder of scripts: llama.cpp is SKIPPED"),
    }
    fronts(&runtime, &mut tally)?;
    tally.end()
}

/// Runs what needs node alone, which is small: the vendors' adapters against aimock, and the sign-in; skipped when it is
/// not available.
pub(crate) fn run_in_ci() -> anyhow::Result<()> {
    if !is_installed("node") || !is_installed("npm") {
        println!("node and npm are not installed: the runs of the providers are SKIPPED");
        return Ok(());
    }
    let aimock = match servers::aimock() {
        Ok(aimock) => aimock,
        Err(error) => {
            println!("aimock is not available ({error}): the runs of the providers are SKIPPED");
            return Ok(());
        }
    };
    let mut tally = Tally::default();
    runtime()?.block_on(check_aimock(&mut tally, &aimock))?;
    check_sign_in(&mut tally)?;
    tally.end()
}

/// Signs in at a third-party OpenID provider.
pub(crate) fn run_sign_in() -> anyhow::Result<()> {
    if !is_installed("node") || !is_installed("npm") {
        println!("node and npm are not installed: oidc-provider is SKIPPED");
        return Ok(());
    }
    let mut tally = Tally::default();
    check_sign_in(&mut tally)?;
    tally.end()
}

fn check_sign_in(tally: &mut Tally) -> anyhow::Result<()> {
    println!("oidc-provider");
    let runtime = runtime()?;
    let provider = sign_in::provider(ClaimsPlace::Token)?;
    let server = start_server(&sign_in::settings(&provider))?;
    runtime.block_on(sign_in::check_all(tally, &server))?;
    let provider = sign_in::provider(ClaimsPlace::UserInfo)?;
    let server = start_server(&sign_in::settings(&provider))?;
    runtime.block_on(sign_in::check_user_info(tally, &server))
}

fn runtime() -> anyhow::Result<tokio::runtime::Runtime> {
    Ok(tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build()?)
}

/// The server with these settings.
fn start_server(settings: &str) -> anyhow::Result<Server> {
    let folder = tempfile::tempdir()?;
    let file = folder.path().join("formwork.toml");
    std::fs::write(&file, settings)?;
    Server::start_checked(|command| command.arg("--config").arg(&file))
}

/// Settings that direct every vendor to one address.
fn vendors_at(address: &str, key: &str) -> String {
    let table = |name: &str, path: &str| {
        format!("[models.{name}]\nbase_url = \"http://{address}{path}\"\nkey = \"{key}\"\n")
    };
    let tables = [("openai", "/v1"), ("anthropic", "/v1"), ("google", "/v1beta"), ("mistral", "/v1")];
    tables.map(|(name, path)| table(name, path)).concat()
}

async fn check_aimock(tally: &mut Tally, aimock: &servers::Aimock) -> anyhow::Result<()> {
    let server = start_server(&vendors_at(&aimock.0.address, "the-secret-of-a-vendor"))?;
    vendors::check_all(tally, &Caller::new(&server)?, aimock).await
}

/// Tests LiteLLM's front ends of Anthropic and Google, with mocked models.
fn fronts(runtime: &tokio::runtime::Runtime, tally: &mut Tally) -> anyhow::Result<()> {
    let mock = |text: &str| format!("mock_response: \"{text}\"");
    let models = litellm::model("claude-front", "anthropic/claude-front", &mock("spoken as Anthropic"))
        + &litellm::model("gemini-front", "gemini/gemini-front", &mock("spoken as Google"));
    let proxy = litellm::start(&models)?;
    let server = start_server(&vendors_at(&proxy.address, litellm::KEY))?;
    runtime.block_on(vendors::check_front_ends(tally, &Caller::new(&server)?))
}
