//! Sleeping in the kernel: to an instant, or until a signal's handler has asked to be heard.
//!
//! The event loop stands still meanwhile. A wait in it would need a tick, for a signal that comes just before the loop
//! sleeps goes unnoticed there, and its timer has steps of a millisecond.

use std::{
    mem::{MaybeUninit, zeroed},
    ptr::null_mut,
    time::Duration,
};

use policy::Timestamp;

use crate::clock;

/// The last stretch of a wait, which is slept to the nanosecond. Before it the kernel may be late by a thousandth of
/// the time (select_estimate_accuracy in fs/select.c).
pub(crate) const PRECISE_STRETCH: Duration = Duration::from_millis(4);

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Woken {
    Due,
    Interrupted,
}

/// Never `Due` before `due`. `interrupted` is asked after each signal, and before the first sleep.
pub(crate) fn sleep_until(due: Timestamp, interrupted: impl Fn() -> bool) -> Woken {
    loop {
        let left = due.since(clock::now());
        let rough = left.saturating_sub(PRECISE_STRETCH).saturating_sub(left / 256);
        if rough.is_zero() {
            sleep_precisely(due);
        } else {
            sleep_roughly(rough, &interrupted);
        }
        if interrupted() {
            return Woken::Interrupted;
        }
        if clock::now() >= due {
            return Woken::Due;
        }
    }
}

/// Signals are let in only while it sleeps: one that comes after the question ends the sleep at once.
fn sleep_roughly(length: Duration, interrupted: impl Fn() -> bool) {
    let length = timespec(length.as_nanos());
    // SAFETY: the sets are filled by the calls that take them, the timespec is valid, there are no descriptors, and the
    // caller's mask is put back on the same thread.
    unsafe {
        let mut all = zeroed::<libc::sigset_t>();
        let mut before = zeroed::<libc::sigset_t>();
        libc::sigfillset(&raw mut all);
        libc::pthread_sigmask(libc::SIG_SETMASK, &raw const all, &raw mut before);
        if !interrupted() {
            libc::ppoll(null_mut(), 0, &raw const length, &raw const before);
        }
        libc::pthread_sigmask(libc::SIG_SETMASK, &raw const before, null_mut());
    }
}

/// To the instant, or to the first signal.
fn sleep_precisely(due: Timestamp) {
    let due = timespec(due.as_nanos().into());
    // SAFETY: the timespec is valid, and with TIMER_ABSTIME nothing is written back.
    unsafe {
        libc::clock_nanosleep(libc::CLOCK_MONOTONIC, libc::TIMER_ABSTIME, &raw const due, null_mut());
    }
}

fn timespec(nanos: u128) -> libc::timespec {
    const SECOND: u128 = 1_000_000_000;
    // SAFETY: all-zero is a valid timespec. It has padding on some systems, hence no literal.
    let mut time = unsafe { MaybeUninit::<libc::timespec>::zeroed().assume_init() };
    time.tv_sec = libc::time_t::try_from(nanos / SECOND).unwrap_or(libc::time_t::MAX);
    time.tv_nsec = (nanos % SECOND) as _;
    time
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sleep_never_ends_before_it_is_due() {
        for millis in [0, 1, 3, 4, 5, 30] {
            let due = clock::now().after(Duration::from_millis(millis));
            assert_eq!(sleep_until(due, || false), Woken::Due);
            assert!(clock::now() >= due);
        }
    }

    #[test]
    fn a_request_made_before_the_sleep_ends_it() {
        let due = clock::now().after(Duration::from_secs(60));
        assert_eq!(sleep_until(due, || true), Woken::Interrupted);
        assert!(clock::now() < due);
    }
}
