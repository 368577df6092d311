//! Lists, page by page.

use std::collections::VecDeque;

use futures_util::stream::{self, BoxStream, StreamExt as _};
use serde::de::DeserializeOwned;
use serde_json::Value;

use crate::client::Client;
use crate::error::{Error, Result};
use crate::request::Request;

/// Items of a list. A page is asked for when its first item is needed. An error is the last item.
pub type Items<R> = BoxStream<'static, Result<R>>;

/// Items of a page.
const PAGE: u32 = 100;

/// How far a list is read.
struct Reader {
    client: Client,
    request: Request,
    items: VecDeque<Value>,
    /// Where the next page begins; empty for the first one, `None` after the last one.
    cursor: Option<String>,
}

impl Client {
    /// The items of any list that has pages with cursors, newest first.
    pub fn list<R: DeserializeOwned + Send + 'static>(&self, request: Request) -> Items<R> {
        let request = request.query("limit", PAGE);
        let reader =
            Reader { client: self.clone(), request, items: VecDeque::new(), cursor: Some(String::new()) };
        stream::unfold(reader, |mut reader| async move {
            let item = reader.next().await.transpose()?;
            if item.is_err() {
                (reader.items, reader.cursor) = (VecDeque::new(), None);
            }
            Some((item, reader))
        })
        .boxed()
    }
}

impl Reader {
    async fn next<R: DeserializeOwned>(&mut self) -> Result<Option<R>> {
        loop {
            if let Some(item) = self.items.pop_front() {
                let item = serde_json::from_value(item).map_err(|error| Error::Decode(error.to_string()))?;
                return Ok(Some(item));
            }
            let Some(cursor) = self.cursor.take() else { return Ok(None) };
            let mut request = self.request.clone();
            if !cursor.is_empty() {
                request = request.query("cursor", &cursor);
            }
            let mut page: Value = self.client.send(request).await?;
            let next = page["meta"]["next_cursor"].as_str().unwrap_or_default().to_owned();
            self.items = items(&mut page)?.into();
            // A server that answers with the same cursor would never end.
            self.cursor = (!next.is_empty() && next != cursor).then_some(next);
        }
    }
}

/// The one array of a page, whatever its name.
fn items(page: &mut Value) -> Result<Vec<Value>> {
    let found = page.as_object_mut().and_then(|page| page.values_mut().find_map(Value::as_array_mut));
    found.map(std::mem::take).ok_or_else(|| Error::Decode("it is not a list".to_owned()))
}
