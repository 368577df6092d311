//! How the browser is called.

use std::net::SocketAddr;
use std::path::Path;

use crate::picture;

/// What is switched off or on whatever the page.
const ALWAYS: &[&str] = &[
    "--headless",
    "--disable-gpu",
    // The memory that containers share is small.
    "--disable-dev-shm-usage",
    "--no-first-run",
    "--no-default-browser-check",
    "--mute-audio",
    "--hide-scrollbars",
    "--password-store=basic",
    "--use-mock-keychain",
    // What could be installed, kept, opened or asked for.
    "--disable-extensions",
    "--disable-default-apps",
    "--disable-plugins",
    "--disable-notifications",
    "--disable-file-system",
    "--deny-permission-prompts",
    "--block-new-web-contents",
    // Ways to the network that lead past a proxy.
    "--disable-quic",
    "--force-webrtc-ip-handling-policy=disable_non_proxied_udp",
    "--webrtc-ip-handling-policy=disable_non_proxied_udp",
    // What it would tell its makers or ask of them.
    "--no-pings",
    "--disable-background-networking",
    "--disable-breakpad",
    "--disable-client-side-phishing-detection",
    "--disable-component-update",
    "--disable-domain-reliability",
    "--disable-sync",
    "--allow-browser-signin=false",
    "--gaia-url=http://127.0.0.1/",
    "--component-updater=url-source=http://127.0.0.1:1/",
    "--disable-features=MediaRouter,DialMediaRouteProvider,OptimizationHints,OptimizationGuideModelDownloading,\
     Translate,AutofillServerCommunication,NetworkTimeServiceQuerying,CertificateTransparencyComponentUpdater,\
     WebTransport",
    // Without the second one a browser connects to loopback itself.
    "--proxy-bypass-list=<-loopback>",
    // The proxy resolves names; nothing else does.
    "--host-resolver-rules=MAP * ~NOTFOUND , EXCLUDE 127.0.0.1",
];

/// Pixels of the window that a picture shows: those of a usual screen.
const WINDOW: &str = "1280,800";

/// What is wanted of a page.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum RenderOutput {
    /// Its HTML on standard output.
    Html,
    /// The top of it as a picture in the profile's folder.
    Picture,
}

/// One call.
#[derive(Clone, Copy, Debug)]
pub(crate) struct BrowserCommand<'a> {
    pub(crate) profile: &'a Path,
    pub(crate) proxy: SocketAddr,
    pub(crate) sandbox: bool,
    /// Milliseconds of the page's own clock.
    pub(crate) script_ms: u64,
    pub(crate) output: RenderOutput,
    pub(crate) url: &'a str,
}

impl BrowserCommand<'_> {
    pub(crate) fn arguments(self) -> Vec<String> {
        let mut all: Vec<String> = ALWAYS.iter().map(|&option| option.to_owned()).collect();
        if !self.sandbox {
            all.push("--no-sandbox".to_owned());
        }
        all.push(format!("--user-data-dir={}", self.profile.display()));
        all.push(format!("--proxy-server=http://{}", self.proxy));
        all.push(format!("--virtual-time-budget={}", self.script_ms));
        match self.output {
            RenderOutput::Html => all.push("--dump-dom".to_owned()),
            RenderOutput::Picture => {
                all.push(format!("--window-size={WINDOW}"));
                all.push(format!("--screenshot={}", self.profile.join(picture::NAME).display()));
            }
        }
        // What comes after is an address even if it looked like an option.
        all.push("--".to_owned());
        all.push(self.url.to_owned());
        all
    }
}
