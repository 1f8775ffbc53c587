//! Bodies that swell: too large, and without the memory they ask for. A process of its own, since the peak of
//! its memory is what is measured.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::indexing_slicing, reason = "test code")]

mod support;

use std::sync::{Mutex, MutexGuard, PoisonError};

use client::Call;
use policy::{FailureKind, Reason};
use support::{ends::failure, get, options, reasons, send};
use test_server::{TestServer, json};

/// Compressed, 64 MiB are some kilobytes.
const SWOLLEN: u64 = 64 * 1024 * 1024;

/// The tests of this file take turns.
fn turn() -> MutexGuard<'static, ()> {
    static TURN: Mutex<()> = Mutex::new(());
    TURN.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The most memory that this process has held, in KiB.
fn peak_memory() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:")).unwrap();
    line.trim().trim_end_matches(" kB").parse().unwrap()
}

#[test]
fn a_bomb_is_too_large_and_takes_no_memory() {
    let _turn = turn();
    let server = TestServer::start();
    let bomb = |name: &str| -> Call {
        let mut call = get(&format!("{}/{name}", server.http()), &options());
        call.max_body = 1024 * 1024;
        call
    };
    let endless = [json!({"action": "endless"}), json!({"action": "endless", "content_length": 1_u64 << 40})];
    let coded = ["gzip", "br", "zstd", "deflate"]
        .map(|coding| json!({"body_repeat": ["x", SWOLLEN], "encoding": coding}));
    for step in coded.into_iter().chain(endless) {
        // The server, in the same process, compresses piece by piece.
        server.script("a", json!([step]));
        let before = peak_memory();
        let ended = send(bomb("a"));
        assert_eq!(reasons(&ended.attempts), [Reason::NotRetryable], "{step}");
        let failed = failure(ended);
        assert_eq!((failed.kind, failed.permanent), (FailureKind::TooLarge, true), "{step}");
        let grown = peak_memory().saturating_sub(before);
        assert!(grown < 16 * 1024, "{step}: {grown} KiB");
        assert_eq!(server.log("a").len(), 1);
    }
}

#[test]
fn a_large_sink_takes_no_memory() {
    let _turn = turn();
    let server = TestServer::start();
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("large");
    let mut asked = get(&format!("{}/gzip?size={SWOLLEN}", server.http()), &options());
    asked.sink = client::Sink::File(path.clone());
    let before = peak_memory();
    let ended = send(asked);
    assert_eq!(reasons(&ended.attempts), [Reason::Answered]);
    let grown = peak_memory().saturating_sub(before);
    assert!(grown < 16 * 1024, "{grown} KiB");
    assert_eq!(path.metadata().unwrap().len(), SWOLLEN);
}
