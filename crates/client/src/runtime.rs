//! The event loop of this thread and the calls in flight on it.
//!
//! A call is a future that lives here, keyed by [`CallId`]; nothing of it is on the caller's stack
//! between two steps, so a stack that is torn down (a longjmp out of PHP) leaks nothing:
//! [`cancel_all`] finds every call at the end of the request.

use std::{
    cell::RefCell,
    future::{Future, poll_fn},
    io,
    pin::Pin,
    rc::Rc,
    sync::{
        OnceLock,
        atomic::{AtomicU64, Ordering},
    },
    task::{Context, Poll, Waker},
    time::Duration,
};

use http::{HeaderName, HeaderValue};
use policy::{FailureKind, Timestamp};
use slab::Slab;

use crate::{
    Call, End, Ended, Failed, Response, Step, VirtualClock,
    call::{Answer, Outside, Question, run},
    clock, fork,
    nap::{self, Woken},
    pacing::Pacing,
    response::abandoned,
    transport::{Network, Pools},
    world::World,
};

/// A signal can land in the microseconds before epoll is entered, where nothing wakes the loop: it is
/// noticed at the next tick.
const TICK: Duration = Duration::from_millis(100);

/// A call in flight on this thread.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct CallId {
    place: usize,
    /// Never used twice, so a stale id finds nothing.
    serial: u64,
}

struct Flight {
    serial: u64,
    /// `None` while it is being driven.
    state: Option<Box<State>>,
    outside: Outside,
}

struct State {
    future: Pin<Box<dyn Future<Output = Ended>>>,
    /// Real time and the network; a scripted call never waits for anything but its driver.
    networked: bool,
    napping: Option<Timestamp>,
}

struct Engine {
    generation: u32,
    runtime: Option<Rc<tokio::runtime::Runtime>>,
    pools: Rc<RefCell<Pools>>,
    pacing: Pacing,
    flights: Slab<Flight>,
}

/// What a thread keeps until it ends, or its process does.
struct Kept(Option<Engine>);

impl Drop for Kept {
    fn drop(&mut self) {
        if let Some(engine) = self.0.take() {
            engine.close();
        }
    }
}

/// One count for all threads, and a forked child counts on from its parent's: no id ever names another
/// engine's call.
static SERIALS: AtomicU64 = AtomicU64::new(0);

thread_local! {
    static ENGINE: RefCell<Kept> = const { RefCell::new(Kept(None)) };
    /// Wakes the loop that is running on this thread.
    static RUNNING: RefCell<Option<Waker>> = const { RefCell::new(None) };
}

static INTERRUPTED: OnceLock<fn() -> bool> = OnceLock::new();

/// Installs the question asked after each return from epoll: is there an interrupt to handle?
/// It must be cheap, must not block, and must not enter PHP.
pub fn on_interrupt(check: fn() -> bool) {
    // The same function each time it is installed.
    let _ = INTERRUPTED.set(check);
}

fn is_interrupted() -> bool {
    INTERRUPTED.get().is_some_and(|check| check())
}

/// Now, on the clock that deadlines are given in (CLOCK_MONOTONIC).
#[must_use]
pub fn now() -> Timestamp {
    clock::now()
}

