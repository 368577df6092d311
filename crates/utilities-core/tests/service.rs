//! The use cases over memory ports.
#![allow(clippy::unwrap_used, clippy::expect_used, reason = "tests assert")]

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::time::Duration;

use async_trait::async_trait;
use document::{
    Document, DocumentParser, DocumentReader, ImageFormat, MemoryParsedDocuments, PageColours, PageRenderer,
    ParseError, RenderSize, Source, Thumbnail, ThumbnailOptions,
};
use documents_core::DirectParser;
use files_core::{FileOrigin, FileUrls, FilesConfig, FilesService, MemoryBlobs, MemoryFiles};
use futures_executor::block_on;
use futures_util::FutureExt as _;
use futures_util::future::{BoxFuture, join_all};
use futures_util::stream::StreamExt as _;
use parking_lot::RwLock;
use shared_core::{FixedClock, InlineOffload, Scope, SeededRng, Spawn, UserId, WorkspaceId};
use utilities_core::{Inputs, KEPT_SECONDS, MemoryThumbnails, Thumbnails, UtilitiesPorts, UtilitiesService};

#[derive(Debug)]
struct Threads;

impl Spawn for Threads {
    fn spawn(&self, work: BoxFuture<'static, ()>) {
        std::thread::spawn(|| block_on(work));
    }
}

/// Reports the start and end of each parse, holds a parse while the gate is locked, and counts pictures.
#[derive(Debug)]
struct Watched {
    begun: Sender<()>,
    parsed: Sender<()>,
    gate: RwLock<()>,
    drawn: AtomicUsize,
}

#[async_trait]
impl DocumentParser for Watched {
    fn parser_version(&self) -> u32 {
        documents_core::PARSER_VERSION
    }

    async fn parse(&self, source: Source) -> Result<Document, ParseError> {
        self.begun.send(()).ok();
        drop(self.gate.read());
        let document = DirectParser::default().parse(source).await;
        self.parsed.send(()).ok();
        document
    }
}

#[async_trait]
impl PageRenderer for Watched {
    fn renderer_version(&self) -> u32 {
        1
    }

    async fn page(&self, _: Source, _: u32, _: RenderSize, _: PageColours) -> Result<Vec<u8>, ParseError> {
        Err(ParseError::Empty)
    }

    async fn thumbnail(&self, _: Source, options: ThumbnailOptions) -> Result<Thumbnail, ParseError> {
        let number = self.drawn.fetch_add(1, Ordering::SeqCst);
        let bytes = format!("picture {number}").into_bytes();
        Ok(Thumbnail {
            bytes,
            width: options.width,
            height: 9,
            format: ImageFormat::Png,
            page: 1,
            is_card: false,
        })
    }
}

struct World {
    utilities: UtilitiesService,
    files: FilesService,
    watched: Arc<Watched>,
    begun: Receiver<()>,
    parsed: Receiver<()>,
    scope: Scope,
}

fn world() -> World {
    let (clock, ids) = (Arc::new(FixedClock::new(0, 1)), Arc::new(SeededRng::new(1)));
    let rows = Arc::new(MemoryFiles::default());
    let config = FilesConfig {
        max_bytes: 1 << 20,
        sniff: |_, _| "text/plain",
        urls: FileUrls::new("https://x.example"),
    };
    let blobs = Arc::new(MemoryBlobs::default());
    let files = FilesService::new(rows.clone(), blobs, clock.clone(), ids.clone(), config);
    let ((begins, begun), (ends, parsed)) = (channel(), channel());
    let (gate, drawn) = (RwLock::default(), AtomicUsize::new(0));
    let watched = Arc::new(Watched { begun: begins, parsed: ends, gate, drawn });
    let origin = Arc::new(FileOrigin(files.clone()));
    let cache = Arc::new(MemoryParsedDocuments::default());
    let thumbnails = Arc::new(MemoryThumbnails::new(rows));
    let utilities = UtilitiesService::new(UtilitiesPorts {
        documents: DocumentReader::new(origin.clone(), watched.clone(), cache, clock.clone()),
        origin,
        files: files.clone(),
        workers: Arc::new(InlineOffload),
        tasks: Arc::new(Threads),
        thumbnails: Thumbnails::new(thumbnails, watched.clone(), files.clone(), clock, ids),
    });
    let scope = Scope { workspace: WorkspaceId("ws".into()), user: UserId("ada".into()) };
    World { utilities, files, watched, begun, parsed, scope }
}

impl World {
    /// Stores texts and gives their ids.
    fn stored(&self, count: usize) -> Vec<String> {
        let store = async {
            let mut staged = Vec::new();
            for place in 0..count {
                staged.push(
                    self.files
                        .store_blob(format!("{place}.txt"), format!("text {place}").into())
                        .await
                        .unwrap(),
                );
            }
            self.files.store(&self.scope, staged).await.unwrap()
        };
        block_on(store).iter().map(|file| file.id.0.to_string()).collect()
    }

