//! `kill -9` in the middle of work: what was acknowledged is there, what was begun goes on.

use std::collections::HashMap;
use std::io::Write as _;
use std::time::{Duration, SystemTime};

use serde_json::{Value, json};
use tokio::task::JoinHandle;

use crate::kit::{Home, Server, invoice, invoice_schema, settle};

/// Rounds of killing under mixed writers.
const ROUNDS: usize = 8;

/// What writers were told is stored.
#[derive(Default)]
struct Acknowledged {
    forms: Vec<String>,
    files: Vec<(Value, String)>,
    runs: Vec<(Value, usize)>,
}

/// What a writer sends until the server is gone: client, address, key.
#[derive(Clone)]
struct Sender(reqwest::Client, String, String);

impl Sender {
    fn of(server: &Server) -> Self {
        Self(server.client.clone(), server.url.clone(), server.key.clone())
    }

    /// The body of a whole answer 200; `None` once the server is gone.
    async fn post(&self, path: &str, kind: &str, body: String) -> Option<Value> {
        let Self(client, url, key) = self;
        let request =
            client.post(format!("{url}{path}")).header("x-service-key", key).header("content-type", kind);
        let answer = request.body(body).send().await.ok()?;
        assert_eq!(answer.status(), 200);
        answer.json().await.ok()
    }
}

fn forms(sender: Sender) -> JoinHandle<Acknowledged> {
    tokio::spawn(async move {
        let mut stored = Acknowledged::default();
        let body = json!({"title": "t", "schema": {"a": {"type": "string"}}}).to_string();
        while let Some(form) = sender.post("/v1/form", "application/json", body.clone()).await {
            stored.forms.push(form["form_id"].as_str().unwrap().to_owned());
        }
        stored
    })
}

fn uploads(sender: Sender, writer: String) -> JoinHandle<Acknowledged> {
    tokio::spawn(async move {
        let mut stored = Acknowledged::default();
        for n in 0.. {
            let content = invoice(&format!("{writer}-{n}"), "5.00");
            let body = format!(
                "--b\r\nContent-Disposition: form-data; name=\"files\"; filename=\"{n}.txt\"\r\n\r\n{content}\r\n--b--\r\n"
            );
            let Some(files) = sender.post("/v1/files", "multipart/form-data; boundary=b", body).await else {
                break;
            };
            stored.files.push((files[0]["id"].clone(), content));
        }
        stored
    })
}

fn runs(sender: Sender, groups: Value) -> JoinHandle<Acknowledged> {
    tokio::spawn(async move {
        let mut stored = Acknowledged::default();
        while let Some(run) =
            sender.post("/v1/agent/inv/workflow/delta", "application/json", groups.to_string()).await
        {
            stored.runs.push((run["sid"].clone(), groups.as_array().unwrap().len()));
        }
        stored
    })
}

async fn total(server: &Server, list: &str) -> u64 {
    server.get(&format!("{list}?limit=1")).await.ok()["meta"]["total_items"].as_u64().unwrap()
}

#[tokio::test(flavor = "multi_thread")]
async fn everything_acknowledged_survives_kill_nine_under_mixed_writers() {
    kills(&Home::new("")).await;
}

