//! Whatever happens to the files, the index is correct or absent, and it can be rebuilt.

#![allow(clippy::expect_used, clippy::panic, reason = "helpers of tests, too, may fail loudly")]

use std::fs::{self, OpenOptions};
use std::path::{Path, PathBuf};

use futures_executor::block_on;
use kb_core::{ChunkKey, Found, IndexError, IndexMark, IndexedChunk, LexicalIndex, LexicalQuery};
use search_index::{LexicalSettings, OpenError, TantivyLexicalIndex};

const MARK: IndexMark = IndexMark { sequence: 7, generation: 3 };

fn open(folder: &Path) -> TantivyLexicalIndex {
    TantivyLexicalIndex::open(
        folder,
        LexicalSettings { searchers: 1, threads: 1, ..LexicalSettings::default() },
    )
    .expect("open")
}

fn chunks(items: std::ops::Range<i64>) -> Vec<IndexedChunk> {
    let chunk = |item: i64| IndexedChunk {
        key: ChunkKey { item, position: 0 },
        base: 1,
        sequence: item,
        title: format!("Kiln {item}"),
        heading: String::new(),
        text: format!("The kiln number {item} burns {} bricks of clay.", item * item),
        language: Some("en".to_owned()),
    };
    items.map(chunk).collect()
}

fn mark(words: &TantivyLexicalIndex) -> Option<IndexMark> {
    block_on(words.mark()).expect("mark")
}

fn search(words: &TantivyLexicalIndex, text: &str) -> Result<Found, IndexError> {
    let query = LexicalQuery {
        base: 1,
        text: text.to_owned(),
        languages: vec!["en".to_owned()],
        items: None,
        limit: 500,
        ..LexicalQuery::default()
    };
    block_on(words.search(&query))
}

fn found(words: &TantivyLexicalIndex, text: &str) -> usize {
    search(words, text).expect("search").hits.len()
}

/// Rebuilds the index with 300 chunks, of which one is deleted again.
fn fill(words: &TantivyLexicalIndex) {
    block_on(async {
        let mut fresh = words.rebuild().await?;
        fresh.put(chunks(0..300)).await?;
        fresh.finish(IndexMark { sequence: 6, generation: 3 }).await?;
        words.remove(&[5], &[]).await?;
        words.commit(MARK).await
    })
    .expect("an index");
    assert_eq!((mark(words), found(words, "kilns")), (Some(MARK), 299));
}

/// A copy of a folder: what would be found there if the process ended now. Files come and go while it is made, since
/// segments are merged on another thread; it is made again until nothing moved.
fn copied(from: &Path) -> tempfile::TempDir {
    fn copy(from: &Path, to: &Path) -> std::io::Result<()> {
        fs::create_dir_all(to)?;
        for entry in fs::read_dir(from)? {
            let path = entry?.path();
            let target = to.join(path.file_name().expect("a name"));
            if path.is_dir() {
                copy(&path, &target)?
            } else {
                let _: u64 = fs::copy(&path, &target)?;
            }
        }
        Ok(())
    }
    let state = || files(from).into_iter().map(|file| (fs::read(&file).ok(), file)).collect::<Vec<_>>();
    loop {
        let to = tempfile::tempdir().expect("a folder");
        let before = state();
        if copy(from, to.path()).is_ok() && state() == before {
            return to;
        }
    }
}

fn files(folder: &Path) -> Vec<PathBuf> {
    let mut files = Vec::new();
    for entry in fs::read_dir(folder).expect("a folder") {
        let path = entry.expect("an entry").path();
        if path.is_dir() { files.extend(self::files(&path)) } else { files.push(path) }
    }
    files.sort();
    files
}

/// The index is right, or there is none and a new one can be made.
fn is_right_or_none(folder: &Path, what: &str) {
    let words = open(folder);
    match mark(&words) {
        Some(found) => assert_eq!(found, MARK, "{what}"),
        None => {
            assert!(matches!(search(&words, "kiln"), Err(IndexError::NotReady)), "{what}");
            fill(&words);
        }
    }
    assert_eq!(found(&words, "kilns"), 299, "{what}");
    assert_eq!(search(&words, "12").expect("search").hits[0].key.item, 12, "{what}");
}

#[test]
fn damaged_files_are_noticed_when_the_index_is_opened() {
    let folder = tempfile::tempdir().expect("a folder");
    fill(&open(folder.path()));
    let all = files(folder.path());
    assert!(all.len() > 6, "{all:?}");
    for file in all {
        let name = file.strip_prefix(folder.path()).expect("inside");
        let size = fs::metadata(&file).expect("a file").len();
        let copies: Vec<_> = (0..6).map(|_| copied(folder.path())).collect();
        let path = |at: usize| copies[at].path().join(name);
        fs::remove_file(path(0)).expect("remove");
        OpenOptions::new()
            .write(true)
            .open(path(1))
            .and_then(|file| file.set_len(size / 2))
            .expect("truncate");
        fs::write(path(2), b"").expect("empty");
        for (copy, at) in [(3, 0), (4, size / 2), (5, size.saturating_sub(1))] {
            let mut bytes = fs::read(path(copy)).expect("read");
            if let Some(byte) = bytes.get_mut(at as usize) {
                *byte ^= 0x15;
            }
            fs::write(path(copy), bytes).expect("write");
        }
        for (copy, what) in copies.iter().zip(["removed", "cut", "empty", "first", "middle", "last"]) {
            is_right_or_none(copy.path(), &format!("{} {what}", name.display()));
        }
    }
}

