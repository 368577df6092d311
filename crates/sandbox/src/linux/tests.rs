//! Each layer alone, and both profiles. A layer holds for the thread that applies it, so every test confines a
//! thread of its own.

use std::fs::{self, File};
use std::io::{self, ErrorKind, Read as _};
use std::net::{TcpListener, TcpStream, UdpSocket};
use std::os::linux::net::SocketAddrExt as _;
use std::os::unix::fs::PermissionsExt as _;
use std::os::unix::net::{SocketAddr, UnixListener, UnixStream};
use std::path::{Path, PathBuf};
use std::process::Command;

use landlock::{AccessFs, CompatLevel, Compatible as _, Ruleset, RulesetAttr as _};
use rustix::process::{Pid, getppid, test_kill_process};
use rustix::thread::CapabilitySet;

use super::{calls, files, user};
use crate::{Profile, UserIsolation, confine};

const EPERM: i32 = 1;
const EACCES: i32 = 13;
const ENOSYS: i32 = 38;

/// What a thread outside the sandbox has made: a file, and sockets that listen.
struct Outside {
    folder: tempfile::TempDir,
    address: std::net::SocketAddr,
    parent: Pid,
    _tcp: TcpListener,
    _unix: UnixListener,
    _named: UnixListener,
    name: SocketAddr,
}

impl Outside {
    fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        fs::write(folder.path().join("database"), "rows").unwrap();
        fs::write(folder.path().join("old"), "rows").unwrap();
        let name = folder.path().to_str().unwrap().replace('/', "-");
        let name = SocketAddr::from_abstract_name(name).unwrap();
        let tcp = TcpListener::bind("127.0.0.1:0").unwrap();
        Self {
            address: tcp.local_addr().unwrap(),
            parent: getppid().unwrap(),
            _tcp: tcp,
            _unix: UnixListener::bind(folder.path().join("socket")).unwrap(),
            _named: UnixListener::bind_addr(&name).unwrap(),
            name,
            folder,
        }
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    /// What a confined thread tries, and the number of the error, 0 for none.
    fn attempts(&self) -> Vec<(&'static str, i32)> {
        let environ = format!("/proc/{}/environ", self.parent.as_raw_nonzero());
        vec![
            ("open", code(File::open(self.path("database")))),
            ("list", code(fs::read_dir(self.folder.path()))),
            ("write", code(File::create(self.path("new")))),
            ("remove", code(fs::remove_file(self.path("old")))),
            ("environment", code(File::open(environ))),
            ("run", code(run("/bin/true"))),
            ("tcp", code(TcpStream::connect(self.address))),
            ("listen", code(TcpListener::bind("127.0.0.1:0"))),
            ("udp", code(UdpSocket::bind("127.0.0.1:0"))),
            ("unix", code(UnixStream::connect(self.path("socket")))),
            ("abstract", code(UnixStream::connect_addr(&self.name))),
            ("signal", code(test_kill_process(self.parent).map_err(io::Error::from))),
        ]
    }
}

/// Whether the kernel has Landlock, asked in another way than the sandbox does.
fn has_landlock() -> bool {
    let strict = Ruleset::default().set_compatibility(CompatLevel::HardRequirement);
    strict.handle_access(AccessFs::Execute).and_then(Ruleset::create).is_ok()
}

fn code<T>(result: io::Result<T>) -> i32 {
    result.map_or_else(|error| error.raw_os_error().unwrap_or(-1), |_| 0)
}

fn run(program: &str) -> io::Result<()> {
    let status = Command::new(program).env_clear().status()?;
    if status.success() { Ok(()) } else { Err(io::Error::other(status.to_string())) }
}

/// Runs the work on a thread of its own.
fn on_a_thread<T: Send>(work: impl FnOnce() -> T + Send) -> T {
    std::thread::scope(|scope| scope.spawn(work).join()).unwrap()
}

