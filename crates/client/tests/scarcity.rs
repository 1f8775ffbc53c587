//! A process that the system gives nothing more: calls fail and say why, and go on when there is more again.
//! Each case is a forked child, since it limits itself.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::indexing_slicing, reason = "test code")]

mod support;

use std::{fs, path::Path};

use client::{Sink, Step, runtime};
use policy::{FailureKind, Options};
use support::{
    ends::{answer, failure},
    forked::in_child,
    get, options, quick, send,
};
use test_server::{TestServer, json};

fn limit(resource: libc::__rlimit_resource_t, most: u64) {
    let mut limit = libc::rlimit { rlim_cur: 0, rlim_max: 0 };
    // SAFETY: the struct is valid; only this child is limited.
    unsafe {
        assert_eq!(libc::getrlimit(resource, &raw mut limit), 0);
        limit.rlim_cur = most;
        assert_eq!(libc::setrlimit(resource, &raw const limit), 0);
    }
}

fn once() -> Options {
    Options { max_attempts: 1, ..options() }
}

#[test]
fn without_a_descriptor_there_is_no_connection() {
    let server = TestServer::start();
    server.script("a", json!([{"body": "x"}]));
    let url = format!("{}/a", server.http());
    in_child(|| {
        // Not even an event loop.
        limit(libc::RLIMIT_NOFILE, 3);
        let failed = failure(send(get(&url, &once())));
        assert_eq!((failed.kind, failed.unsent), (FailureKind::Connect, true), "{failed:?}");
        assert!(!failed.message.contains("another process"), "{}", failed.message);
        limit(libc::RLIMIT_NOFILE, 1000);
        assert_eq!(answer(send(get(&url, &once()))).body, "x");
        // An event loop, but no socket.
        runtime::shut_down();
        let id = runtime::begin({
            let mut call = get(&url, &once());
            call.hooks.attempt = true;
            call
        });
        assert!(matches!(runtime::drive(id), Step::Attempt { .. }));
        limit(libc::RLIMIT_NOFILE, 3);
        runtime::answer_attempt(id, Vec::new());
        let Step::Done(ended) = runtime::drive(id) else { panic!() };
        let failed = failure(*ended);
        assert_eq!((failed.kind, failed.unsent), (FailureKind::Connect, true), "{failed:?}");
        limit(libc::RLIMIT_NOFILE, 1000);
        assert_eq!(answer(send(get(&url, &quick(0.01)))).body, "x");
    });
    assert_eq!(server.log("a").len(), 2);
}

#[test]
fn without_a_thread_no_name_is_looked_up() {
    let server = TestServer::start();
    let local = server.http().replacen("127.0.0.1", "localhost", 1);
    // SAFETY: no memory is involved.
    if unsafe { libc::geteuid() } != 0 {
        return;
    }
    in_child(|| {
        limit(libc::RLIMIT_NPROC, 0);
        // SAFETY: no memory is involved. The limit does not hold for root.
        assert_eq!(unsafe { libc::setuid(65_534) }, 0);
        let failed = failure(send(get(&format!("{local}/json"), &once())));
        assert_eq!((failed.kind, failed.unsent), (FailureKind::Dns, true), "{failed:?}");
        // An address needs none.
        assert_eq!(answer(send(get(&format!("{}/json", server.http()), &once()))).status, 200);
    });
}

#[test]
fn a_file_that_does_not_fit_is_a_sink_that_fails() {
    let server = TestServer::start();
    server.script("a", json!([{"body_repeat": ["x", 100_000]}]));
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("wanted");
    fs::write(&path, "old").unwrap();
    in_child(|| {
        // SAFETY: without the signal, a write beyond the limit is an error.
        unsafe { libc::signal(libc::SIGXFSZ, libc::SIG_IGN) };
        limit(libc::RLIMIT_FSIZE, 1000);
        let mut asked = get(&format!("{}/a", server.http()), &options());
        asked.sink = Sink::File(path.clone());
        let failed = failure(send(asked));
        assert_eq!((failed.kind, failed.permanent), (FailureKind::Sink, true), "{failed:?}");
    });
    assert_eq!(server.log("a").len(), 1);
    is_untouched(folder.path());
}

fn is_untouched(folder: &Path) {
    let names: Vec<_> = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().file_name()).collect();
    assert_eq!(names, ["wanted"]);
    assert_eq!(fs::read(folder.join("wanted")).unwrap(), b"old");
}
