//! TLS to PostgreSQL: what each `sslmode` accepts, what refusals say, and what happens when the server goes silent.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::print_stdout,
    reason = "tests assert"
)]

mod common;

use std::io::{Read as _, Write as _};
use std::net::TcpListener;
use std::time::{Duration, Instant};

use common::block_on;
use diesel::sql_types::{Bool, Integer};
use diesel::{QueryableByName, RunQueryDsl as _, sql_query};
use store_diesel::{Database, DatabaseSettings, OpenError};

const POOL: DatabaseSettings = DatabaseSettings { readers: 2, writers: 2 };

/// The server of the tests by this host and with these options, and the file of its authority; `None`, after printing
/// so, without a server that speaks TLS.
#[expect(clippy::disallowed_methods, reason = "the server is named by the environment")]
fn server(host: &str, options: &str) -> Option<String> {
    let (Ok(url), Ok(authority)) =
        (std::env::var("FORMWORK_TEST_POSTGRES"), std::env::var("FORMWORK_TEST_POSTGRES_AUTHORITY"))
    else {
        println!("skipped: FORMWORK_TEST_POSTGRES or FORMWORK_TEST_POSTGRES_AUTHORITY is not set");
        return None;
    };
    let url = url.replace("127.0.0.1", host);
    Some(format!("{url}?{}", options.replace("<authority>", &authority)))
}

#[derive(QueryableByName)]
struct Encrypted {
    #[diesel(sql_type = Bool)]
    ssl: bool,
}

/// Whether a connection is encrypted.
fn is_encrypted(url: &str) -> Result<bool, OpenError> {
    let database = Database::open(url, POOL)?;
    let ask = "SELECT ssl FROM pg_stat_ssl WHERE pid = pg_backend_pid()";
    let found =
        block_on(database.read(move |connection| Ok(sql_query(ask).get_result::<Encrypted>(connection)?)));
    database.close();
    Ok(found.unwrap().ssl)
}

/// What is said of a connection that is refused.
fn refusal(url: &str) -> String {
    match Database::open(url, POOL) {
        Err(error) => error.to_string(),
        Ok(_) => panic!("{url} was accepted"),
    }
}

#[test]
fn each_mode_encrypts_or_not_as_its_name_says() {
    for (host, options, encrypted) in [
        ("127.0.0.1", "sslmode=disable", false),
        ("127.0.0.1", "application_name=x", false),
        ("127.0.0.1", "sslmode=allow", false),
        ("127.0.0.1", "sslmode=prefer", true),
        ("127.0.0.1", "sslmode=require", true),
        ("127.0.0.1", "sslmode=verify-ca&sslrootcert=<authority>", true),
        ("127.0.0.1", "sslmode=require&sslrootcert=<authority>", true),
        ("localhost", "sslmode=verify-full&sslrootcert=<authority>", true),
        ("localhost", "hostaddr=127.0.0.1&sslmode=verify-full&sslrootcert=<authority>", true),
    ] {
        let Some(url) = server(host, options) else { return };
        assert_eq!(is_encrypted(&url).unwrap(), encrypted, "{url}");
    }
}

#[test]
fn a_certificate_of_another_name_or_authority_is_refused_with_the_reason() {
    for (host, options, told) in [
        ("127.0.0.1", "sslmode=verify-full&sslrootcert=<authority>", "is for another name"),
        ("localhost", "sslmode=verify-full", "is not signed by a trusted authority"),
        ("localhost", "sslmode=verify-ca", "is not signed by a trusted authority"),
        ("localhost", "sslrootcert=system", "is not signed by a trusted authority"),
        ("localhost", "sslmode=verify-full&sslrootcert=/nowhere.crt", "/nowhere.crt cannot be read"),
        ("localhost", "sslmode=always", "sslmode must be disable, allow"),
    ] {
        let Some(url) = server(host, options) else { return };
        let said = refusal(&url);
        assert!(said.contains(told), "{options}: {said}");
    }
}

/// A server that answers the request for TLS with these bytes, and then says nothing.
fn scripted(answer: &'static [u8]) -> String {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = listener.local_addr().unwrap().port();
    std::thread::spawn(move || {
        for mut stream in listener.incoming().flatten() {
            std::thread::spawn(move || {
                let mut request = [0; 8];
                stream.read_exact(&mut request).ok();
                stream.write_all(answer).ok();
                std::io::copy(&mut stream, &mut std::io::sink()).ok();
            });
        }
    });
    format!("postgres://ada:s3cret@127.0.0.1:{port}/x?sslmode=require")
}

#[test]
fn a_server_without_tls_or_without_an_answer_is_refused_in_time_and_no_password_is_repeated() {
    for (answer, told) in [
        (b"N".as_slice(), "offers no TLS"),
        (b"E".as_slice(), "it is no PostgreSQL server"),
        (b"Splain text".as_slice(), "TLS with"),
        (b"S".as_slice(), "did not answer in time"),
        (b"".as_slice(), "did not answer in time"),
    ] {
        let begun = Instant::now();
        let said = refusal(&scripted(answer));
        assert!(said.contains(told) && !said.contains("s3cret"), "{said}");
        assert!(begun.elapsed() < Duration::from_secs(10), "{said}");
    }
    let nobody = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap();
    let said = refusal(&format!("postgres://ada:s3cret@{nobody}/x?sslmode=require"));
    assert!(said.contains("could not be reached"), "{said}");
}

#[derive(QueryableByName)]
struct One {
    #[diesel(sql_type = Integer)]
    one: i32,
}

#[test]
fn a_connection_that_the_server_ends_is_opened_again_and_time_limits_of_statements_hold() {
    let Some(url) = server("127.0.0.1", "sslmode=require") else { return };
    // The migrations take longer than the limit.
    Database::open(&url, POOL).unwrap().close();
    let url = format!("{url}&options=-c%20statement_timeout%3D1000");
    let database = Database::open(&url, POOL).unwrap();
    let read = |text: &'static str| {
        block_on(database.read(move |connection| Ok(sql_query(text).get_result::<One>(connection)?.one)))
    };
    assert!(read("SELECT 1 AS one FROM pg_sleep(20)").is_err(), "the statement is too slow");
    assert_eq!(read("SELECT 1 AS one").unwrap(), 1);
    for _ in 0..2 {
        assert!(read("SELECT 1 AS one FROM pg_terminate_backend(pg_backend_pid())").is_err());
    }
    let begun = Instant::now();
    while read("SELECT 2 AS one").is_err() {
        assert!(begun.elapsed() < Duration::from_secs(10), "it does not come back");
        std::thread::sleep(Duration::from_millis(20));
    }
    database.close();
}

#[test]
fn a_large_result_and_a_large_parameter_arrive_unchanged() {
    let Some(url) = server("127.0.0.1", "sslmode=require") else { return };
    let database = Database::open(&url, POOL).unwrap();
    let sum = "SELECT length(repeat('x', 20000000) || $1)::int AS one";
    let text = "y".repeat(5_000_000);
    let length = block_on(database.read(move |connection| {
        Ok(sql_query(sum).bind::<diesel::sql_types::Text, _>(&text).get_result::<One>(connection)?.one)
    }));
    assert_eq!(length.unwrap(), 25_000_000);
    database.close();
}
