//! Bytes on a connection, for what no client library would send.

use std::io::{Read as _, Write as _};
use std::net::{Shutdown, TcpStream};
use std::time::Duration;

use serde_json::Value;

use super::Server;

/// How long a silent server is waited for; only a defect reaches it.
const PATIENCE: Duration = Duration::from_secs(30);

impl Server {
    pub(crate) fn connect(&self) -> TcpStream {
        let stream = TcpStream::connect(self.address()).unwrap();
        stream.set_read_timeout(Some(PATIENCE)).unwrap();
        stream
    }

    /// Sends a request with a JSON body, and leaves its answer to be read.
    pub(crate) fn send_json(&self, path: &str, body: &Value) -> TcpStream {
        let body = body.to_string();
        let mut stream = self.connect();
        let head = format!(
            "POST {path} HTTP/1.1\r\nhost: h\r\nx-service-key: {}\r\ncontent-type: application/json\r\n\
             content-length: {}\r\n\r\n{body}",
            self.key,
            body.len()
        );
        stream.write_all(head.as_bytes()).unwrap();
        stream
    }

    /// Sends bytes, and reads until the server closes the connection.
    pub(crate) fn raw(&self, bytes: &[u8]) -> String {
        self.spoken(bytes, false)
    }

    /// Sends bytes, ends the sending side, and reads until the server closes the connection.
    pub(crate) fn half_closed(&self, bytes: &[u8]) -> String {
        self.spoken(bytes, true)
    }

    fn spoken(&self, bytes: &[u8], ended: bool) -> String {
        let mut stream = self.connect();
        // A server that has refused already may have closed its side.
        let _ = stream.write_all(bytes);
        if ended {
            let _ = stream.shutdown(Shutdown::Write);
        }
        let mut answer = Vec::new();
        // A reset after the answer is as good as an end.
        let _ = stream.read_to_end(&mut answer);
        String::from_utf8_lossy(&answer).into_owned()
    }

    /// Sends bytes and leaves at once.
    pub(crate) fn cut_off(&self, bytes: &[u8]) {
        let mut stream = self.connect();
        stream.write_all(bytes).unwrap();
    }
}
