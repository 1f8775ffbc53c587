//! What a wait costs, counted so that a slow machine tells the same as a fast one.

use std::mem::MaybeUninit;

/// How often this thread has gone to sleep.
pub fn sleeps() -> u64 {
    let mut usage = MaybeUninit::<libc::rusage>::uninit();
    // SAFETY: getrusage fills the structure it is given.
    let usage = unsafe {
        assert_eq!(libc::getrusage(libc::RUSAGE_THREAD, usage.as_mut_ptr()), 0);
        usage.assume_init()
    };
    u64::try_from(usage.ru_nvcsw).unwrap()
}
