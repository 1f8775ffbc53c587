//! A call parked at a step while others are begun and driven: what a hook that sends does.

use client::{Sink, Step, VirtualClock, runtime};

use crate::support::{
    all_hooks, drive_to_end,
    ends::answer,
    get, go_on, ms, options, post, response,
    scripts::{play, play_with},
};

#[test]
fn every_step_can_begin_another_call() {
    let clock = VirtualClock::starting_now();
    let mut asked = get("http://api.test/x", &options());
    (asked.hooks, asked.sink) = (all_hooks(), Sink::Stream { rewindable: true });
    let answers = vec![Ok(response(503, &[], "")), Ok(response(200, &[], "outer"))];
    let mut inner = 0;
    let played = play_with(asked, &clock, answers, |_, _| {
        let (ended, _) =
            play(get("http://api.test/y", &options()), &clock, vec![Ok(response(200, &[], "inner"))]);
        assert_eq!(answer(ended).body, "inner");
        inner += 1;
        false
    });
    let steps = ["attempt", "exchange", "outcome", "retry", "attempt", "exchange", "write", "outcome"];
    assert_eq!(played.names(), steps);
    assert_eq!(inner, steps.len());
    assert_eq!(played.ended.elapsed, ms(500));
}

#[test]
fn a_call_in_a_call_in_a_call() {
    fn nested(clock: &VirtualClock, depth: usize) -> usize {
        let mut asked = get("http://api.test/x", &options());
        asked.hooks.attempt = true;
        let mut below = 0;
        let played = play_with(asked, clock, vec![Ok(response(200, &[], ""))], |_, step| {
            if depth > 0 && matches!(step, Step::Attempt { .. }) {
                below = nested(clock, depth - 1);
            }
            false
        });
        assert_eq!(answer(played.ended).status, 200);
        below + 1
    }
    assert_eq!(nested(&VirtualClock::starting_now(), 50), 51);
}

#[test]
fn calls_that_are_parked_together_do_not_mix() {
    let clock = VirtualClock::starting_now();
    let ids: Vec<_> = (0..100)
        .map(|n| {
            runtime::begin_scripted(post(&format!("http://api.test/{n}"), format!("{n}"), &options()), &clock)
        })
        .collect();
    for (n, id) in ids.iter().enumerate() {
        let Step::Exchange(request) = runtime::drive(*id) else { panic!() };
        assert_eq!(request.uri.path(), format!("/{n}"));
    }
    // Answered in another order than begun.
    for (n, id) in ids.iter().enumerate().rev() {
        runtime::answer_exchange(*id, Ok(response(200, &[], &format!("to {n}"))));
        let ended = drive_to_end(*id, |step| go_on(*id, &step));
        assert_eq!(answer(ended).body, format!("to {n}"));
    }
}
