//! By which indexes of the databases items and chunks are found.

use super::*;

#[derive(Debug, QueryableByName)]
struct Step {
    #[diesel(sql_type = Text)]
    detail: String,
}

#[test]
fn items_and_chunks_are_found_through_their_indexes() {
    let Some(throwaway) = fresh(Kind::Sqlite) else { return };
    let asked = [
        (
            "SELECT number FROM kb_items WHERE base = 1 ORDER BY created DESC, number DESC LIMIT 9",
            "COVERING INDEX kb_items_of_base_by_age (base=?)",
        ),
        (
            "SELECT number FROM kb_items WHERE base = 1 AND status = 'failed' AND created <= 5 \
             AND (created < 5 OR created = 5 AND number < 7) ORDER BY created DESC, number DESC LIMIT 9",
            "COVERING INDEX kb_items_of_base_by_status (base=? AND status=? AND created<?)",
        ),
        (
            "SELECT number FROM kb_items WHERE workspace = 'w' ORDER BY created DESC, number DESC LIMIT 9",
            "COVERING INDEX kb_items_by_age (workspace=?)",
        ),
        (
            "SELECT number FROM kb_items WHERE workspace = 'w' AND status = 'ready' \
             ORDER BY created DESC, number DESC LIMIT 9",
            "COVERING INDEX kb_items_by_status (workspace=? AND status=?)",
        ),
        (
            "SELECT number, meta FROM kb_items WHERE base = 1 AND number > 5 AND sequence > 0 \
             AND workspace = 'w' ORDER BY number LIMIT 9",
            "INDEX kb_items_of_base (base=? AND number>?)",
        ),
        (
            "SELECT number FROM kb_items WHERE base = 1 AND place = 3 AND workspace = 'w'",
            "(base=? AND place=?)",
        ),
        (
            "SELECT number FROM kb_items WHERE base = 1 AND workspace = 'w' AND fingerprint = 'f'",
            "(base=? AND fingerprint=?)",
        ),
        (
            "SELECT number FROM kb_items WHERE base = 1 AND workspace = 'w' AND external_id = 'x' \
             ORDER BY created DESC, number DESC LIMIT 9",
            "INDEX kb_items_by_external_id (workspace=? AND external_id=? AND base=?)",
        ),
        (
            "SELECT workspace, base, number FROM kb_items WHERE expires <= 5 ORDER BY expires, number LIMIT 9",
            "INDEX kb_items_by_expiry (expires<?)",
        ),
        (
            "DELETE FROM kb_chunks WHERE id >= 5 AND id < 9 AND workspace = 'w'",
            "INTEGER PRIMARY KEY (rowid>? AND rowid<?)",
        ),
        ("DELETE FROM blobs WHERE workspace = 'w' AND refs <= 0", "INDEX blobs_orphaned (workspace=?)"),
        (
            "SELECT hash FROM kb_vectors WHERE workspace = 'w' AND model = 'm' AND hash > x'00' \
             ORDER BY hash LIMIT 9",
            "COVERING INDEX sqlite_autoindex_kb_vectors_1 (workspace=? AND model=? AND hash>?)",
        ),
        (
            "SELECT hash FROM kb_vectors WHERE workspace = 'w' AND model = 'm' AND hash > x'00' \
             AND unneeded IS NOT NULL ORDER BY hash LIMIT 9",
            "INDEX kb_vectors_unneeded (workspace=? AND model=? AND hash>?)",
        ),
        (
            "SELECT workspace, model FROM kb_vectors WHERE workspace = 'w' AND model > 'm' \
             ORDER BY workspace, model LIMIT 1",
            "COVERING INDEX sqlite_autoindex_kb_vectors_1 (workspace=? AND model>?)",
        ),
        (
            "SELECT workspace, model FROM kb_vectors WHERE workspace > 'w' \
             ORDER BY workspace, model LIMIT 1",
            "COVERING INDEX sqlite_autoindex_kb_vectors_1 (workspace>?)",
        ),
        (
            "SELECT number, embedding, serving FROM kb_bases WHERE workspace = 'w' AND number >= 5 \
             ORDER BY number LIMIT 1",
            "(workspace=? AND number>?)",
        ),
        (
            "SELECT number, embedded FROM kb_items WHERE base = 1 AND number >= 5 ORDER BY number LIMIT 9",
            "INDEX kb_items_of_base (base=? AND number>?)",
        ),
    ];
    for (query, index) in asked {
        let plan = block_on(throwaway.database.read(move |connection| {
            let AnyConnection::Sqlite(inner) = connection else { panic!("SQLite") };
            Ok(diesel::sql_query(format!("EXPLAIN QUERY PLAN {query}")).load::<Step>(inner)?)
        }))
        .unwrap();
        assert!(plan[0].detail.contains(index), "{plan:?} without {index}");
        assert!(plan.iter().all(|step| step.detail.starts_with("SEARCH ")), "{plan:?}");
    }
}
