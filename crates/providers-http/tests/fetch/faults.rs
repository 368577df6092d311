//! Sites that never end, never begin, or speak something else.

use std::time::Duration;

use testkit::upstream::{Reply, Upstream};

use crate::kit::{Kit, always};

/// A patience that a test can wait for.
fn hasty() -> Kit {
    Kit::with(|settings| {
        settings.idle = Duration::from_millis(200);
        settings.connect = Duration::from_millis(200);
        settings.total = Duration::from_millis(600);
    })
}

fn head(more: &str) -> Reply {
    Reply::raw().write(format!("HTTP/1.1 200 OK\r\n{more}"))
}

#[tokio::test]
async fn answers_without_an_end_are_read_no_further_than_their_limit() {
    let kit = Kit::with(|settings| settings.page_bytes = 1 << 20);
    let chunk = Reply::raw().chunk(vec![b'x'; 10_000]);
    let chunks = Upstream::start(move |_| {
        let mut frame = format!("{:x}\r\n", 10_000).into_bytes();
        frame.extend(vec![b'x'; 10_000]);
        frame.extend(b"\r\n");
        Reply::chunked(200, &[]).followed_by(chunk.clone()).endless(frame)
    });
    let bytes = Upstream::start(|_| head("\r\n").endless(vec![b'x'; 10_000]));
    for site in [chunks.unwrap(), bytes.unwrap()] {
        assert_eq!(kit.fails(&site.url()).await, "fetch_too_large");
        site.wait_for_closed(1).await;
        // What the connection's buffers held, beside what was read.
        assert!(site.written() < 32 << 20, "{}", site.written());
    }
    assert_eq!(kit.files(), 0);
}

#[tokio::test]
async fn sites_that_say_nothing_or_drip_run_out_of_time() {
    let kit = hasty();
    let drip =
        |reply: Reply| (0..100).fold(reply, |reply, _| reply.wait(Duration::from_millis(50)).write("0"));
    for (what, reply) in [
        ("nothing", Reply::raw().hold()),
        ("half a head", head("Content-Type: text/html\r\n").hold()),
        ("no body", head("Content-Length: 5\r\n\r\n").hold()),
        ("half a body", head("Content-Length: 5\r\n\r\nab").hold()),
        ("a head that drips", drip(head("X: "))),
        ("a body that drips", drip(head("Content-Length: 1000\r\n\r\n"))),
        ("chunk sizes that drip", drip(Reply::chunked(200, &[]))),
    ] {
        assert_eq!(kit.fails(&always(reply).url()).await, "fetch_timeout", "{what}");
    }
}

#[tokio::test]
async fn a_flood_of_interim_answers_ends() {
    let kit = hasty();
    for interim in ["HTTP/1.1 100 Continue\r\n\r\n", "HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n"] {
        let site = Upstream::start(move |_| Reply::raw().endless(interim)).unwrap();
        let code = kit.fails(&site.url()).await;
        assert!(["fetch_timeout", "fetch_unusable"].contains(&code), "{code}");
    }
}

#[tokio::test]
async fn what_is_not_http_is_refused() {
    let kit = hasty();
    for (what, reply) in [
        ("HTTP/0.9", Reply::raw().write("<html>old</html>\r\n").close()),
        ("nonsense", Reply::raw().write("\0\u{1}\u{2}\r\n\r\n").close()),
        ("another protocol", Reply::raw().write("SSH-2.0-OpenSSH_9.9\r\n\r\n").close()),
        ("a bad length", head("Content-Length: -5\r\n\r\nabcde").close()),
        ("two lengths", head("Content-Length: 5\r\nContent-Length: 6\r\n\r\nabcdef").close()),
        ("endless headers", head("").endless("X-Fill: aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa\r\n")),
        ("a header without an end", head("X: ").endless("aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa")),
        ("a status without an end", Reply::raw().write("HTTP/1.1 200 ").endless("aaaaaaaaaaaaaaaaaaaaaaaaa")),
    ] {
        let site = always(reply);
        assert_eq!(kit.fails(&site.url()).await, "fetch_unusable", "{what}");
        assert!(site.written() < 16 << 20, "{what}: {}", site.written());
    }
}

