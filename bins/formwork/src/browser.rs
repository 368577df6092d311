//! The browser that the settings choose. The program is found at start-up and launched when a page needs it.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use anyhow::Context as _;
use page_chromium::{Chromium, ChromiumSettings};
use providers_http::{GuardedProxy, ProxySettings, SystemResolver};
use utilities_core::web::FetchPolicy;

use crate::settings::{Settings, Switch};

/// Finds the program and limits its requests to what `policy` allows. `None` when the browser is off, web
/// access is off, or no browser is installed.
///
/// # Errors
/// One sentence for the operator, when a program that was found or configured cannot be used.
pub(crate) fn find(settings: &Settings, policy: FetchPolicy) -> anyhow::Result<Option<Chromium>> {
    let browser = &settings.browser;
    if browser.is_off() || settings.fetch.web == Switch::Off {
        return Ok(None);
    }
    let named = Some(&browser.program).filter(|program| !program.is_empty()).map(PathBuf::from);
    let search = || browser.search.as_deref().and_then(Chromium::search);
    let Some(program) = named.or_else(search) else { return Ok(None) };
    let page_time = Duration::from_secs(browser.page_seconds);
    let proxy = ProxySettings {
        connect: Duration::from_secs(settings.fetch.connect_seconds),
        // A page whose requests never end is still rendered, in the other half.
        total: page_time / 2,
        bytes: browser.traffic_bytes,
        ..ProxySettings::new(policy)
    };
    let of_program = ChromiumSettings {
        sandbox: browser.sandbox == Switch::On,
        page_time,
        script_time: Duration::from_secs(browser.script_seconds),
        memory_bytes: browser.memory_bytes,
        page_bytes: settings.fetch.page_bytes,
        at_once: browser.processes,
        ..ChromiumSettings::new(program)
    };
    let proxy = Arc::new(GuardedProxy::new(proxy, Arc::new(SystemResolver)));
    Chromium::new(of_program, proxy).map(Some).context("the browser cannot be used")
}

/// As [`find`], for serving: a program that was found, not configured, and cannot be used is ignored.
///
/// # Errors
/// As [`find`], for a configured program.
pub(crate) fn usable(settings: &Settings, policy: FetchPolicy) -> anyhow::Result<Option<Chromium>> {
    match find(settings, policy) {
        Err(error) if settings.browser.program.is_empty() => {
            tracing::debug!(error = format!("{error:#}"), "scripts of web pages are not run");
            Ok(None)
        }
        found => found,
    }
}