    fn texts(&self, inputs: Inputs) -> Vec<String> {
        let read = self.utilities.each(&self.scope, inputs, |input| match input.read {
            Ok(read) => read.document.text.clone(),
            Err(error) => error.code.to_owned(),
        });
        block_on(read.collect())
    }
}

#[test]
fn documents_are_given_in_the_order_of_the_call_and_parsed_once() {
    let world = world();
    let mut ids = world.stored(9);
    ids.push("77".to_owned());
    ids.push(ids[0].clone());
    let texts = world.texts(Inputs::references(ids).unwrap());
    let expected: Vec<String> = (0..9).map(|place| format!("text {place}")).collect();
    assert_eq!(texts[..9], expected);
    assert_eq!(texts[9..], ["file_not_found", "text 0"]);
    assert_eq!(world.parsed.try_iter().count(), 9);
}

#[test]
fn work_that_was_begun_goes_on_while_nobody_takes_the_answer() {
    let world = world();
    let ids = world.stored(9);
    let mut items = world.utilities.each(&world.scope, Inputs::references(ids).unwrap(), |input| input.url);
    let held = world.watched.gate.write();
    // Each look begins what was found meanwhile.
    let mut begun = 0;
    while begun < utilities_core::AT_ONCE {
        assert!(items.next().now_or_never().is_none());
        begun += world.begun.try_iter().count();
        std::thread::yield_now();
    }
    drop(held);
    // They end, though the stream is not looked at again.
    for _ in 0..utilities_core::AT_ONCE {
        world.parsed.recv_timeout(Duration::from_secs(60)).unwrap();
    }
    assert!(world.begun.try_recv().is_err(), "no further one is begun");
    assert_eq!(block_on(items.collect::<Vec<_>>()).len(), 9);
}

#[test]
fn of_uploads_nothing_is_kept_and_what_was_parsed_before_is_used() {
    let world = world();
    world.texts(Inputs::references(world.stored(1)).unwrap());
    assert_eq!(world.parsed.try_iter().count(), 1);
    let staged = |text: &'static str| block_on(world.files.store_blob("a.txt".into(), text.into())).unwrap();
    for (text, parsed) in [("text 0", 0), ("other", 1), ("other", 1)] {
        let inputs = Inputs::Uploads(Arc::from(vec![staged(text)]));
        assert_eq!(world.texts(inputs), [text]);
        assert_eq!(world.parsed.try_iter().count(), parsed, "{text}");
    }
}

#[test]
fn a_document_whose_answer_cannot_be_made_fails_alone() {
    let world = world();
    let ids = world.stored(2);
    let read = world.utilities.each(&world.scope, Inputs::references(ids).unwrap(), |input| {
        let failed = input.read.as_ref().err().map(|error| error.code);
        assert!(failed.is_some() || input.url != "1", "a defect");
        failed
    });
    assert_eq!(block_on(read.collect::<Vec<_>>()), [Some("internal"), None]);
}

#[test]
fn a_picture_that_is_asked_for_many_times_at_once_is_drawn_once() {
    let world = world();
    let inputs = Inputs::references(world.stored(2)).unwrap();
    let options = ThumbnailOptions::default();
    let asked = (0..9).map(|_| world.utilities.make_thumbnails(&world.scope, &inputs, options));
    let made = block_on(join_all(asked));
    assert_eq!(world.watched.drawn.load(Ordering::SeqCst), 2);
    let token = |made: &utilities_core::ThumbnailResult| made.token.as_ref().unwrap().clone();
    assert!(made.iter().all(|again| token(&again[0]) == token(&made[0][0])));
    let other = ThumbnailOptions { page: 2, ..options };
    block_on(world.utilities.make_thumbnails(&world.scope, &inputs, other));
    assert_eq!(world.watched.drawn.load(Ordering::SeqCst), 4);
}

#[test]
fn the_picture_of_an_upload_has_an_end_and_is_not_swept_before_it() {
    let world = world();
    let staged = block_on(world.files.store_blob("a.txt".into(), "hull".into())).unwrap();
    let inputs = Inputs::Uploads(Arc::from(vec![staged]));
    let made = block_on(world.utilities.make_thumbnails(&world.scope, &inputs, ThumbnailOptions::default()));
    let token = made[0].token.as_ref().unwrap();
    let thumbnails = world.utilities.thumbnails();
    let shown = block_on(thumbnails.by_token(token)).unwrap().unwrap();
    let until = shown.until.unwrap();
    assert!(until.seconds_since(shared_core::Timestamp::from_micros(0).unwrap()) as i64 >= KEPT_SECONDS);
    block_on(thumbnails.sweep()).unwrap();
    assert!(block_on(thumbnails.by_token(token)).unwrap().is_some(), "it has not ended yet");
}
