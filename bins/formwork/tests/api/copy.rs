//! `formwork copy`: from the embedded database to PostgreSQL.

use std::process::Stdio;

use diesel::connection::SimpleConnection as _;
use diesel::{Connection as _, PgConnection, RunQueryDsl as _, sql_query};
use serde_json::{Value, json};

use crate::backup::{failure, found, searchable_base};
use crate::kit::{Home, Postgres, Server, formwork, invoice, invoice_schema, settle};

const RUNS: &str = "/v1/agent/inv/workflow/delta";

/// A server with records of every kind. The last file was deleted.
async fn stocked() -> Server {
    let server = Server::start();
    server.agent("inv", invoice_schema()).await;
    let files = server.files(&[("a.txt", &invoice("A-1", "5.00")), ("ä\u{10FFFF}.txt", "x")]).await;
    server.post(RUNS, json!([[{"url": files[0]["id"]}]])).await.ok();
    let text = "a\u{0}b 'quoted' \"too\" \\ ü";
    let note = json!({"resource": "agent", "resource_id": "inv", "content": text, "role": "user"});
    server.post("/v1/notes", note).await.ok();
    searchable_base(&server).await;
    server.post("/v1/agent/inv/chat", json!({"message": "The invoice number is B-7."})).await.ok();
    let last = server.files(&[("gone.txt", "gone")]).await.remove(0);
    assert_eq!(server.delete(&format!("/v1/files/{}", last["id"])).await.status, 200);
    server
}

/// What a client sees.
async fn contents(server: &Server) -> Vec<Value> {
    let mut seen = Vec::new();
    for list in
        ["/v1/form", "/v1/agent/inv/sessions", "/v1/notes/agent/inv", "/v1/knowledgebases", RUNS, "/v1/usage"]
    {
        seen.push(server.get(list).await.ok());
    }
    let files = server.get("/v1/files").await.ok();
    for file in files["files"].as_array().unwrap() {
        let path = file["url"].as_str().unwrap().split_once("/files/").unwrap().1;
        seen.push(json!([file["id"], file["name"], server.get(&format!("/files/{path}")).await.text()]));
    }
    seen
}

#[tokio::test(flavor = "multi_thread")]
async fn on_postgresql_a_copied_server_goes_on_with_everything() {
    let Some(target) = Postgres::fresh() else { return };
    let mut server = stocked().await;
    let seen = contents(&server).await;
    let copy = ["copy", "--to", &target.url];
    assert!(failure(&server.home, &copy).contains("stop the server before its database is copied"));
    let home = server.kill();

    killed_half_way(&home, &target);
    let database = format!("database_url = \"{}\"\n", target.url);
    let settings = std::fs::read_to_string(home.path("formwork.toml")).unwrap();
    std::fs::write(home.path("formwork.toml"), database + &settings).unwrap();
    assert!(failure(&home, &["serve"]).contains("is an unfinished copy of another one"));

    let told = home.told(&copy);
    assert!(told.contains("Copied and compared") && told.contains("files: 2"), "{told}");
    assert!(failure(&home, &copy).contains("the target is not empty"), "a second copy was not refused");
    let server = home.start();
    assert_eq!(contents(&server).await, seen);
    settle("a found text", async || found(&server).await == 1).await;
    let next = server.files(&[("next.txt", "next")]).await.remove(0);
    assert_eq!(next["id"], 4, "the number of the deleted file was given again");
    let run = server.post(RUNS, json!([[{"url": next["id"]}]])).await;
    assert_eq!(run.status, 200, "{run:?}");
}

/// Kills a copy while it waits for a table that another client of the target has locked.
fn killed_half_way(home: &Home, target: &Postgres) {
    let mut migrate = formwork(&home.path(""));
    assert!(
        migrate
            .arg("migrate")
            .stdout(Stdio::null())
            .env("FORMWORK_DATABASE_URL", &target.url)
            .status()
            .unwrap()
            .success()
    );
    let mut other = PgConnection::establish(&target.url).unwrap();
    other.batch_execute("BEGIN; LOCK TABLE notes IN SHARE MODE").unwrap();
    let mut command = formwork(&home.path(""));
    let mut copy = command.args(["copy", "--to", &target.url]).stdout(Stdio::null()).spawn().unwrap();
    let mut look = PgConnection::establish(&target.url).unwrap();
    while sql_query("SELECT 1 FROM pg_locks WHERE NOT granted").execute(&mut look).unwrap() == 0 {
        assert!(copy.try_wait().unwrap().is_none(), "the copy ended before it was killed");
        std::thread::yield_now();
    }
    copy.kill().unwrap();
    copy.wait().unwrap();
    other.batch_execute("ROLLBACK").unwrap();
}

#[test]
fn a_copy_goes_from_sqlite_to_postgresql_and_nowhere_else() {
    let home = Home::new("");
    assert!(failure(&home, &["copy"]).contains("there is no database"));
    let wrong = failure(&home, &["copy", "--from", "postgres://x/y", "--to", "sqlite://z"]);
    assert!(wrong.contains("a copy goes from an SQLite database"), "{wrong}");
}
