//! Rows of items.

use diesel::dsl::sql;
use diesel::sql_types::BigInt;
use diesel::{
    BoolExpressionMethods as _, ExpressionMethods as _, OptionalExtension as _, QueryDsl as _, QueryResult,
    Queryable, RunQueryDsl as _,
};
use files_core::BlobKey;
use jobs_core::JobKey;
use kb_core::{BaseId, Content, ContentHash, Item, ItemId, ItemStatus, Progress, QUEUE};
use shared_core::{StoreError, Timestamp, UserId, WorkspaceId};

use crate::connection::{AnyConnection, prepared};
use crate::failure::{Failure, constraint_violation_as, corrupt};
use crate::rows::{count, from_json, position, stored_count, time, to_json};
use crate::schema::kb_items;
use crate::text_encoding::{decode, encode};

/// Items per insert statement on PostgreSQL; each takes 26 of its 65,535 parameters.
const INSERT_BATCH: usize = 1_000;

#[derive(Clone, Debug, Queryable)]
pub(super) struct ItemRow {
    number: i64,
    workspace: String,
    id: String,
    _base: i64,
    place: i32,
    author: String,
    api_key: Option<String>,
    source: String,
    name: String,
    meta: String,
    status: String,
    error: Option<String>,
    bytes: i64,
    fingerprint: Vec<u8>,
    blob: Option<String>,
    stored: i64,
    done: i64,
    total: i64,
    language: Option<String>,
    embedded: Option<String>,
    sequence: i64,
    fence: i64,
    created: i64,
    updated: i64,
    position: i64,
    external_id: Option<String>,
    expires: Option<i64>,
}

/// An item with the id of its base, and the SHA-256 and size of its content.
pub(super) type JoinedItem = (ItemRow, String, Option<(String, i64)>);

/// An item with the fields that only the store needs.
#[derive(Clone, Debug)]
pub(super) struct StoredItem {
    pub(super) item: Item,
    /// From [`hash_fingerprint`].
    pub(super) fingerprint: Vec<u8>,
    /// Number of stored chunks, searchable or not.
    pub(super) stored: u64,
    /// The fencing token of the last job that ended.
    pub(super) fence: i64,
}

/// The stored form of a fingerprint. It is short because it is in each row and in an index.
pub(super) fn hash_fingerprint(fingerprint: &str) -> Vec<u8> {
    ContentHash::of(fingerprint).0.to_vec()
}

impl StoredItem {
    pub(super) fn read((row, base, content): JoinedItem) -> Result<Self, StoreError> {
        let stored = count(row.stored)?;
        let content = row.blob.zip(content).map(|(blob, (sha256, bytes))| {
            Ok::<_, StoreError>(Content { blob: BlobKey(blob), sha256, bytes: count(bytes)? })
        });
        let status = ItemStatus::from_name(&row.status);
        let item = Item {
            id: ItemId(row.id),
            number: row.number,
            place: count(i64::from(row.place))?,
            workspace: WorkspaceId(row.workspace),
            base: BaseId(base),
            author: UserId(row.author),
            key: row.api_key,
            source: from_json(&row.source)?,
            name: decode(row.name),
            meta: from_json(&row.meta)?,
            external_id: row.external_id.map(decode),
            expires: row.expires.map(time).transpose()?,
            status: status.ok_or_else(|| corrupt(format!("'{}' is no status", row.status)))?,
            error: row.error.as_deref().map(from_json).transpose()?,
            bytes: count(row.bytes)?,
            content: content.transpose()?,
            chunks: if row.sequence > 0 { stored } else { 0 },
            progress: Progress { done: count(row.done)?, total: count(row.total)? },
            language: row.language.map(decode),
            embedded: row.embedded.map(decode),
            sequence: row.sequence,
            // Rows from before the column have 0.
            position: row.position.max(row.sequence),
            created: time(row.created)?,
            updated: time(row.updated)?,
        };
        Ok(Self { item, fingerprint: row.fingerprint, stored, fence: row.fence })
    }

    pub(super) fn job(&self) -> JobKey {
        JobKey { queue: QUEUE, owner: self.item.base.0.clone(), position: self.item.place }
    }

