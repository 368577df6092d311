//! Starting: the first key, the second start, and starts that cannot succeed.

use std::os::unix::fs::PermissionsExt as _;

use crate::kit::{Home, Server, formwork, invoice, invoice_schema};

#[tokio::test(flavor = "multi_thread")]
async fn the_first_start_prints_its_key_once_and_keeps_it_where_only_the_owner_reads() {
    let mut server = Server::start();
    let file = server.home.path("data/first-key");
    assert_eq!(std::fs::metadata(&file).unwrap().permissions().mode() & 0o777, 0o600);
    assert!(server.key.starts_with("fw_") && server.key.len() >= 3 + 22);
    server.get("/v1/me").await.ok();
    server.terminate();
    assert!(server.wait().success());
    let line = server.second_line().unwrap();
    assert_eq!(line, format!("API key (shown once): {}", server.key));

    let mut again = server.home.start();
    assert_eq!(again.key, server.key);
    again.get("/v1/me").await.ok();
    again.terminate();
    assert!(again.wait().success());
    assert_eq!(again.second_line(), None, "the second start prints no key");
    let log = std::fs::read_to_string(server.home.path("log")).unwrap();
    assert!(!log.contains("index"), "an empty search index is no news: {log}");
    assert!(!log.contains(&server.key), "{log}");
    // The database has the key only as a hash.
    for path in server.stored("") {
        assert!(
            path.ends_with("first-key") || !contains(&std::fs::read(&path).unwrap(), server.key.as_bytes()),
            "{path}"
        );
    }
}

fn contains(bytes: &[u8], needle: &[u8]) -> bool {
    bytes.windows(needle.len()).any(|window| window == needle)
}

