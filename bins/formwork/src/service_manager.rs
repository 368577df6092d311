//! Tells the service manager that started the process (systemd, `Type=notify`) when it serves and when it stops.
//! Without one nothing happens.

use sd_notify::NotifyState;

/// The server accepts requests.
pub(crate) fn tell_ready() {
    tell(NotifyState::Ready);
}

/// The server drains.
pub(crate) fn tell_stopping() {
    tell(NotifyState::Stopping);
}

fn tell(state: NotifyState<'_>) {
    if let Err(error) = sd_notify::notify(&[state]) {
        tracing::warn!(%error, "the service manager could not be told");
    }
}
