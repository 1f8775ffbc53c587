//! A stream as sink: chunk by chunk, taken back if it breaks and can be, else never sent for again.

use client::{Call, Ended, Sink, Step, runtime};
use policy::{FailureKind, Options, Reason};
use test_server::{TestServer, json};

use crate::support::{
    drive_to_end,
    ends::{answer, failure},
    get, ms, options, quick, reasons,
};

/// What a stream would hold after the call, and how often it was cut back.
#[derive(Debug, Default)]
struct Stream {
    held: Vec<u8>,
    writes: usize,
    rewinds: usize,
}

fn call(server: &TestServer, rewindable: bool, options: &Options) -> Call {
    let mut call = get(&format!("{}/a", server.http()), options);
    call.sink = Sink::Stream { rewindable };
    call
}

fn run(call: Call, rewinding: Result<(), String>) -> (Ended, Stream) {
    let mut stream = Stream::default();
    let id = runtime::begin(call);
    let ended = drive_to_end(id, |step| match step {
        Step::SinkWrite(chunk) => {
            assert!(!chunk.is_empty());
            stream.held.extend_from_slice(&chunk);
            stream.writes += 1;
            runtime::answer_sink(id, Ok(()));
        }
        Step::SinkRewind => {
            stream.held.clear();
            stream.rewinds += 1;
            runtime::answer_sink(id, rewinding.clone());
        }
        other => panic!("{other:?}"),
    });
    (ended, stream)
}

#[test]
fn a_large_body_comes_in_many_chunks() {
    let server = TestServer::start();
    server.script("a", json!([{"body_repeat": ["0123456789", 500_000]}]));
    let mut asked = call(&server, false, &options());
    asked.max_body = 1000;
    let (ended, stream) = run(asked, Ok(()));
    assert_eq!(answer(ended).body.len(), 0);
    assert_eq!((stream.held.len(), stream.rewinds), (5_000_000, 0));
    assert!(stream.writes > 10);
    assert!(stream.held.chunks(10).all(|ten| ten == b"0123456789"));
}

#[test]
fn a_broken_body_is_taken_back_and_sent_for_again() {
    let server = TestServer::start();
    server.script("a", json!([{"action": "half", "body": "0123456789"}, {"body": "whole"}]));
    let (ended, stream) = run(call(&server, true, &quick(0.01)), Ok(()));
    assert_eq!(reasons(&ended.attempts), [Reason::Network, Reason::Answered]);
    assert_eq!(answer(ended).status, 200);
    assert_eq!((stream.held.as_slice(), stream.rewinds), (&b"whole"[..], 1));
}

#[test]
fn what_cannot_be_taken_back_is_not_sent_for_again() {
    let server = TestServer::start();
    for (rewindable, rewinding, rewinds) in [(false, Ok(()), 0), (true, Err("closed".to_owned()), 1)] {
        server.script("a", json!([{"action": "half", "body": "0123456789"}, {"body": "whole"}]));
        let (ended, stream) = run(call(&server, rewindable, &quick(0.01)), rewinding);
        assert_eq!(reasons(&ended.attempts), [Reason::NotRetryable]);
        assert_eq!(failure(ended).kind, FailureKind::Reset);
        assert_eq!((server.log("a").len(), stream.rewinds), (1, rewinds));
    }
}

#[test]
fn before_its_first_byte_a_body_can_always_be_sent_for_again() {
    let server = TestServer::start();
    for first in [
        json!({"action": "reset"}),
        json!({"action": "half", "body": "0123456789", "send_bytes": 0}),
        json!({"status": 503, "body": "busy"}),
    ] {
        server.script("a", json!([first, {"body": "whole"}]));
        let (ended, stream) = run(call(&server, false, &quick(0.01)), Ok(()));
        assert_eq!(ended.attempts.len(), 2, "{first}");
        assert_eq!(answer(ended).status, 200);
        assert_eq!((stream.held.as_slice(), stream.rewinds), (&b"whole"[..], 0), "{first}");
    }
}

#[test]
fn the_last_attempts_half_is_taken_back_too() {
    let server = TestServer::start();
    server.script("a", json!([{"action": "half", "body": "0123456789"}]));
    let two = Options { max_attempts: 2, ..quick(0.01) };
    let (ended, stream) = run(call(&server, true, &two), Ok(()));
    assert_eq!(reasons(&ended.attempts), [Reason::Network, Reason::AttemptsExhausted]);
    assert_eq!((stream.held.len(), stream.rewinds), (0, 2));
}

#[test]
fn a_slow_sink_is_no_silent_server() {
    let server = TestServer::start();
    server.script("a", json!([{"action": "drip", "body": "0123", "drip": {"every_ms": 20}}]));
    let idle = Options { idle_timeout: Some(0.1), ..options() };
    let mut asked = call(&server, false, &idle);
    asked.settings = std::sync::Arc::new(idle.validate().unwrap());
    let id = runtime::begin(asked);
    let mut held = Vec::new();
    let ended = drive_to_end(id, |step| {
        let Step::SinkWrite(chunk) = step else { panic!("{step:?}") };
        held.extend_from_slice(&chunk);
        // As long as a hook may take: more than the idle timeout.
        std::thread::sleep(ms(150));
        runtime::answer_sink(id, Ok(()));
    });
    assert_eq!(answer(ended).status, 200);
    assert_eq!(held, b"0123");
}

#[test]
fn decoded_bytes_are_written() {
    let server = TestServer::start();
    server.script("a", json!([{"body_repeat": ["ab", 50_000], "encoding": "gzip"}]));
    let (ended, stream) = run(call(&server, false, &options()), Ok(()));
    assert_eq!(answer(ended).status, 200);
    assert_eq!(stream.held.len(), 100_000);
}

#[test]
fn a_call_that_is_parked_in_its_sink_does_not_stop_another() {
    let server = TestServer::start();
    server.script("a", json!([{"body_repeat": ["x", 20_000_000]}]));
    for base in [server.http().to_owned(), server.h2().to_owned()] {
        let trust = crate::support::servers::trusting(&server);
        let mut outer = get(&format!("{base}/a"), &options());
        outer.sink = Sink::Stream { rewindable: false };
        let id = runtime::begin(crate::support::servers::over(outer, trust.clone()));
        let mut inner = 0;
        let mut length = 0;
        let ended = drive_to_end(id, |step| {
            let Step::SinkWrite(chunk) = step else { panic!("{step:?}") };
            length += chunk.len();
            if inner < 20 {
                let brief = Options { timeout: 5.0, max_attempts: 1, ..options() };
                let asked = get(&format!("{base}/bytes/200000"), &brief);
                let ended = crate::support::send(crate::support::servers::over(asked, trust.clone()));
                assert_eq!(answer(ended).body.len(), 200_000, "{base}");
                inner += 1;
            }
            runtime::answer_sink(id, Ok(()));
        });
        assert_eq!(answer(ended).status, 200);
        assert_eq!((inner, length), (20, 20_000_000));
    }
}
