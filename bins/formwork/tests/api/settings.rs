//! Settings as the program reads them.

use crate::kit::{Home, formwork};

fn config(home: &Home, arguments: &[&str], environment: &[(&str, &str)]) -> std::process::Output {
    let mut command = formwork(&home.path(""));
    command.args(arguments).arg("config").envs(environment.iter().copied()).output().unwrap()
}

fn printed(home: &Home, arguments: &[&str], environment: &[(&str, &str)]) -> toml::Table {
    let output = config(home, arguments, environment);
    assert!(output.status.success(), "{output:?}");
    String::from_utf8(output.stdout).unwrap().parse().unwrap()
}

#[test]
fn flags_win_over_the_environment_and_that_over_the_file_and_that_over_defaults() {
    let home =
        Home::new("public_url = \"http://file\"\nlimits.files_per_upload = 7\nlimits.run_concurrency = 5");
    let environment =
        [("FORMWORK_PUBLIC_URL", "http://environment"), ("FORMWORK_LIMITS__RUN_CONCURRENCY", "6")];
    let all = printed(&home, &["--public-url", "http://flag"], &environment);
    assert_eq!(all["public_url"].as_str(), Some("http://flag"));
    let two = printed(&home, &[], &environment);
    assert_eq!(two["public_url"].as_str(), Some("http://environment"));
    let limits = &two["limits"];
    assert_eq!(limits["run_concurrency"].as_integer(), Some(6));
    assert_eq!(limits["files_per_upload"].as_integer(), Some(7));
    assert_eq!(limits["groups_per_run"].as_integer(), Some(10_000));
    assert_eq!(printed(&home, &[], &[])["public_url"].as_str(), Some("http://file"));
    assert_eq!(two["listen"].as_str(), Some("127.0.0.1:0"));
}

#[test]
fn what_is_printed_can_be_read_back_and_holds_no_secret() {
    let home = Home::new("");
    let secrets = [
        "postgres://ada:s3cret@db:5432/forms",
        "postgres://ada:s3cret@db/forms?sslmode=require&password=s3cret",
        "postgres://ada:s3cr%65t-s3cret@[::1]/forms?options=x",
        "postgres://ada:p@s3cret@db/forms",
        "postgres://ada:p/s3cret@db/forms",
        "postgres://ada:p?s3cret@db/forms",
        "postgres://ada:p#s3cret@db/forms",
        "postgres://db/forms?user=a&PASSWORD=s3cret",
        "postgres://db/forms?pass%77ord=s3cret",
    ];
    for url in secrets {
        let output = config(&home, &[], &[("FORMWORK_DATABASE_URL", url)]);
        let text = String::from_utf8(output.stdout).unwrap() + &String::from_utf8(output.stderr).unwrap();
        assert!(!text.contains("s3cret") && !text.contains("s3cr%65t"), "{url}: {text}");
        if url.contains("p@") {
            // Which of the two is the host's cannot be told; the driver names what it looked for.
            continue;
        }
        let failed = home.run(&["--database-url", url, "migrate"]);
        let text = String::from_utf8(failed.stderr).unwrap();
        assert!(!failed.status.success() && !text.contains("s3cret"), "{url}: {text}");
        assert_eq!(text.lines().count(), 1, "{text}");
    }
    let plain = home.told(&["config"]);
    let again = Home::new("");
    std::fs::write(again.path("formwork.toml"), &plain).unwrap();
    assert_eq!(again.told(&["config"]), plain);
}

#[test]
fn what_cannot_be_a_setting_is_refused_in_one_plain_sentence() {
    let home = Home::new("");
    let refused = |text: &str| {
        std::fs::write(home.path("odd.toml"), text).unwrap();
        let output = home.run(&["--config", "odd.toml", "config"]);
        let told = String::from_utf8(output.stderr).unwrap();
        assert!(!output.status.success() && output.stdout.is_empty(), "{text}");
        assert_eq!(told.lines().count(), 1, "{told}");
        told
    };
    for (text, sentence) in [
        ("nope = 1", "there is no setting 'nope'"),
        ("limits.nope = 1", "there is no setting 'limits.nope'"),
        ("[nope]\na = 1", "there is no setting 'nope'"),
        ("listen = 5", "'listen' must be an address with a port, such as 127.0.0.1:8080"),
        ("listen = \"nowhere\"", "'listen' must be an address with a port, such as 127.0.0.1:8080"),
        ("limits.file_bytes = \"x\"", "'limits.file_bytes' must be a whole number"),
        ("limits.file_bytes = -1", "'limits.file_bytes' must be a whole number"),
        ("limits.file_bytes = 1.5", "'limits.file_bytes' must be a whole number"),
        ("limits = 5", "'limits' must be a table"),
        ("log.format = \"xml\"", "'log.format' must be text or json"),
        ("log.level = \"a=b=c\"", "'log.level' is not valid"),
        ("public_url = 5", "'public_url' must be a text"),
        ("public_url = \"ftp://x\"", "'public_url' must begin with http:// or https://"),
        ("public_url = \"http://\"", "'public_url' must have a host"),
        ("public_url = \"https:///x\"", "'public_url' must have a host"),
        ("public_url = \"http://a b\"", "'public_url' must have a host"),
        ("database_url = \"sqlite://\"", "'database_url' must name a file"),
        ("database_url = \"sqlite://:memory:\"", "'database_url' must name a file"),
        ("database_url = \"sqlite://x.db?mode=ro\"", "'database_url' must name a file"),
        ("limits.request_seconds = 100000", "'limits.request_seconds' must be at most 86400"),
        ("workers.parsers = 5000", "'workers.parsers' must be at most 1024"),
        ("limits.run_concurrency = 0", "'limits.run_concurrency' must be at least 1"),
        ("limits.lease_seconds = 2", "'limits.lease_seconds' must be at least 3"),
        ("limits.workspace_concurrency = 0", "'limits.workspace_concurrency' must be at least 1"),
        ("limits.file_bytes = 0", "'limits.file_bytes' must be at least 1"),
        ("limits.request_seconds = 0", "'limits.request_seconds' must be at least 1"),
        ("workers.database_readers = 0", "'workers.database_readers' must be at least 1"),
        ("workers.database_writers = 0", "'workers.database_writers' must be at least 1"),
        ("workers.parser_memory_bytes = 0", "'workers.parser_memory_bytes' must be at least 1"),
        ("models.default = \"x@y\"", "'models.default'"),
    ] {
        let told = refused(text);
        assert!(
            told.starts_with("formwork: the settings are not valid: ") && told.contains(sentence),
            "{text}: {told}"
        );
    }
    for text in ["listen = ", "= 1", "listen = \"127.0.0.1:0\"\nlisten = \"127.0.0.1:0\"", "\u{0}"] {
        let told = refused(text);
        assert!(
            told.starts_with("formwork: the settings file odd.toml is not valid TOML: ")
                && told.contains("line "),
            "{text}: {told}"
        );
    }
    std::fs::write(home.path("odd.toml"), b"public_url = \"\xff\"").unwrap();
    assert!(
        String::from_utf8(home.run(&["--config", "odd.toml", "config"]).stderr).unwrap().contains("odd.toml")
    );
    let told = String::from_utf8(home.run(&["--config", "none.toml", "config"]).stderr).unwrap();
    assert!(told.starts_with("formwork: the settings file none.toml cannot be read: "), "{told}");
}