#[test]
fn what_does_not_belong_there_is_left_alone() {
    let folder = tempfile::tempdir().expect("a folder");
    fill(&open(folder.path()));
    fs::write(folder.path().join("words-note.txt"), "mine").expect("write");
    fs::create_dir(folder.path().join("photos")).expect("a folder");
    fs::write(folder.path().join("words-0").join("note.txt"), "mine").expect("write");
    let words = open(folder.path());
    assert_eq!((mark(&words), found(&words, "kiln")), (Some(MARK), 299));
    assert!(folder.path().join("words-note.txt").exists() && folder.path().join("photos").exists());
}

#[test]
fn a_name_that_leads_out_of_the_folder_is_not_followed() {
    let folder = tempfile::tempdir().expect("a folder");
    fill(&open(folder.path()));
    for name in ["../elsewhere", "words-", "words-0/../words-0", "words-99\n", "\u{fffd}", "words-0\0"] {
        let copy = copied(folder.path());
        fs::write(copy.path().join("current"), name).expect("write");
        assert_eq!(mark(&open(copy.path())), None, "{name:?}");
    }
}

#[test]
fn one_process_has_the_folder_at_a_time() {
    let folder = tempfile::tempdir().expect("a folder");
    let words = open(folder.path());
    let second = TantivyLexicalIndex::open(folder.path(), LexicalSettings::default());
    assert!(matches!(second, Err(OpenError::InUse(_))));
    drop(words);
    open(folder.path());
}

#[test]
fn what_was_not_committed_is_gone_after_a_crash_and_can_be_applied_again() {
    let folder = tempfile::tempdir().expect("a folder");
    let words = open(folder.path());
    fill(&words);
    let again = |words: &TantivyLexicalIndex| {
        block_on(words.remove(&[1, 2, 300], &[])).expect("remove");
        block_on(words.put(chunks(300..301))).expect("put");
    };
    again(&words);
    let crashed = copied(folder.path());
    let later = open(crashed.path());
    assert_eq!((mark(&later), found(&later, "kiln")), (Some(MARK), 299));
    let next = IndexMark { sequence: 9, generation: 3 };
    for _ in 0..3 {
        again(&later);
        block_on(later.commit(next)).expect("commit");
        assert_eq!((mark(&later), found(&later, "kiln")), (Some(next), 298));
    }
    drop(later);
    let reopened = open(crashed.path());
    assert_eq!((mark(&reopened), found(&reopened, "kiln")), (Some(next), 298));
}

#[test]
fn a_half_made_index_is_swept_away() {
    let folder = tempfile::tempdir().expect("a folder");
    let words = open(folder.path());
    fill(&words);
    let mut fresh = block_on(words.rebuild()).expect("rebuild");
    block_on(fresh.put(chunks(0..20))).expect("put");
    let folders = |folder: &Path| {
        fs::read_dir(folder).expect("a folder").flatten().filter(|entry| entry.path().is_dir()).count()
    };
    let crashed = copied(folder.path());
    assert_eq!(folders(crashed.path()), 2);
    let later = open(crashed.path());
    assert_eq!((mark(&later), found(&later, "kiln"), folders(crashed.path())), (Some(MARK), 299, 1));
    // The present index is still written during a rebuild.
    block_on(words.put(chunks(300..310))).expect("put");
    block_on(words.commit(IndexMark { sequence: 8, generation: 3 })).expect("commit");
    assert_eq!(found(&words, "kiln"), 309);
    let done = IndexMark { sequence: 8, generation: 4 };
    block_on(fresh.finish(done)).expect("finish");
    assert_eq!((mark(&words), found(&words, "kiln"), folders(folder.path())), (Some(done), 20, 1));
}

#[test]
fn a_folder_that_is_lost_meanwhile_is_made_again() {
    let folder = tempfile::tempdir().expect("a folder");
    let root = folder.path().join("index");
    let words = open(&root);
    fill(&words);
    fs::remove_dir_all(&root).expect("remove");
    let lost = block_on(async {
        words.put(chunks(300..301)).await?;
        words.commit(IndexMark { sequence: 8, generation: 3 }).await
    });
    assert!(matches!(lost, Err(IndexError::Damaged(_))), "{lost:?}");
    assert_eq!(mark(&words), None);
    fill(&words);
    drop(words);
    let again = open(&root);
    assert_eq!((mark(&again), found(&again, "kiln")), (Some(MARK), 299));
}

#[test]
fn a_large_index_is_read_through_while_it_is_used() {
    let folder = tempfile::tempdir().expect("a folder");
    fill(&open(folder.path()));
    let settings = LexicalSettings { checked_first: 0, ..LexicalSettings::default() };
    let opened = || TantivyLexicalIndex::open(folder.path(), settings).expect("open");
    assert_eq!(mark(&opened()), Some(MARK));
    let lengths = |file: &&PathBuf| file.extension().is_some_and(|kind| kind == "fieldnorm");
    let file = files(folder.path()).iter().find(lengths).expect("a file of lengths").clone();
    let mut bytes = fs::read(&file).expect("its bytes");
    bytes[0] ^= 0x10;
    fs::write(&file, bytes).expect("written");
    let words = opened();
    while mark(&words).is_some() {
        std::thread::yield_now();
    }
    assert!(matches!(search(&words, "kiln"), Err(IndexError::NotReady)));
}
