//! Drivers for scripted calls on a virtual clock.

use std::time::Duration;

use client::{
    Call, Ended, Failed, Request, Response, Step, VirtualClock,
    runtime::{self, CallId},
};
use policy::Options;

use super::{drive_to_end, get, go_on, options, response};

pub type Scripted = Result<Response, Failed>;

/// A call that is over: its end, what it sent, and every step it asked for.
#[derive(Debug)]
pub struct Played {
    pub ended: Ended,
    pub requests: Vec<Request>,
    pub steps: Vec<Step>,
}

impl Played {
    pub fn names(&self) -> Vec<&'static str> {
        self.steps.iter().map(name).collect()
    }
}

pub fn name(step: &Step) -> &'static str {
    match step {
        Step::Attempt { .. } => "attempt",
        Step::Outcome { .. } => "outcome",
        Step::Retry { .. } => "retry",
        Step::SinkWrite(_) => "write",
        Step::SinkRewind => "rewind",
        Step::Room { .. } => "room",
        Step::Exchange(_) => "exchange",
        Step::Interrupted => "interrupted",
        Step::Moved => "moved",
        Step::Done(_) => "done",
    }
}

/// Runs a call over scripted answers; gives back its end and the requests it sent.
pub fn play(call: Call, clock: &VirtualClock, answers: Vec<Scripted>) -> (Ended, Vec<Request>) {
    let played = play_with(call, clock, answers, |_, _| false);
    (played.ended, played.requests)
}

/// As [`play`]; `react` sees each step and says whether it has answered it.
pub fn play_with(
    call: Call,
    clock: &VirtualClock,
    answers: Vec<Scripted>,
    mut react: impl FnMut(CallId, &Step) -> bool,
) -> Played {
    let mut answers = answers.into_iter();
    let (mut requests, mut steps) = (Vec::new(), Vec::new());
    let id = runtime::begin_scripted(call, clock);
    let ended = drive_to_end(id, |step| {
        if !react(id, &step) {
            match &step {
                Step::Exchange(_) => {
                    let next = answers.next().expect("one answer more than scripted");
                    runtime::answer_exchange(id, next);
                }
                other => go_on(id, other),
            }
        }
        if let Step::Exchange(request) = &step {
            requests.push(request.clone());
        }
        steps.push(step);
    });
    assert_eq!(answers.count(), 0, "answers left over");
    Played { ended, requests, steps }
}

/// Moves the clock as time inside a hook would: another call waits on it.
pub fn advance(clock: &VirtualClock, by: Duration) {
    let waiting = Options { base_delay: by.as_secs_f64(), max_delay: 1e9, ..options() };
    let call = get("http://elsewhere.test/", &waiting);
    play(call, clock, vec![Ok(response(500, &[], "")), Ok(response(200, &[], ""))]);
}
