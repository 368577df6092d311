//! Documents of the web, from a site on the loopback address that the setting allows.

mod browser;
mod denied;
mod documents;
mod hostile;
mod knowledge;
mod pictures;

use testkit::upstream::{ReceivedRequest, Reply, Upstream};

use crate::kit::{Home, Server, formwork};

/// A server that may fetch from 127.0.0.1, as `FORMWORK_FETCH_ALLOW` says, and from nowhere else inside.
fn allowed(home: &Home) -> Server {
    let mut command = formwork(&home.path(""));
    command.env("FORMWORK_FETCH_ALLOW", "127.0.0.1");
    home.start_with(command)
}

/// A site of these pages: path, content type, body. It has no robots.txt.
fn site(pages: &'static [(&'static str, &'static str, &'static str)]) -> Upstream {
    let answer = move |request: &ReceivedRequest| match pages.iter().find(|(path, ..)| *path == request.path)
    {
        Some((_, kind, body)) => Reply::whole(200, kind, *body),
        None => Reply::whole(404, "text/plain", "no such page"),
    };
    Upstream::start(answer).unwrap()
}

/// How often a path was asked for.
fn asked(site: &Upstream, path: &str) -> usize {
    site.requests().iter().filter(|request| request.path == path).count()
}
