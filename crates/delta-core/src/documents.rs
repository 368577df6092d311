//! From a document reference to a parsed document.

use std::collections::{HashMap, VecDeque};
use std::sync::{Arc, Mutex, PoisonError, Weak};

use documents_core::{Document, DocumentParser, PARSER_VERSION, ParseError, ParsedDocuments, Source};
use files_core::{File, FilesError, FilesService, Located};
use futures_util::StreamExt as _;
use shared_core::{Clock, DomainError as _, Scope, StoreError, Timestamp};

use crate::{DocumentRef, ItemError, SourceDocument};

/// Reads documents, each content once.
#[derive(Clone, Debug)]
pub(crate) struct Documents {
    pub(crate) files: FilesService,
    pub(crate) parser: Arc<dyn DocumentParser>,
    pub(crate) parsed: Arc<dyn ParsedDocuments>,
    pub(crate) clock: Arc<dyn Clock>,
    /// Contents that are being parsed now.
    pub(crate) flights: Arc<Flights>,
}

/// Contents found unreadable that are remembered; the oldest are forgotten.
const UNREADABLE: usize = 1_024;
/// Seconds after which such a content is tried again: a limit may have been met under heavy load.
const REMEMBERED: f64 = 600.0;

/// One lock for each content that is being parsed, and the contents that cannot be: a document that
/// many groups name is tried once, not once for each.
#[derive(Debug, Default)]
pub(crate) struct Flights {
    running: Mutex<HashMap<String, Weak<async_lock::Mutex<()>>>>,
    unreadable: Mutex<VecDeque<Unreadable>>,
}

#[derive(Debug)]
struct Unreadable {
    key: String,
    error: ItemError,
    since: Timestamp,
}

impl Flights {
    fn remembered(&self, key: &str, clock: &dyn Clock) -> Option<ItemError> {
        let mut unreadable = self.unreadable.lock().unwrap_or_else(PoisonError::into_inner);
        let place = unreadable.iter().position(|one| one.key == key)?;
        let found = unreadable.get(place)?;
        if clock.now().seconds_since(found.since) < REMEMBERED {
            return Some(found.error.clone());
        }
        unreadable.remove(place);
        None
    }

    fn remember(&self, new: Unreadable) {
        let mut unreadable = self.unreadable.lock().unwrap_or_else(PoisonError::into_inner);
        if unreadable.len() >= UNREADABLE {
            unreadable.pop_front();
        }
        unreadable.push_back(new);
    }

    fn of(&self, key: &str) -> Arc<async_lock::Mutex<()>> {
        let mut flights = self.running.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(flight) = flights.get(key).and_then(Weak::upgrade) {
            return flight;
        }
        flights.retain(|_, flight| flight.strong_count() > 0);
        let flight = Arc::default();
        flights.insert(key.to_owned(), Arc::downgrade(&flight));
        flight
    }
}

/// A document with what its response remembers of it.
#[derive(Clone, Debug)]
pub(crate) struct Read {
    pub(crate) source: SourceDocument,
    pub(crate) document: Arc<Document>,
}

/// Why a document was not read: its own error, or the store's, which concerns the whole run.
pub(crate) enum Unread {
    Item(ItemError),
    Store(StoreError),
}

impl From<StoreError> for Unread {
    fn from(error: StoreError) -> Self {
        Self::Store(error)
    }
}

fn item(code: &str, message: impl Into<String>) -> Unread {
    Unread::Item(ItemError { code: code.to_owned(), message: message.into() })
}

impl Documents {
    pub(crate) async fn read(&self, scope: &Scope, reference: &DocumentRef) -> Result<Read, Unread> {
        let file = self.find(scope, &reference.url).await?;
        let source = SourceDocument {
            name: file.name.clone(),
            sha256: file.sha256.clone(),
            parser_version: PARSER_VERSION,
        };
        let document = self.parse(scope, &file).await?;
        Ok(Read { source, document })
    }

    async fn find(&self, scope: &Scope, url: &str) -> Result<File, Unread> {
        let found = match self.files.locate(url) {
            Located::File(id) => self.files.get(scope, id).await,
            // A token grants reading, not use in another workspace's runs.
            Located::Token(token) => match self.files.by_token(&token).await {
                Ok(file) if file.workspace != scope.workspace => Err(FilesError::NotFound),
                other => other,
            },
            Located::Web(_) => {
                return Err(item("fetch_unavailable", "web addresses cannot be fetched by this version"));
            }
            Located::Invalid(rule) => return Err(item("invalid_url", rule)),
        };
        found.map_err(|error| match error {
            FilesError::Store(error) => Unread::Store(error),
            other => item(other.code(), other.to_string()),
        })
    }

    async fn parse(&self, scope: &Scope, file: &File) -> Result<Arc<Document>, Unread> {
        let key = format!("{}/{}", scope.workspace, file.sha256);
        let flight = self.flights.of(&key);
        let _turn = flight.lock().await;
        if let Some(document) = self.parsed.find(scope, &file.sha256, PARSER_VERSION).await? {
            return Ok(document);
        }
        if let Some(error) = self.flights.remembered(&key, self.clock.as_ref()) {
            return Err(Unread::Item(error));
        }
        let content =
            self.files.content(file, None).await.map_err(|error| item(error.code(), error.to_string()))?;
        let source = Source {
            name: file.name.clone(),
            bytes: file.bytes,
            content: content.map(|part| part.map_err(Into::into)).boxed(),
        };
        let document = self.parser.parse(source).await.map_err(|error| self.unread(key, &error))?;
        self.parsed.store(scope, &file.sha256, PARSER_VERSION, &document).await?;
        Ok(Arc::new(document))
    }

    /// What the content itself is to blame for is remembered; what may pass is not.
    fn unread(&self, key: String, error: &ParseError) -> Unread {
        let told = ItemError { code: error.code().to_owned(), message: error.to_string() };
        let lasting = matches!(
            error,
            ParseError::Empty
                | ParseError::Unsupported(_)
                | ParseError::Encrypted
                | ParseError::Damaged(_)
                | ParseError::NoText
                | ParseError::Limit(_)
        );
        if lasting {
            self.flights.remember(Unreadable { key, error: told.clone(), since: self.clock.now() });
        }
        Unread::Item(told)
    }
}