#[test]
fn the_environment_is_read_as_text_and_checked_like_the_file() {
    let home = Home::new("");
    let names = printed(
        &home,
        &[],
        &[
            ("FORMWORK_FIRST__WORKSPACE", "42"),
            ("FORMWORK_FIRST__USER_NAME", "true"),
            ("FORMWORK_BLOBS", "[x]"),
            ("FORMWORK_PORT", "tcp://10.0.0.1:80"),
        ],
    );
    assert_eq!(names["first"]["workspace"].as_str(), Some("42"));
    assert_eq!(names["first"]["user_name"].as_str(), Some("true"));
    assert_eq!(names["blobs"].as_str(), Some("[x]"));
    let output = config(&home, &[], &[("FORMWORK_LIMITS__FILE_BYTES", "many")]);
    let told = String::from_utf8(output.stderr).unwrap();
    assert!(told.contains("'limits.file_bytes' must be a whole number"), "{told}");
}

#[test]
fn a_setting_is_taken_by_each_of_its_names_and_the_documented_one_counts() {
    let home = Home::new("");
    for name in ["FORMWORK_FETCH_ALLOW", "FORMWORK_FETCH__ALLOW"] {
        let settings = printed(&home, &[], &[(name, "10.0.0.0/8")]);
        assert_eq!(settings["fetch"]["allow"].as_str(), Some("10.0.0.0/8"), "{name}");
    }
    for name in ["FORMWORK_LIMITS__FILE_BYTES", "FORMWORK_LIMITS_FILE_BYTES"] {
        let settings = printed(&home, &[], &[(name, "77")]);
        assert_eq!(settings["limits"]["file_bytes"].as_integer(), Some(77), "{name}");
    }
    for name in ["FORMWORK_OPENAI_BASE_URL", "FORMWORK_MODELS__OPENAI__BASE_URL"] {
        let settings = printed(&home, &[], &[(name, "http://127.0.0.1:9/v1")]);
        assert_eq!(
            settings["models"]["openai"]["base_url"].as_str(),
            Some("http://127.0.0.1:9/v1"),
            "{name}"
        );
    }
    let both = [("FORMWORK_LIMITS_FILE_BYTES", "1"), ("FORMWORK_LIMITS__FILE_BYTES", "2")];
    assert_eq!(printed(&home, &[], &both)["limits"]["file_bytes"].as_integer(), Some(2));
}

#[test]
fn a_variable_that_sets_nothing_is_named_in_a_warning_at_the_start() {
    let home = Home::new(
        "[[models.own]]\nname = \"lab\"\nbase_url = \"http://127.0.0.1:9/v1\"\nkey_env = \"FORMWORK_LAB_KEY\"",
    );
    let mut command = formwork(&home.path(""));
    command
        .env("FORMWORK_LIMITS__FILE_BYTE", "1")
        .env("FORMWORK_LIMITS_FILE_BYTES", "1000")
        .env("FORMWORK_LAB_KEY", "key")
        .env("FORMWORK_COLOUR_OF_THE_SKY", "blue");
    let server = home.start_with(command);
    let log = std::fs::read_to_string(home.path("log")).unwrap();
    drop(server);
    let warned = |name: &str| log.lines().filter(|line| line.contains("WARN") && line.contains(name)).count();
    assert_eq!(
        (warned("'FORMWORK_LIMITS__FILE_BYTE'"), warned("'FORMWORK_COLOUR_OF_THE_SKY'")),
        (1, 1),
        "{log}"
    );
    assert!(log.contains("did you mean 'FORMWORK_LIMITS__FILE_BYTES'?"), "{log}");
    assert_eq!(warned("FORMWORK_LAB_KEY"), 0, "{log}");
}
