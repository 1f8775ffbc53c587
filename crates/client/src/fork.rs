//! Tells a forked child from its parent without asking the kernel each time.

use std::sync::{
    Once,
    atomic::{AtomicU32, Ordering},
};

static FORKS: AtomicU32 = AtomicU32::new(0);

/// A number that differs from any that this process's ancestors saw since their first call.
pub(crate) fn generation() -> u32 {
    static COUNTING: Once = Once::new();
    COUNTING.call_once(|| {
        // SAFETY: the handler only counts, which is allowed between fork and exec, and its code stays mapped: the
        // library is linked so that it cannot be unloaded. It can fail only for want of memory.
        unsafe { libc::pthread_atfork(None, None, Some(count)) };
    });
    FORKS.load(Ordering::Relaxed)
}

unsafe extern "C" fn count() {
    FORKS.fetch_add(1, Ordering::Relaxed);
}
