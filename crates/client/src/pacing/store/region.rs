//! The mapped memory: a file's, or this process's alone.

use std::{fs::File, io, ops::Deref, os::fd::AsRawFd, ptr::NonNull};

use super::layout::{Layout, SIZE};

#[derive(Debug)]
pub(super) struct Region(NonNull<Layout>);

impl Region {
    /// Maps a file of at least [`SIZE`] bytes, with room for all of them.
    ///
    /// Should its owner make the file shorter later, then touching what is missing is a SIGBUS, as it is for every
    /// program that maps files. Nobody else can, and this library never does.
    ///
    /// # Errors
    /// The system refuses.
    pub(super) fn of(file: &File) -> io::Result<Self> {
        Self::map(libc::MAP_SHARED, file.as_raw_fd())
    }

    /// Zeros; pages are taken when they are first written.
    ///
    /// # Errors
    /// The process may have no more memory.
    pub(super) fn local() -> io::Result<Self> {
        Self::map(libc::MAP_PRIVATE | libc::MAP_ANONYMOUS | libc::MAP_NORESERVE, -1)
    }

    fn map(flags: libc::c_int, file: libc::c_int) -> io::Result<Self> {
        // SAFETY: a new mapping at an address that the kernel chooses touches no memory in use.
        let at = unsafe {
            libc::mmap(std::ptr::null_mut(), SIZE, libc::PROT_READ | libc::PROT_WRITE, flags, file, 0)
        };
        if at == libc::MAP_FAILED {
            return Err(io::Error::last_os_error());
        }
        NonNull::new(at.cast()).map(Self).ok_or_else(|| io::ErrorKind::OutOfMemory.into())
    }
}

impl Deref for Region {
    type Target = Layout;

    fn deref(&self) -> &Layout {
        // SAFETY: `map` made SIZE readable and writable bytes there, aligned to a page, which stay until the drop.
        // A Layout is nothing but atomic words: any bytes are one, and other processes may change them.
        unsafe { self.0.as_ref() }
    }
}

impl Drop for Region {
    fn drop(&mut self) {
        // SAFETY: the mapping is ours, and whatever borrows from it borrows this Region.
        unsafe { libc::munmap(self.0.as_ptr().cast(), SIZE) };
    }
}