    fn blob(&self) -> Option<&str> {
        self.item.content.as_ref().map(|content| content.blob.0.as_str())
    }

    fn error(&self) -> Result<Option<String>, StoreError> {
        self.item.error.as_ref().map(to_json).transpose()
    }
}

/// Joins bases and contents to items, as [`JoinedItem`].
macro_rules! joined {
    () => {{
        use crate::schema::{blobs, kb_bases, kb_items};
        use diesel::{JoinOnDsl as _, NullableExpressionMethods as _};
        kb_items::table
            .inner_join(kb_bases::table.on(kb_bases::number.eq(kb_items::base)))
            .left_join(blobs::table.on(kb_items::blob.eq(blobs::key.nullable())))
            .select((kb_items::all_columns, kb_bases::id, (blobs::sha256, blobs::bytes).nullable()))
    }};
}

/// The item with this id.
pub(super) fn find(
    connection: &mut AnyConnection,
    workspace: &str,
    id: &ItemId,
) -> Result<Option<StoredItem>, Failure> {
    let id = encode(&id.0);
    let query = joined!().filter(kb_items::workspace.eq(workspace).and(kb_items::id.eq(id.as_ref())));
    let found: Option<JoinedItem> = prepared!(connection, inner => query.get_result(inner).optional())?;
    Ok(found.map(StoredItem::read).transpose()?)
}

/// The item at a position of a base.
pub(super) fn at_place(
    connection: &mut AnyConnection,
    workspace: &str,
    base: i64,
    place: u32,
) -> Result<Option<StoredItem>, Failure> {
    let query = joined!()
        .filter(kb_items::base.eq(base).and(kb_items::place.eq(position(place))))
        .filter(kb_items::workspace.eq(workspace));
    let found: Option<JoinedItem> = prepared!(connection, inner => query.get_result(inner).optional())?;
    Ok(found.map(StoredItem::read).transpose()?)
}

/// The items with these numbers, unordered.
pub(super) fn load(
    connection: &mut AnyConnection,
    workspace: &str,
    numbers: &[i64],
) -> Result<Vec<StoredItem>, Failure> {
    let own = || joined!().filter(kb_items::workspace.eq(workspace));
    let mut rows: Vec<JoinedItem> = Vec::with_capacity(numbers.len());
    match connection {
        AnyConnection::Postgres(inner) => {
            rows = own().filter(kb_items::number.eq_any(numbers)).load(inner)?
        }
        // A list has no statement that is prepared once on SQLite; single rows are cheap.
        AnyConnection::Sqlite(inner) => {
            for number in numbers {
                rows.extend(
                    own().filter(kb_items::number.eq(number)).get_result::<JoinedItem>(inner).optional()?,
                );
            }
        }
    }
    Ok(rows.into_iter().map(StoredItem::read).collect::<Result<_, _>>()?)
}

#[derive(Debug, diesel::QueryableByName)]
struct NumberRow {
    #[diesel(sql_type = BigInt)]
    number: i64,
}

#[derive(Debug, diesel::Insertable)]
#[diesel(table_name = kb_items)]
struct NewItemRow {
    number: i64,
    workspace: String,
    id: String,
    base: i64,
    place: i32,
    author: String,
    api_key: Option<String>,
    source: String,
    name: String,
    meta: String,
    status: &'static str,
    error: Option<String>,
    bytes: i64,
    fingerprint: Vec<u8>,
    blob: Option<String>,
    stored: i64,
    done: i64,
    total: i64,
    language: Option<String>,
    sequence: i64,
    fence: i64,
    created: i64,
    updated: i64,
    position: i64,
    external_id: Option<String>,
    expires: Option<i64>,
}

fn new_row(base: i64, row: &StoredItem) -> Result<NewItemRow, StoreError> {
    let item = &row.item;
    Ok(NewItemRow {
        number: item.number,
        workspace: item.workspace.0.clone(),
        id: item.id.0.clone(),
        base,
        place: position(item.place),
        author: item.author.0.clone(),
        api_key: item.key.clone(),
        source: to_json(&item.source)?,
        name: encode(&item.name).into_owned(),
        meta: to_json(&item.meta)?,
        status: item.status.name(),
        error: row.error()?,
        bytes: stored_count(item.bytes),
        fingerprint: row.fingerprint.clone(),
        blob: row.blob().map(str::to_owned),
        stored: stored_count(row.stored),
        done: stored_count(item.progress.done),
        total: stored_count(item.progress.total),
        language: item.language.as_deref().map(|language| encode(language).into_owned()),
        sequence: item.sequence,
        fence: row.fence,
        created: item.created.micros(),
        updated: item.updated.micros(),
        position: item.position,
        external_id: item.external_id.as_deref().map(|id| encode(id).into_owned()),
        expires: item.expires.map(Timestamp::micros),
    })
}

