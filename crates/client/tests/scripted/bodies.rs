//! Bodies of answers: kept when they are whole, left out when they are not, refused when too large.

use client::{Body, VirtualClock};
use policy::{FailureKind, Options, Reason};

use crate::support::{
    ends::{answer, failure, gave_up, over_budget},
    failed, get, options, post, reasons, response,
    scripts::play,
    seconds,
};

/// More than is looked at of an answer that is let go.
const OVER_64_KIB: usize = 64 * 1024 + 1;

#[test]
fn an_answer_that_was_let_go_keeps_a_whole_body_only() {
    for (length, kept) in [(10, 10), (OVER_64_KIB, 0)] {
        let clock = VirtualClock::starting_now();
        let mut asked = get("http://api.test/x", &options());
        asked.deadline = Some(clock.now().after(seconds(1)));
        let answers =
            vec![Ok(response(503, &[], &"x".repeat(length))), Err(failed(FailureKind::Reset, false))];
        let over = over_budget(play(asked, &clock, answers).0);
        assert_eq!(over.response.unwrap().body.len(), kept);
    }
}

#[test]
fn an_answer_that_is_handed_back_is_whole_however_long() {
    let body = "x".repeat(OVER_64_KIB);
    let once = Options { max_attempts: 1, ..options() };
    let (ended, _) = play(
        get("http://api.test/x", &once),
        &VirtualClock::starting_now(),
        vec![Ok(response(503, &[], &body))],
    );
    assert_eq!(gave_up(ended).body, body);

    let clock = VirtualClock::starting_now();
    let mut late = get("http://api.test/x", &options());
    late.deadline = Some(clock.now().after(seconds(1)));
    let (ended, _) = play(late, &clock, vec![Ok(response(429, &[("retry-after", "9")], &body))]);
    assert_eq!(over_budget(ended).response.unwrap().body, body);
}

#[test]
fn max_body_holds_to_the_byte() {
    for (max, fits) in [(5, true), (4, false), (0, false)] {
        let mut asked = get("http://api.test/x", &options());
        asked.max_body = max;
        let answers = vec![Ok(response(200, &[], "12345"))];
        let (ended, requests) = play(asked, &VirtualClock::starting_now(), answers);
        assert_eq!(requests.len(), 1);
        if fits {
            assert_eq!(answer(ended).body, "12345");
        } else {
            assert_eq!(reasons(&ended.attempts), [Reason::NotRetryable]);
            let failed = failure(ended);
            assert_eq!((failed.kind, failed.permanent), (FailureKind::TooLarge, true));
        }
    }
    let mut empty = get("http://api.test/x", &options());
    empty.max_body = 0;
    let answers = vec![Ok(response(204, &[], ""))];
    assert_eq!(answer(play(empty, &VirtualClock::starting_now(), answers).0).status, 204);
}

#[test]
fn max_body_does_not_hold_for_what_is_let_go() {
    let mut asked = get("http://api.test/x", &options());
    asked.max_body = 4;
    let answers = vec![Ok(response(503, &[], "12345")), Ok(response(200, &[], "1234"))];
    assert_eq!(answer(play(asked, &VirtualClock::starting_now(), answers).0).body, "1234");
}

#[test]
fn the_body_is_the_same_on_every_attempt() {
    let answers = vec![Ok(response(500, &[], "")), Ok(response(500, &[], "")), Ok(response(200, &[], ""))];
    let (_, requests) =
        play(post("http://api.test/x", "sent", &options()), &VirtualClock::starting_now(), answers);
    let bodies: Vec<_> = requests.iter().map(|request| request.body.in_memory().unwrap()).collect();
    assert_eq!(bodies, ["sent"; 3]);
    assert_eq!(Body::default().in_memory(), None);
}
