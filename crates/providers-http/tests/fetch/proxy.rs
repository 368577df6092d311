//! The proxy of a browser: what is denied to the fetcher is denied to it, and nothing it does goes on without end.

use std::net::Ipv4Addr;
use std::sync::Arc;
use std::time::Duration;

use providers_http::{GuardedProxy, ProxySettings};
use testkit::ForbiddenListener;
use testkit::upstream::Reply;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpStream;
use utilities_core::web::{AllowList, BrowserProxy as _, FetchPolicy, ProxyLease};

use crate::kit::{Names, always, page, port};

/// A proxy for a page that is listed, as 127.0.0.1 is and nothing else inside.
struct Open {
    names: Arc<Names>,
    lease: ProxyLease,
}

async fn open_for(url: &str, change: impl FnOnce(&mut ProxySettings)) -> Open {
    let allow = AllowList::parse(["127.0.0.1"]).unwrap();
    let mut settings = ProxySettings::new(FetchPolicy { allow, ..FetchPolicy::default() });
    change(&mut settings);
    let names = Arc::new(Names::default());
    let lease = GuardedProxy::new(settings, names.clone()).open(url).await.unwrap();
    Open { names, lease }
}

async fn open() -> Open {
    open_for("http://127.0.0.1:9/", |_| {}).await
}

impl Open {
    /// All that comes back for what is sent; nothing where the connection is closed at once.
    async fn says(&self, sent: &str) -> String {
        let mut stream = TcpStream::connect(self.lease.address).await.unwrap();
        let mut said = Vec::new();
        // Whoever is refused may find the connection closed before all is sent.
        let _ = stream.write_all(sent.as_bytes()).await;
        let _ = stream.read_to_end(&mut said).await;
        String::from_utf8(said).unwrap()
    }

    async fn get(&self, url: &str) -> String {
        self.says(&format!("GET {url} HTTP/1.1\r\nHost: x\r\nProxy-Connection: keep-alive\r\n\r\n")).await
    }

    async fn connect(&self, authority: &str) -> String {
        self.says(&format!("CONNECT {authority} HTTP/1.1\r\nHost: {authority}\r\n\r\n")).await
    }
}

fn trap(port: u16) -> ForbiddenListener {
    ForbiddenListener::bind(Ipv4Addr::new(127, 0, 0, 2).into(), port).unwrap()
}

fn status(said: &str) -> &str {
    said.split(' ').nth(1).unwrap_or_default()
}

#[tokio::test]
async fn a_plain_request_is_passed_on_to_its_host_and_one_connection_carries_one() {
    let site = always(page("shown"));
    let open = open().await;
    let said = open.get(&format!("{}/path?of=it", site.url())).await;
    assert!(said.starts_with("HTTP/1.1 200") && said.ends_with("shown"), "{said}");
    assert!(said.to_ascii_lowercase().contains("connection: close\r\n"), "{said}");
    let received = site.requests();
    assert_eq!(received.len(), 1);
    assert_eq!(received[0].path, "/path?of=it");
    assert_eq!(received[0].header("host"), Some(format!("127.0.0.1:{}", port(&site)).as_str()));
    assert_eq!(received[0].header("proxy-connection"), None);
}

#[tokio::test]
async fn a_tunnel_carries_what_the_browser_says_to_a_host_that_may_be_reached() {
    let site = always(page("through").close());
    let open = open().await;
    let authority = format!("127.0.0.1:{}", port(&site));
    let said = open
        .says(&format!(
            "CONNECT {authority} HTTP/1.1\r\n\r\nGET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n"
        ))
        .await;
    assert!(said.starts_with("HTTP/1.1 200 Connection established\r\n\r\nHTTP/1.1 200"), "{said}");
    assert!(said.ends_with("through"), "{said}");
}

#[tokio::test]
async fn denied_hosts_are_never_connected_to_in_whatever_way_they_are_written() {
    let trap = trap(0);
    let inner = trap.address().port();
    let open = open().await;
    for (name, addresses) in [
        ("inside.example", vec!["127.0.0.2"]),
        ("mixed.example", vec!["127.0.0.1", "127.0.0.2"]),
        ("mapped.example", vec!["::ffff:127.0.0.2"]),
        ("meta.example", vec!["169.254.169.254"]),
        ("router.internal", vec!["127.0.0.2"]),
    ] {
        open.names.set(name, &[&addresses]);
    }
    for host in [
        "127.0.0.2",
        "2130706434",
        "0x7f000002",
        "127.2",
        "[::ffff:7f00:2]",
        "[::127.0.0.2]",
        "router.internal",
        "inside.example",
        "mixed.example",
        "mapped.example",
        "meta.example",
        "169.254.169.254",
        "metadata.google.internal",
        "user@127.0.0.2",
    ] {
        for said in [
            open.get(&format!("http://{host}:{inner}/")).await,
            open.connect(&format!("{host}:{inner}")).await,
        ] {
            assert!(["403", ""].contains(&status(&said)), "{host}: {said}");
        }
    }
    assert!(trap.is_unused());
}

#[tokio::test]
async fn what_is_no_request_of_a_proxy_is_refused() {
    let trap = trap(0);
    let open = open().await;
    let address = trap.address();
    for sent in [
        format!("GET / HTTP/1.1\r\nHost: {address}\r\n\r\n"),
        format!("GET https://{address}/ HTTP/1.1\r\n\r\n"),
        format!("GET ftp://{address}/ HTTP/1.1\r\n\r\n"),
        "GET file:///etc/passwd HTTP/1.1\r\n\r\n".to_owned(),
        format!("CONNECT {address}/ HTTP/1.1\r\n\r\n"),
        format!("CONNECT http://{address} HTTP/1.1\r\n\r\n"),
        "CONNECT : HTTP/1.1\r\n\r\n".to_owned(),
        format!("GET http://{address}/ HTTP/2.0\r\n\r\n"),
        "\u{16}\u{3}\u{1}\r\n\r\n".to_owned(),
        format!("GET / HTTP/1.1\r\n{}\r\n\r\n", "a: b\r\n".repeat(20_000)),
    ] {
        let said = open.says(&sent).await;
        assert!(["403", ""].contains(&status(&said)), "{said}");
    }
    assert!(trap.is_unused());
}

