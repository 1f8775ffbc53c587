//! SIGALRM for one thread, its handler, and the question that the event loop asks: has it run?

use std::{
    cell::Cell,
    mem::{MaybeUninit, zeroed},
    sync::Once,
    time::Duration,
};

use client::runtime;
use policy::Timestamp;

thread_local! {
    /// Set by the handler on the thread that the signal was sent to, as an interpreter's flag would be.
    static PENDING: Cell<bool> = const { Cell::new(false) };
    static HANDLED_AT: Cell<u64> = const { Cell::new(0) };
    static HANDLED: Cell<u32> = const { Cell::new(0) };
    /// Whether the handler leaves something to do.
    static QUIET: Cell<bool> = const { Cell::new(false) };
}

extern "C" fn on_alarm(_: libc::c_int) {
    HANDLED_AT.set(runtime::now().as_nanos());
    HANDLED.set(HANDLED.get() + 1);
    PENDING.set(!QUIET.get());
}

pub fn install() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        // SAFETY: the handler only reads a clock and sets cells of its own thread, which need no
        // initialisation; an all-zero sigaction is valid.
        unsafe {
            let mut action = zeroed::<libc::sigaction>();
            action.sa_sigaction = on_alarm as extern "C" fn(libc::c_int) as usize;
            action.sa_flags = libc::SA_RESTART;
            assert_eq!(libc::sigaction(libc::SIGALRM, &raw const action, std::ptr::null_mut()), 0);
        }
    });
    runtime::on_interrupt(|| PENDING.get());
    PENDING.set(false);
    HANDLED.set(0);
    QUIET.set(false);
}

/// The handler runs, but there is nothing to do about it.
pub fn be_quiet() {
    QUIET.set(true);
}

/// What an interpreter does when it has served its handlers.
pub fn served() {
    PENDING.set(false);
}

pub fn set_pending() {
    PENDING.set(true);
}

pub fn handled() -> u32 {
    HANDLED.get()
}

/// How long ago the handler ran.
pub fn age() -> Duration {
    runtime::now().since(Timestamp::from_nanos(HANDLED_AT.get()))
}

/// A timer that signals the thread it was made on; it ends when dropped.
#[derive(Debug)]
pub struct Alarm(libc::timer_t);

impl Alarm {
    /// SIGALRM for this thread `first` from now, then each `every` (zero: not again).
    pub fn start(first: Duration, every: Duration) -> Self {
        let mut timer = MaybeUninit::<libc::timer_t>::uninit();
        // SAFETY: an all-zero sigevent is valid, the timer's id is written by the first call.
        unsafe {
            let mut event = zeroed::<libc::sigevent>();
            event.sigev_notify = libc::SIGEV_THREAD_ID;
            event.sigev_signo = libc::SIGALRM;
            event.sigev_notify_thread_id = libc::gettid();
            assert_eq!(libc::timer_create(libc::CLOCK_MONOTONIC, &raw mut event, timer.as_mut_ptr()), 0);
            let timer = timer.assume_init();
            let spec = |time: Duration| libc::timespec {
                tv_sec: time.as_secs() as libc::time_t,
                tv_nsec: time.subsec_nanos().into(),
            };
            let times = libc::itimerspec { it_value: spec(first), it_interval: spec(every) };
            assert_eq!(libc::timer_settime(timer, 0, &raw const times, std::ptr::null_mut()), 0);
            Self(timer)
        }
    }

    pub fn once(after: Duration) -> Self {
        Self::start(after, Duration::ZERO)
    }
}

impl Drop for Alarm {
    fn drop(&mut self) {
        // SAFETY: the id is that of a timer which only this value deletes.
        unsafe { libc::timer_delete(self.0) };
    }
}
