//! The rows of items: brought up to date with the chunks and vectors of the store.

use diesel::sql_types::{Array, BigInt, Float, Nullable, Text};
use diesel::{OptionalExtension as _, PgConnection, RunQueryDsl as _, sql_query};

use super::setup::postgres;
use super::table::{VectorTable, chunk_range, normalised};
use crate::connection::AnyConnection;
use crate::failure::Failure;
use crate::knowledge::{feed, vectors};

/// Items that one query of [`due`] finds. Each query reads all items after its start.
const DUE: i64 = 1_024;
/// Vectors per insert statement. Protects memory: they have up to 16,000 numbers.
const INSERT_BATCH: usize = 128;

#[derive(Debug, diesel::QueryableByName)]
struct NumberRow {
    #[diesel(sql_type = BigInt)]
    number: i64,
}

/// A searchable item with the models of its base.
#[derive(Debug, diesel::QueryableByName)]
struct ItemRow {
    #[diesel(sql_type = Text)]
    workspace: String,
    #[diesel(sql_type = BigInt)]
    base: i64,
    #[diesel(sql_type = BigInt)]
    position: i64,
    #[diesel(sql_type = Nullable<Text>)]
    embedding: Option<String>,
    #[diesel(sql_type = Nullable<Text>)]
    serving: Option<String>,
}

/// The first items after a number whose rows are not up to date, ascending: changed, new or deleted ones.
pub(super) fn due(connection: &mut AnyConnection, after: i64) -> Result<Vec<i64>, Failure> {
    let query = "SELECT number FROM ( \
           SELECT i.number FROM kb_items i LEFT JOIN kb_pgvector_items s ON s.item = i.number \
           WHERE i.number > $1 AND i.sequence > 0 \
             AND s.position IS DISTINCT FROM greatest(i.position, i.sequence) \
           UNION ALL \
           SELECT s.item FROM kb_pgvector_items s WHERE s.item > $1 \
             AND NOT EXISTS (SELECT 1 FROM kb_items i WHERE i.number = s.item AND i.sequence > 0) \
         ) AS due ORDER BY number LIMIT $2";
    let query = sql_query(query).bind::<BigInt, _>(after).bind::<BigInt, _>(DUE);
    let rows: Vec<NumberRow> = query.load(postgres(connection)?)?;
    Ok(rows.into_iter().map(|row| row.number).collect())
}

/// Replaces the rows of items whose position is not that of their rows. Other servers apply the same changes:
/// the first one does the work.
pub(super) fn apply(connection: &mut AnyConnection, items: &[i64]) -> Result<(), Failure> {
    let mut tables = VectorTable::all(postgres(connection)?)?;
    for item in items {
        // Locked before the item is read, so that no older state replaces a later one.
        let seen = lock_stamp(postgres(connection)?, *item)?;
        let Some(row) = find(postgres(connection)?, *item)? else {
            remove(postgres(connection)?, &tables, *item)?;
            let stamp = sql_query("DELETE FROM kb_pgvector_items WHERE item = $1").bind::<BigInt, _>(*item);
            stamp.execute(postgres(connection)?)?;
            continue;
        };
        if row.position == seen {
            continue;
        }
        if seen > 0 {
            remove(postgres(connection)?, &tables, *item)?;
        }
        let models = row.embedding.iter().chain(row.serving.iter().filter(|_| row.embedding != row.serving));
        for model in models {
            insert(connection, (*item, &row, model), &mut tables)?;
        }
        let stamp = sql_query("UPDATE kb_pgvector_items SET base = $2, position = $3 WHERE item = $1");
        let stamp = stamp.bind::<BigInt, _>(*item).bind::<BigInt, _>(row.base);
        stamp.bind::<BigInt, _>(row.position).execute(postgres(connection)?)?;
    }
    Ok(())
}

/// Locks the stamp of an item and returns its position; 0 for a new one.
fn lock_stamp(connection: &mut PgConnection, item: i64) -> Result<i64, Failure> {
    let query = "INSERT INTO kb_pgvector_items (item, base, position) VALUES ($1, 0, 0) \
         ON CONFLICT (item) DO UPDATE SET position = kb_pgvector_items.position RETURNING position AS number";
    Ok(sql_query(query).bind::<BigInt, _>(item).get_result::<NumberRow>(connection)?.number)
}

