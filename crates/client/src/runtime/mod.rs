//! The event loop of this thread and the calls in flight on it.
//!
//! A call is a future that lives here, keyed by [`CallId`]; nothing of it is on the caller's stack
//! between two steps, so a stack that is torn down (a longjmp out of PHP) leaks nothing:
//! [`cancel_all`] finds every call at the end of the request.

mod alarm;
mod drive;
mod engine;
mod flights;
mod ready;

use std::rc::Rc;

use http::{HeaderName, HeaderValue};
use policy::Timestamp;

use crate::{
    Call, Failed, Response, Room, Step, VirtualClock, call::Answer, clock, pacing::Pacing,
    transport::Network, until, world::World,
};
use flights::Flight;

pub use drive::on_interrupt;

/// A call in flight on this thread.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct CallId {
    place: usize,
    /// Never used twice, so a stale id finds nothing.
    serial: u64,
}

/// Now, on the clock that deadlines are given in (CLOCK_MONOTONIC).
#[must_use]
pub fn now() -> Timestamp {
    clock::now()
}

/// Starts a call over the network; nothing happens until it is driven.
#[must_use]
pub fn begin(call: Call) -> CallId {
    engine::with(|engine| {
        let network =
            Network::new(Rc::clone(&engine.pools), call.route.clone(), call.settings.connect_timeout);
        let pacing = engine.pacing.clone();
        engine.launch(call, World::Network(network), pacing, true)
    })
}

/// Starts a call over a scripted transport on a virtual clock: each send is a [`Step::Exchange`],
/// waits pass at once.
#[must_use]
pub fn begin_scripted(call: Call, clock: &VirtualClock) -> CallId {
    let pacing = clock.pacing().clone();
    engine::with(|engine| engine.launch(call, World::Scripted(clock.clone()), pacing, false))
}

/// Whose news a driver takes: the others' wait for another.
#[expect(missing_debug_implementations, reason = "a function has nothing to show")]
pub enum Whose<'a> {
    All,
    One(CallId),
    Those(&'a dyn Fn(CallId) -> bool),
}

impl Whose<'_> {
    fn includes(&self, id: CallId) -> bool {
        match self {
            Self::All => true,
            Self::One(one) => *one == id,
            Self::Those(are_those) => are_those(id),
        }
    }
}

/// What a driver is told.
#[derive(Debug)]
#[expect(clippy::large_enum_variant, reason = "one at a time, and the large one is the usual one")]
pub enum Next {
    Step(CallId, Step),
    /// The interrupt check said yes: handle it, then go on.
    Interrupted,
    /// The instant has come first.
    Late,
    /// None of these calls will ever have news: they wait for answers, or are gone.
    Idle,
}

/// Moves all calls of this thread on until one of `whose` needs something from outside or is over, or until the
/// instant. With one that has passed it does what can be done without waiting. Must not be entered from inside
/// itself; between two steps other calls may be begun and driven.
pub fn next(whose: &Whose<'_>, until: Option<Timestamp>) -> Next {
    until::come_back();
    let next = drive::next(whose, until);
    until::leave();
    next
}

/// [`next`] for one call.
pub fn drive(id: CallId) -> Step {
    match next(&Whose::One(id), None) {
        Next::Step(_, step) => step,
        Next::Interrupted => Step::Interrupted,
        Next::Late | Next::Idle => {
            cancel(id);
            Step::Done(Box::new(drive::gone()))
        }
    }
}

/// Whether the call is in flight on this thread.
#[must_use]
pub fn knows(id: CallId) -> bool {
    engine::with(|engine| engine.flight(id).is_some())
}

/// Until when the call waits before its next attempt, on the clock of [`now`]; `None`: it does not wait, or for others
/// that come first.
#[must_use]
pub fn waiting_until(id: CallId) -> Option<Timestamp> {
    engine::with(|engine| engine.flight(id)?.outside.waiting_until())
}

pub fn answer_attempt(id: CallId, headers: Vec<(HeaderName, HeaderValue)>) {
    answer(id, Answer::Attempt(headers));
}

pub fn answer_outcome(id: CallId) {
    answer(id, Answer::Outcome);
}

pub fn answer_retry(id: CallId, go_on: bool) {
    answer(id, Answer::Retry(go_on));
}

pub fn answer_sink(id: CallId, result: Result<(), String>) {
    answer(id, Answer::Sink(result));
}

pub fn answer_room(id: CallId, room: Option<Box<dyn Room>>) {
    answer(id, Answer::Room(room));
}

pub fn answer_exchange(id: CallId, result: Result<Response, Failed>) {
    answer(id, Answer::Exchange(Box::new(result)));
}

/// Drops the call and whatever it holds; a call that is over already is ignored.
pub fn cancel(id: CallId) {
    if let Some(flight) = remove(id) {
        drop_inside_runtime(flight);
    }
}

/// Drops every call in flight: the end of a web request, however it ended.
pub fn cancel_all() {
    let flights = engine::take_flights();
    if !flights.is_empty() {
        drop_inside_runtime(flights);
    }
}

/// Closes all connections and the event loop of this thread: the end of the process or thread.
pub fn shut_down() {
    cancel_all();
    engine::close();
}

/// What this thread has at hand of what is known about limits.
pub(crate) fn pacing() -> Pacing {
    engine::with(|engine| engine.pacing.clone())
}

/// To be dropped after the engine is let go: a future's destructor may come back here.
fn remove(id: CallId) -> Option<Flight> {
    engine::with(|engine| engine.remove(id))
}

fn answer(id: CallId, answer: Answer) {
    engine::with(|engine| engine.answer(id, answer));
}

/// Timers and sockets are dropped in the context of the loop they are registered with.
fn drop_inside_runtime<T>(calls: T) {
    let Some(runtime) = engine::with(|engine| engine.started_runtime()) else { return drop(calls) };
    let context = runtime.enter();
    drop(calls);
    drop(context);
    // A connection learns only in the loop that nobody wants its answer any more, and the next call
    // may be long in coming.
    if tokio::runtime::Handle::try_current().is_err() {
        runtime.block_on(Network::serve());
    }
}
