//! The clock that deadlines and waits are told in.

use std::{mem::MaybeUninit, time::Duration};

use policy::Timestamp;

/// CLOCK_MONOTONIC, the clock behind `std::time::Instant` too.
pub(crate) fn now() -> Timestamp {
    read(libc::CLOCK_MONOTONIC)
}

/// CLOCK_BOOTTIME, the clock of what processes tell each other: it counts on while the machine is suspended, as a
/// server's limits do, and is the same in all processes.
pub(crate) fn boot() -> Timestamp {
    read(libc::CLOCK_BOOTTIME)
}

/// [`now`] as of the last tick of the kernel (4 ms or so), for a fraction of its price.
pub(crate) fn roughly_now() -> Timestamp {
    read(libc::CLOCK_MONOTONIC_COARSE)
}

fn read(clock: libc::clockid_t) -> Timestamp {
    let mut time = MaybeUninit::<libc::timespec>::uninit();
    // SAFETY: clock_gettime fills the timespec it is given; for the clocks above it cannot fail (Linux 2.6.39).
    let time = unsafe {
        libc::clock_gettime(clock, time.as_mut_ptr());
        time.assume_init()
    };
    let seconds = u64::try_from(time.tv_sec).unwrap_or(0);
    let nanos = u64::try_from(time.tv_nsec).unwrap_or(0);
    Timestamp::from_nanos(seconds.saturating_mul(1_000_000_000).saturating_add(nanos))
}

/// tokio's instant for a timestamp of [`now`]'s clock; far futures are cut to a year.
pub(crate) fn instant(at: Timestamp) -> tokio::time::Instant {
    const YEAR: Duration = Duration::from_secs(365 * 24 * 60 * 60);
    let (now, here) = (now(), tokio::time::Instant::now());
    if at >= now { here + at.since(now).min(YEAR) } else { here.checked_sub(now.since(at)).unwrap_or(here) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_instant_is_as_far_away_as_its_timestamp() {
        let at = now().after(Duration::from_secs(10));
        let distance = instant(at).duration_since(tokio::time::Instant::now());
        assert!(distance <= Duration::from_secs(10) && distance > Duration::from_secs(9));
        assert!(instant(Timestamp::from_nanos(u64::MAX)) > tokio::time::Instant::now());
    }

    #[test]
    fn the_boot_clock_runs_and_is_never_behind() {
        let before = boot();
        std::thread::sleep(Duration::from_millis(20));
        let passed = boot().since(before);
        assert!(passed >= Duration::from_millis(20) && passed < Duration::from_secs(10), "{passed:?}");
        // Suspended time is added to it.
        let now = now();
        assert!(boot() >= now);
    }

    #[test]
    fn the_rough_clock_is_at_most_a_tick_behind() {
        let rough = roughly_now();
        let now = now();
        assert!(rough <= now && now.since(rough) < Duration::from_secs(1));
    }
}