#[tokio::test]
async fn answers_that_break_off_are_told_and_may_pass() {
    let kit = hasty();
    for (what, reply) in [
        ("before the answer", Reply::raw().close()),
        ("in the head", head("Content-Type: te").close()),
        ("before the end of the body", head("Content-Length: 50\r\n\r\nabc").close()),
        ("between chunks", Reply::chunked(200, &[]).chunk("abc").close()),
        ("within a chunk", Reply::chunked(200, &[]).write("50\r\nabc").close()),
    ] {
        let error = kit.get(&always(reply).url()).await.unwrap_err();
        assert!(!error.is_permanent() && error.to_string().contains("broke off"), "{what}: {error:?}");
    }
    let closing = Upstream::start_closing().unwrap();
    assert_eq!(kit.fails(&closing.url()).await, "fetch_failed");
}

#[tokio::test]
async fn a_body_is_as_long_as_it_says() {
    let kit = Kit::new();
    let longer = always(head("Content-Length: 3\r\n\r\nabcdef").close());
    assert_eq!(kit.text(&longer.url()).await, "abc");
    let open = always(head("\r\nto the end").close());
    assert_eq!(kit.text(&open.url()).await, "to the end");
    let none = always(Reply::raw().write("HTTP/1.1 204 No Content\r\n\r\n"));
    assert_eq!(kit.text(&none.url()).await, "");
}

#[tokio::test]
async fn what_speaks_no_tls_is_told() {
    let kit = hasty();
    for answer in [&b"HTTP/1.1 400 Bad Request\r\n\r\n"[..], &[0x16, 3, 3, 0xff, 0xff, 1, 2, 3], &[0; 4_000]]
    {
        let listener = tokio::net::TcpListener::bind(("127.0.0.1", 0)).await.unwrap();
        let url = format!("https://{}/", listener.local_addr().unwrap());
        let garbage = async {
            let (mut stream, _) = listener.accept().await.unwrap();
            tokio::io::AsyncWriteExt::write_all(&mut stream, answer).await.unwrap();
            std::future::pending::<()>().await;
        };
        let got = tokio::select! {
            got = kit.get(&url) => got,
            () = garbage => unreachable!(),
        };
        let error = got.unwrap_err();
        assert!(error.to_string().contains("secure connection"), "{error:?}");
    }
}

#[tokio::test]
async fn statuses_that_are_no_success_are_told() {
    let kit = Kit::new();
    for status in [206, 300, 304, 400, 401, 403, 404, 410, 429, 451, 500, 501, 503] {
        let site = always(Reply::raw().write(format!("HTTP/1.1 {status} X\r\nContent-Length: 0\r\n\r\n")));
        let error = kit.get(&site.url()).await.unwrap_err();
        assert_eq!(error.to_string(), format!("the site answered with status {status}"));
        assert_eq!(error.is_permanent(), ![429, 500, 503].contains(&status), "{status}");
    }
}

#[tokio::test]
async fn what_cannot_be_kept_here_is_no_fault_of_the_sites_and_lets_go_of_what_was_kept() {
    let kit = Kit::with(|settings| settings.keep = Duration::from_secs(60));
    let site = Upstream::start(|_| Reply::whole(200, "text/plain", "x".repeat(300_000))).unwrap();
    let url = |path: &str| format!("{}{path}", site.url());
    kit.get(&url("/kept")).await.unwrap();
    assert_eq!(kit.files(), 1);
    // A file stands in the place of the folder.
    let (folder, aside) = (kit.folder.path(), kit.folder.path().with_extension("aside"));
    std::fs::rename(folder, &aside).unwrap();
    std::fs::write(folder, "").unwrap();
    assert_eq!(kit.fails(&url("/unkept")).await, "content_failed");
    std::fs::remove_file(folder).unwrap();
    std::fs::rename(&aside, folder).unwrap();
    let before = site.count();
    kit.get(&url("/kept")).await.unwrap();
    assert_eq!(site.count(), before + 1, "it is fetched anew");
}