/// Starts a call over the network; nothing happens until it is driven.
#[must_use]
pub fn begin(call: Call) -> CallId {
    with_engine(|engine| {
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
    with_engine(|engine| engine.launch(call, World::Scripted(clock.clone()), pacing, false))
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
    let flights = ENGINE.with_borrow_mut(|kept| {
        kept.0.as_mut().filter(|engine| engine.is_ours()).map(|engine| std::mem::take(&mut engine.flights))
    });
    if flights.as_ref().is_some_and(|flights| !flights.is_empty()) {
        drop_inside_runtime(flights);
    }
}

/// Closes all connections and the event loop of this thread: the end of the process or thread.
pub fn shut_down() {
    cancel_all();
    drop(ENGINE.with_borrow_mut(|kept| Kept(kept.0.take())));
}

impl Engine {
    fn new() -> Self {
        Self {
            generation: fork::generation(),
            runtime: None,
            pools: Rc::default(),
            pacing: Pacing::default(),
            flights: Slab::new(),
        }
    }

    /// A forked child must neither use nor drop what its parent made: the epoll and the sockets are
    /// shared with it, and threads did not come along.
    fn is_ours(&self) -> bool {
        self.generation == fork::generation()
    }

    fn close(self) {
        if !self.is_ours() {
            return std::mem::forget(self);
        }
        // A name lookup that hangs on its thread must not hold up the end.
        if let Some(runtime) = self.runtime.and_then(Rc::into_inner) {
            runtime.shutdown_background();
        }
    }

    fn launch(&mut self, call: Call, world: World, pacing: Pacing, networked: bool) -> CallId {
        let outside = Outside::default();
        let future = Box::pin(run(call, world, pacing, outside.clone()));
        let serial = SERIALS.fetch_add(1, Ordering::Relaxed);
        let state = Some(Box::new(State { future, networked, napping: None }));
        let place = self.flights.insert(Flight { serial, state, outside });
        CallId { place, serial }
    }

    fn flight(&mut self, id: CallId) -> Option<&mut Flight> {
        self.flights.get_mut(id.place).filter(|flight| flight.serial == id.serial)
    }
}

impl State {
    fn step(&mut self, outside: &Outside) -> Step {
        loop {
            if let Some(due) = self.napping {
                if nap::sleep_until(due, is_interrupted) == Woken::Interrupted {
                    return Step::Interrupted;
                }
                self.napping = None;
                outside.answer(Answer::Napped);
            }
            match self.next_event(outside) {
                Event::Interrupted => return Step::Interrupted,
                Event::Ended(ended) => return Step::Done(Box::new(ended)),
                Event::Asked(Question::Step(step)) => return step,
                Event::Asked(Question::Nap(due)) => self.napping = Some(due),
            }
        }
    }

    fn next_event(&mut self, outside: &Outside) -> Event {
        if !self.networked {
            let mut cx = Context::from_waker(Waker::noop());
            return match self.poll(outside, &mut cx) {
                Poll::Ready(event) => event,
                Poll::Pending => Event::Ended(gone()),
            };
        }
        // Also for a call that never waits: its sink takes one stretch after the other.
        if is_interrupted() {
            return Event::Interrupted;
        }
        let runtime = match with_engine(Engine::runtime) {
            Ok(runtime) => runtime,
            Err(error) => return Event::Ended(unstarted(&error)),
        };
        runtime.block_on(async {
            let mut tick = std::pin::pin!(tokio::time::sleep(TICK));
            let event = poll_fn(|cx| {
                if let Poll::Ready(event) = self.poll(outside, cx) {
                    return Poll::Ready(event);
                }
                RUNNING.set(Some(cx.waker().clone()));
                while tick.as_mut().poll(cx).is_ready() {
                    tick.as_mut().reset(tokio::time::Instant::now() + TICK);
                }
                if is_interrupted() { Poll::Ready(Event::Interrupted) } else { Poll::Pending }
            })
            .await;
            RUNNING.set(None);
            event
        })
    }

    fn poll(&mut self, outside: &Outside, cx: &mut Context<'_>) -> Poll<Event> {
        match self.future.as_mut().poll(cx) {
            Poll::Ready(ended) => Poll::Ready(Event::Ended(ended)),
            Poll::Pending => {
                outside.take_question().map_or(Poll::Pending, |question| Poll::Ready(Event::Asked(question)))
            }
        }
    }
}

enum Event {
    Asked(Question),
    Interrupted,
    Ended(Ended),
}

impl Engine {
    /// # Errors
    /// The system gives no epoll: it is out of descriptors.
    fn runtime(&mut self) -> io::Result<Rc<tokio::runtime::Runtime>> {
        if let Some(runtime) = &self.runtime {
            return Ok(Rc::clone(runtime));
        }
        let runtime = tokio::runtime::Builder::new_current_thread()
            .enable_io()
            .enable_time()
            .on_thread_unpark(wake_if_interrupted)
            .build()?;
        Ok(Rc::clone(self.runtime.insert(Rc::new(runtime))))
    }
}

/// Called by tokio after each return from epoll, on whichever thread that was.
fn wake_if_interrupted() {
    RUNNING.with_borrow(|running| {
        if let Some(waker) = running
            && is_interrupted()
        {
            waker.wake_by_ref();
        }
    });
}

/// Lends this thread's engine; a fork leaves the parent's alone.
fn with_engine<R>(f: impl FnOnce(&mut Engine) -> R) -> R {
    ENGINE.with_borrow_mut(|Kept(slot)| {
        if let Some(engine) = slot
            && engine.is_ours()
        {
            return f(engine);
        }
        if let Some(parents) = slot.take() {
            std::mem::forget(parents);
        }
        f(slot.insert(Engine::new()))
    })
}

fn take(id: CallId) -> Option<(Box<State>, Outside)> {
    with_engine(|engine| {
        let flight = engine.flight(id)?;
        Some((flight.state.take()?, flight.outside.clone()))
    })
}

/// To be dropped after the engine is let go: a future's destructor may come back here.
fn remove(id: CallId) -> Option<Flight> {
    with_engine(|engine| engine.flight(id).is_some().then(|| engine.flights.remove(id.place)))
}

fn put_back(id: CallId, state: Box<State>) {
    with_engine(|engine| {
        if let Some(flight) = engine.flight(id) {
            flight.state = Some(state);
        }
    });
}

fn answer(id: CallId, answer: Answer) {
    with_engine(|engine| {
        if let Some(flight) = engine.flight(id) {
            flight.outside.answer(answer);
        }
    });
}

/// Timers and sockets are dropped in the context of the loop they are registered with.
fn drop_inside_runtime<T>(calls: T) {
    let Some(runtime) = with_engine(|engine| engine.runtime.clone()) else { return drop(calls) };
    let context = runtime.enter();
    drop(calls);
    drop(context);
    // A connection learns only in the loop that nobody wants its answer any more, and the next call
    // may be long in coming.
    if tokio::runtime::Handle::try_current().is_err() {
        runtime.block_on(async {
            tokio::task::yield_now().await;
            tokio::task::yield_now().await;
        });
    }
}

/// The end of a call that cannot go on in this process.
fn gone() -> Ended {
    without_attempt(abandoned())
}

/// The end of a call that had no event loop to run in.
fn unstarted(error: &io::Error) -> Ended {
    let message = format!("No event loop could be started: {error}");
    without_attempt(Failed { kind: FailureKind::Connect, message, unsent: true, permanent: false })
}

fn without_attempt(failed: Failed) -> Ended {
    Ended { end: End::Failed(failed), attempts: Vec::new(), waited: Duration::ZERO, elapsed: Duration::ZERO }
}
