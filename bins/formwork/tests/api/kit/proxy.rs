//! A TCP proxy between the server and its database that can stop forwarding, or end all connections.

use std::io::{Read as _, Write as _};
use std::net::{Shutdown, SocketAddr, TcpListener, TcpStream};
use std::sync::{Arc, Condvar, Mutex};

/// What happens to connections.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Mode {
    /// Bytes are forwarded.
    Forward,
    /// Bytes are held back, in both directions, as by a server that hangs.
    Hold,
    /// Connections end, and new ones end at once.
    Refuse,
}

/// A proxy that forwards at first. Its threads end with the test process.
pub(crate) struct Proxy {
    pub(crate) address: SocketAddr,
    state: Arc<State>,
}

struct State {
    mode: Mutex<Mode>,
    changed: Condvar,
    open: Mutex<Vec<TcpStream>>,
}

impl Proxy {
    /// A proxy in front of `target` (`host:port`).
    pub(crate) fn start(target: &str) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = listener.local_addr().unwrap();
        let state =
            State { mode: Mutex::new(Mode::Forward), changed: Condvar::new(), open: Mutex::default() };
        let state = Arc::new(state);
        let (target, accepting) = (target.to_owned(), Arc::clone(&state));
        std::thread::spawn(move || {
            for client in listener.incoming().flatten() {
                connect(client, &target, &accepting);
            }
        });
        Self { address, state }
    }

    /// Holds back all bytes until [`Self::resume`].
    pub(crate) fn hold(&self) {
        self.set(Mode::Hold);
    }

    /// Ends all connections, and new ones at once, until [`Self::resume`].
    pub(crate) fn refuse(&self) {
        self.set(Mode::Refuse);
        for stream in self.state.open.lock().unwrap().drain(..) {
            stream.shutdown(Shutdown::Both).ok();
        }
    }

    pub(crate) fn resume(&self) {
        self.set(Mode::Forward);
    }

    fn set(&self, mode: Mode) {
        *self.state.mode.lock().unwrap() = mode;
        self.state.changed.notify_all();
    }
}

fn connect(client: TcpStream, target: &str, state: &Arc<State>) {
    if *state.mode.lock().unwrap() == Mode::Refuse {
        return;
    }
    let Ok(server) = TcpStream::connect(target) else { return };
    let copy = |stream: &TcpStream| stream.try_clone().unwrap();
    state.open.lock().unwrap().extend([copy(&client), copy(&server)]);
    for (from, to) in [(copy(&client), copy(&server)), (server, client)] {
        let state = Arc::clone(state);
        std::thread::spawn(move || forward(from, to, &state));
    }
}

fn forward(mut from: TcpStream, mut to: TcpStream, state: &State) {
    let mut bytes = [0; 16_384];
    loop {
        let count = from.read(&mut bytes).unwrap_or(0);
        let mode = state.mode.lock().unwrap();
        let mode = *state.changed.wait_while(mode, |mode| *mode == Mode::Hold).unwrap();
        if count == 0 || mode == Mode::Refuse || to.write_all(&bytes[..count]).is_err() {
            to.shutdown(Shutdown::Both).ok();
            from.shutdown(Shutdown::Both).ok();
            return;
        }
    }
}
