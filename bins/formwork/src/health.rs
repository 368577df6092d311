//! `formwork health`: asks the running server whether it is ready. The image has no other program that could.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr};
use std::time::Duration;

use anyhow::Context as _;

use crate::settings::Settings;

/// Time limit of the whole request. `GET /ready` answers within a second or little more.
const PATIENCE: Duration = Duration::from_secs(3);

/// Succeeds when `GET /ready` of the server on `listen` answers 200. Returns the answer.
///
/// # Errors
/// One sentence for the operator.
pub(crate) fn ask(settings: &Settings) -> anyhow::Result<String> {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .context("the runtime cannot be started")?;
    let url = format!("http://{}/ready", local(settings.listen));
    runtime.block_on(async {
        let client = providers_http::client_builder()?.timeout(PATIENCE).build()?;
        let answer = client.get(&url).send().await.with_context(|| format!("{url} does not answer"))?;
        let status = answer.status();
        let text = answer.text().await.with_context(|| format!("{url} does not answer"))?;
        anyhow::ensure!(status.is_success(), "{url} answers {status}: {text}");
        Ok(text + "\n")
    })
}

/// The address under which this machine reaches a listener; that of all interfaces is none.
fn local(listen: SocketAddr) -> SocketAddr {
    let ip = match listen.ip() {
        IpAddr::V4(ip) if ip.is_unspecified() => Ipv4Addr::LOCALHOST.into(),
        IpAddr::V6(ip) if ip.is_unspecified() => Ipv6Addr::LOCALHOST.into(),
        ip => ip,
    };
    SocketAddr::new(ip, listen.port())
}

#[cfg(test)]
mod tests {
    use super::local;

    #[test]
    fn a_listener_on_all_interfaces_is_asked_on_the_loopback_one() {
        let asked = |text: &str| local(text.parse().unwrap()).to_string();
        assert_eq!(asked("0.0.0.0:8080"), "127.0.0.1:8080");
        assert_eq!(asked("[::]:8080"), "[::1]:8080");
        assert_eq!(asked("192.0.2.1:80"), "192.0.2.1:80");
    }
}