fn find(connection: &mut PgConnection, item: i64) -> Result<Option<ItemRow>, Failure> {
    let query = "SELECT i.workspace, i.base, greatest(i.position, i.sequence) AS position, b.embedding, b.serving \
         FROM kb_items i JOIN kb_bases b ON b.number = i.base WHERE i.number = $1 AND i.sequence > 0";
    Ok(sql_query(query).bind::<BigInt, _>(item).get_result(connection).optional()?)
}

fn remove(connection: &mut PgConnection, tables: &[VectorTable], item: i64) -> Result<(), Failure> {
    let (first, end) = chunk_range(item);
    for table in tables {
        let delete = sql_query(format!("DELETE FROM {table} WHERE chunk >= $1 AND chunk < $2"));
        delete.bind::<BigInt, _>(first).bind::<BigInt, _>(end).execute(connection)?;
    }
    Ok(())
}

/// Removes all that is left of a deleted base.
pub(super) fn remove_base(connection: &mut AnyConnection, base: i64) -> Result<(), Failure> {
    let inner = postgres(connection)?;
    for table in VectorTable::all(inner)? {
        let delete = sql_query(format!("DELETE FROM {table} WHERE base = $1"));
        delete.bind::<BigInt, _>(base).execute(inner)?;
    }
    for table in ["kb_pgvector_items", "kb_pgvector_graphs"] {
        let delete = sql_query(format!("DELETE FROM {table} WHERE base = $1"));
        delete.bind::<BigInt, _>(base).execute(inner)?;
    }
    Ok(())
}

/// Inserts the vectors of a model that the chunks of an item have.
fn insert(
    connection: &mut AnyConnection,
    (item, row, model): (i64, &ItemRow, &String),
    tables: &mut Vec<VectorTable>,
) -> Result<(), Failure> {
    let (mut first, end) = chunk_range(item);
    loop {
        let page = feed::load_vectors(
            connection,
            (row.workspace.as_str(), model.as_str()),
            (first, end),
            INSERT_BATCH,
        )?;
        let Some((last, _)) = page.last() else { return Ok(()) };
        first = last + 1;
        let mut batches: Vec<(VectorTable, Vec<i64>, Vec<f32>)> = Vec::new();
        for (chunk, bytes) in &page {
            let Some(vector) = normalised(&vectors::read(bytes)?) else { continue };
            let table = VectorTable(vector.len());
            let at = batches.iter().position(|batch| batch.0 == table).unwrap_or_else(|| {
                batches.push((table, Vec::new(), Vec::new()));
                batches.len() - 1
            });
            let Some((_, chunks, numbers)) = batches.get_mut(at) else { continue };
            chunks.push(*chunk);
            numbers.extend(vector);
        }
        for (table, chunks, numbers) in batches {
            if !tables.contains(&table) {
                table.create(postgres(connection)?)?;
                tables.push(table);
            }
            insert_batch(postgres(connection)?, table, (item, row.base, model), (&chunks, &numbers))?;
        }
    }
}

/// Inserts vectors, given one after the other.
fn insert_batch(
    connection: &mut PgConnection,
    table: VectorTable,
    (item, base, model): (i64, i64, &String),
    (chunks, numbers): (&[i64], &[f32]),
) -> Result<(), Failure> {
    let length = table.0;
    let insert = sql_query(format!(
        "INSERT INTO {table} (chunk, model, base, item, embedding) \
         SELECT c.chunk, $1, $2, $3, ($4)[(c.place - 1) * {length} + 1 : c.place * {length}]::halfvec({length}) \
         FROM unnest($5) WITH ORDINALITY AS c (chunk, place) ON CONFLICT (chunk, model) DO NOTHING"
    ));
    let insert = insert.bind::<Text, _>(model).bind::<BigInt, _>(base).bind::<BigInt, _>(item);
    insert.bind::<Array<Float>, _>(numbers).bind::<Array<BigInt>, _>(chunks).execute(connection)?;
    Ok(())
}
