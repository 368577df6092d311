//! Numbers of findings by package, one `package number` a line, in a file in which no number may grow.

use std::collections::BTreeMap;

use super::baseline::Growth;
use super::finding::Finding;
use super::workspace::Workspace;

/// A file of numbers, and what they count.
pub(crate) struct PackageCounts {
    /// Relative to the root of the repository.
    pub(crate) path: &'static str,
    /// In the plural, such as `doc lines that restate a name`.
    pub(crate) counted: &'static str,
}

/// The findings of each package.
pub(crate) type ByPackage = BTreeMap<String, Vec<Finding>>;

impl PackageCounts {
    /// The findings of each package that has more than its number, and each number that is too high.
    pub(crate) fn compare(&self, workspace: &Workspace, today: &ByPackage) -> Vec<Finding> {
        let allowed = self.read(workspace);
        let mut findings = Vec::new();
        for (package, found) in today {
            let (line, most) = allowed.get(package.as_str()).copied().unwrap_or((1, 0));
            if found.len() > most {
                let message = format!("{package} has {} {}, {most} are allowed:", found.len(), self.counted);
                findings.push(Finding::new(self.path, line, message));
                findings.extend(found.iter().cloned());
            }
        }
        for (package, (line, most)) in allowed {
            let count = today.get(package).map_or(0, Vec::len);
            if count < most {
                let message = format!("{package} has only {count} left, lower the number (--write)");
                findings.push(Finding::new(self.path, line, message));
            }
        }
        findings
    }

    /// Stores the number of each package if it fell, or any number if growth is accepted.
    pub(crate) fn write(
        &self,
        workspace: &Workspace,
        today: &ByPackage,
        growth: Growth,
    ) -> anyhow::Result<()> {
        let allowed = self.read(workspace);
        let mut text = String::new();
        for (package, found) in today {
            let most = allowed.get(package.as_str()).map_or(0, |(_, most)| *most);
            let count = if growth == Growth::Accepted { found.len() } else { found.len().min(most) };
            if count > 0 {
                text.push_str(&format!("{package} {count}\n"));
            }
        }
        workspace.files.write(self.path, &text)
    }

    /// Line and number of each package.
    fn read<'w>(&self, workspace: &'w Workspace) -> BTreeMap<&'w str, (usize, usize)> {
        let text = workspace.files.text(self.path).unwrap_or_default();
        let lines =
            text.lines().enumerate().filter_map(|(index, line)| Some((index + 1, line.split_once(' ')?)));
        lines.filter_map(|(line, (package, count))| Some((package, (line, count.parse().ok()?)))).collect()
    }
}
