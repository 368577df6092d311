//! Builds the packages of a release for this machine's architecture into `target/packages`.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context as _, bail};
use serde_json::Value;

use super::{root, sources};
use crate::python::Environment;
use crate::shell::{cargo, run as run_command};

/// The C library that the binary needs at least: that of Debian 10, RHEL 8 and Ubuntu 18.10, the oldest systems that
/// still get updates from someone. `docs/decisions/0048-one-binary-for-all-packages.md` compares it with a static one.
const GLIBC: &str = "2.28";
/// The linker for it, and the C compiler that has its headers. Pinned, so that packages are reproducible.
const ZIG: [&str; 2] = ["ziglang==0.17.1", "cargo-zigbuild==0.24.0"];

/// File name of SBOMs before its extension, in the folders of the crates until one is moved and the others removed.
const SBOM: &str = "formwork.cdx";

/// Names of an architecture: Rust's, and that of Debian and of images.
#[derive(Clone, Copy, Debug)]
struct Architecture {
    rust: &'static str,
    debian: &'static str,
}

impl Architecture {
    fn of_this_machine() -> anyhow::Result<Self> {
        match std::env::consts::ARCH {
            rust @ "x86_64" => Ok(Self { rust, debian: "amd64" }),
            rust @ "aarch64" => Ok(Self { rust, debian: "arm64" }),
            other => bail!("there are no packages for {other}"),
        }
    }

    fn target(self) -> String {
        format!("{}-unknown-linux-gnu", self.rust)
    }
}

/// Builds every package.
pub(crate) fn run() -> anyhow::Result<()> {
    let architecture = Architecture::of_this_machine()?;
    let target = target_folder()?;
    let packages = target.join("packages");
    if packages.exists() {
        fs::remove_dir_all(&packages).context("target/packages cannot be emptied")?;
    }
    fs::create_dir_all(&packages)?;
    build_binary(architecture)?;
    let build = target.join(architecture.target()).join("dist");
    let binary = build.join("formwork");
    write_manual(&binary, &build)?;
    pack_archive(architecture, &build, &packages)?;
    pack_debian(architecture, &packages)?;
    lay_out_image(architecture, &binary, &packages)?;
    pack_chart(&packages)?;
    write_sbom(architecture, &packages)?;
    fs::copy(sources().join("install.sh"), packages.join("install.sh"))?;
    write_checksums(&packages)?;
    println!("the packages are in {}", packages.display());
    Ok(())
}

fn build_binary(architecture: Architecture) -> anyhow::Result<()> {
    let folder = tempfile::tempdir()?;
    let environment = Environment::with(folder.path(), &ZIG)?;
    // cargo-zigbuild finds Zig as a module of the first python3.
    let mut path = folder.path().join("environment/bin").into_os_string();
    path.push(":");
    path.push(std::env::var_os("PATH").unwrap_or_default());
    run_command(
        environment
            .program("cargo-zigbuild")
            .args(["zigbuild", "--locked", "--package", "formwork", "--profile", "dist", "--target"])
            .arg(format!("{}.{GLIBC}", architecture.target()))
            .current_dir(root())
            .env("PATH", path),
    )
}

/// Folders of manual pages and of completion scripts, beside the binary.
const MANUAL: [&str; 2] = ["man", "completions"];
/// Shells, and the names of their scripts.
const SHELLS: [(&str, &str); 3] = [("bash", "formwork"), ("zsh", "_formwork"), ("fish", "formwork.fish")];

/// Manual pages and completion scripts, as the binary prints them.
fn write_manual(binary: &Path, build: &Path) -> anyhow::Result<()> {
    let [pages, scripts] = MANUAL.map(|name| build.join(name));
    for folder in [&pages, &scripts] {
        if folder.exists() {
            fs::remove_dir_all(folder)?;
        }
        fs::create_dir_all(folder)?;
    }
    run_command(Command::new(binary).args(["man", "--output"]).arg(&pages))?;
    for (shell, name) in SHELLS {
        let output = Command::new(binary).args(["completion", shell]).output().context(shell)?;
        fs::write(scripts.join(name), output.stdout)?;
    }
    Ok(())
}

