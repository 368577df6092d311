//! The adapter of thumbnails and their links.

use accounts_core::QuotaKind;
use async_trait::async_trait;
use diesel::dsl::{exists, not};
use diesel::{
    BoolExpressionMethods as _, ExpressionMethods as _, JoinOnDsl as _, OptionalExtension as _,
    QueryDsl as _, Queryable, RunQueryDsl as _,
};
use document::ImageFormat;
use files_core::BlobKey;
use shared_core::{Scope, StoreError, Timestamp};
use utilities_core::{LinkEnd, NewPicture, PictureKey, PictureLink, ShownPicture, ThumbnailRepository};

use crate::blob_refs::{add_ref, remove_ref};
use crate::connection::{AnyConnection, prepared};
use crate::database::Database;
use crate::failure::{Failure, corrupt, foreign_key_violation_as, unique_violation_as};
use crate::quotas;
use crate::rows::{count, optional_time, position, stored_count};
use crate::schema::{thumbnail_links as links, thumbnails};
use crate::text_encoding::encode;

/// Thumbnails in the database; their bytes are in the blob store.
#[derive(Clone, Debug)]
pub struct DieselThumbnails(Database);

impl DieselThumbnails {
    /// Uses `database`.
    #[must_use]
    pub fn new(database: Database) -> Self {
        Self(database)
    }
}

fn format_name(format: ImageFormat) -> &'static str {
    match format {
        ImageFormat::Png => "png",
        ImageFormat::WebP => "webp",
    }
}

fn format_of(name: &str) -> Result<ImageFormat, StoreError> {
    match name {
        "png" => Ok(ImageFormat::Png),
        "webp" => Ok(ImageFormat::WebP),
        other => Err(corrupt(format!("{other} is no format of pictures"))),
    }
}

/// The thumbnail of a key.
macro_rules! of_key {
    ($workspace:expr, $key:expr) => {
        thumbnails::table
            .filter(thumbnails::workspace.eq($workspace).and(thumbnails::source.eq(&$key.source)))
            .filter(thumbnails::page.eq(position($key.options.page)))
            .filter(thumbnails::width.eq(position($key.options.width)))
            .filter(thumbnails::format.eq(format_name($key.options.format)))
            .filter(thumbnails::renderer.eq(position($key.renderer)))
    };
}

/// Links a thumbnail; `None` if there is none.
fn link(
    connection: &mut AnyConnection,
    workspace: &str,
    key: &PictureKey,
    end: LinkEnd,
    token: &str,
) -> Result<Option<PictureLink>, Failure> {
    // The update locks the row, so that a concurrent sweep comes before or after it.
    let update = diesel::update(of_key!(workspace, key))
        .set(thumbnails::bytes.eq(thumbnails::bytes))
        .returning((thumbnails::id, thumbnails::blob));
    let found: Option<(i64, String)> = prepared!(connection, inner => update.get_result(inner).optional())?;
    let Some((picture, blob)) = found else { return Ok(None) };
    let token = match find_link(connection, workspace, picture, end)? {
        Some(known) => known,
        None => insert_link(connection, workspace, picture, end, token)?,
    };
    Ok(Some(PictureLink { token, blob: BlobKey(blob) }))
}

/// The token of an existing link, whose expiry is extended.
fn find_link(
    connection: &mut AnyConnection,
    workspace: &str,
    picture: i64,
    end: LinkEnd,
) -> Result<Option<String>, Failure> {
    let of_picture = || links::table.filter(links::workspace.eq(workspace).and(links::thumbnail.eq(picture)));
    match end {
        LinkEnd::File(file) => {
            let query = of_picture().filter(links::file.eq(file.0)).select(links::token);
            Ok(prepared!(connection, inner => query.get_result(inner).optional())?)
        }
        LinkEnd::At(time) => {
            let others = || of_picture().filter(links::file.is_null());
            let later = diesel::update(others().filter(links::until.lt(time.micros())))
                .set(links::until.eq(Some(time.micros())));
            prepared!(connection, inner => later.execute(inner))?;
            Ok(others().select(links::token).get_result(connection).optional()?)
        }
    }
}

fn insert_link(
    connection: &mut AnyConnection,
    workspace: &str,
    picture: i64,
    end: LinkEnd,
    token: &str,
) -> Result<String, Failure> {
    let (file, until) = match end {
        LinkEnd::File(file) => (Some(file.0), None),
        LinkEnd::At(time) => (None, Some(time.micros())),
    };
    let insert = diesel::insert_into(links::table).values((
        links::token.eq(token),
        links::workspace.eq(workspace),
        links::thumbnail.eq(picture),
        links::file.eq(file),
        links::until.eq(until),
    ));
    prepared!(connection, inner => insert.execute(inner)).map_err(foreign_key_violation_as("file"))?;
    Ok(token.to_owned())
}

fn insert(connection: &mut AnyConnection, workspace: &str, picture: &NewPicture) -> Result<(), Failure> {
    let blob = add_ref(connection, workspace, &picture.blob, (&picture.sha256, picture.bytes))?;
    let key = &picture.key;
    let insert = diesel::insert_into(thumbnails::table).values((
        thumbnails::workspace.eq(workspace),
        thumbnails::source.eq(&key.source),
        thumbnails::page.eq(position(key.options.page)),
        thumbnails::width.eq(position(key.options.width)),
        thumbnails::format.eq(format_name(key.options.format)),
        thumbnails::renderer.eq(position(key.renderer)),
        thumbnails::blob.eq(&blob),
        thumbnails::sha256.eq(&picture.sha256),
        thumbnails::bytes.eq(stored_count(picture.bytes)),
    ));
    prepared!(connection, inner => insert.execute(inner)).map_err(|error| {
        match unique_violation_as("picture")(error) {
            // Another server was faster; its thumbnail is kept.
            Failure::Store(StoreError::Taken(_)) => Failure::Retry,
            other => other,
        }
    })?;
    Ok(())
}

