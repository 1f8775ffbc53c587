//! Moving one call on: in the event loop until it asks or ends, asleep in the kernel while it only waits.

use std::{
    cell::RefCell,
    future::{Future, poll_fn},
    io,
    pin::{Pin, pin},
    sync::OnceLock,
    task::{Context, Poll, Waker},
    time::Duration,
};

use policy::{FailureKind, Timestamp};

use super::engine;
use crate::{
    End, Ended, Failed, Step,
    call::{Answer, Outside, Question},
    nap::{self, Woken},
    response::abandoned,
};

/// A signal can land in the microseconds before epoll is entered, where nothing wakes the loop: it is
/// noticed at the next tick.
const TICK: Duration = Duration::from_millis(100);

pub(super) struct State {
    pub(super) future: Pin<Box<dyn Future<Output = Ended>>>,
    /// Real time and the network; a scripted call never waits for anything but its driver.
    pub(super) networked: bool,
    pub(super) napping: Option<Timestamp>,
}

thread_local! {
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

impl State {
    pub(super) fn step(&mut self, outside: &Outside) -> Step {
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
        let runtime = match engine::with(engine::Engine::runtime) {
            Ok(runtime) => runtime,
            Err(error) => return Event::Ended(unstarted(&error)),
        };
        runtime.block_on(async {
            let mut tick = pin!(tokio::time::sleep(TICK));
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

/// Called by tokio after each return from epoll, on whichever thread that was.
pub(super) fn wake_if_interrupted() {
    RUNNING.with_borrow(|running| {
        if let Some(waker) = running
            && is_interrupted()
        {
            waker.wake_by_ref();
        }
    });
}

/// The end of a call that cannot go on in this process.
pub(super) fn gone() -> Ended {
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
