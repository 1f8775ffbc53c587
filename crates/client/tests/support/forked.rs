//! A closure in a forked child, its failure the test's.

use std::panic::{AssertUnwindSafe, catch_unwind};

/// A child that hangs is killed by SIGALRM after so many seconds.
const CHILD_SECONDS: u32 = 30;

/// Runs `child` in a forked process that leaves by `_exit`; panics if the child did.
pub fn in_child(child: impl FnOnce()) {
    wait_for(start_child(child));
}

/// Forks; the parent goes on with the child's process id.
pub fn start_child(child: impl FnOnce()) -> libc::pid_t {
    // SAFETY: the child has this thread only. It allocates, which glibc allows after a fork, takes no
    // lock that another thread of the test may hold, and never returns from here.
    match unsafe { libc::fork() } {
        -1 => panic!("fork failed"),
        0 => {
            // SAFETY: no memory is involved; SIGALRM's default action ends the child.
            unsafe {
                libc::signal(libc::SIGALRM, libc::SIG_DFL);
                libc::alarm(CHILD_SECONDS);
            }
            // The usual hook takes a lock that another thread may have held at the fork.
            std::panic::set_hook(Box::new(|panic| {
                tell(&panic.location().map(ToString::to_string).unwrap_or_default());
            }));
            let result = catch_unwind(AssertUnwindSafe(child));
            let code = match result {
                Ok(()) => 0,
                Err(payload) => {
                    tell(payload.downcast_ref::<String>().map_or("", String::as_str));
                    tell(payload.downcast_ref::<&str>().copied().unwrap_or_default());
                    1
                }
            };
            // SAFETY: ends the child at once, without the parent's destructors and exit handlers.
            unsafe { libc::_exit(code) }
        }
        pid => pid,
    }
}

pub fn wait_for(pid: libc::pid_t) {
    let mut status = 0;
    // SAFETY: the status is a live local; the id is that of our own child.
    let waited = unsafe { libc::waitpid(pid, &raw mut status, 0) };
    assert_eq!(waited, pid);
    assert_eq!(status, 0, "the child failed: its message is on stderr");
}

/// The test harness captures what a panic prints, and its buffer is lost with the child.
fn tell(message: &str) {
    let line = format!("child: {message}\n");
    if !message.is_empty() {
        // SAFETY: the buffer is valid for its length.
        unsafe { libc::write(2, line.as_ptr().cast(), line.len()) };
    }
}
