//! What the servers stand on: PostgreSQL, a bucket, haproxy, a vendor of models and a receiver of webhooks.

use std::path::Path;
use std::time::Duration;

use anyhow::Context as _;
use tempfile::TempDir;
use testkit::upstream::{Reply, Upstream};
use testkit::vendor::{Behaviour, Vendor};
use testkit::{BucketServer, PostgresServer, TcpProxy, create_bucket};

use super::balancer::Balancer;
use super::node::{Node, Storage};
use crate::process::free_port;
use crate::server::{children_seconds_of, cpu_seconds_of};
use crate::tests::start_moto;

/// Name of the bucket.
const BUCKET: &str = "cluster";

/// The engines. On drop they end, and their data is removed.
#[derive(Debug)]
pub(crate) struct Engines {
    pub(super) postgres: PostgresServer,
    _bucket: BucketServer,
    pub(crate) balancer: Balancer,
    pub(crate) vendor: Vendor,
    pub(super) receiver: Upstream,
    /// One between each server and PostgreSQL.
    pub(super) proxies: Vec<TcpProxy>,
    ports: Vec<u16>,
    folder: TempDir,
}

impl Engines {
    /// Starts the engines of so many servers, with a vendor of this latency.
    pub(crate) fn start(servers: usize, latency: Duration) -> anyhow::Result<Self> {
        let postgres = PostgresServer::start()?.context("PostgreSQL is not installed")?;
        let folder = TempDir::new()?;
        let bucket = start_moto(folder.path()).context("moto is not installed")?;
        create_bucket(&bucket.url(), BUCKET)?;
        let target =
            postgres.url().rsplit('@').next().and_then(|rest| rest.split('/').next()).map(str::to_owned);
        let target = target.context("the address of PostgreSQL")?;
        let proxies = (0..servers).map(|_| TcpProxy::start(&target)).collect::<Result<_, _>>()?;
        let ports: Vec<u16> = (0..servers).map(|_| free_port()).collect::<Result<_, _>>()?;
        let balancer = Balancer::start(&ports, bucket.url().trim_start_matches("http://"))?;
        let vendor = Vendor::start(Behaviour { latency, jitter: latency / 5, ..Behaviour::default() })?;
        let receiver = Upstream::start(|_| Reply::whole(204, "text/plain", ""))?;
        Ok(Self { postgres, _bucket: bucket, balancer, vendor, receiver, proxies, ports, folder })
    }

    /// Processor seconds of PostgreSQL so far, those of ended connections included.
    pub(crate) fn postgres_cpu_seconds(&self) -> anyhow::Result<f64> {
        let process = self.postgres.pid();
        Ok(cpu_seconds_of(&process.to_string())? + children_seconds_of(process)?)
    }

    /// The servers, not started yet, with these settings from the environment.
    pub(crate) fn nodes(
        &self,
        program: &Path,
        storage: Storage,
        settings: &[(&str, String)],
    ) -> anyhow::Result<Vec<Node>> {
        let node = |(number, (port, proxy)): (usize, (&u16, &TcpProxy))| {
            let folder = self.folder.path().join(format!("server-{number}"));
            std::fs::create_dir(&folder)?;
            let blobs = match storage {
                Storage::Bucket => format!("s3://{BUCKET}/contents"),
                Storage::Folder => self.folder.path().join("contents").display().to_string(),
            };
            let database = format!("postgres://postgres@{}/postgres?sslmode=disable", proxy.address);
            let arguments = ["--data-dir", "data", "--database-url", &database, "--blobs", &blobs];
            Ok(Node {
                name: format!("server-{number}"),
                port: *port,
                folder,
                program: program.to_owned(),
                arguments: arguments.map(str::to_owned).to_vec(),
                environment: self.environment(storage, settings),
                process: None,
            })
        };
        self.ports.iter().zip(&self.proxies).enumerate().map(node).collect()
    }

    fn environment(&self, storage: Storage, settings: &[(&str, String)]) -> Vec<(String, String)> {
        let own = [
            ("FORMWORK_PUBLIC_URL", self.balancer.url()),
            ("FORMWORK_FETCH__ALLOW", "127.0.0.1".to_owned()),
            ("FORMWORK_MODELS__DEFAULT", "bench@openai".to_owned()),
            ("OPENAI_API_KEY", "none".to_owned()),
            ("FORMWORK_OPENAI_BASE_URL", format!("{}/v1", self.vendor.url())),
            // All servers must sign and accept the same URLs.
            ("FORMWORK_FILES__URL_SECRETS", "a secret of this cluster".to_owned()),
        ];
        let of_bucket = [
            ("FORMWORK_S3__ENDPOINT", self.balancer.bucket_url()),
            ("FORMWORK_S3__ALLOW_HTTP", "on".to_owned()),
            ("AWS_ACCESS_KEY_ID", "test".to_owned()),
            ("AWS_SECRET_ACCESS_KEY", "test".to_owned()),
        ];
        let of_bucket = of_bucket.iter().filter(|_| storage == Storage::Bucket);
        let all = own.iter().chain(of_bucket).chain(settings);
        all.map(|(name, value)| ((*name).to_owned(), value.clone())).collect()
    }
}
