//! What a worker can still do after it has confined itself.

use std::fs::{self, File};
use std::io;
use std::net::{SocketAddr, TcpListener, TcpStream, UdpSocket};
use std::os::linux::net::SocketAddrExt as _;
use std::os::unix::net::{SocketAddr as UnixAddress, UnixListener, UnixStream};
use std::os::unix::process::CommandExt as _;
use std::path::Path;
use std::process::{Command, ExitCode, Stdio};

use document::ParseError;
use parser_pool::{ParserPool, PoolSettings, worker};
use rustix::process::{Signal, getppid, kill_process};
use sandbox::{Profile, SandboxMode, confine};

use crate::{read, settings};

/// Stands in for a worker that a document has taken over: it confines itself as workers do, tries everything,
/// prints what was refused, and parses a document.
pub(crate) fn take_over(mut arguments: impl Iterator<Item = String>) -> ExitCode {
    let (folder, tcp, name) =
        (arguments.next().unwrap(), arguments.next().unwrap(), arguments.next().unwrap());
    let limits = worker::WorkerLimits::from_arguments(arguments).unwrap();
    let (folder, tcp) = (Path::new(&folder), tcp.parse::<SocketAddr>().unwrap());
    let name = UnixAddress::from_abstract_name(name).unwrap();
    let parent = getppid().unwrap();
    let of_parent = |file: &str| format!("/proc/{}/{file}", parent.as_raw_nonzero());
    let (environment, memory) = (of_parent("environ"), of_parent("mem"));
    assert!(worker::confine(&limits).unwrap().seccomp);
    let attempts: &[(&str, &dyn Fn() -> io::Result<()>)] = &[
        ("read the database", &|| File::open(folder.join("database")).map(drop)),
        ("list the blobs", &|| fs::read_dir(folder).map(drop)),
        ("read the server's environment", &|| File::open(&environment).map(drop)),
        ("read the server's memory", &|| File::open(&memory).map(drop)),
        ("create a file", &|| File::create(folder.join("new")).map(drop)),
        ("append to the database", &|| File::options().append(true).open(folder.join("database")).map(drop)),
        ("remove the database", &|| fs::remove_file(folder.join("database"))),
        ("connect by TCP", &|| TcpStream::connect(tcp).map(drop)),
        ("listen", &|| TcpListener::bind("127.0.0.1:0").map(drop)),
        ("open a UDP socket", &|| UdpSocket::bind("127.0.0.1:0").map(drop)),
        ("connect to a Unix socket", &|| UnixStream::connect(folder.join("socket")).map(drop)),
        ("connect to an abstract socket", &|| UnixStream::connect_addr(&name).map(drop)),
        ("run a program", &|| Command::new("/bin/true").spawn().map(drop)),
        ("become a program", &|| Err(Command::new("/bin/true").exec())),
        ("end the server", &|| kill_process(parent, Signal::TERM).map_err(io::Error::from)),
        ("raise its limits", &|| raise_limits(&limits)),
    ];
    for (attempt, work) in attempts {
        println!("{attempt}: {}", if work().is_err() { "refused" } else { "done" });
    }
    let parse = || documents_core::parse(b"# Title", "a.md", &documents_core::Limits::default());
    println!("parsed {}", std::thread::spawn(parse).join().unwrap().unwrap().text.trim());
    ExitCode::SUCCESS
}

fn raise_limits(limits: &worker::WorkerLimits) -> io::Result<()> {
    let more = Some(2 * limits.memory_bytes);
    let limit = rustix::process::Rlimit { current: more, maximum: more };
    Ok(rustix::process::setrlimit(rustix::process::Resource::As, limit)?)
}

pub(crate) fn reaches_nothing() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("database"), "rows").unwrap();
    let tcp = TcpListener::bind("127.0.0.1:0").unwrap();
    let _unix = UnixListener::bind(folder.path().join("socket")).unwrap();
    let name = folder.path().to_str().unwrap().replace('/', "-");
    let _abstract = UnixListener::bind_addr(&UnixAddress::from_abstract_name(&name).unwrap()).unwrap();
    let PoolSettings { memory_bytes, cpu_seconds, max_input, sandbox, .. } = settings();
    let output = Command::new(std::env::current_exe().unwrap())
        .args(["takeover", folder.path().to_str().unwrap(), &tcp.local_addr().unwrap().to_string(), &name])
        .args([memory_bytes, cpu_seconds, max_input].map(|number| number.to_string()))
        .arg(sandbox.name())
        .stderr(Stdio::inherit())
        .output()
        .unwrap();
    let told = String::from_utf8(output.stdout).unwrap();
    let (attempts, parsed) = told.trim_end().rsplit_once('\n').unwrap();
    assert_eq!(parsed, "parsed # Title", "{told}");
    assert_eq!(attempts.lines().count(), 16, "{told}");
    assert!(attempts.lines().all(|attempt| attempt.ends_with(": refused")), "{told}");
}

/// Becomes a worker on a system that has no layer: a sandbox refuses the calls that make one.
pub(crate) fn run_without_layers(arguments: impl Iterator<Item = String>) -> ExitCode {
    let program = std::env::current_exe().unwrap();
    // The libraries of a test program may lie beside it.
    let _ = confine(&Profile::Program(vec!["/".into()]));
    panic!("{}", Command::new(program).args(arguments).exec());
}

pub(crate) async fn is_required() {
    let old = |sandbox| {
        let args = vec!["old-kernel".into(), "parse-worker".into()];
        ParserPool::new(PoolSettings { args, sandbox, ..settings() })
    };
    let pool = old(SandboxMode::On);
    assert_eq!(pool.confinement(), None);
    assert_eq!(read(&pool, "a.txt", b"on".to_vec()).await.unwrap().text, "on");
    assert_eq!(pool.confinement().unwrap().missing(), ["no_new_privs", "Landlock", "seccomp"]);
    match read(&old(SandboxMode::Required), "a.txt", b"on".to_vec()).await {
        Err(ParseError::Unavailable(reason)) => {
            assert_eq!(
                reason.to_string(),
                "the sandbox is required and lacks no_new_privs, Landlock, seccomp"
            );
        }
        other => panic!("{other:?}"),
    }
    let pool = ParserPool::new(PoolSettings { sandbox: SandboxMode::Required, ..settings() });
    let parsed = read(&pool, "a.txt", b"on".to_vec()).await;
    assert_eq!(parsed.is_ok(), pool.confinement().unwrap().is_complete());
    let pool = ParserPool::new(PoolSettings { sandbox: SandboxMode::Off, ..settings() });
    assert_eq!(read(&pool, "a.txt", b"on".to_vec()).await.unwrap().text, "on");
    assert_eq!(pool.confinement().unwrap().to_string(), "nothing");
}
