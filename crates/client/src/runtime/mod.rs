//! The event loop of this thread and the calls in flight on it.
//!
//! A call is a future that lives here, keyed by [`CallId`]; nothing of it is on the caller's stack
//! between two steps, so a stack that is torn down (a longjmp out of PHP) leaks nothing:
//! [`cancel_all`] finds every call at the end of the request.

mod engine;
mod step;

use std::rc::Rc;

use http::{HeaderName, HeaderValue};
use policy::Timestamp;

use crate::{
    Call, End, Failed, Response, Room, Step, VirtualClock,
    call::{Answer, Outside},
    clock,
    pacing::Pacing,
    transport::Network,
    world::World,
};
use engine::Flight;
use step::{State, gone};

pub use step::on_interrupt;

/// A call in flight on this thread.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
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

/// Runs the call until it needs something from outside, or is over. Must not be entered from inside
/// itself; between two steps other calls may be begun and driven.
pub fn drive(id: CallId) -> Step {
    let Some((mut state, outside)) = take(id) else {
        return Step::Done(Box::new(gone()));
    };
    let step = state.step(&outside);
    match &step {
        Step::Done(ended) if matches!(ended.end, End::Answer(_)) => drop(remove(id)),
        Step::Done(_) => cancel(id),
        _ => put_back(id, state),
    }
    step
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

fn take(id: CallId) -> Option<(Box<State>, Outside)> {
    engine::with(|engine| {
        let flight = engine.flight(id)?;
        Some((flight.state.take()?, flight.outside.clone()))
    })
}

/// To be dropped after the engine is let go: a future's destructor may come back here.
fn remove(id: CallId) -> Option<Flight> {
    engine::with(|engine| engine.flight(id).is_some().then(|| engine.flights.remove(id.place)))
}

fn put_back(id: CallId, state: Box<State>) {
    engine::with(|engine| {
        if let Some(flight) = engine.flight(id) {
            flight.state = Some(state);
        }
    });
}

fn answer(id: CallId, answer: Answer) {
    engine::with(|engine| {
        if let Some(flight) = engine.flight(id) {
            flight.outside.answer(answer);
        }
    });
}

/// Timers and sockets are dropped in the context of the loop they are registered with.
fn drop_inside_runtime<T>(calls: T) {
    let Some(runtime) = engine::with(|engine| engine.runtime.clone()) else { return drop(calls) };
    let context = runtime.enter();
    drop(calls);
    drop(context);
    // A connection learns only in the loop that nobody wants its answer any more, and the next call
    // may be long in coming.
    if tokio::runtime::Handle::try_current().is_err() {
        runtime.block_on(Network::serve());
    }
}
