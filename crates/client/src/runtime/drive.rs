//! Moving the calls of this thread on: in the event loop while any has something to do there, asleep in the kernel
//! while all only wait.

use std::{
    cell::RefCell,
    future::poll_fn,
    io,
    sync::OnceLock,
    task::{Context, Poll, Waker},
    time::Duration,
};

use policy::{FailureKind, Timestamp};
use tokio::time::{Instant, sleep};

use super::{
    CallId, Next, Whose,
    engine::{self, Engine},
    flights::{News, Outlook},
};
use crate::{
    End, Ended, Failed, Step, clock,
    nap::{self, Woken},
    response::abandoned,
};

/// A signal can land in the microseconds before epoll is entered, where nothing wakes the loop: it is
/// noticed at the next tick.
const TICK: Duration = Duration::from_millis(100);

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

/// Moves all calls on until one of `whose` has news, or until the instant; the loop has a turn in any case.
pub(super) fn next(whose: &Whose<'_>, until: Option<Timestamp>) -> Next {
    let mut has_turned = false;
    loop {
        advance(false);
        // What was woken by what has ended goes on before the caller takes its time.
        if !has_turned && engine::with(|engine| engine.has_news(whose) && engine.is_worth_a_turn()) {
            run_loop(async || glance(whose, 1).await);
            has_turned = true;
        }
        if let Some((id, news)) = engine::with(|engine| engine.take_news(whose)) {
            return Next::Step(id, told(id, news));
        }
        let outlook = engine::with(|engine| engine.outlook(whose, until));
        match outlook {
            Outlook::Nothing => return Next::Idle,
            _ if is_interrupted() => return Next::Interrupted,
            Outlook::Loop if has_turned && is_past(until) => return Next::Late,
            Outlook::Loop => {
                run_loop(async || match is_past(until) {
                    true => glance(whose, GLANCES).await,
                    false => work(whose, until).await,
                });
                has_turned = true;
            }
            Outlook::Sleep(due) => {
                if nap::sleep_until(due, is_interrupted) == Woken::Interrupted {
                    return Next::Interrupted;
                }
                // Who has slept enough goes on before anything else is said.
                let goes_on = engine::with(|engine| {
                    engine.end_naps(clock::now());
                    engine.is_networking()
                });
                if !goes_on && is_past(until) {
                    return Next::Late;
                }
            }
        }
    }
}

fn is_past(until: Option<Timestamp>) -> bool {
    until.is_some_and(|until| clock::now() >= until)
}

fn told(id: CallId, news: News) -> Step {
    match news {
        News::Asked(step) => step,
        News::Moved => Step::Moved,
        News::Ended(ended) => {
            if matches!(ended.end, End::Answer(_)) {
                drop(super::remove(id));
            } else {
                super::cancel(id);
            }
            Step::Done(ended)
        }
    }
}

/// Runs something in the event loop.
fn run_loop(body: impl AsyncFnOnce()) {
    let runtime = match engine::with(Engine::runtime) {
        Ok(runtime) => runtime,
        Err(error) => return engine::with(|engine| engine.end_networked(|| unstarted(&error))),
    };
    runtime.block_on(async {
        body().await;
        // Whoever has let others go first is woken by the loop's next turn, and forgotten if there is none (tokio's
        // `Defer` ends with `block_on`).
        tokio::task::yield_now().await;
    });
    RUNNING.set(None);
    // A call that is woken from here on finds out by itself: no loop has to be woken for it.
    engine::with(|engine| engine.ready.unset_driver());
}

/// How many looks it takes to do what needs no waiting: with a turn of the loop for what has arrived, and one for the
/// connections that it is for.
const GLANCES: u32 = 3;

async fn glance(whose: &Whose<'_>, count: u32) {
    for number in 1..=count {
        if poll_fn(|cx| Poll::Ready(is_over(whose, cx))).await || number == count {
            return;
        }
        tokio::task::yield_now().await;
    }
}

/// Turns until there are news for this driver, or nothing is left to be done in the loop.
async fn work(whose: &Whose<'_>, until: Option<Timestamp>) {
    let mut tick = engine::with(|engine| engine.tick.take()).unwrap_or_else(|| Box::pin(sleep(TICK)));
    tick.as_mut().reset(Instant::now() + TICK);
    poll_fn(|cx| {
        if is_over(whose, cx) || is_past(until) {
            return Poll::Ready(());
        }
        let is_set = engine::with(|engine| engine.set_alarm(until, cx));
        let next = || Instant::now() + if is_set { TICK } else { Duration::from_millis(1) };
        if !is_set {
            tick.as_mut().reset(next());
        }
        while tick.as_mut().poll(cx).is_ready() {
            tick.as_mut().reset(next());
        }
        if is_interrupted() { Poll::Ready(()) } else { Poll::Pending }
    })
    .await;
    engine::with(|engine| engine.tick = Some(tick));
}

/// Moves on what can be; whether that is all that is to be done in the loop.
fn is_over(whose: &Whose<'_>, cx: &mut Context<'_>) -> bool {
    RUNNING.set(Some(cx.waker().clone()));
    engine::with(|engine| {
        engine.ready.set_driver(cx.waker());
        engine.end_naps(clock::now());
    });
    advance(true);
    engine::with(|engine| engine.has_news(whose) || !engine.is_networking())
}

/// Moves on the calls that were woken; those on the network only from inside the event loop.
fn advance(in_loop: bool) {
    for id in engine::with(|engine| engine.take_woken(in_loop)) {
        move_on(id);
    }
}

fn move_on(id: CallId) {
    let taken = engine::with(|engine| {
        let flight = engine.flight(id)?;
        flight.signal.lower();
        Some((flight.future.take()?, flight.outside.clone(), flight.waker.clone()))
    });
    let Some((mut future, outside, waker)) = taken else { return };
    match future.as_mut().poll(&mut Context::from_waker(&waker)) {
        Poll::Ready(ended) => {
            drop(future);
            engine::with(|engine| engine.end(id, ended));
        }
        Poll::Pending => {
            let question = outside.take_question();
            let dropped = engine::with(|engine| engine.put_back(id, future, question));
            drop(dropped);
        }
    }
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