#[tokio::test]
async fn a_name_that_is_rebound_while_the_page_is_shown_is_denied_at_the_second_connection() {
    let site = always(page("first").close());
    let trap = trap(port(&site));
    let open = open().await;
    open.names.set("turn.example", &[&["127.0.0.1"], &["127.0.0.2"]]);
    let url = format!("http://turn.example:{}/", port(&site));
    assert!(open.get(&url).await.ends_with("first"));
    assert_eq!(status(&open.get(&url).await), "403");
    assert_eq!(open.names.asked.lock().len(), 2, "each connection resolves once");
    assert!(trap.is_unused());
}

#[tokio::test]
async fn a_page_of_the_public_web_does_not_reach_what_is_listed_for_others() {
    let site = always(page("of the intranet"));
    let open = open_for("http://public.example/", |_| {}).await;
    open.names.set("inward.example", &[&["127.0.0.1"]]);
    assert_eq!(status(&open.get(&site.url()).await), "403");
    assert_eq!(status(&open.connect(&format!("127.0.0.1:{}", port(&site))).await), "403");
    assert_eq!(status(&open.get("http://inward.example/").await), "403");
    assert_eq!(site.count(), 0);
}

#[tokio::test]
async fn no_proxy_is_opened_for_a_page_that_may_not_be_reached() {
    let proxy = GuardedProxy::new(ProxySettings::new(FetchPolicy::default()), Arc::new(Names::default()));
    for url in ["http://127.0.0.1/", "file:///etc/passwd", "http://169.254.169.254/", "chrome://settings"] {
        assert!(proxy.open(url).await.is_err(), "{url}");
    }
}

#[tokio::test]
async fn traffic_ends_at_its_bytes_its_connections_and_its_time() {
    let long = "x".repeat(100_000);
    let site = always(Reply::whole(200, "text/plain", long));
    let bytes = open_for(&site.url(), |settings| settings.bytes = 50_000).await;
    assert!(bytes.get(&site.url()).await.len() <= 50_000);
    assert_eq!(bytes.get(&site.url()).await.len(), 0, "the bytes are those of all connections");

    let count = open_for(&site.url(), |settings| settings.connections = 2).await;
    assert!(count.get(&site.url()).await.len() > 100_000);
    assert!(count.get(&site.url()).await.len() > 100_000);
    assert!(TcpStream::connect(count.lease.address).await.is_err(), "a third one is not let in");

    let asked = site.count();
    let time = open_for(&site.url(), |settings| settings.total = Duration::ZERO).await;
    if let Ok(mut stream) = TcpStream::connect(time.lease.address).await {
        let _ = stream.write_all(b"GET http://127.0.0.1/ HTTP/1.1\r\n\r\n").await;
        let mut said = Vec::new();
        let _ = stream.read_to_end(&mut said).await;
        assert!(said.is_empty());
    }
    assert_eq!(site.count(), asked);
}

#[tokio::test]
async fn a_second_request_on_a_connection_goes_nowhere() {
    let site = always(page("once"));
    let open = open().await;
    let mut stream = TcpStream::connect(open.lease.address).await.unwrap();
    let request = format!("GET {}/ HTTP/1.1\r\nHost: x\r\n\r\n", site.url());
    stream.write_all(request.as_bytes()).await.unwrap();
    let mut said = vec![0; 12];
    stream.read_exact(&mut said).await.unwrap();
    let _ = stream.write_all(request.as_bytes()).await;
    let _ = stream.read_to_end(&mut said).await;
    assert!(String::from_utf8(said).unwrap().ends_with("once"));
    assert_eq!(site.count(), 1);
}

#[tokio::test]
async fn a_proxy_is_closed_with_all_its_connections_when_its_page_is_gone() {
    let open = open().await;
    let address = open.lease.address;
    let mut stream = TcpStream::connect(address).await.unwrap();
    drop(open);
    let mut said = Vec::new();
    let _ = stream.read_to_end(&mut said).await;
    assert!(said.is_empty());
    while TcpStream::connect(address).await.is_ok() {
        tokio::task::yield_now().await;
    }
}

#[cfg(target_os = "linux")]
#[tokio::test(flavor = "multi_thread")]
async fn another_user_of_the_machine_is_not_served() {
    use std::os::unix::fs::MetadataExt as _;
    use std::os::unix::process::CommandExt as _;

    if std::fs::metadata("/proc/self").unwrap().uid() != 0 {
        eprintln!("not tested: only root can start a process of another user");
        return;
    }
    let site = always(page("not for others"));
    let open = open().await;
    let address = open.lease.address;
    let script = format!(
        "exec 3<>/dev/tcp/{}/{} && printf 'GET {}/ HTTP/1.1\\r\\nHost: x\\r\\n\\r\\n' >&3 && cat <&3",
        address.ip(),
        address.port(),
        site.url()
    );
    let ask = |user: u32| {
        let script = script.clone();
        tokio::task::spawn_blocking(move || {
            std::process::Command::new("bash").args(["-c", &script]).uid(user).output().unwrap().stdout
        })
    };
    assert!(ask(65_534).await.unwrap().is_empty());
    assert_eq!(site.count(), 0);
    assert!(ask(0).await.unwrap().ends_with(b"not for others"), "the same script serves its own user");
}
