//! Children that tell numbers, and that no test leaves behind.

use std::{
    io::{PipeReader, Read, Write, pipe},
    mem::ManuallyDrop,
    time::Duration,
};

use super::forked;

/// A child process that is killed at the end of the test.
pub struct Child(pub libc::pid_t);

impl Child {
    pub fn start(work: impl FnOnce()) -> Self {
        Self(forked::start_child(work))
    }

    /// Does `work`, tells, and keeps what it made until it is killed. Returns when it has told.
    pub fn holding<R>(work: impl FnOnce() -> R) -> Self {
        let (child, mut heard) = Self::telling(|tell| {
            let _held = work();
            tell(1);
            sleep_for_ever()
        });
        assert_eq!(hear(&mut heard), 1);
        child
    }

    /// A child that can tell numbers.
    pub fn telling(work: impl FnOnce(&mut dyn FnMut(u64))) -> (Self, PipeReader) {
        let (heard, said) = pipe().unwrap();
        let pid = forked::start_child(move || {
            // Open until the child ends: who hears nothing more kills it, and a panic has something to print first.
            let mut said = ManuallyDrop::new(said);
            work(&mut |n| said.write_all(&n.to_ne_bytes()).unwrap());
        });
        (Self(pid), heard)
    }

    pub fn signal(&self, signal: libc::c_int) {
        // SAFETY: no memory is involved; the process is a child that nobody has waited for.
        assert_eq!(unsafe { libc::kill(self.0, signal) }, 0);
    }

    pub fn kill(self) {
        drop(self);
    }

    /// Panics if the child did.
    pub fn wait(self) {
        let pid = self.0;
        std::mem::forget(self);
        forked::wait_for(pid);
    }
}

impl Drop for Child {
    fn drop(&mut self) {
        let mut status = 0;
        // SAFETY: as above.
        unsafe { libc::kill(self.0, libc::SIGKILL) };
        // SAFETY: the status is a live local.
        unsafe { libc::waitpid(self.0, &raw mut status, 0) };
    }
}

pub fn hear(from: &mut PipeReader) -> u64 {
    let mut bytes = [0; 8];
    from.read_exact(&mut bytes).expect("the child ended early");
    u64::from_ne_bytes(bytes)
}

pub fn sleep_for_ever() -> ! {
    loop {
        std::thread::sleep(Duration::from_secs(1));
    }
}
