//! The sub-commands for API keys.

use std::collections::HashMap;

use accounts_core::usage::{Group, Grouping, Totals, UsageService};
use accounts_core::{ApiKey, KeyKind, KeyScope, NewKey, Publication, User, Workspace};
use clap::{Args, Subcommand, ValueEnum};
use kb_core::check_filter;
use secrecy::ExposeSecret as _;
use serde_json::Value;
use shared_core::{PageRequest, Position, Scope, Timestamp, UserId, WorkspaceId};

use super::Administration;
use super::limit_flags::LimitFlags;
use crate::origin::{self, parse_origin};

/// Keys that are read together.
const PAGE: u32 = 100;

#[derive(Debug, Subcommand)]
pub(crate) enum Keys {
    /// List the keys of all workspaces with their use
    List,
    /// Create a key; its secret is printed once
    Create(Box<KeyFlags>),
    /// Replace a key by a new one of the same settings; its secret is printed once
    Rotate {
        /// Prefix (fw_ and eight characters) or id
        key: String,
        /// Seconds for which the old key stays valid
        #[arg(long, default_value_t = 0)]
        grace_seconds: u32,
    },
    /// Revoke a key by its prefix or id
    Revoke {
        /// Prefix (fw_ and eight characters) or id
        key: String,
    },
}

/// The settings of a new key.
#[derive(Args, Debug)]
pub(crate) struct KeyFlags {
    /// E-mail address of the user that the key acts as (default: the first user)
    #[arg(long)]
    email: Option<String>,
    /// Name or id of the workspace; needed where several have the address
    #[arg(long)]
    workspace: Option<String>,
    /// What the key is for
    #[arg(long, default_value = "key")]
    name: String,
    /// Permission of the key; the user's role must have it
    #[arg(long, value_enum, default_value_t = ScopeFlag::Write)]
    scope: ScopeFlag,
    /// Ids of knowledge bases, comma-separated, that are all the key may search
    #[arg(long, value_delimiter = ',')]
    bases: Option<Vec<String>>,
    /// What the metadata of a file in them must match, as JSON, such as '{"tenant": "a"}'
    #[arg(long, requires = "bases", value_parser = filter)]
    filter: Option<Value>,
    #[command(flatten)]
    public: PublicFlags,
    /// Days until the key expires, at most a hundred years
    #[arg(long, value_parser = clap::value_parser!(u32).range(0..=36_525))]
    days: Option<u32>,
    #[command(flatten)]
    limits: LimitFlags,
}

/// What makes a key public.
#[derive(Args, Debug)]
pub(crate) struct PublicFlags {
    /// Namespace of the agent with which anyone may fill its form: the key is public, and may stand in web pages
    #[arg(long)]
    agent: Option<String>,
    /// Origins of the pages that may use a public key, comma-separated, such as https://shop.example
    #[arg(long, value_delimiter = ',', requires = "agent", value_parser = origin)]
    origins: Vec<String>,
    /// Name of the page /f/NAME of the server that uses a public key
    #[arg(long, requires = "agent")]
    page: Option<String>,
}

fn filter(text: &str) -> Result<Value, String> {
    let filter = serde_json::from_str(text).map_err(|error| error.to_string())?;
    check_filter(&filter, "")
        .map_err(|wrong| wrong.into_iter().map(|rule| rule.message).collect::<Vec<_>>().join("; "))?;
    Ok(filter)
}

fn origin(text: &str) -> Result<String, String> {
    parse_origin(text).ok_or_else(|| origin::RULE.to_owned())
}

impl From<PublicFlags> for Option<Publication> {
    fn from(PublicFlags { agent, origins, page }: PublicFlags) -> Self {
        agent.map(|agent| Publication { agent, origins, page })
    }
}

#[derive(Clone, Copy, Debug, ValueEnum)]
pub(crate) enum ScopeFlag {
    Read,
    Write,
    Admin,
}

impl From<ScopeFlag> for KeyScope {
    fn from(flag: ScopeFlag) -> Self {
        match flag {
            ScopeFlag::Read => Self::Read,
            ScopeFlag::Write => Self::Write,
            ScopeFlag::Admin => Self::Admin,
        }
    }
}

impl Keys {
    /// Runs the sub-command. Returns what it prints.
    pub(crate) async fn run(self, by: &Administration) -> anyhow::Result<String> {
        match self {
            Self::List => list(by).await,
            Self::Create(flags) => create(by, *flags).await,
            Self::Rotate { key, grace_seconds } => {
                let workspace = workspace_of(by, &key).await?;
                let rotate = by.accounts.rotate_key(&workspace.id, &key, grace_seconds);
                let issued = by.record(&workspace.id, "keys rotate", &key, rotate).await?;
                Ok(format!("{}\n", issued.secret.expose_secret()))
            }
            Self::Revoke { key } => {
                let workspace = workspace_of(by, &key).await?;
                let revoke = by.accounts.revoke_key(&workspace.id, &key);
                by.record(&workspace.id, "keys revoke", &key, revoke).await?;
                Ok(format!("{key} was revoked.\n"))
            }
        }
    }
}

