//! What a check found.

/// Maximum number of problems that are named.
const MAX_NAMED: usize = 20;

/// Problems by kind, the first of them with their names.
#[derive(Debug, Default)]
pub(super) struct Problems {
    count: u64,
    lines: Vec<String>,
}

impl Problems {
    pub(super) fn add(&mut self, line: String) {
        self.count += 1;
        if self.lines.len() < MAX_NAMED {
            self.lines.push(line);
        }
    }

    /// The text of a success, or the problems as an error.
    pub(super) fn report(self, success: String) -> anyhow::Result<String> {
        if self.count == 0 {
            return Ok(success);
        }
        let unnamed = self.count - self.lines.len() as u64;
        let more = if unnamed > 0 { format!("\n… and {unnamed} more") } else { String::new() };
        anyhow::bail!("Problems: {}\n{}{more}", self.count, self.lines.join("\n"))
    }
}
