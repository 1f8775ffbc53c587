//! Tells a forked child from its parent without asking the kernel each time, and closes in the child what only the
//! parent may hold.

use std::{
    fs::File,
    io,
    mem::MaybeUninit,
    os::fd::{AsRawFd, BorrowedFd, IntoRawFd, OwnedFd, RawFd},
    sync::{
        Once,
        atomic::{AtomicI32, AtomicU32, AtomicU64, Ordering},
    },
};

static FORKS: AtomicU32 = AtomicU32::new(0);

/// A number that differs from any that this process's ancestors saw since their first call.
pub(crate) fn generation() -> u32 {
    static COUNTING: Once = Once::new();
    COUNTING.call_once(|| {
        // SAFETY: the handler counts, calls fstat and close, and writes to statics: all of that is allowed between
        // fork and exec. Its code stays mapped: the library is linked so that it cannot be unloaded. It can fail
        // only for want of memory.
        unsafe { libc::pthread_atfork(None, None, Some(begin_child)) };
    });
    FORKS.load(Ordering::Relaxed)
}

unsafe extern "C" fn begin_child() {
    FORKS.fetch_add(1, Ordering::Relaxed);
    for entry in &PRIVATE {
        entry.close();
        entry.number.store(FREE, Ordering::Relaxed);
    }
}

/// A descriptor that this process's children close as soon as they exist: with it they would keep the locks of a
/// dead parent.
///
/// Between opening a file and handing it over here another thread can fork; what that child inherits it keeps
/// until it ends or execs.
#[derive(Debug)]
pub(crate) struct Private {
    entry: &'static Entry,
    number: RawFd,
    generation: u32,
}

impl Private {
    /// `None` where too many are held already.
    ///
    /// # Errors
    /// The file cannot be looked at.
    pub(crate) fn new(file: File) -> io::Result<Option<Self>> {
        let generation = generation();
        let identity = identity(file.as_raw_fd())?;
        let claim = |entry: &&Entry| {
            entry.number.compare_exchange(FREE, CLAIMED, Ordering::Relaxed, Ordering::Relaxed).is_ok()
        };
        let Some(entry) = PRIVATE.iter().find(claim) else { return Ok(None) };
        entry.device.store(identity.0, Ordering::Relaxed);
        entry.inode.store(identity.1, Ordering::Relaxed);
        let number = OwnedFd::from(file).into_raw_fd();
        // A child must not see the number without what it is compared with.
        entry.number.store(number, Ordering::Release);
        Ok(Some(Self { entry, number, generation }))
    }

    /// `None` in a child, where it is closed.
    pub(crate) fn get(&self) -> Option<BorrowedFd<'_>> {
        // SAFETY: in the process that made it the descriptor is open until it is dropped. (Should other code have
        // closed it, as daemons do at their start, then it is as if that code closed any other file's.)
        (self.generation == generation()).then(|| unsafe { BorrowedFd::borrow_raw(self.number) })
    }

    /// Whether the descriptor still is that file: other code may have closed it.
    pub(crate) fn is_intact(&self) -> bool {
        self.generation == generation() && self.entry.is_of(self.number)
    }
}

impl Drop for Private {
    fn drop(&mut self) {
        if self.generation == generation() {
            // In this order: a child of another thread's fork in between closes it too, or finds it closed.
            self.entry.close();
            self.entry.number.store(FREE, Ordering::Release);
        }
    }
}

const FREE: RawFd = -1;
const CLAIMED: RawFd = -2;

/// One for each thread that shares what it knows (one in all where PHP has no threads).
const MAX_PRIVATE: usize = 1024;

static PRIVATE: [Entry; MAX_PRIVATE] = [const { Entry::new() }; MAX_PRIVATE];

#[derive(Debug)]
struct Entry {
    number: AtomicI32,
    /// With the inode: what the number must still mean for it to be closed.
    device: AtomicU64,
    inode: AtomicU64,
}

impl Entry {
    const fn new() -> Self {
        Self { number: AtomicI32::new(FREE), device: AtomicU64::new(0), inode: AtomicU64::new(0) }
    }

    fn is_of(&self, number: RawFd) -> bool {
        let expected = (self.device.load(Ordering::Relaxed), self.inode.load(Ordering::Relaxed));
        identity(number).is_ok_and(|found| found == expected)
    }

    fn close(&self) {
        let number = self.number.load(Ordering::Acquire);
        if number >= 0 && self.is_of(number) {
            // SAFETY: the number was handed over to this entry with its file, and still is that file.
            unsafe { libc::close(number) };
        }
    }
}

/// Device and inode. Nothing here allocates: it runs between fork and exec.
fn identity(number: RawFd) -> io::Result<(u64, u64)> {
    let mut found = MaybeUninit::<libc::stat>::uninit();
    // SAFETY: fstat fills the structure it is given, or fails; any number may be asked about.
    if unsafe { libc::fstat(number, found.as_mut_ptr()) } != 0 {
        return Err(io::Error::last_os_error());
    }
    // SAFETY: it did not fail.
    let found = unsafe { found.assume_init() };
    Ok((found.st_dev, found.st_ino))
}
