//! Drivers of several calls.

use std::{rc::Rc, time::Duration};

use client::{Call, Ended, Lane, Step, runtime};
use policy::Timestamp;
use runtime::{CallId, Next, Whose};

use crate::support::{go_on, ms, seconds};

pub fn soon(after: Duration) -> Option<Timestamp> {
    Some(runtime::now().after(after))
}

/// A test need not know which call it was.
pub fn begin(call: Call) -> CallId {
    runtime::begin(call)
}

/// What is next of any call; steps of hooks are answered.
#[track_caller]
pub fn next_end() -> (CallId, Ended) {
    next_end_of(&Whose::All)
}

#[track_caller]
pub fn next_end_of(whose: &Whose<'_>) -> (CallId, Ended) {
    let late = soon(seconds(20));
    loop {
        match runtime::next(whose, late) {
            Next::Step(id, Step::Done(ended)) => return (id, *ended),
            Next::Step(id, step) => go_on(id, &step),
            other => panic!("no end but {other:?}"),
        }
    }
}

/// The ends of so many calls, in order.
#[track_caller]
pub fn ends(count: usize) -> Vec<(CallId, Ended)> {
    (0..count).map(|_| next_end()).collect()
}

/// Turns until it holds; none of these calls may have news before.
#[track_caller]
pub fn turn_until(what: &str, whose: &Whose<'_>, mut holds: impl FnMut() -> bool) {
    let late = runtime::now().after(seconds(10));
    while !holds() {
        assert!(runtime::now() < late, "{what} did not come");
        let next = runtime::next(whose, soon(ms(2)));
        assert!(matches!(next, Next::Late), "{what}: {next:?}");
    }
}

/// The same, with news that need no answer.
#[track_caller]
pub fn follow_until(what: &str, mut holds: impl FnMut() -> bool) {
    let late = runtime::now().after(seconds(10));
    while !holds() {
        assert!(runtime::now() < late, "{what} did not come");
        let next = runtime::next(&Whose::All, soon(ms(2)));
        assert!(matches!(next, Next::Late | Next::Step(_, Step::Moved)), "{what}: {next:?}");
    }
}

pub fn in_lane(mut call: Call, lane: &Rc<Lane>) -> Call {
    call.lane = Some(Rc::clone(lane));
    call
}

/// A call, and a lane of its own that tells how it stands.
pub fn watched(call: Call) -> (Call, Rc<Lane>) {
    let lane = Rc::new(Lane::new(1));
    (in_lane(call, &lane), lane)
}
