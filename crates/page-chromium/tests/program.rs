//! The adapter with a program that stands in for Chromium, and with Chromium itself where it is installed.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "tests assert")]
#![allow(clippy::print_stderr, reason = "what is not tested is told")]

use std::io;
use std::net::{IpAddr, Ipv4Addr, UdpSocket};
use std::os::unix::fs::{MetadataExt as _, PermissionsExt as _};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use page_chromium::{Chromium, ChromiumSettings};
use providers_http::{GuardedProxy, ProxySettings, Resolver};
use testkit::ForbiddenListener;
use testkit::upstream::{Reply, Upstream};
use utilities_core::web::{AllowList, BrowserError, BrowserProxy, FetchPolicy, PageBrowser as _};

/// Every name is this machine's.
#[derive(Debug)]
struct Here;

#[async_trait]
impl Resolver for Here {
    async fn addresses(&self, _: &str) -> io::Result<Vec<IpAddr>> {
        Ok(vec![Ipv4Addr::LOCALHOST.into()])
    }
}

/// A proxy that reaches this machine under one name, and under no other nor by its address.
fn proxy() -> Arc<dyn BrowserProxy> {
    let allow = AllowList::parse(["site.example"]).unwrap();
    let mut settings = ProxySettings::new(FetchPolicy { allow, ..FetchPolicy::default() });
    settings.total = Duration::from_secs(5);
    Arc::new(GuardedProxy::new(settings, Arc::new(Here)))
}

/// The address of a site under that name.
fn named(site: &Upstream) -> String {
    format!("{}/", site.url().replace("127.0.0.1", "site.example"))
}

fn chromium(program: PathBuf, change: impl FnOnce(&mut ChromiumSettings)) -> Chromium {
    let mut settings = ChromiumSettings::new(program);
    settings.sandbox = std::fs::metadata("/proc/self").is_ok_and(|process| process.uid() != 0);
    change(&mut settings);
    Chromium::new(settings, proxy()).unwrap()
}

/// A script of the shell in a folder that goes with it.
struct Scripted(tempfile::TempDir);

impl Scripted {
    fn new(work: &str) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let program = folder.path().join("chromium");
        // Written by another process: a file that a thread holds open for writing while another starts a process
        // cannot be executed.
        let written = std::process::Command::new("sh")
            .args(["-c", "printf '#!/bin/sh\\n%s\\n' \"$1\" > \"$2\"", "sh", work])
            .arg(&program)
            .status();
        assert!(written.unwrap().success());
        std::fs::set_permissions(&program, std::fs::Permissions::from_mode(0o755)).unwrap();
        Self(folder)
    }

    fn program(&self) -> PathBuf {
        self.path("chromium")
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }
}

const PAGE: &str = "http://site.example:9/page";

/// Waits until a process that wrote its number into a file is there no more.
async fn until_gone(file: &Path) {
    let number = std::fs::read_to_string(file).unwrap();
    let process = PathBuf::from(format!("/proc/{}", number.trim()));
    let is_alive = || {
        let state = std::fs::read_to_string(process.join("stat")).unwrap_or_default();
        state.rsplit_once(") ").is_some_and(|(_, state)| !state.starts_with(['Z', 'X']))
    };
    while is_alive() {
        tokio::task::yield_now().await;
    }
}