async fn create(by: &Administration, flags: KeyFlags) -> anyhow::Result<String> {
    let KeyFlags { email, workspace, name, scope, bases, filter, public, days, limits } = flags;
    let user = owner(by, email.as_deref(), workspace.as_deref()).await?;
    let now = shared_core::Clock::now(&shared_core::SystemClock);
    let expires = days.map(|days| now.plus_seconds(i64::from(days) * 86_400));
    let (scope, limits) = (scope.into(), limits.into());
    let new = NewKey { name, scope, bases, filter, publication: public.into(), expires, limits };
    let owner = Scope { workspace: user.workspace, user: user.id };
    let issue = by.accounts.issue_key(&owner, new);
    let issued = by.record(&owner.workspace, "keys create", &user.email, issue).await?;
    Ok(format!("{}\n", issued.secret.expose_secret()))
}

/// The user with this e-mail address, or the first one.
async fn owner(by: &Administration, email: Option<&str>, workspace: Option<&str>) -> anyhow::Result<User> {
    if let Some(email) = email {
        return by.member(email, workspace).await;
    }
    let workspaces = match workspace {
        Some(_) => vec![by.workspace(workspace).await?],
        None => by.accounts.workspaces().await?,
    };
    for workspace in workspaces {
        if let Some(user) = by.accounts.members(&workspace.id).await?.into_iter().next() {
            return Ok(user);
        }
    }
    anyhow::bail!("there is no such user")
}

/// The workspace of a key that is not revoked.
async fn workspace_of(by: &Administration, key: &str) -> anyhow::Result<Workspace> {
    for workspace in by.accounts.workspaces().await? {
        if by.accounts.key(&workspace.id, key).await.is_ok_and(|key| key.revoked.is_none()) {
            return Ok(workspace);
        }
    }
    anyhow::bail!("there is no valid key '{key}'")
}

async fn list(by: &Administration) -> anyhow::Result<String> {
    let mut text = String::new();
    for workspace in by.accounts.workspaces().await? {
        let today = today(&by.usage, &workspace).await?;
        for key in issued_keys(by, &workspace.id).await? {
            let scope = match &key.publication {
                Some(public) => format!("public for {}", public.agent),
                None => key.scope.name().to_owned(),
            };
            let state = match (key.revoked, key.expires) {
                (Some(_), _) => "revoked".to_owned(),
                (None, Some(end)) => format!("until {}", Timestamp::record_text(end)),
                (None, None) => "valid".to_owned(),
            };
            let used =
                key.last_used.map_or("never used".to_owned(), |last| format!("used {}", last.record_text()));
            let limits = key.limits.descriptions().join(", ");
            let limits = if limits.is_empty() { "no limits".to_owned() } else { limits };
            let spent = today.get(&key.id).map_or("nothing today".to_owned(), usage_line);
            text.push_str(&format!(
                "{}\t{scope}\t{state}\t{used}\t{}\t{}\t{limits}\t{spent}\n",
                key.prefix, workspace.name, key.name
            ));
        }
    }
    Ok(text)
}

/// The keys of a workspace but those of sign-ins, oldest first.
async fn issued_keys(by: &Administration, workspace: &WorkspaceId) -> anyhow::Result<Vec<ApiKey>> {
    let mut keys = Vec::new();
    let mut request = PageRequest::first(PAGE);
    loop {
        let page = by.accounts.list_keys(workspace, &request).await?;
        keys.extend(page.items.into_iter().filter(|key| key.kind == KeyKind::Issued));
        match page.next {
            Some(cursor) => request.position = Position::After(cursor),
            None => break,
        }
    }
    keys.reverse();
    Ok(keys)
}

/// Today's usage (UTC) of each key of a workspace.
async fn today(usage: &UsageService, workspace: &Workspace) -> anyhow::Result<HashMap<String, Totals>> {
    let mut query = usage.query(None, None, Grouping::Key)?;
    query.from = query.to;
    // The report covers the workspace; the user is not used.
    let scope = Scope { workspace: workspace.id.clone(), user: UserId(String::new()) };
    let rows = usage.report(&scope, &query).await?.rows;
    let by_key = rows.into_iter().filter_map(|row| match row.group {
        Group::Key(Some(id)) => Some((id, row.totals)),
        _ => None,
    });
    Ok(by_key.collect())
}

fn usage_line(totals: &Totals) -> String {
    let cost =
        totals.whole_cost().map_or("at an unknown price".to_owned(), |cost| format!("{cost} US dollars"));
    format!("today {} requests, {} tokens, {cost}", totals.requests, totals.tokens.total())
}