/// Reserves ascending numbers for new items. A number is never assigned twice.
pub(super) fn take_numbers(connection: &mut AnyConnection, count: usize) -> Result<Vec<i64>, Failure> {
    match connection {
        AnyConnection::Postgres(inner) => {
            let next = "SELECT nextval(pg_get_serial_sequence('kb_items', 'number')) AS number \
                 FROM generate_series(1, $1)";
            let next = diesel::sql_query(next).bind::<BigInt, _>(count as i64);
            let mut numbers: Vec<i64> =
                next.load::<NumberRow>(inner)?.into_iter().map(|row| row.number).collect();
            numbers.sort_unstable();
            Ok(numbers)
        }
        AnyConnection::Sqlite(inner) => {
            // SQLite keeps the greatest number ever assigned; there is no concurrent writer.
            let greatest =
                sql::<BigInt>("coalesce((SELECT seq FROM sqlite_sequence WHERE name = 'kb_items'), 0)");
            let greatest: i64 = diesel::select(greatest).get_result(inner)?;
            Ok((greatest + 1..).take(count).collect())
        }
    }
}

/// Stores new items of a base under their reserved numbers.
pub(super) fn insert(connection: &mut AnyConnection, base: i64, items: &[StoredItem]) -> Result<(), Failure> {
    for part in items.chunks(INSERT_BATCH) {
        let rows = part.iter().map(|row| new_row(base, row)).collect::<Result<Vec<NewItemRow>, _>>()?;
        insert_rows(connection, rows).map_err(constraint_violation_as("item", "user"))?;
    }
    Ok(())
}

fn insert_rows(connection: &mut AnyConnection, rows: Vec<NewItemRow>) -> QueryResult<()> {
    match connection {
        AnyConnection::Sqlite(inner) => {
            for row in rows {
                diesel::insert_into(kb_items::table).values(row).execute(inner)?;
            }
        }
        AnyConnection::Postgres(inner) => {
            diesel::insert_into(kb_items::table).values(rows).execute(inner)?;
        }
    }
    Ok(())
}

/// Updates all mutable columns of an item.
pub(super) fn save(connection: &mut AnyConnection, row: &StoredItem) -> Result<(), Failure> {
    let item = &row.item;
    let named = kb_items::table
        .filter(kb_items::workspace.eq(&item.workspace.0).and(kb_items::number.eq(item.number)));
    let update = diesel::update(named).set((
        (
            kb_items::source.eq(to_json(&item.source)?),
            kb_items::name.eq(encode(&item.name).into_owned()),
            kb_items::meta.eq(to_json(&item.meta)?),
            kb_items::status.eq(item.status.name()),
            kb_items::error.eq(row.error()?),
            kb_items::bytes.eq(stored_count(item.bytes)),
            kb_items::fingerprint.eq(&row.fingerprint),
            kb_items::blob.eq(row.blob()),
        ),
        (
            kb_items::stored.eq(stored_count(row.stored)),
            kb_items::done.eq(stored_count(item.progress.done)),
            kb_items::total.eq(stored_count(item.progress.total)),
            kb_items::language.eq(item.language.as_deref().map(|language| encode(language).into_owned())),
            kb_items::embedded.eq(item.embedded.as_deref().map(|model| encode(model).into_owned())),
            kb_items::sequence.eq(item.sequence),
            kb_items::fence.eq(row.fence),
            kb_items::updated.eq(item.updated.micros()),
            kb_items::position.eq(item.position),
            kb_items::expires.eq(item.expires.map(Timestamp::micros)),
        ),
    ));
    prepared!(connection, inner => update.execute(inner))?;
    Ok(())
}
