//! The outcomes of a run.

use std::collections::{BTreeMap, VecDeque};

use futures_util::stream::{self, StreamExt as _};
use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::{Map, Value};

use crate::agents;
use crate::error::{Error, Result};
use crate::extraction::{Evidence, Extraction, Warning};
use crate::pages::Items;
use crate::request::{Request, segment};
use crate::runs::{Group, Run};

/// Groups, and stored records, of a page.
const PAGE: u32 = 100;

/// The outcome of a group of a run.
#[derive(Debug)]
#[non_exhaustive]
pub struct GroupOutcome<T> {
    /// Position among the groups, from 0.
    pub group: u32,
    /// Ids or URLs of its documents.
    pub documents: Vec<String>,
    /// [`Error::Extraction`] where there is no record, [`Error::Record`] where it does not fit the type.
    pub result: Result<Extraction<T>>,
}

/// What was noted of a stored record.
#[derive(Deserialize)]
struct RecordMeta {
    #[serde(default)]
    warnings: Vec<Warning>,
}

impl<T: DeserializeOwned + Send + 'static> Run<T> {
    /// Waits until it is over, and then gives the outcomes of its groups in their order. Pages are read as they are
    /// needed.
    #[must_use]
    pub fn results(&self) -> Items<GroupOutcome<T>> {
        let run = self.clone();
        stream::once(async move {
            let over = run.wait(|_| ()).await?;
            let form = format!("/v1/form/{}/versions/{}", segment(&over.form_id), over.form_version);
            let form: Value = run.client.send(Request::get(form)).await?;
            Ok(Reader::new(run, form["schema"].as_object().cloned().unwrap_or_default()))
        })
        .flat_map(|reader: Result<Reader<T>>| match reader {
            Ok(reader) => reader.outcomes(),
            Err(error) => stream::once(std::future::ready(Err(error))).boxed(),
        })
        .boxed()
    }
}

/// Joins the groups of a run with the stored records of the succeeded ones, which have the same order.
struct Reader<T> {
    run: Run<T>,
    /// The fields of the form.
    fields: Map<String, Value>,
    groups: VecDeque<Group>,
    records: VecDeque<Map<String, Value>>,
    /// Pages read of each; `None` after the last page of groups.
    group_pages: Option<u32>,
    record_pages: u32,
}

impl<T: DeserializeOwned + Send + 'static> Reader<T> {
    fn new(run: Run<T>, fields: Map<String, Value>) -> Self {
        let (groups, records) = (VecDeque::new(), VecDeque::new());
        Self { run, fields, groups, records, group_pages: Some(0), record_pages: 0 }
    }

    fn outcomes(self) -> Items<GroupOutcome<T>> {
        stream::unfold(self, |mut reader| async move {
            let outcome = reader.next().await.transpose()?;
            if outcome.is_err() {
                (reader.groups, reader.group_pages) = (VecDeque::new(), None);
            }
            Some((outcome, reader))
        })
        .boxed()
    }

    async fn next(&mut self) -> Result<Option<GroupOutcome<T>>> {
        while self.groups.is_empty() {
            let Some(read) = self.group_pages else { return Ok(None) };
            let page = self.run.page(read + 1, PAGE).await?;
            // Beyond the last page a server answers with the last one again.
            let is_past = page.groups.is_empty() || page.meta.current_page != read + 1;
            self.group_pages = (!is_past).then_some(read + 1);
            if !is_past {
                self.groups = page.groups.into();
            }
        }
        let Some(group) = self.groups.pop_front() else { return Ok(None) };
        let documents = group.documents.iter().map(|document| document.url.clone()).collect();
        let number = group.group;
        let result = match group.state.as_str() {
            "succeeded" => {
                let record = self.record().await?;
                self.extraction(record)?.typed(&self.run.schema)
            }
            _ => Err(group.into_error().into()),
        };
        Ok(Some(GroupOutcome { group: number, documents, result }))
    }

    async fn record(&mut self) -> Result<Map<String, Value>> {
        if self.records.is_empty() {
            self.record_pages += 1;
            let request = Request::get(format!("{}/workflow/delta", agents::path(&self.run.agent)))
                .query("sid", self.run.sid)
                .query("evidence", true)
                .query("meta", true)
                .query("limit", PAGE)
                .query("page", self.record_pages);
            let page: Vec<Map<String, Value>> = self.run.client.send(request).await?;
            self.records = page.into();
        }
        let missing = || Error::Decode("a stored record was deleted meanwhile".to_owned());
        self.records.pop_front().ok_or_else(missing)
    }

    fn extraction(&self, mut stored: Map<String, Value>) -> Result<Extraction<Value>> {
        let evidence: BTreeMap<String, Evidence> = self.part(&mut stored, "evidence")?;
        let meta: RecordMeta = self.part(&mut stored, "meta")?;
        stored.retain(|name, _| self.fields.contains_key(name));
        Ok(Extraction {
            value: Value::Object(stored.clone()),
            record: stored,
            evidence,
            conflicts: None,
            errors: None,
            warnings: meta.warnings,
            agent: self.run.agent.clone(),
            sid: self.run.sid,
        })
    }

    /// A part of a stored record, whose key gives way to a field of the same name.
    fn part<P: DeserializeOwned>(&self, stored: &mut Map<String, Value>, name: &str) -> Result<P> {
        let mut key = name.to_owned();
        while self.fields.contains_key(&key) {
            key.insert(0, '_');
        }
        let part = stored.remove(&key).unwrap_or_default();
        serde_json::from_value(part).map_err(|error| Error::Decode(format!("'{key}': {error}")))
    }
}