/// The binary, its manual, the licence and the settings of the service, for `install.sh` and for hand.
fn pack_archive(architecture: Architecture, build: &Path, packages: &Path) -> anyhow::Result<()> {
    let folder = tempfile::tempdir()?;
    let content = folder.path().join("formwork");
    fs::create_dir(&content)?;
    fs::copy(build.join("formwork"), content.join("formwork")).context("the binary")?;
    for name in MANUAL {
        fs::create_dir(content.join(name))?;
        for entry in fs::read_dir(build.join(name))? {
            let entry = entry?;
            fs::copy(entry.path(), content.join(name).join(entry.file_name()))?;
        }
    }
    for file in ["LICENSE", "README.md", "CHANGELOG.md"] {
        fs::copy(root().join(file), content.join(file)).context(file)?;
    }
    for file in ["formwork.service", "formwork.toml", "compose.yaml"] {
        fs::copy(sources().join(file), content.join(file)).context(file)?;
    }
    let archive = packages.join(format!("formwork-{}-linux.tar.gz", architecture.rust));
    run_command(tar(&archive).arg("-C").arg(folder.path()).arg("formwork"))
}

/// `tar` that writes the same archive for the same files.
fn tar(archive: &Path) -> Command {
    let mut command = Command::new("tar");
    command
        .args(["--sort=name", "--owner=0", "--group=0", "--numeric-owner", "--mtime=@0", "-czf"])
        .arg(archive);
    command
}

fn pack_debian(architecture: Architecture, packages: &Path) -> anyhow::Result<()> {
    run_command(
        cargo(&["deb", "--no-build", "--no-strip", "--package", "formwork", "--profile", "dist", "--target"])
            .arg(architecture.target())
            .arg("--output")
            .arg(packages)
            .current_dir(root()),
    )
}

/// The context of the image's build. The folders of several architectures can be merged.
fn lay_out_image(architecture: Architecture, binary: &Path, packages: &Path) -> anyhow::Result<()> {
    let image = packages.join("image");
    let folder = image.join(architecture.debian);
    fs::create_dir_all(&folder)?;
    fs::copy(binary, folder.join("formwork"))?;
    fs::copy(sources().join("Dockerfile"), image.join("Dockerfile"))?;
    Ok(())
}

/// As `helm package` does.
fn pack_chart(packages: &Path) -> anyhow::Result<()> {
    let archive = packages.join(format!("formwork-{}.tgz", env!("CARGO_PKG_VERSION")));
    run_command(tar(&archive).arg("--transform=s,^chart,formwork,").arg("-C").arg(sources()).arg("chart"))
}

/// Every crate that the binary is built from, as CycloneDX.
fn write_sbom(architecture: Architecture, packages: &Path) -> anyhow::Result<()> {
    let root = root().canonicalize()?;
    let arguments = ["cyclonedx", "--format", "json", "--override-filename", SBOM, "--target"];
    run_command(cargo(&arguments).arg(architecture.target()).current_dir(&root))?;
    let name = format!("formwork-{}-linux.cdx.json", architecture.rust);
    let written = format!("{SBOM}.json");
    let text = fs::read_to_string(root.join("bins/formwork").join(&written)).context("the SBOM")?;
    // Crates of the workspace are named by their folder, which says nothing elsewhere.
    fs::write(packages.join(name), text.replace(&*root.to_string_lossy(), "/formwork"))?;
    // cargo-cyclonedx describes each crate of the workspace, in its folder.
    for package in metadata()?["packages"].as_array().context("cargo metadata has no packages")? {
        let manifest = Path::new(package["manifest_path"].as_str().context("manifest_path")?);
        fs::remove_file(manifest.with_file_name(&written)).context("an SBOM cannot be removed")?;
    }
    Ok(())
}

fn write_checksums(packages: &Path) -> anyhow::Result<()> {
    let mut names = Vec::new();
    for entry in fs::read_dir(packages)? {
        let entry = entry?;
        if entry.file_type()?.is_file() {
            names.push(entry.file_name());
        }
    }
    names.sort();
    let output = Command::new("sha256sum").args(names).current_dir(packages).output().context("sha256sum")?;
    fs::write(packages.join("SHA256SUMS"), output.stdout).context("SHA256SUMS cannot be written")
}

fn target_folder() -> anyhow::Result<PathBuf> {
    Ok(PathBuf::from(metadata()?["target_directory"].as_str().context("target_directory")?))
}

fn metadata() -> anyhow::Result<Value> {
    let output =
        cargo(&["metadata", "--no-deps", "--format-version", "1"]).output().context("cargo metadata")?;
    Ok(serde_json::from_slice(&output.stdout)?)
}
