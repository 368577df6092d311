//! Command line of the browser.

use std::net::SocketAddr;
use std::path::Path;

use crate::picture;

/// Switches that are the same for every page.
const ALWAYS: &[&str] = &[
    "--headless",
    "--disable-gpu",
    // Shared memory of containers is small.
    "--disable-dev-shm-usage",
    "--no-first-run",
    "--no-default-browser-check",
    "--mute-audio",
    "--hide-scrollbars",
    "--password-store=basic",
    "--use-mock-keychain",
    // No extensions, plug-ins, notifications, file system, permission prompts or new windows.
    "--disable-extensions",
    "--disable-default-apps",
    "--disable-plugins",
    "--disable-notifications",
    "--disable-file-system",
    "--deny-permission-prompts",
    "--block-new-web-contents",
    // Network paths that bypass the proxy.
    "--disable-quic",
    "--force-webrtc-ip-handling-policy=disable_non_proxied_udp",
    "--webrtc-ip-handling-policy=disable_non_proxied_udp",
    // No telemetry, sync, sign-in or update checks.
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
    // Without `<-loopback>` the browser connects to loopback itself.
    "--proxy-bypass-list=<-loopback>",
    // Only the proxy resolves names.
    "--host-resolver-rules=MAP * ~NOTFOUND , EXCLUDE 127.0.0.1",
];

/// Window size in pixels for a screenshot: that of a common screen.
const WINDOW: &str = "1280,800";

/// The output that a page is rendered to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum RenderOutput {
    /// Its HTML on standard output.
    Html,
    /// A screenshot of its top, as a file in the profile's folder.
    Picture,
}

/// One invocation of the browser.
#[derive(Clone, Copy, Debug)]
pub(crate) struct BrowserCommand<'a> {
    pub(crate) profile: &'a Path,
    pub(crate) proxy: SocketAddr,
    pub(crate) sandbox: bool,
    /// Virtual time for the page's scripts, in milliseconds.
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
        // For a screenshot too: only the HTML tells the browser's own error page from the page.
        all.push("--dump-dom".to_owned());
        if self.output == RenderOutput::Picture {
            all.push(format!("--window-size={WINDOW}"));
            all.push(format!("--screenshot={}", self.profile.join(picture::NAME).display()));
        }
        // `--` ends the options, so that a URL cannot be read as one.
        all.push("--".to_owned());
        // Version 148 puts the URL into a script between single quotes, which a quote ends.
        all.push(self.url.replace('\'', "%27"));
        all
    }
}