async fn until_there(file: &Path) {
    while std::fs::read_to_string(file).unwrap_or_default().trim().is_empty() {
        tokio::task::yield_now().await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn the_browser_is_called_with_a_proxy_for_everything_and_a_profile_that_goes() {
    let script = Scripted::new("printf '%s\\n' \"$@\"; env");
    let told = chromium(script.program(), |_| {}).render(PAGE).await.unwrap();
    let told = String::from_utf8(told.to_vec()).unwrap();
    let lines: Vec<&str> = told.lines().collect();
    let value = |option: &str| {
        let found = lines.iter().find_map(|line| line.strip_prefix(option));
        found.unwrap_or_else(|| panic!("no {option} in {told}")).to_owned()
    };
    assert!(value("--proxy-server=").starts_with("http://127.0.0.1:"));
    assert_eq!(value("--proxy-bypass-list="), "<-loopback>");
    assert_eq!(value("--host-resolver-rules="), "MAP * ~NOTFOUND , EXCLUDE 127.0.0.1");
    assert_eq!(value("--webrtc-ip-handling-policy="), "disable_non_proxied_udp");
    for option in ["--disable-quic", "--disable-extensions", "--headless"] {
        assert!(lines.contains(&option), "{option}");
    }
    assert!(!told.contains("remote-debugging") && !told.contains("CARGO"), "{told}");
    let end = lines.iter().position(|line| *line == "--").unwrap();
    assert_eq!(lines[end + 1], PAGE, "the address is no option");
    assert!(!Path::new(&value("--user-data-dir=")).exists());
}

#[tokio::test(flavor = "multi_thread")]
async fn what_is_too_long_too_slow_or_fails_is_told_and_leaves_no_process() {
    let endless = Scripted::new("echo $$ > \"$(dirname \"$0\")/number\"\nexec yes long");
    let error = chromium(endless.program(), |settings| settings.page_bytes = 1_000).render(PAGE).await;
    assert!(matches!(error, Err(BrowserError::TooLarge(1_000))), "{error:?}");
    until_gone(&endless.path("number")).await;

    // Its child lives on with the output open.
    let hanging = Scripted::new("sleep 600 &\necho $! > \"$(dirname \"$0\")/number\"\nwait");
    let error = chromium(hanging.program(), |settings| settings.page_time = Duration::from_secs(1));
    let error = error.render(PAGE).await;
    assert!(matches!(error, Err(BrowserError::Timeout(1))), "{error:?}");
    until_gone(&hanging.path("number")).await;

    for work in ["echo half; exit 3", "echo complaint >&2", "kill -9 $$"] {
        let script = Scripted::new(work);
        let error = chromium(script.program(), |_| {}).render(PAGE).await;
        assert!(matches!(error, Err(BrowserError::Failed(_))), "{work}: {error:?}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_helper_that_outlives_the_browser_does_not_hold_the_page_up_and_is_ended() {
    let work = "sleep 600 &\necho $! > \"$(dirname \"$0\")/number\"\necho '<p>shown'";
    let script = Scripted::new(work);
    let shown = chromium(script.program(), |_| {}).render(PAGE).await.unwrap();
    assert_eq!(&shown[..], b"<p>shown\n");
    until_gone(&script.path("number")).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_browser_that_nobody_waits_for_is_killed_with_its_children() {
    let work = "sleep 600 &\necho $! > \"$(dirname \"$0\")/number\"\nwait";
    let script = Scripted::new(work);
    let browser = chromium(script.program(), |_| {});
    let file = script.path("number");
    tokio::select! {
        shown = browser.render(PAGE) => panic!("{shown:?}"),
        () = until_there(&file) => {}
    }
    until_gone(&file).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn pages_that_never_end_are_errors_of_their_own_and_leave_others_their_turn() {
    let work = "for o; do :; done\ncase $o in *never*) echo $$ > \"$(dirname \"$0\")/number\"; exec sleep 600;; \
                *) echo '<p>shown';; esac";
    let script = Scripted::new(work);
    let browser = chromium(script.program(), |settings| settings.page_time = Duration::from_secs(9));
    let never = |page: &str| format!("{PAGE}/never/{page}");
    let (first, second) = (never("1"), never("2"));
    let begun = async {
        until_there(&script.path("number")).await;
        tokio::join!(browser.render(&second), browser.render(PAGE))
    };
    let (first, (second, shown)) = tokio::join!(browser.render(&first), begun);
    assert_eq!(&shown.unwrap()[..], b"<p>shown\n");
    assert!(matches!(first, Err(BrowserError::Timeout(3))), "{first:?}");
    // Of the two that waited either may come first; nobody waits behind the last one.
    assert!(matches!(second, Err(BrowserError::Timeout(3 | 9))), "{second:?}");
    until_gone(&script.path("number")).await;
}

const PNG: &[u8] = b"\x89PNG\r\n\x1a\nrest";

/// A script that names the path of the screenshot, and writes it there.
fn drawing(picture: &str) -> String {
    format!("for o; do case $o in --screenshot=*) f=${{o#--screenshot=}};; esac; done\n{picture}")
}

#[tokio::test(flavor = "multi_thread")]
async fn a_picture_is_what_the_browser_leaves_in_its_folder_of_a_window_of_fixed_size() {
    let work = drawing(
        "printf '\\211PNG\\r\\n\\032\\nrest' > \"$f\"; printf '%s\\n' \"$@\" > \"$(dirname \"$0\")/told\"",
    );
    let script = Scripted::new(&work);
    assert_eq!(&chromium(script.program(), |_| {}).picture(PAGE).await.unwrap()[..], PNG);
    let told = std::fs::read_to_string(script.path("told")).unwrap();
    assert!(told.lines().any(|line| line == "--window-size=1280,800"), "{told}");
    let folder = told.lines().find_map(|line| line.strip_prefix("--user-data-dir=")).unwrap();
    assert!(!Path::new(folder).exists());
}

#[tokio::test(flavor = "multi_thread")]
async fn the_browsers_error_page_is_an_error_and_a_quote_in_a_url_ends_no_script_of_the_browser() {
    let page = "printf '%s\\n' \"$@\" > \"$(dirname \"$0\")/told\"\n\
                echo '<html><body class=\"neterror\"><script>({\"errorCode\":\"ERR_FAILED\"})</script>'";
    let script = Scripted::new(&drawing(&format!(
        "{page}; printf '\\211PNG\\r\\n\\032\\nrest' > \"${{f:-/dev/null}}\""
    )));
    let browser = chromium(script.program(), |_| {});
    let page = format!("{PAGE}?it's");
    for shown in [browser.render(&page).await, browser.picture(&page).await] {
        let Err(BrowserError::Failed(error)) = shown else { panic!("{shown:?}") };
        assert_eq!(error.to_string(), "the page could not be loaded: ERR_FAILED");
        let told = std::fs::read_to_string(script.path("told")).unwrap();
        assert_eq!(told.lines().last(), Some(&*format!("{PAGE}?it%27s")));
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn what_a_browser_leaves_that_is_no_picture_is_not_taken_for_one() {
    for left in ["true", "echo text > \"$f\"", "mkdir \"$f\"", "head -c 20000000 /dev/zero > \"$f\""] {
        let script = Scripted::new(&drawing(left));
        let error = chromium(script.program(), |_| {}).picture(PAGE).await;
        assert!(error.is_err(), "{left}: {error:?}");
    }
    // A file of the server.
    let script = Scripted::new(&drawing("ln -s \"$(dirname \"$0\")/secret.png\" \"$f\""));
    std::fs::write(script.path("secret.png"), PNG).unwrap();
    let error = chromium(script.program(), |_| {}).picture(PAGE).await;
    assert!(matches!(error, Err(BrowserError::Failed(_))), "{error:?}");
}

#[cfg(target_os = "linux")]
#[tokio::test(flavor = "multi_thread")]
async fn a_browser_whose_processes_take_too_much_memory_together_is_ended() {
    // Each holds a part of what all may hold.
    let work = "one() { sh -c 'a=$(head -c 30000000 /dev/zero | tr \"\\0\" x); sleep 600' & }\n\
                one; one; one; one\nwait";
    let script = Scripted::new(work);
    let error = chromium(script.program(), |settings| settings.memory_bytes = 80_000_000).render(PAGE).await;
    assert!(matches!(error, Err(BrowserError::Memory(80_000_000))), "{error:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn only_so_many_browsers_run_at_the_same_time() {
    let work =
        "cd \"$(dirname \"$0\")\"\nmkdir lock || { echo two; exit 0; }\nsleep 0.2\nrmdir lock\necho one";
    let script = Scripted::new(work);
    let browser = chromium(script.program(), |_| {});
    let shown = tokio::join!(browser.render(PAGE), browser.render(PAGE), browser.render(PAGE));
    for shown in [shown.0, shown.1, shown.2] {
        assert_eq!(&shown.unwrap()[..], b"one\n");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_page_that_may_not_be_reached_starts_no_browser() {
    let script = Scripted::new("touch \"$(dirname \"$0\")/started\"; echo shown");
    let browser = chromium(script.program(), |_| {});
    for url in ["http://127.0.0.1/", "http://169.254.169.254/", "file:///etc/passwd", "--version"] {
        assert!(browser.render(url).await.is_err(), "{url}");
    }
    assert!(!script.path("started").exists());
}

#[test]
fn the_program_is_found_among_absolute_folders_and_refused_where_it_is_none() {
    let script = Scripted::new("exit 0");
    let folder = script.program().parent().unwrap().to_owned();
    let search = std::env::join_paths([Path::new("relative"), &folder]).unwrap();
    assert_eq!(Chromium::search(&search), Some(script.program()));
    assert_eq!(Chromium::search("".as_ref()), None);
    assert!(Chromium::new(ChromiumSettings::new(folder.join("none")), proxy()).is_err());
}

#[tokio::test(flavor = "multi_thread")]
async fn a_browser_of_a_server_that_was_killed_is_ended_at_the_next_start_and_those_of_others_are_not() {
    let mut gone = std::process::Command::new("true").spawn().unwrap();
    gone.wait().unwrap();
    let folder = |maker: u32| {
        let prefix = format!("formwork-page-{maker}-");
        tempfile::Builder::new().prefix(&prefix).tempdir().unwrap()
    };
    let (left, used) = (folder(gone.id()), folder(std::process::id()));
    let running = |folder: &Path| {
        let mut waiting = std::process::Command::new("sh");
        waiting.args(["-c", "read nothing"]).arg(folder).stdin(std::process::Stdio::piped()).spawn().unwrap()
    };
    let (mut orphan, mut other) = (running(left.path()), running(used.path()));
    let script = Scripted::new("exit 0");
    chromium(script.program(), |_| {});
    assert!(!orphan.wait().unwrap().success());
    assert!(!left.path().exists() && used.path().exists());
    assert!(other.try_wait().unwrap().is_none());
    other.kill().unwrap();
    other.wait().unwrap();
}

/// Chromium where it is installed.
fn installed() -> Option<Chromium> {
    let found = std::env::var_os("PATH").and_then(|search| Chromium::search(&search));
    if found.is_none() {
        eprintln!("not tested: Chromium is not installed");
    }
    found.map(|program| chromium(program, |settings| settings.page_time = Duration::from_secs(60)))
}

#[tokio::test(flavor = "multi_thread")]
async fn chromium_shows_what_scripts_write_and_reaches_nothing_that_is_denied() {
    let Some(browser) = installed() else { return };
    let trap = ForbiddenListener::bind(Ipv4Addr::LOCALHOST.into(), 0).unwrap();
    let datagrams = UdpSocket::bind((Ipv4Addr::LOCALHOST, 0)).unwrap();
    datagrams.set_nonblocking(true).unwrap();
    let udp = datagrams.local_addr().unwrap().port();
    let inner = trap.url();
    let page = format!(
        "<!doctype html><title>Tides</title><div id=a></div><img src='{inner}/image'>\
         <iframe src='{inner}/frame'></iframe><link rel=preconnect href='{inner}'><link rel=dns-prefetch href='{inner}'>\
         <script>
         const tried = [];
         const tell = () => {{ document.getElementById('a').textContent = 'The water rises. ' + tried.join(' ') }};
         const attempt = (name, work) => work.then(() => tried.push(name + ':reached'), () => tried.push(name + ':denied')).then(tell);
         attempt('inner', fetch('{inner}/x', {{mode: 'no-cors'}}).then(r => {{ if (r.type !== 'opaque') throw 1; throw 2 }}));
         attempt('metadata', fetch('http://169.254.169.254/latest/meta-data/').then(r => {{ if (!r.ok) throw 1 }}));
         attempt('file', fetch('file:///etc/passwd'));
         try {{ new WebSocket('{}') }} catch (e) {{}}
         try {{
           const peer = new RTCPeerConnection({{iceServers: [{{urls: 'stun:127.0.0.1:{udp}'}}]}});
           peer.createDataChannel('x');
           peer.createOffer().then(offer => peer.setLocalDescription(offer));
         }} catch (e) {{}}
         setTimeout(() => {{ tried.push('late'); tell() }}, 3000);
         </script>",
        inner.replace("http:", "ws:")
    );
    let site = Upstream::start(move |request| match request.path.as_str() {
        "/" => Reply::whole(200, "text/html; charset=utf-8", page.clone()),
        _ => Reply::whole(404, "text/plain", "none"),
    })
    .unwrap();
    let shown = browser.render(&named(&site)).await.unwrap();
    let shown = String::from_utf8(shown.to_vec()).unwrap();
    let text = shown.split("<div id=\"a\">").nth(1).and_then(|rest| rest.split("</div>").next()).unwrap();
    assert!(text.starts_with("The water rises."), "{shown}");
    for part in ["inner:denied", "metadata:denied", "file:denied", "late"] {
        assert!(text.contains(part), "{part} is not in {text}");
    }
    assert!(trap.is_unused(), "a denied address was connected to");
    assert!(datagrams.recv(&mut [0; 64]).is_err(), "a datagram was sent");
}

#[tokio::test(flavor = "multi_thread")]
async fn chromium_gives_what_it_has_of_a_page_whose_requests_never_end_and_nothing_of_one_that_fails() {
    let Some(browser) = installed() else { return };
    let site = Upstream::start(|request| match request.path.as_str() {
        "/" => Reply::whole(
            200,
            "text/html",
            "<p id=a></p><script>a.textContent = 'shown ' + 'before'; fetch('/never')</script>",
        ),
        "/never" => Reply::raw().hold(),
        _ => Reply::whole(404, "text/plain", "none"),
    })
    .unwrap();
    let shown = browser.render(&named(&site)).await.unwrap();
    assert!(String::from_utf8_lossy(&shown).contains("shown before"));
    drop(site);
    assert!(browser.render("http://site.example:1/").await.is_err());
}

#[tokio::test(flavor = "multi_thread")]
async fn chromium_tells_its_version_after_it_has_shown_a_sample() {
    let Some(browser) = installed() else { return };
    assert!(browser.check().await.unwrap().contains(|c: char| c.is_ascii_digit()));
    let script = Scripted::new("echo Chromium 9.8.7");
    let error = chromium(script.program(), |_| {}).check().await.unwrap_err();
    assert!(error.to_string().ends_with("it does not run scripts"), "{error}");
}

#[tokio::test(flavor = "multi_thread")]
async fn chromium_draws_a_page_as_scripts_make_it_also_one_whose_requests_never_end() {
    let Some(browser) = installed() else { return };
    let site = Upstream::start(|request| match request.path.as_str() {
        "/" => Reply::whole(
            200,
            "text/html",
            "<body style='background:#123456'><script>document.body.append('x'); fetch('/never')</script>",
        ),
        "/never" => Reply::raw().hold(),
        _ => Reply::whole(404, "text/plain", "none"),
    })
    .unwrap();
    let picture = browser.picture(&named(&site)).await.unwrap();
    // The first chunk of a PNG has its width and height (RFC 2083, section 4.1.1).
    let sides: Vec<u32> =
        picture[16..24].chunks(4).map(|side| u32::from_be_bytes(side.try_into().unwrap())).collect();
    assert_eq!(sides, [1_280, 800]);
    drop(site);
    assert!(
        browser.picture("http://site.example:1/").await.is_err(),
        "a page that cannot be loaded has none"
    );
}
