//! The port in memory, for tests and embedders. Nothing survives the process.

use std::sync::Arc;

use async_trait::async_trait;
use files_core::{BlobKey, FileRepository, MemoryFiles};
use parking_lot::{Mutex, MutexGuard};
use shared_core::{Scope, StoreError, Timestamp, WorkspaceId};

use super::{LinkEnd, NewPicture, PictureKey, PictureLink, ShownPicture, ThumbnailRepository};

/// Pictures and links, on top of files in memory.
#[derive(Debug)]
pub struct MemoryThumbnails {
    files: Arc<MemoryFiles>,
    rows: Mutex<Rows>,
}

#[derive(Debug, Default)]
struct Rows {
    pictures: Vec<(WorkspaceId, NewPicture)>,
    links: Vec<Link>,
}

#[derive(Clone, Debug)]
struct Link {
    token: String,
    scope: Scope,
    key: PictureKey,
    end: LinkEnd,
}

impl MemoryThumbnails {
    /// Shares the blobs of `files`. Deleting a file removes its links.
    #[must_use]
    pub fn new(files: Arc<MemoryFiles>) -> Self {
        Self { files, rows: Mutex::default() }
    }

    fn rows(&self) -> MutexGuard<'_, Rows> {
        self.rows.lock()
    }

    async fn has_ended(&self, link: &Link, now: Timestamp) -> Result<bool, StoreError> {
        match link.end {
            LinkEnd::File(id) => Ok(self.files.find(&link.scope, id).await?.is_none()),
            LinkEnd::At(time) => Ok(time <= now),
        }
    }

    async fn check(&self, scope: &Scope, end: LinkEnd) -> Result<(), StoreError> {
        match end {
            LinkEnd::File(id) if self.files.find(scope, id).await?.is_none() => {
                Err(StoreError::Missing("file"))
            }
            _ => Ok(()),
        }
    }
}

impl Rows {
    fn link(&mut self, scope: &Scope, key: &PictureKey, end: LinkEnd, token: &str) -> Option<PictureLink> {
        let own = |(workspace, picture): &&(WorkspaceId, NewPicture)| {
            *workspace == scope.workspace && picture.key == *key
        };
        let blob = self.pictures.iter().find(own)?.1.blob.clone();
        let same = |link: &&mut Link| {
            let kind = match (link.end, end) {
                (LinkEnd::File(a), LinkEnd::File(b)) => a == b,
                (LinkEnd::At(_), LinkEnd::At(_)) => true,
                _ => false,
            };
            link.scope.workspace == scope.workspace && link.key == *key && kind
        };
        if let Some(link) = self.links.iter_mut().find(same) {
            if let (LinkEnd::At(old), LinkEnd::At(new)) = (link.end, end) {
                link.end = LinkEnd::At(old.max(new));
            }
            return Some(PictureLink { token: link.token.clone(), blob });
        }
        self.links.push(Link { token: token.to_owned(), scope: scope.clone(), key: key.clone(), end });
        Some(PictureLink { token: token.to_owned(), blob })
    }
}

#[async_trait]
impl ThumbnailRepository for MemoryThumbnails {
    async fn link(
        &self,
        scope: &Scope,
        key: &PictureKey,
        end: LinkEnd,
        token: &str,
    ) -> Result<Option<PictureLink>, StoreError> {
        self.check(scope, end).await?;
        Ok(self.rows().link(scope, key, end, token))
    }

    async fn insert(
        &self,
        scope: &Scope,
        picture: &NewPicture,
        end: LinkEnd,
        token: &str,
    ) -> Result<PictureLink, StoreError> {
        self.check(scope, end).await?;
        let mut rows = self.rows();
        if let Some(linked) = rows.link(scope, &picture.key, end, token) {
            return Ok(linked);
        }
        let refs = self.files.refs();
        let blob = refs.add_ref(&scope.workspace, &picture.sha256, picture.bytes, picture.blob.clone());
        let picture = NewPicture { blob, ..picture.clone() };
        let key = picture.key.clone();
        rows.pictures.push((scope.workspace.clone(), picture));
        rows.link(scope, &key, end, token).ok_or(StoreError::Missing("picture"))
    }

    async fn find_by_token(&self, token: &str, now: Timestamp) -> Result<Option<ShownPicture>, StoreError> {
        let link = self.rows().links.iter().find(|link| link.token == token).cloned();
        let Some(link) = link else { return Ok(None) };
        if self.has_ended(&link, now).await? {
            return Ok(None);
        }
        let rows = self.rows();
        let shown = rows
            .pictures
            .iter()
            .find(|(workspace, picture)| *workspace == link.scope.workspace && picture.key == link.key);
        Ok(shown.map(|(_, picture)| ShownPicture {
            blob: picture.blob.clone(),
            sha256: picture.sha256.clone(),
            bytes: picture.bytes,
            format: picture.key.options.format,
            until: match link.end {
                LinkEnd::At(time) => Some(time),
                LinkEnd::File(_) => None,
            },
        }))
    }

    async fn sweep(&self, now: Timestamp, limit: u32) -> Result<(Vec<BlobKey>, bool), StoreError> {
        let links = self.rows().links.clone();
        let mut gone = Vec::new();
        for link in links {
            if self.has_ended(&link, now).await? {
                gone.push(link.token);
            }
        }
        gone.truncate(limit as usize);
        let mut rows = self.rows();
        let Rows { pictures, links } = &mut *rows;
        links.retain(|link| !gone.contains(&link.token));
        let shown = |workspace: &WorkspaceId, picture: &NewPicture| {
            links.iter().any(|link| link.scope.workspace == *workspace && link.key == picture.key)
        };
        let (kept, removed): (Vec<_>, Vec<_>) =
            std::mem::take(pictures).into_iter().partition(|(workspace, picture)| shown(workspace, picture));
        *pictures = kept;
        let refs = self.files.refs();
        let orphans = removed.into_iter().map(|(_, picture)| picture.blob).filter(|blob| refs.release(blob));
        Ok((orphans.collect(), gone.len() == limit as usize))
    }
}