#[tokio::test(flavor = "multi_thread")]
async fn users_and_keys_are_managed_while_the_server_runs() {
    let server = Server::start();
    let home = &server.home;
    home.told(&["users", "create", "--name", "Ada", "--email", "ada@example.com"]);
    let users = home.told(&["users", "list"]);
    assert!(users.contains("admin@localhost") && users.contains("ada@example.com"), "{users}");
    let key = home.told(&["keys", "create", "--email", "ada@example.com", "--name", "ci"]);
    let me = server.request(reqwest::Method::GET, "/v1/me").key(&key).send().await.ok();
    assert_eq!((me["userName"].as_str(), me["workspace"].as_str()), (Some("Ada"), Some("Main")));
    for (arguments, told) in [
        (vec!["keys", "create", "--email", "nobody@example.com"], "there is no such user"),
        (vec!["users", "create", "--name", "Ada", "--email", "ada@example.com"], "already"),
        (vec!["users", "create", "--name", "", "--email", "x@example.com"], "name"),
        (vec!["users", "create", "--name", "X", "--email", "nonsense"], "e-mail"),
        (vec!["keys", "revoke", "fw_nothing"], "there is no valid key 'fw_nothing'"),
    ] {
        let output = home.run(&arguments);
        let text = String::from_utf8(output.stderr).unwrap();
        assert!(
            !output.status.success() && text.lines().count() == 1 && text.contains(told),
            "{arguments:?}: {text}"
        );
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn files_are_linked_under_the_public_address_and_found_by_it() {
    let port = std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
    let home = Home::new("public_url = \"https://forms.example.com/base/\"");
    let mut command = formwork(&home.path(""));
    command.env("FORMWORK_LISTEN", format!("127.0.0.1:{port}"));
    let mut server = home.start_with(command);
    assert!(server.url.starts_with("https://forms.example.com/base"), "{}", server.url);
    server.url = format!("http://127.0.0.1:{port}");
    server.agent("inv", invoice_schema()).await;
    let file = server.files(&[("a.txt", &invoice("A-1", "5.00"))]).await.remove(0);
    let url = file["url"].as_str().unwrap();
    let path = url.strip_prefix("https://forms.example.com/base").unwrap();
    assert!(path.starts_with("/files/"), "{url}");
    assert_eq!(server.get(path).await.status, 200);
    let elsewhere = serde_json::json!(url.replace("forms.example.com", "10.0.0.1"));
    let answer = server.delta("inv", "", &[&[&file["url"]], &[&elsewhere]]).await;
    assert_eq!(answer["results"][0]["total"], 5.0);
    assert_eq!(answer["failed"][0]["error"]["code"], "fetch_denied");
}

#[tokio::test(flavor = "multi_thread")]
async fn the_log_has_a_line_for_each_request_with_its_id_and_no_secret() {
    let server = Server::with("log.format = \"json\"\nlog.level = \"debug\"");
    let file = server.files(&[("a.txt", "x")]).await.remove(0);
    let call = server.request(reqwest::Method::GET, "/v1/me").header("x-request-id", "wanted-1");
    call.send().await.ok();
    server.get("/v1/nothing").await;
    let log = std::fs::read_to_string(server.home.path("log")).unwrap();
    let lines: Vec<serde_json::Value> = log.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let of_request = lines.iter().filter(|line| line["spans"][0]["request_id"] == "wanted-1");
    let fields: Vec<_> = of_request.map(|line| &line["fields"]).collect();
    assert!(fields.iter().any(|f| f["path"] == "/v1/me" && f["status"] == 200), "{log}");
    let token = file["url"].as_str().unwrap().rsplit('/').nth(1).unwrap();
    assert!(!log.contains(&server.key) && !log.contains(token), "{log}");
}

#[test]
fn a_start_that_cannot_succeed_says_why_in_one_sentence() {
    let home = Home::new("");
    let fails = |arguments: &[&str]| {
        let output = home.run(arguments);
        let text = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(1), "{arguments:?}: {text}");
        assert!(output.stdout.is_empty() && text.lines().count() == 1, "{arguments:?}: {text}");
        assert!(text.starts_with("formwork: "), "{text}");
        text
    };
    let taken = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let address = taken.local_addr().unwrap().to_string();
    assert_eq!(
        fails(&["--listen", &address]),
        format!("formwork: the address {address} is already in use\n")
    );
    assert!(fails(&["--listen", "192.0.2.1:1"]).contains("cannot listen on the address 192.0.2.1:1"));
    assert!(fails(&["--blobs", "/proc/nowhere"]).contains("the blob folder /proc/nowhere cannot be used"));
    assert!(
        fails(&["--data-dir", "/proc/nowhere"]).contains("the data folder /proc/nowhere cannot be created")
    );
    std::fs::write(home.path("file"), "").unwrap();
    assert!(fails(&["--data-dir", "file"]).contains("the data folder file cannot be created"));
    assert!(fails(&["--blobs", "file/below"]).contains("the blob folder file/below cannot be used"));
    assert!(fails(&["--database-url", "mysql://x"]).contains("sqlite:// or postgres://"));
    let unreachable = fails(&["--database-url", "postgres://ada:s3cret@127.0.0.1:1/x"]);
    assert!(unreachable.contains("database") && !unreachable.contains("s3cret"), "{unreachable}");
    std::fs::write(home.path("not.db"), "this is no database, whatever its name says".repeat(99)).unwrap();
    let damaged = fails(&["--database-url", "sqlite://not.db"]);
    assert!(damaged.contains("not.db"), "{damaged}");
    assert!(fails(&["--database-url", "sqlite:///proc/nowhere/x.db"]).contains("/proc/nowhere/x.db"));
}

#[test]
fn a_folder_of_the_search_index_that_cannot_be_used_is_named_with_what_to_do() {
    let home = Home::new("knowledge.index = \"blocked/index\"");
    std::fs::write(home.path("blocked"), "no folder").unwrap();
    for command in ["serve", "reindex"] {
        let output = home.run(&[command]);
        let told = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(1), "{told}");
        let last = told.lines().last().unwrap();
        for part in ["formwork: ", "FORMWORK_KNOWLEDGE__INDEX", "blocked/index", "may write to", "locks"] {
            assert!(last.contains(part), "{command}: {told}");
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn one_server_alone_works_on_a_database_until_it_ends_however_it_ends() {
    let mut server = Server::start();
    let second = server.home.run(&["serve"]);
    let told = String::from_utf8(second.stderr).unwrap();
    assert_eq!(second.status.code(), Some(1));
    assert!(told.starts_with("formwork: another server uses the database data/formwork.db"), "{told}");
    server.get("/v1/me").await.ok();
    let home = server.kill();
    home.start().get("/v1/me").await.ok();
}

#[tokio::test(flavor = "multi_thread")]
async fn a_database_of_a_newer_version_is_left_alone() {
    let mut server = Server::start();
    let home = server.kill();
    let script = "INSERT INTO __diesel_schema_migrations (version, run_on) VALUES ('99991231235959', CURRENT_TIMESTAMP)";
    let database = home.path("data/formwork.db");
    let program = "import sqlite3, sys; c = sqlite3.connect(sys.argv[1]); c.execute(sys.argv[2]); c.commit()";
    let Ok(python) =
        std::process::Command::new("python3").args(["-c", program]).arg(&database).arg(script).status()
    else {
        eprintln!("python3 is not installed: the start on a newer database is SKIPPED");
        return;
    };
    assert!(python.success());
    for arguments in [&["serve"][..], &["migrate"], &["keys", "list"]] {
        let output = home.run(arguments);
        let text = String::from_utf8(output.stderr).unwrap();
        assert!(!output.status.success() && text.lines().count() == 1 && text.contains("newer"), "{text}");
    }
}

#[test]
fn a_first_key_that_cannot_be_kept_is_not_made() {
    let home = Home::new("");
    std::fs::create_dir_all(home.path("data/first-key")).unwrap();
    let failed = home.run(&["serve"]);
    let told = String::from_utf8(failed.stderr).unwrap();
    assert_eq!(failed.status.code(), Some(1));
    assert!(told.starts_with("formwork: the first key could not be written to data/first-key: "), "{told}");
    std::fs::remove_dir(home.path("data/first-key")).unwrap();
    let mut server = home.start();
    assert!(server.key.starts_with("fw_"));
    server.kill();
    assert_eq!(server.second_line(), Some(format!("API key (shown once): {}", server.key)));
}

#[test]
fn migrating_is_safe_to_repeat() {
    let home = Home::new("");
    std::fs::create_dir(home.path("data")).unwrap();
    assert!(home.told(&["migrate"]).starts_with("Applied: "));
    assert_eq!(home.told(&["migrate"]), "The database is up to date.");
}

#[test]
fn the_models_that_can_be_called_are_listed() {
    let home = Home::new("");
    assert_eq!(home.told(&["models"]), "extractive@formwork  text-to-text");
    let own = "[[models.own]]\nname = \"Lab\"\nbase_url = \"http://127.0.0.1:1/v1\"\n";
    std::fs::write(home.path("formwork.toml"), own).unwrap();
    let refused = home.run(&["models"]);
    assert!(!refused.status.success());
    assert!(String::from_utf8_lossy(&refused.stderr).contains("models.own[0].name"), "{refused:?}");
}