fn refused(attempts: &[(&'static str, i32)], with: &[i32]) -> Vec<&'static str> {
    attempts.iter().filter(|(_, code)| with.contains(code)).map(|(name, _)| *name).collect()
}

#[test]
fn landlock_alone_leaves_no_path_no_tcp_and_no_process_outside() {
    let outside = Outside::new();
    let (abi, attempts) = on_a_thread(|| (files::deny_all(), outside.attempts()));
    if !has_landlock() {
        return;
    }
    assert!(abi > 0);
    let refused = refused(&attempts, &[EACCES, EPERM]);
    let mut expected = vec!["open", "list", "write", "remove", "environment", "run"];
    if abi >= 4 {
        expected.extend(["tcp", "listen"]);
    }
    if abi >= 6 {
        expected.extend(["abstract", "signal"]);
    }
    for name in expected {
        assert!(refused.contains(&name), "{name}: {attempts:?}");
    }
}

#[test]
fn seccomp_alone_leaves_no_path_no_socket_and_no_process() {
    let outside = Outside::new();
    let (holds, attempts) = on_a_thread(|| (calls::restrict(&Profile::Compute), outside.attempts()));
    assert!(holds);
    assert_eq!(refused(&attempts, &[ENOSYS]).len(), attempts.len(), "{attempts:?}");
}

#[test]
fn seccomp_leaves_only_the_standard_descriptors() {
    let mut file = tempfile::tempfile().unwrap();
    let read = on_a_thread(move || {
        assert!(calls::restrict(&Profile::Compute));
        code(file.read(&mut [0]))
    });
    assert_eq!(read, ENOSYS, "of a descriptor that was open before");
}

#[test]
fn a_confined_thread_computes_starts_threads_and_allocates() {
    let sum = on_a_thread(|| {
        assert!(confine(&Profile::Compute).seccomp);
        let large = vec![1_u8; 32 << 20];
        std::thread::spawn(move || large.iter().map(|byte| u64::from(*byte)).sum::<u64>()).join().unwrap()
    });
    assert_eq!(sum, 32 << 20);
}

#[test]
fn programs_run_and_read_what_they_are_given_and_nothing_else() {
    let (outside, inside) = (Outside::new(), tempfile::tempdir().unwrap());
    fs::write(inside.path().join("data"), "model").unwrap();
    let paths = vec![inside.path().to_owned()];
    let (confinement, attempts, data, null) = on_a_thread(|| {
        let confinement = confine(&Profile::Program(paths));
        let data = fs::read_to_string(inside.path().join("data")).map_err(|error| error.kind());
        (confinement, outside.attempts(), data, code(fs::write("/dev/null", "x")))
    });
    assert!(confinement.no_new_privileges && confinement.seccomp, "{confinement:?}");
    assert_eq!((data, null), (Ok("model".to_owned()), 0));
    assert!(attempts.contains(&("run", 0)), "{attempts:?}");
    let mut refused = refused(&attempts, &[EACCES, EPERM, ENOSYS]);
    if !has_landlock() {
        return;
    }
    refused.sort_unstable();
    let mut expected: Vec<&str> =
        attempts.iter().map(|(name, _)| *name).filter(|name| *name != "run").collect();
    expected.sort_unstable();
    assert_eq!(refused, expected, "{attempts:?}");
}

#[test]
fn root_becomes_a_user_without_files_where_what_it_needs_stays_readable() {
    if !rustix::process::geteuid().is_root() {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let secret = folder.path().join("database");
    fs::write(&secret, "rows").unwrap();
    fs::set_permissions(&secret, fs::Permissions::from_mode(0o600)).unwrap();
    let try_open = |needed: &[&Path]| {
        let needed: Vec<PathBuf> = needed.iter().map(|path| (*path).to_owned()).collect();
        on_a_thread(|| {
            let isolation = user::isolate(&needed);
            let capabilities = rustix::thread::capabilities(None).unwrap();
            assert_eq!(capabilities.permitted | capabilities.effective, CapabilitySet::empty());
            (isolation, File::open(&secret).map(drop).map_err(|error| error.kind()))
        })
    };
    assert_eq!(try_open(&[]), (UserIsolation::OwnUser, Err(ErrorKind::PermissionDenied)));
    assert_eq!(try_open(&[Path::new("/bin/sh"), Path::new("/none")]).0, UserIsolation::OwnUser);
    // A process with several threads cannot have a user namespace.
    assert_eq!(try_open(&[&secret]), (UserIsolation::None, Ok(())));
}

#[test]
fn a_complete_confinement_is_told() {
    if !has_landlock() {
        return;
    }
    let confinement = on_a_thread(|| confine(&Profile::Compute));
    assert!(confinement.is_complete(), "{confinement}");
    assert!(confinement.to_string().contains("Landlock ABI"), "{confinement}");
}