#[derive(Queryable)]
struct LinkedPictureRow {
    blob: String,
    sha256: String,
    bytes: i64,
    format: String,
    until: Option<i64>,
}

impl LinkedPictureRow {
    fn read(self) -> Result<ShownPicture, Failure> {
        Ok(ShownPicture {
            blob: BlobKey(self.blob),
            sha256: self.sha256,
            bytes: count(self.bytes)?,
            format: format_of(&self.format)?,
            until: optional_time(self.until)?,
        })
    }
}

/// Removes expired links. Returns their number.
fn remove_ended(connection: &mut AnyConnection, now: Timestamp, limit: i64) -> Result<usize, Failure> {
    let ended: Vec<String> = links::table
        .filter(links::until.le(now.micros()))
        .order(links::until)
        .limit(limit)
        .select(links::token)
        .load(connection)?;
    let named = links::table.filter(links::token.eq_any(&ended)).filter(links::until.le(now.micros()));
    Ok(diesel::delete(named).execute(connection)?)
}

/// Removes a thumbnail unless it was linked meanwhile. Returns its blob if that is now unreferenced.
fn remove_unlinked(connection: &mut AnyConnection, picture: i64) -> Result<Option<BlobKey>, Failure> {
    // Locks first, so that the query after it sees links created until then.
    let lock = diesel::update(thumbnails::table.filter(thumbnails::id.eq(picture)))
        .set(thumbnails::bytes.eq(thumbnails::bytes))
        .returning((thumbnails::workspace, thumbnails::blob));
    let found: Option<(String, String)> = prepared!(connection, inner => lock.get_result(inner).optional())?;
    let Some((workspace, blob)) = found else { return Ok(None) };
    let of_picture = links::table.filter(links::workspace.eq(&workspace).and(links::thumbnail.eq(picture)));
    if diesel::select(exists(of_picture)).get_result(connection)? {
        return Ok(None);
    }
    diesel::delete(thumbnails::table.filter(thumbnails::id.eq(picture))).execute(connection)?;
    remove_ref(connection, &workspace, &blob)
}

#[async_trait]
impl ThumbnailRepository for DieselThumbnails {
    async fn link(
        &self,
        scope: &Scope,
        key: &PictureKey,
        end: LinkEnd,
        token: &str,
    ) -> Result<Option<PictureLink>, StoreError> {
        let (workspace, key, token) = (scope.workspace.0.clone(), key.clone(), token.to_owned());
        self.0.write(move |connection| link(connection, &workspace, &key, end, &token)).await
    }

    async fn insert(
        &self,
        scope: &Scope,
        picture: &NewPicture,
        end: LinkEnd,
        token: &str,
    ) -> Result<PictureLink, StoreError> {
        let (workspace, picture, token) = (scope.workspace.0.clone(), picture.clone(), token.to_owned());
        let store = move |connection: &mut AnyConnection| {
            if let Some(linked) = link(connection, &workspace, &picture.key, end, &token)? {
                return Ok(linked);
            }
            insert(connection, &workspace, &picture)?;
            let linked = link(connection, &workspace, &picture.key, end, &token)?.ok_or(Failure::Retry)?;
            quotas::check(connection, &workspace, &[QuotaKind::Bytes])?;
            Ok(linked)
        };
        self.0.write(store).await
    }

    async fn find_by_token(&self, token: &str, now: Timestamp) -> Result<Option<ShownPicture>, StoreError> {
        let token = encode(token).into_owned();
        let find = move |connection: &mut AnyConnection| {
            let same = thumbnails::workspace.eq(links::workspace).and(thumbnails::id.eq(links::thumbnail));
            let query = links::table
                .inner_join(thumbnails::table.on(same))
                .filter(links::token.eq(&token))
                .filter(links::until.is_null().or(links::until.gt(now.micros())))
                .select((
                    thumbnails::blob,
                    thumbnails::sha256,
                    thumbnails::bytes,
                    thumbnails::format,
                    links::until,
                ));
            let found: Option<LinkedPictureRow> =
                prepared!(connection, inner => query.get_result(inner).optional())?;
            found.map(LinkedPictureRow::read).transpose()
        };
        self.0.look_up(find).await
    }

    async fn sweep(&self, now: Timestamp, limit: u32) -> Result<(Vec<BlobKey>, bool), StoreError> {
        let most = i64::from(limit);
        let ended = self.0.write(move |connection| remove_ended(connection, now, most)).await?;
        // The search takes longer the more rows there are, so it runs outside the writer.
        let unlinked = move |connection: &mut AnyConnection| {
            let same = links::workspace.eq(thumbnails::workspace).and(links::thumbnail.eq(thumbnails::id));
            let query = thumbnails::table
                .filter(not(exists(links::table.filter(same))))
                .limit(most)
                .select(thumbnails::id);
            Ok(query.load::<i64>(connection)?)
        };
        let unlinked = self.0.read(unlinked).await?;
        let more = ended == limit as usize || unlinked.len() == limit as usize;
        let remove = move |connection: &mut AnyConnection| {
            let mut orphans = Vec::new();
            for &picture in &unlinked {
                orphans.extend(remove_unlinked(connection, picture)?);
            }
            Ok(orphans)
        };
        Ok((self.0.write(remove).await?, more))
    }
}
