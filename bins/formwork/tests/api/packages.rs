//! What packages rely on: the settings they ship, `formwork health`, the messages to the service manager, times, versions,
//! and `install.sh`.

use std::os::unix::fs::PermissionsExt as _;
use std::os::unix::net::UnixDatagram;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::time::Duration;

use crate::kit::{Home, Server, formwork};

fn packaging(file: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("packaging").join(file)
}

fn text(file: &str) -> String {
    std::fs::read_to_string(packaging(file)).unwrap()
}

#[test]
fn the_settings_of_the_service_are_read() {
    let home = Home::new("");
    let mut command = formwork(&home.path(""));
    let output = command.arg("config").arg("--config").arg(packaging("formwork.toml")).output().unwrap();
    assert!(output.status.success(), "{output:?}");
    let settings: toml::Table = String::from_utf8(output.stdout).unwrap().parse().unwrap();
    assert_eq!(settings["data_dir"].as_str(), Some("/var/lib/formwork"));
    assert_eq!(settings["listen"].as_str(), Some("127.0.0.1:8080"));
}

#[test]
fn service_managers_wait_longer_than_the_server_drains() {
    let home = Home::new("");
    let settings: toml::Table = home.told(&["config"]).parse().unwrap();
    let drain = settings["limits"]["drain_seconds"].as_integer().unwrap();
    for (file, key) in [("formwork.service", "TimeoutStopSec="), ("compose.yaml", "stop_grace_period: ")] {
        let line = text(file).lines().find_map(|line| line.trim().strip_prefix(key).map(str::to_owned));
        let seconds: i64 = line.unwrap().trim_end_matches('s').parse().unwrap();
        assert!(seconds > drain, "{file}: {seconds} s for {drain} s");
    }
    assert!(text("chart/values.yaml").contains(&format!("\ndrainSeconds: {drain}\n")));
}

#[test]
fn chart_and_compose_file_name_the_version_of_the_program() {
    let version = env!("CARGO_PKG_VERSION");
    let chart = text("chart/Chart.yaml");
    assert!(chart.contains(&format!("\nversion: {version}\nappVersion: \"{version}\"\n")), "{chart}");
    assert!(text("compose.yaml").contains(&format!("/formwork:{version}}}")));
}

#[tokio::test(flavor = "multi_thread")]
async fn health_tells_whether_the_server_on_the_address_is_ready() {
    let mut server = Server::start();
    // The address as a container has it: that of all interfaces.
    let port = server.address().rsplit(':').next().unwrap().to_owned();
    let ask = |home: &Home| home.run(&["health", "--listen", &format!("0.0.0.0:{port}")]);
    let output = ask(&server.home);
    assert!(output.status.success(), "{output:?}");
    assert!(String::from_utf8(output.stdout).unwrap().contains("\"searchIndex\":\"ok\""));
    let home = server.kill();
    let output = ask(&home);
    assert_eq!(output.status.code(), Some(1));
    assert!(String::from_utf8(output.stderr).unwrap().contains("/ready does not answer"));
}

#[tokio::test(flavor = "multi_thread")]
async fn the_service_manager_hears_when_the_server_serves_and_when_it_stops() {
    let home = Home::new("");
    let manager = UnixDatagram::bind(home.path("manager")).unwrap();
    manager.set_read_timeout(Some(Duration::from_secs(60))).unwrap();
    let heard = || {
        let mut message = [0; 64];
        let length = manager.recv(&mut message).unwrap();
        String::from_utf8(message[..length].to_vec()).unwrap()
    };
    let mut command = formwork(&home.path(""));
    command.env("NOTIFY_SOCKET", home.path("manager"));
    let mut server = home.start_with(command);
    assert_eq!(heard(), "READY=1\n");
    server.get("/ready").await.ok();
    server.terminate();
    assert_eq!(heard(), "STOPPING=1\n");
    assert!(server.wait().success());
}

/// A folder with the files of a release, whose program prints `says`.
fn release(says: &str) -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    let content = folder.path().join("formwork");
    std::fs::create_dir(&content).unwrap();
    std::fs::write(content.join("formwork"), format!("#!/bin/sh\n{says}\n")).unwrap();
    let archive = format!("formwork-{}-linux.tar.gz", std::env::consts::ARCH);
    let script = format!("tar -czf {archive} formwork && sha256sum {archive} > SHA256SUMS");
    let status = Command::new("sh").args(["-c", &script]).current_dir(folder.path()).status().unwrap();
    assert!(status.success());
    folder
}

fn install(url: &str, to: &Path) -> Output {
    let mut command = Command::new("sh");
    command.arg(packaging("install.sh")).args(["--url", url, "--to"]).arg(to).output().unwrap()
}

fn complaint(output: &Output) -> String {
    assert_eq!(output.status.code(), Some(1), "{output:?}");
    String::from_utf8(output.stderr.clone()).unwrap()
}

#[test]
fn the_install_script_installs_what_has_the_checksum_and_runs() {
    if !cfg!(target_os = "linux") || Command::new("curl").arg("--version").output().is_err() {
        eprintln!("SKIPPED: install.sh, which needs curl to read from a folder");
        return;
    }
    let home = tempfile::tempdir().unwrap();
    let to = home.path().join("bin");
    let good = release("echo formwork 9");
    let url = format!("file://{}", good.path().display());
    for _ in 0..2 {
        let output = install(&url, &to);
        assert!(output.status.success(), "{output:?}");
        let told = String::from_utf8(output.stdout).unwrap();
        assert!(told.starts_with(&format!("formwork 9 is in {}/formwork\n", to.display())), "{told}");
    }
    let mode = to.join("formwork").metadata().unwrap().permissions().mode();
    assert_eq!(mode & 0o777, 0o755);
    assert_eq!(std::fs::read_dir(&to).unwrap().count(), 1, "nothing else is left");

    let broken = release("exit 1");
    let message = complaint(&install(&format!("file://{}", broken.path().display()), &to));
    assert!(message.contains("does not run here"), "{message}");
    std::fs::write(good.path().join("SHA256SUMS"), "").unwrap();
    assert!(complaint(&install(&url, &to)).contains("SHA256SUMS does not name"));
    let archive = format!("formwork-{}-linux.tar.gz", std::env::consts::ARCH);
    std::fs::write(good.path().join("SHA256SUMS"), format!("{}  {archive}\n", "0".repeat(64))).unwrap();
    assert!(complaint(&install(&url, &to)).contains("is not that of SHA256SUMS"));
    assert!(complaint(&install("file:///nowhere", &to)).contains("cannot be downloaded"));
    let output = Command::new(to.join("formwork")).output().unwrap();
    assert_eq!(output.stdout, b"formwork 9\n", "the old program is still there");
}
