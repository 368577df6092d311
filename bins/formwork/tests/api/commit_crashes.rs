//! A server that dies right after a commit, before anybody learns of it: the request is sent again with its key to the next
//! server, and has one effect and one answer. Each request is tried with a death after each of its commits.

use tokio::task::JoinSet;

use crate::changes::{REQUESTS, Request, content, prepare};
use crate::kit::{Answer, Home, Server, formwork};

/// More commits than any of the requests has.
const COMMITS: usize = 12;

fn start(home: &Home) -> Server {
    let mut command = formwork(&home.path(""));
    command.env("CRASH_AFTER_COMMITS", home.path("commits"));
    home.start_with(command)
}

/// The answer to a request that is sent until it is known what became of it, to the next server where one dies.
async fn answered(request: &Request, server: &mut Server, n: usize, key: &str) -> Answer {
    for _ in 0..COMMITS {
        if let Ok(answer) = request.answer(server, n, key).await {
            return answer;
        }
        // A commit after the first answer killed it.
        server.wait();
        *server = start(&server.home.clone());
    }
    panic!("{}: each server dies", request.name);
}

/// Tries the request with a death after each of its commits. Returns how many it survived.
async fn try_each_commit(request: &Request, home: &Home, server: &mut Server) -> usize {
    let commits = home.path("commits");
    let mut deaths = 0;
    for n in 0..COMMITS {
        let key = format!("{}-{n}", request.name.replace(' ', "-"));
        let before = request.effects(server).await;
        std::fs::write(&commits, n.to_string()).unwrap();
        let first = (request.call)(server, n).header("idempotency-key", &key).try_send().await;
        let survived = std::fs::read_to_string(&commits).unwrap() != "0" && first.is_ok();
        std::fs::remove_file(&commits).unwrap();
        if first.is_err() {
            server.wait();
            *server = start(home);
            deaths += 1;
        } else if server.process.try_wait().unwrap().is_some() {
            *server = start(home);
        }
        let again = answered(request, server, n, &key).await;
        assert!(again.status < 300, "{} after {n}: {again:?}", request.name);
        let once_more = answered(request, server, n, &key).await;
        assert_eq!(content(&once_more), content(&again), "{} after {n}", request.name);
        if let Ok(first) = first {
            assert_eq!(content(&first), content(&again), "{} after {n}", request.name);
        }
        let after = request.effects(server).await;
        assert_eq!(after, before + 1, "{} after {n} commits has not one effect", request.name);
        if survived {
            break;
        }
    }
    require_audit(server, home, request).await;
    deaths
}

/// No effect lacks its event in the audit log, whenever a server died.
async fn require_audit(server: &Server, home: &Home, request: &Request) {
    let admin = home.told(&["keys", "create", "--scope", "admin"]);
    let call = (request.call)(server, 0);
    let path = call.path().split('?').next().unwrap();
    let log = server
        .request(reqwest::Method::GET, &format!("/v1/audit?limit=100&target={path}"))
        .key(&admin)
        .send()
        .await;
    let log = log.ok();
    let events = log["events"].as_array().unwrap();
    let with_effect = events.iter().filter(|event| !event["created"].is_null()).count() as u64;
    assert!(with_effect >= request.effects(server).await.min(100), "{}: {events:?}", request.name);
}

/// Tries these requests, one after the other.
async fn crashes(home: Home, requests: &'static [Request]) {
    let mut server = start(&home);
    prepare(&server).await;
    for request in requests {
        let deaths = try_each_commit(request, &home, &mut server).await;
        assert!(deaths >= 2, "{} died only {deaths} times", request.name);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_request_has_one_effect_and_one_answer_wherever_the_server_dies() {
    crashes(Home::new(""), REQUESTS).await;
}

/// The same on PostgreSQL. Each death costs the time of a lease, which only another server on the database would have to
/// wait for; so several parts of the requests are tried at the same time, each on its own database.
pub(crate) async fn survived_on_postgres() {
    let mut parts = JoinSet::new();
    for requests in REQUESTS.chunks(2) {
        let Some(home) = Home::on_postgres_with("[limits]\nlease_seconds = 3") else { return };
        parts.spawn(crashes(home, requests));
    }
    parts.join_all().await;
}
