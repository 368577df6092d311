//! Fetchers whose names and allow-list are the test's.

use std::collections::HashMap;
use std::io;
use std::net::IpAddr;
use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use parking_lot::Mutex;
use providers_http::{FetchSettings, GuardedFetcher, Resolver};
use shared_core::{DomainError as _, Scope, SystemClock, UserId, WorkspaceId};
use testkit::upstream::{ReceivedRequest, Reply, Upstream};
use utilities_core::web::{
    AllowList, FetchError, FetchPolicy, FetchPurpose, FetchRequest, FetchResponse, WebFetcher as _,
};

/// Names and their answers, each given once, the last again and again.
#[derive(Debug, Default)]
pub(crate) struct Names {
    answers: Mutex<HashMap<String, Vec<Vec<IpAddr>>>>,
    pub(crate) asked: Mutex<Vec<String>>,
}

impl Names {
    pub(crate) fn set(&self, host: &str, answers: &[&[&str]]) {
        let answer = |answer: &&[&str]| answer.iter().map(|text| text.parse().unwrap()).collect();
        self.answers.lock().insert(host.to_owned(), answers.iter().map(answer).collect());
    }
}

#[async_trait]
impl Resolver for Names {
    async fn addresses(&self, host: &str) -> io::Result<Vec<IpAddr>> {
        self.asked.lock().push(host.to_owned());
        let mut answers = self.answers.lock();
        let left = answers.get_mut(host).ok_or(io::Error::from(io::ErrorKind::NotFound))?;
        Ok(if left.len() > 1 { left.remove(0) } else { left[0].clone() })
    }
}

/// A fetcher with a folder of its own, which reaches 127.0.0.1 and nothing else inside.
pub(crate) struct Kit {
    pub(crate) fetcher: GuardedFetcher,
    pub(crate) names: Arc<Names>,
    pub(crate) folder: tempfile::TempDir,
}

impl Kit {
    pub(crate) fn new() -> Self {
        Self::with(|_| {})
    }

    pub(crate) fn with(change: impl FnOnce(&mut FetchSettings)) -> Self {
        let (names, folder) = (Arc::new(Names::default()), tempfile::tempdir().unwrap());
        names.set("site.example", &[&["127.0.0.1"]]);
        let mut settings = FetchSettings::new(folder.path().to_owned());
        settings.policy =
            FetchPolicy { allow: AllowList::parse(["127.0.0.1"]).unwrap(), ..FetchPolicy::default() };
        settings.robots = false;
        settings.keep = Duration::ZERO;
        change(&mut settings);
        let fetcher = GuardedFetcher::new(settings, names.clone(), Arc::new(SystemClock)).unwrap();
        Self { fetcher, names, folder }
    }

    pub(crate) async fn get(&self, url: &str) -> Result<Arc<FetchResponse>, FetchError> {
        self.get_for("w", url, FetchPurpose::Page).await
    }

    pub(crate) async fn get_for(
        &self,
        workspace: &str,
        url: &str,
        wants: FetchPurpose,
    ) -> Result<Arc<FetchResponse>, FetchError> {
        let scope = Scope { workspace: WorkspaceId(workspace.into()), user: UserId("u".into()) };
        self.fetcher.fetch(&scope, &FetchRequest::new(url, wants)).await
    }

    /// The text under a URL.
    pub(crate) async fn text(&self, url: &str) -> String {
        let fetched = self.get(url).await.unwrap_or_else(|error| panic!("{url}: {error}: {error:?}"));
        String::from_utf8(fetched.read_all(u64::MAX).await.unwrap().to_vec()).unwrap()
    }

    /// The code of the error under a URL.
    pub(crate) async fn fails(&self, url: &str) -> &'static str {
        match self.get(url).await {
            Ok(fetched) => panic!("{url} gave {} bytes", fetched.bytes),
            Err(error) => error.code(),
        }
    }

    pub(crate) fn files(&self) -> usize {
        std::fs::read_dir(self.folder.path()).unwrap().count()
    }
}

/// A site that answers every path with what `answer` makes of it.
pub(crate) fn site(answer: impl Fn(&str) -> Reply + Send + Sync + 'static) -> Upstream {
    Upstream::start(move |request: &ReceivedRequest| answer(&request.path)).unwrap()
}

/// A site with one answer.
pub(crate) fn always(reply: Reply) -> Upstream {
    Upstream::start(move |_| reply.clone()).unwrap()
}

pub(crate) fn port(site: &Upstream) -> u16 {
    site.url().rsplit_once(':').unwrap().1.parse().unwrap()
}

pub(crate) fn to(location: &str) -> Reply {
    Reply::whole_with(302, &[("location", location)], "moved")
}

pub(crate) fn page(text: &str) -> Reply {
    Reply::whole(200, "text/html; charset=utf-8", text.to_owned())
}
