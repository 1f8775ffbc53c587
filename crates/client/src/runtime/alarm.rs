//! An alarm in the event loop, exact to some microseconds: the loop's own timers have steps of a millisecond, and are
//! late by one or two.

use std::{
    io,
    os::fd::OwnedFd,
    task::{Context, Poll},
};

use policy::Timestamp;
use rustix::time::{
    Itimerspec, TimerfdClockId, TimerfdFlags, TimerfdTimerFlags, Timespec, timerfd_create, timerfd_settime,
};
use tokio::io::unix::AsyncFd;

#[derive(Debug)]
pub(super) struct Alarm {
    timer: AsyncFd<OwnedFd>,
    set_to: Option<Timestamp>,
}

impl Alarm {
    /// In the context of the event loop.
    ///
    /// # Errors
    /// The process is out of descriptors.
    pub(super) fn new() -> io::Result<Self> {
        let flags = TimerfdFlags::NONBLOCK | TimerfdFlags::CLOEXEC;
        let timer = timerfd_create(TimerfdClockId::Monotonic, flags)?;
        // SAFETY: an `OwnedFd` is the same open descriptor for as long as it lives, and it is not taken out again.
        let timer = unsafe { AsyncFd::register(timer) }?;
        Ok(Self { timer, set_to: None })
    }

    /// Wakes the task of `cx` at the instant, on CLOCK_MONOTONIC. An earlier setting is forgotten.
    pub(super) fn set(&mut self, at: Timestamp, cx: &mut Context<'_>) {
        const SECOND: u64 = 1_000_000_000;
        if self.set_to != Some(at) {
            // Zero would turn it off.
            let nanos = at.as_nanos().max(1);
            let value = Timespec {
                tv_sec: i64::try_from(nanos / SECOND).unwrap_or(i64::MAX),
                tv_nsec: (nanos % SECOND) as _,
            };
            let spec = Itimerspec { it_interval: Timespec { tv_sec: 0, tv_nsec: 0 }, it_value: value };
            // A valid time on a timer of ours: it cannot fail. It also ends the readiness of an earlier setting.
            let _ = timerfd_settime(self.timer.get_ref(), TimerfdTimerFlags::ABSTIME, &spec);
            self.set_to = Some(at);
        }
        // What was noticed before the setting is no news.
        while let Poll::Ready(Ok(mut earlier)) = self.timer.poll_read_ready(cx) {
            earlier.clear_ready();
        }
    }
}
