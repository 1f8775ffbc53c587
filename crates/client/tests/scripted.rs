//! The retry loop on a virtual clock: order, waits, hooks and ends, without a network.

mod support;

use std::time::Duration;

use client::{End, VirtualClock};
use http::Method;
use policy::Reason;
use support::{call, options, play, reasons, response, waits};

const fn ms(millis: u64) -> Duration {
    Duration::from_millis(millis)
}

#[test]
fn five_429s_wait_four_times_and_give_the_last_one_back() {
    let clock = VirtualClock::starting_now();
    let start = clock.now();
    let answers = (0..5).map(|n| Ok(response(429, &[], &format!("no {n}")))).collect();
    let (ended, requests) = play(call(Method::POST, "http://api.test/x", &options()), &clock, answers);
    let End::GaveUp(last) = ended.end else { panic!("{:?}", ended.end) };
    assert_eq!(last.body, "no 4");
    assert_eq!(waits(&ended.attempts), [ms(500), ms(1000), ms(2000), ms(4000), ms(0)]);
    assert_eq!(ended.waited, ms(7500));
    assert_eq!(clock.now().since(start), ms(7500));
    assert_eq!(reasons(&ended.attempts)[..2], [Reason::Backoff; 2]);
    assert_eq!(reasons(&ended.attempts)[4], Reason::AttemptsExhausted);
    let key = |n: usize| requests[n].headers["idempotency-key"].clone();
    assert_eq!(requests.len(), 5);
    assert_eq!(key(0), key(4));
}

#[test]
fn a_401_costs_one_request() {
    let clock = VirtualClock::starting_now();
    let (ended, _) = play(
        call(Method::GET, "http://api.test/x", &options()),
        &clock,
        vec![Ok(response(401, &[], "who?"))],
    );
    let End::Answer(answer) = ended.end else { panic!("{:?}", ended.end) };
    assert_eq!((answer.status, &answer.body[..]), (401, &b"who?"[..]));
    assert_eq!(reasons(&ended.attempts), [Reason::Answered]);
    assert_eq!(ended.elapsed, Duration::ZERO);
}
