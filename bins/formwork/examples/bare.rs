//! A minimal answer of the bare HTTP library with the server's threads, timeouts and allocator but without
//! its layers. `cargo xtask bench http` measures the cost of the layers against it.
//!
//! `cargo run --release -p formwork --example bare -- /health '{"status":"ok"}'`
#![allow(clippy::print_stdout, reason = "it tells its address")]

use std::time::Duration;

use actix_web::{App, HttpResponse, HttpServer, web};
use anyhow::Context as _;
use formwork::settings::{Settings, threads};

#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> anyhow::Result<()> {
    let mut arguments = std::env::args().skip(1);
    let (path, body) = arguments.next().zip(arguments.next()).context("a path and a body are needed")?;
    let settings = Settings::default();
    let timeout = Duration::from_secs(settings.limits.request_seconds);
    let listener = std::net::TcpListener::bind("127.0.0.1:0")?;
    println!("listening on http://{}", listener.local_addr()?);
    let app = move || {
        let body = body.clone();
        let answer = move || {
            let body = body.clone();
            async move { HttpResponse::Ok().content_type("application/json").body(body) }
        };
        App::new().route(&path, web::get().to(answer))
    };
    let server = HttpServer::new(app)
        .workers(threads(settings.workers.http_threads))
        .client_request_timeout(timeout)
        .listen(listener)?
        .run();
    actix_web::rt::System::new().block_on(server).context("the server failed")
}
