//! The log on standard error, and beside it the traces, if they are exported.

use anyhow::Context as _;
use tracing_subscriber::layer::SubscriberExt as _;
use tracing_subscriber::util::SubscriberInitExt as _;
use tracing_subscriber::{EnvFilter, Layer as _};

use crate::settings::{LogFormat, LogSettings};
use crate::traces::Traces;

/// Installs the log of this process. Its filter does not apply to traces.
///
/// # Errors
/// One sentence for the operator.
pub(crate) fn start(settings: &LogSettings, traces: Option<&Traces>) -> anyhow::Result<()> {
    let filter = filter(settings)?;
    let Some(traces) = traces else {
        // Without a filter for each layer, which costs every span and event a little.
        let builder = tracing_subscriber::fmt().with_env_filter(filter).with_writer(std::io::stderr);
        match settings.format {
            LogFormat::Text => builder.with_ansi(false).init(),
            LogFormat::Json => builder.json().init(),
        }
        return Ok(());
    };
    let registry = tracing_subscriber::registry().with(traces.layer());
    let lines = tracing_subscriber::fmt::layer().with_writer(std::io::stderr);
    match settings.format {
        LogFormat::Text => registry.with(lines.with_ansi(false).with_filter(filter)).init(),
        LogFormat::Json => registry.with(lines.json().with_filter(filter)).init(),
    }
    Ok(())
}

fn filter(settings: &LogSettings) -> anyhow::Result<EnvFilter> {
    let mut filter = EnvFilter::try_new(&settings.level).context("the setting log.level is not valid")?;
    if !settings.level.contains("actix") {
        // The HTTP library logs every malformed request as an error, so any client could fill the log.
        for quiet in ["actix_http::h1::dispatcher=off", "actix_server=warn"] {
            filter = filter.add_directive(quiet.parse().context("a directive of the log")?);
        }
    }
    Ok(filter)
}