/// Rounds of killing under mixed writers, on a fresh folder.
pub(crate) async fn kills(home: &Home) {
    let mut stored = Acknowledged::default();
    let mut groups = Value::Null;
    for round in 0..ROUNDS {
        let mut server = home.start();
        if round == 0 {
            server.agent("inv", invoice_schema()).await;
            let files =
                server.files(&[("a.txt", &invoice("A-1", "5.00")), ("b.txt", &invoice("B-1", "6.00"))]).await;
            groups = json!([[{"url": files[0]["id"]}], [{"url": files[1]["id"]}], [{"url": files[0]["id"]}]]);
        }
        let before = (total(&server, "/v1/form").await, total(&server, "/v1/files").await);
        let sender = Sender::of(&server);
        let mut writers: Vec<_> = (0..4).map(|_| forms(sender.clone())).collect();
        writers.extend((0..4).map(|n| uploads(sender.clone(), format!("{round}-{n}"))));
        writers.extend((0..2).map(|_| runs(sender.clone(), groups.clone())));
        // Wait until writes of each kind flow, then kill in the middle of them.
        settle("a flow of writes", async || {
            total(&server, "/v1/form").await >= before.0 + 20
                && total(&server, "/v1/files").await >= before.1 + 10
        })
        .await;
        server.kill();
        for writer in writers {
            let one = writer.await.unwrap();
            stored.forms.extend(one.forms);
            stored.files.extend(one.files);
            stored.runs.extend(one.runs);
        }
    }
    assert!(
        stored.forms.len() >= ROUNDS * 10 && stored.files.len() >= ROUNDS * 4,
        "too little was acknowledged"
    );
    let server = home.start();
    for id in &stored.forms {
        server.get(&format!("/v1/form/{id}")).await.ok();
    }
    for (id, content) in &stored.files {
        let file = server.get(&format!("/v1/files/{id}")).await.ok();
        let path = file["url"].as_str().unwrap().split_once("/files/").unwrap().1;
        let content_now = server.get(&format!("/files/{path}")).await;
        assert_eq!(content_now.text(), content);
    }
    let mut kept: HashMap<String, usize> = HashMap::new();
    settle("the end of the interrupted runs", async || {
        kept.clear();
        let all = server.get("/v1/agent/inv/workflow/delta").await.ok();
        for response in all.as_array().unwrap() {
            *kept.entry(response["sid"].to_string()).or_default() += 1;
        }
        // Runs that were cut off are brought to their end as well.
        kept.values().all(|count| *count == 3)
    })
    .await;
    for (sid, groups) in &stored.runs {
        assert_eq!(kept.get(&sid.to_string()), Some(groups), "run {sid}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_run_goes_on_after_each_kill_and_no_group_is_lost_or_done_twice() {
    const GROUPS: usize = 150;
    let home = Home::new("workers.model_threads = 1\nlimits.run_concurrency = 2");
    let mut server = home.start();
    server.agent("inv", invoice_schema()).await;
    // Every third group has no readable document.
    let texts: Vec<String> = (0..GROUPS)
        .map(|n| {
            if n % 3 == 2 {
                String::new()
            } else {
                invoice(&format!("N-{n}"), "5.00") + &format!("Line {n} of a longer paper.\n").repeat(100)
            }
        })
        .collect();
    let mut ids = Vec::new();
    for texts in texts.chunks(50) {
        let named: Vec<(&str, &str)> = texts.iter().map(|text| ("a.txt", text.as_str())).collect();
        ids.extend(server.files(&named).await.into_iter().map(|file| file["id"].clone()));
    }
    let body = json!(ids.iter().map(|id| json!([{"url": id}])).collect::<Vec<_>>()).to_string();
    let head = format!(
        "POST /v1/agent/inv/workflow/delta HTTP/1.1\r\nhost: x\r\nx-service-key: {}\r\ncontent-length: {}\r\n\r\n",
        server.key,
        body.len()
    );
    server.cut_off(format!("{head}{body}").as_bytes());
    let path = "/v1/agent/inv/workflow/delta";
    let successes = GROUPS / 3 * 2;
    let mut known: HashMap<String, String> = HashMap::new();
    let mut kills = 0;
    loop {
        let count = async || server.get(path).await.header("x-total-count").parse::<usize>().unwrap();
        let before = known.len();
        settle("some progress", async || count().await > before).await;
        let kept = server.get(path).await.ok();
        // What was kept before a kill is kept as it was, under its old id.
        let now: HashMap<String, String> = kept
            .as_array()
            .unwrap()
            .iter()
            .map(|r| {
                (r["gid"].as_str().unwrap().to_owned(), r["invoice_number"].as_str().unwrap().to_owned())
            })
            .collect();
        for (gid, number) in &known {
            assert_eq!(now.get(gid), Some(number), "{gid} was lost");
        }
        known = now;
        if known.len() == successes {
            break;
        }
        server.kill();
        kills += 1;
        server = home.start();
    }
    assert!(kills >= 2, "the run was over before it could be killed: {kills}");
    let numbers: Vec<String> = server
        .get(path)
        .await
        .ok()
        .as_array()
        .unwrap()
        .iter()
        .map(|r| r["invoice_number"].as_str().unwrap().to_owned())
        .collect();
    let expected: Vec<String> = (0..GROUPS).filter(|n| n % 3 != 2).map(|n| format!("N-{n}")).collect();
    assert_eq!(numbers, expected);
}

#[tokio::test(flavor = "multi_thread")]
async fn what_a_kill_leaves_of_uploads_is_swept_at_the_next_start() {
    let home = Home::new("");
    let mut server = home.start();
    let kept = server.files(&[("kept.txt", "kept")]).await.remove(0);
    let head = format!(
        "POST /v1/files HTTP/1.1\r\nhost: x\r\nx-service-key: {}\r\ncontent-length: 99999999\r\n\
         content-type: multipart/form-data; boundary=b\r\n\r\n",
        server.key
    );
    let part = |name: &str| {
        format!("--b\r\nContent-Disposition: form-data; name=\"files\"; filename=\"{name}\"\r\n\r\n")
    };
    // One file that is whole, and one that is half on the disk.
    let body = format!("{}whole\r\n{}{}", part("a"), part("b"), "x".repeat(3 << 20));
    let mut upload = server.connect();
    upload.write_all((head + &body).as_bytes()).unwrap();
    settle("both on the disk", async || server.stored("blobs").len() == 3).await;
    server.kill();
    let left = server.stored("blobs");
    assert_eq!(left.len(), 3, "{left:?}");
    // As if the kill had been an hour ago.
    let then = SystemTime::UNIX_EPOCH + Duration::from_secs(1_000_000_000);
    for path in &left {
        std::fs::File::options().write(true).open(path).unwrap().set_modified(then).unwrap();
    }
    let server = home.start();
    settle("a tidy blob folder", async || server.stored("blobs").len() == 1).await;
    let path = kept["url"].as_str().unwrap().split_once("/files/").unwrap().1;
    assert_eq!(server.get(&format!("/files/{path}")).await.text(), "kept");
}
