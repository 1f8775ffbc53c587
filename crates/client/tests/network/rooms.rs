//! Memory of the caller's for long bodies: asked for when it pays, filled in order, and never needed.

use bytes::Bytes;
use client::{Ended, Room, Sink, Step, runtime};
use policy::{FailureKind, Options, Reason};
use serde_json::Value;
use test_server::{TestServer, json};

use crate::support::{
    drive_to_end,
    ends::{answer, failure, gave_up},
    get, options, quick, reasons,
};

/// Takes so many bytes.
#[derive(Debug)]
struct Shelf(usize, Vec<u8>);

impl Room for Shelf {
    fn len(&self) -> usize {
        self.1.len()
    }

    fn write(&mut self, stretch: &[u8]) -> bool {
        let fits = self.1.len() + stretch.len() <= self.0;
        if fits {
            self.1.extend_from_slice(stretch);
        }
        fits
    }

    fn finish(self: Box<Self>) -> Bytes {
        self.1.into()
    }
}

/// How the call ended, and the lengths it asked for.
fn run(
    script: Value,
    options: &Options,
    max_body: u64,
    lend: impl Fn(usize) -> Option<usize>,
) -> (Ended, Vec<usize>) {
    let server = TestServer::start();
    server.script("a", script);
    let mut call = get(&format!("{}/a", server.http()), options);
    (call.sink, call.max_body) = (Sink::Lent, max_body);
    let mut asked = Vec::new();
    let id = runtime::begin(call);
    let ended = drive_to_end(id, |step| {
        let Step::Room { length } = step else { panic!("{step:?}") };
        asked.push(length);
        let room = lend(length).map(|size| Box::new(Shelf(size, Vec::with_capacity(size))) as Box<dyn Room>);
        runtime::answer_room(id, room);
    });
    (ended, asked)
}

#[test]
fn a_long_body_of_known_length_is_put_together_there() {
    let script = json!([{"body_repeat": ["0123456789", 100_000]}]);
    let (ended, asked) = run(script, &options(), 1_000_000, Some);
    let body = answer(ended).body;
    assert_eq!((asked, body.chunks().count()), (vec![1_000_000], 1));
    assert_eq!(body, "0123456789".repeat(100_000));
}

#[test]
fn a_body_comes_whole_into_too_little_room_or_none() {
    for size in [None, Some(0), Some(1), Some(500_000), Some(999_999)] {
        let script = json!([{"body_repeat": ["0123456789", 100_000]}]);
        let (ended, asked) = run(script.clone(), &options(), 1_000_000, |_| size);
        assert_eq!(asked, [1_000_000]);
        assert_eq!(answer(ended).body, "0123456789".repeat(100_000), "{size:?}");
    }
}

#[test]
fn none_is_asked_for_without_need() {
    for step in [
        json!({"body_repeat": ["x", 100_000]}),
        json!({"body_repeat": ["x", 1_000_000], "chunked": true}),
        json!({"body_repeat": ["x", 1_000_000], "content_length": false}),
        json!({"body_repeat": ["x", 1_000_000], "encoding": "gzip"}),
    ] {
        let (ended, asked) = run(json!([step]), &options(), 1_000_000, Some);
        assert_eq!((asked.len(), answer(ended).status), (0, 200), "{step}");
    }
    let (ended, asked) = run(json!([{"body_repeat": ["x", 1_000_001]}]), &options(), 1_000_000, Some);
    assert_eq!((asked.len(), failure(ended).kind), (0, FailureKind::TooLarge));
}

#[test]
fn what_was_looked_at_comes_first() {
    let once = Options { max_attempts: 1, ..options() };
    let (ended, asked) =
        run(json!([{"status": 503, "body_repeat": ["0123456789", 100_000]}]), &once, 1 << 20, Some);
    assert_eq!(asked, [1_000_000]);
    assert_eq!(gave_up(ended).body, "0123456789".repeat(100_000));
}

#[test]
fn after_a_break_it_is_asked_for_again() {
    let whole = json!({"body_repeat": ["x", 300_000]});
    let half = json!({"action": "half", "body_repeat": ["y", 300_000]});
    let (ended, asked) = run(json!([half, whole]), &quick(0.01), 1 << 20, Some);
    assert_eq!(reasons(&ended.attempts), [Reason::Network, Reason::Answered]);
    assert_eq!(asked, [300_000, 300_000]);
    assert_eq!(answer(ended).body, "x".repeat(300_000));
}
