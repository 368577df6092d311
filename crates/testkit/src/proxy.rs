//! A TCP proxy that can hold back all bytes, or end all connections.

use std::io::{Read as _, Write as _};
use std::net::{Shutdown, SocketAddr, TcpListener, TcpStream};
use std::sync::Arc;

use anyhow::Context as _;
use parking_lot::{Condvar, Mutex};

/// Bytes that are read at once.
const CHUNK: usize = 16_384;

/// What happens to connections.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Mode {
    /// Bytes are forwarded.
    #[default]
    Forward,
    /// Bytes are held back, in both directions, as by a server that hangs.
    Hold,
    /// Connections end, and new ones end at once.
    Refuse,
}

/// A proxy that forwards at first. Its threads end with the process.
#[derive(Debug)]
pub struct TcpProxy {
    /// Where it listens.
    pub address: SocketAddr,
    state: Arc<State>,
}

#[derive(Debug, Default)]
struct State {
    mode: Mutex<Mode>,
    changed: Condvar,
    open: Mutex<Vec<TcpStream>>,
}

impl TcpProxy {
    /// Starts a proxy in front of `target` (`host:port`).
    ///
    /// # Errors
    /// No free port.
    pub fn start(target: &str) -> anyhow::Result<Self> {
        let listener = TcpListener::bind("127.0.0.1:0").context("no free port for a proxy")?;
        let address = listener.local_addr()?;
        let state = Arc::new(State::default());
        let (target, accepting) = (target.to_owned(), Arc::clone(&state));
        std::thread::spawn(move || {
            for client in listener.incoming().flatten() {
                // A target that is away ends the connection.
                connect(client, &target, &accepting).ok();
            }
        });
        Ok(Self { address, state })
    }

    /// Holds back all bytes until [`Self::resume`].
    pub fn hold(&self) {
        self.set(Mode::Hold);
    }

    /// Ends all connections, and new ones at once, until [`Self::resume`].
    pub fn refuse(&self) {
        self.set(Mode::Refuse);
        for stream in self.state.open.lock().drain(..) {
            stream.shutdown(Shutdown::Both).ok();
        }
    }

    /// Forwards again.
    pub fn resume(&self) {
        self.set(Mode::Forward);
    }

    fn set(&self, mode: Mode) {
        *self.state.mode.lock() = mode;
        self.state.changed.notify_all();
    }
}

fn connect(client: TcpStream, target: &str, state: &Arc<State>) -> std::io::Result<()> {
    if *state.mode.lock() == Mode::Refuse {
        return Ok(());
    }
    let server = TcpStream::connect(target)?;
    state.open.lock().extend([client.try_clone()?, server.try_clone()?]);
    for (from, to) in [(client.try_clone()?, server.try_clone()?), (server, client)] {
        let state = Arc::clone(state);
        std::thread::spawn(move || forward(from, to, &state));
    }
    Ok(())
}

fn forward(mut from: TcpStream, mut to: TcpStream, state: &State) {
    let mut bytes = [0; CHUNK];
    loop {
        let count = from.read(&mut bytes).unwrap_or(0);
        let mut mode = state.mode.lock();
        state.changed.wait_while(&mut mode, |mode| *mode == Mode::Hold);
        let is_open = *mode != Mode::Refuse;
        drop(mode);
        let part = bytes.get(..count).unwrap_or_default();
        if part.is_empty() || !is_open || to.write_all(part).is_err() {
            to.shutdown(Shutdown::Both).ok();
            from.shutdown(Shutdown::Both).ok();
            return;
        }
    }
}
