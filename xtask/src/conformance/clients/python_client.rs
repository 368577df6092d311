//! The client of openapi-python-client.

use super::{Workplace, run_python};
use crate::python::Environment;
use crate::shell::run;

/// The client's package.
const CLIENT: &str = "python_client";
/// No formatter runs over the client.
const SETTINGS: &str = "post_hooks: []\n";

pub(super) fn check(workplace: &Workplace, environment: &Environment) -> anyhow::Result<()> {
    workplace.write("python_client_job.py", include_str!("python_client_job.py"))?;
    workplace.write("python_client.yml", SETTINGS)?;
    run(environment
        .program("openapi-python-client")
        .current_dir(workplace.folder())
        .args(["generate", "--meta", "none", "--path", "openapi.json", "--config", "python_client.yml"])
        .args(["--output-path", CLIENT]))?;
    run_python(workplace, environment, CLIENT)
}
