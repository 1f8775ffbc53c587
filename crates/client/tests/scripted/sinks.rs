//! Where the final body goes: only the final one, and only if it is wanted there.

use std::fs;

use bytes::Bytes;
use client::{Sink, Step, VirtualClock, runtime};
use policy::{FailureKind, Reason};

use crate::support::{
    all_hooks,
    ends::{answer, failure},
    get, options, reasons, response,
    scripts::{Played, play_with},
};

const STREAM: Sink = Sink::Stream { rewindable: true };

fn written(played: &Played) -> Vec<Bytes> {
    let chunk = |step: &Step| match step {
        Step::SinkWrite(chunk) => Some(chunk.clone()),
        _ => None,
    };
    played.steps.iter().filter_map(chunk).collect()
}

#[test]
fn only_the_final_body_is_written_and_then_it_is_not_in_memory() {
    let mut asked = get("http://api.test/x", &options());
    asked.sink = STREAM;
    asked.hooks = all_hooks();
    let answers = vec![Ok(response(503, &[], "busy")), Ok(response(200, &[], "wanted"))];
    let played = play_with(asked, &VirtualClock::starting_now(), answers, |_, _| false);
    assert_eq!(
        played.names(),
        ["attempt", "exchange", "outcome", "retry", "attempt", "exchange", "write", "outcome"]
    );
    assert_eq!(written(&played), ["wanted"]);
    let answer = answer(played.ended);
    assert_eq!((answer.status, answer.body.len()), (200, 0));
}

#[test]
fn max_body_is_for_memory_only() {
    let mut asked = get("http://api.test/x", &options());
    (asked.sink, asked.max_body) = (STREAM, 1);
    let answers = vec![Ok(response(200, &[], "longer"))];
    let played = play_with(asked, &VirtualClock::starting_now(), answers, |_, _| false);
    assert_eq!(written(&played), ["longer"]);
    assert_eq!(answer(played.ended).status, 200);
}

#[test]
fn an_error_page_goes_to_the_sink_only_if_wanted() {
    for wanted in [true, false] {
        let mut asked = get("http://api.test/x", &options());
        (asked.sink, asked.sink_errors) = (STREAM, wanted);
        let answers = vec![Ok(response(404, &[], "no such"))];
        let played = play_with(asked, &VirtualClock::starting_now(), answers, |_, _| false);
        assert_eq!(written(&played).len(), usize::from(wanted));
        assert_eq!(answer(played.ended).body, if wanted { "" } else { "no such" });
    }
}

#[test]
fn an_empty_body_writes_nothing() {
    let mut asked = get("http://api.test/x", &options());
    asked.sink = STREAM;
    let played =
        play_with(asked, &VirtualClock::starting_now(), vec![Ok(response(204, &[], ""))], |_, _| false);
    assert_eq!(played.names(), ["exchange"]);
    assert_eq!(answer(played.ended).status, 204);
}

#[test]
fn a_sink_that_fails_ends_the_call() {
    for rewindable in [true, false] {
        let mut asked = get("http://api.test/x", &options());
        asked.sink = Sink::Stream { rewindable };
        let answers = vec![Ok(response(200, &[], "wanted"))];
        let played = play_with(asked, &VirtualClock::starting_now(), answers, |id, step| {
            let fails = matches!(step, Step::SinkWrite(_));
            if fails {
                runtime::answer_sink(id, Err("disk full".into()));
            }
            fails
        });
        assert_eq!(played.requests.len(), 1);
        assert_eq!(reasons(&played.ended.attempts), [Reason::NotRetryable]);
        let failed = failure(played.ended);
        assert_eq!((failed.kind, failed.permanent), (FailureKind::Sink, true));
        assert!(failed.message.contains("disk full"), "{}", failed.message);
    }
}

#[test]
fn a_file_is_there_when_the_call_is_over_and_not_before() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("wanted");
    let mut asked = get("http://api.test/x", &options());
    asked.sink = Sink::File(path.clone());
    asked.hooks.outcome = true;
    let answers = vec![Ok(response(503, &[], "busy")), Ok(response(200, &[], "wanted"))];
    let played = play_with(asked, &VirtualClock::starting_now(), answers, |_, step| {
        if let Step::Outcome { attempts, .. } = step {
            assert_eq!(path.exists(), attempts.len() == 2);
        }
        false
    });
    assert_eq!(fs::read(&path).unwrap(), b"wanted");
    assert_eq!(answer(played.ended).body, "");
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
}

#[test]
fn a_file_that_cannot_be_opened_ends_the_call() {
    let folder = tempfile::tempdir().unwrap();
    let mut asked = get("http://api.test/x", &options());
    asked.sink = Sink::File(folder.path().join("none/wanted"));
    let answers = vec![Ok(response(200, &[], "wanted"))];
    let played = play_with(asked, &VirtualClock::starting_now(), answers, |_, _| false);
    assert_eq!(reasons(&played.ended.attempts), [Reason::NotRetryable]);
    assert_eq!(failure(played.ended).kind, FailureKind::Sink);
}
