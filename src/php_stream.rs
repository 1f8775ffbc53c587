//! A stream resource of PHP as something to read a body from or write one to. The resource may be
//! closed by any PHP code in between, so it is looked up again for every use and never kept as a
//! pointer.

use std::{
    ffi::{CStr, c_char, c_int, c_void},
    fs::File,
    io::SeekFrom,
    os::fd::BorrowedFd,
    ptr,
};

use client::runtime;
use ext_php_rs::{types::Zval, zend::BailoutGuard};
use policy::Timestamp;

use crate::{
    interrupt,
    zend::{
        Thrown,
        ffi::{self, php_stream},
        throw,
    },
};

// main/php_streams.h. PHP 8.6 took the underscores away.
unsafe extern "C" {
    #[cfg_attr(php86, link_name = "php_stream_cast")]
    fn _php_stream_cast(
        stream: *mut php_stream,
        target: c_int,
        result: *mut *mut c_void,
        show_errors: c_int,
    ) -> c_int;
    #[cfg_attr(php86, link_name = "php_stream_stat")]
    fn _php_stream_stat(stream: *mut php_stream, status: *mut libc::stat) -> c_int;
    #[cfg_attr(php86, link_name = "php_stream_set_option")]
    fn _php_stream_set_option(
        stream: *mut php_stream,
        option: c_int,
        value: c_int,
        argument: *mut c_void,
    ) -> c_int;
    #[cfg_attr(php86, link_name = "php_stream_eof")]
    fn _php_stream_eof(stream: *mut php_stream) -> bool;
}

const AS_FD_INTERNAL: c_int = 1 | 0x2000_0000; // PHP_STREAM_AS_FD | PHP_STREAM_CAST_INTERNAL
const FOR_SELECT_INTERNAL: c_int = 3 | 0x2000_0000; // PHP_STREAM_AS_FD_FOR_SELECT | PHP_STREAM_CAST_INTERNAL
const FLAG_NO_SEEK: u32 = 1; // PHP_STREAM_FLAG_NO_SEEK
const OPTION_TRUNCATE: c_int = 10; // PHP_STREAM_OPTION_TRUNCATE_API
const TRUNCATE_SUPPORTED: c_int = 0; // PHP_STREAM_TRUNCATE_SUPPORTED
const OPTION_OK: c_int = 0; // PHP_STREAM_OPTION_RETURN_OK

// E_ERROR | E_PARSE | E_CORE_ERROR | E_COMPILE_ERROR | E_USER_ERROR | E_RECOVERABLE_ERROR: what `@` leaves on.
const FATAL_ERRORS: c_int = 1 | 4 | 16 | 64 | 256 | 4096;

/// How much is read at once.
const CHUNK: usize = 64 * 1024;

/// Why a stream could not be read or written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StreamError {
    /// Not a stream, or closed.
    Gone,
    /// It gave less than all, or took less than all.
    Stuck,
    TooLong,
    /// The deadline has come first.
    Late,
    /// PHP code of the stream's wrapper threw.
    Thrown,
}

impl From<Thrown> for StreamError {
    fn from(_: Thrown) -> Self {
        Self::Thrown
    }
}

/// How far a stream is read.
#[derive(Clone, Copy, Debug)]
pub struct Bounds {
    /// More than this is too long.
    pub bytes: usize,
    /// The call's deadline. What is read by then is enough: nothing will be sent any more.
    pub until: Option<Timestamp>,
}

/// An open stream. Good until PHP code runs.
#[derive(Debug)]
pub struct Stream(ptr::NonNull<php_stream>);

impl Stream {
    /// The open stream that `value` refers to.
    pub fn of(value: &Zval) -> Option<Self> {
        let value = value.dereference();
        if !value.is_resource() {
            return None;
        }
        // SAFETY: a resource; without a type name the engine does not throw when it is no stream.
        let stream = unsafe {
            ffi::zend_fetch_resource2_ex(
                ptr::from_ref(value).cast_mut(),
                ptr::null(),
                ffi::php_file_le_stream(),
                ffi::php_file_le_pstream(),
            )
        };
        ptr::NonNull::new(stream.cast()).map(Self)
    }

    fn get(&self) -> &php_stream {
        // SAFETY: looked up just now, and no PHP code has run since (see the type).
        unsafe { self.0.as_ref() }
    }

    fn mode_has(&self, letters: &[u8]) -> bool {
        let mode = self.get().mode.iter().map(|&c| c.to_ne_bytes()[0]);
        mode.take_while(|&c| c != 0).any(|c| letters.contains(&c))
    }

    pub fn is_readable(&self) -> bool {
        self.mode_has(b"r+")
    }

    pub fn is_writable(&self) -> bool {
        self.mode_has(b"waxc+")
    }

    pub fn is_seekable(&self) -> bool {
        let stream = self.get();
        // SAFETY: an open stream points to its table of operations.
        let can = unsafe { stream.ops.as_ref() }.is_some_and(|ops| ops.seek.is_some());
        can && stream.flags & FLAG_NO_SEEK == 0
    }

    pub fn position(&self) -> u64 {
        u64::try_from(self.get().position).unwrap_or(0)
    }

    /// What follows its position, when it is a plain file read without filters: the file itself, the
    /// position, and how many bytes follow it.
    pub fn regular_file(&self) -> Option<(File, u64, u64)> {
        let (file, size) = self.plain_file()?;
        let position = self.position();
        // Of length 0 are also the files of /proc, which have to be read to know.
        let length = size.checked_sub(position).filter(|&length| length > 0)?;
        Some((file, position, length))
    }

    /// Its file and the file's length, when it is a regular file read without filters.
    fn plain_file(&self) -> Option<(File, u64)> {
        // SAFETY: only the address of the engine's table is taken.
        if !ptr::eq(self.get().ops, &raw const ffi::php_stream_stdio_ops) {
            return None;
        }
        let mut fd: c_int = -1;
        // SAFETY: an open stream; for AS_FD the result is written as an int (plain_wrapper.c).
        let cast = unsafe { _php_stream_cast(self.0.as_ptr(), AS_FD_INTERNAL, (&raw mut fd).cast(), 0) };
        if cast != 0 || fd < 0 {
            return None;
        }
        // SAFETY: open as long as the stream is; it is duplicated at once.
        let file = File::from(unsafe { BorrowedFd::borrow_raw(fd) }.try_clone_to_owned().ok()?);
        let metadata = file.metadata().ok()?;
        metadata.is_file().then_some((file, metadata.len()))
    }

    /// The descriptor of a pipe or socket of PHP's own that blocks; when it is read, only if nothing is in the buffer.
    fn blocking_descriptor(&self, aim: For) -> Option<c_int> {
        const POLLABLE: [&CStr; 5] =
            [c"STDIO", c"tcp_socket", c"unix_socket", c"generic_socket", c"tcp_socket/ssl"];
        let stream = self.get();
        let has_buffered = || stream.writepos > stream.readpos || stream.eof() != 0;
        let reads = matches!(aim, For::Reading);
        // SAFETY: an open stream points to its table of operations, which has a name.
        let label = unsafe { CStr::from_ptr((*stream.ops).label) };
        if !POLLABLE.contains(&label) || (reads && has_buffered()) {
            return None;
        }
        let mut fd: c_int = -1;
        // SAFETY: an open stream; the result is written as an int. None of these streams runs PHP code for it.
        let cast = unsafe { _php_stream_cast(self.0.as_ptr(), FOR_SELECT_INTERNAL, (&raw mut fd).cast(), 0) };
        // The question may have filled the buffer, from TLS.
        if cast != 0 || fd < 0 || (reads && has_buffered()) {
            return None;
        }
        // SAFETY: asks for the flags of an open descriptor.
        let flags = unsafe { libc::fcntl(fd, libc::F_GETFL) };
        (flags & libc::O_NONBLOCK == 0).then_some(fd)
    }

    /// The last part of the path it was opened by, when it is a plain file.
    pub fn file_name(&self) -> Option<Vec<u8>> {
        self.plain_file()?;
        let path = self.get().orig_path;
        if path.is_null() {
            return None;
        }
        // SAFETY: a C string that lives as long as the stream.
        let path = unsafe { CStr::from_ptr(path) }.to_bytes();
        let name = path.rsplit(|&b| b == b'/').next()?;
        (!name.is_empty()).then(|| name.to_vec())
    }

    fn size(&self) -> Option<u64> {
        // SAFETY: plain data, for which zeros are valid.
        let mut status: libc::stat = unsafe { std::mem::zeroed() };
        // SAFETY: an open stream; php_stream_statbuf holds nothing but a struct stat.
        let found = unsafe { _php_stream_stat(self.0.as_ptr(), &raw mut status) } == 0;
        u64::try_from(status.st_size).ok().filter(|_| found)
    }

    /// Whether what is written from here on can be cut off again: it is at its end, can seek and
    /// truncate, and no filter has seen the bytes.
    pub fn is_rewindable(&self) -> bool {
        let truncates = || {
            // SAFETY: an open stream; this question takes no argument.
            let answer = unsafe {
                _php_stream_set_option(self.0.as_ptr(), OPTION_TRUNCATE, TRUNCATE_SUPPORTED, ptr::null_mut())
            };
            answer == OPTION_OK
        };
        let filtered = !self.get().writefilters.head.is_null();
        !filtered && self.is_seekable() && truncates() && self.size() == Some(self.position())
    }

    fn seek(&self, target: SeekFrom) -> bool {
        let (offset, whence) = match target {
            SeekFrom::Start(at) => (i64::try_from(at).unwrap_or(i64::MAX), libc::SEEK_SET),
            SeekFrom::End(by) => (by, libc::SEEK_END),
            SeekFrom::Current(by) => (by, libc::SEEK_CUR),
        };
        // SAFETY: an open stream.
        unsafe { ffi::_php_stream_seek(self.0.as_ptr().cast(), offset, whence) == 0 }
    }
}

/// What `value` holds from its position on, within `bounds`. The position is put back if the stream can seek; one
/// that cannot after all has been read all the same.
pub fn read_rest(value: &Zval, bounds: &Bounds) -> Result<Vec<u8>, StreamError> {
    let start = Stream::of(value).ok_or(StreamError::Gone)?.position();
    // A wrapper in PHP can end in a bailout.
    let mut bytes = BailoutGuard::new(Vec::new());
    while wait(value, For::Reading, bounds.until)? && !read_chunk(value, &mut bytes)? {
        if bytes.len() > bounds.bytes {
            return Err(StreamError::TooLong);
        }
    }
    let stream = Stream::of(value).ok_or(StreamError::Gone)?;
    if stream.is_seekable() {
        let silence = Silence::new();
        stream.seek(SeekFrom::Start(start));
        drop(silence);
        drop(throw::take_throwable());
        throw::check()?;
    }
    Ok(std::mem::take(&mut *bytes))
}

/// What a stream is waited for.
#[derive(Clone, Copy)]
enum For {
    Reading,
    Writing,
}

/// Under a deadline, waits while the next step would block, as far as that can be seen without PHP code; false when the
/// time is over. Signals are handled meanwhile.
fn wait(value: &Zval, aim: For, until: Option<Timestamp>) -> Result<bool, StreamError> {
    /// A signal that arrives just before the wait does not end it.
    const TICK: c_int = 100;
    let Some(until) = until else { return Ok(true) };
    let events = match aim {
        For::Reading => libc::POLLIN,
        For::Writing => libc::POLLOUT,
    };
    loop {
        let left = until.since(runtime::now());
        if left.is_zero() {
            return Ok(false);
        }
        let Some(fd) = Stream::of(value).ok_or(StreamError::Gone)?.blocking_descriptor(aim) else {
            return Ok(true);
        };
        let mut asked = libc::pollfd { fd, events, revents: 0 };
        let time = c_int::try_from(left.as_millis()).map_or(TICK, |left| TICK.min(left.saturating_add(1)));
        // SAFETY: one entry; the descriptor belongs to an open stream.
        if unsafe { libc::poll(&raw mut asked, 1, time) } > 0 {
            return Ok(true);
        }
        if interrupt::is_requested() {
            interrupt::handle()?;
        }
    }
}

/// Until it is dropped, or a bailout ends it, no warning is shown, as under PHP's `@`.
struct Silence {
    before: c_int,
}

impl Silence {
    fn new() -> BailoutGuard<Self> {
        let before = with_error_reporting(|level| std::mem::replace(level, *level & FATAL_ERRORS));
        BailoutGuard::new(Self { before })
    }
}

impl Drop for Silence {
    fn drop(&mut self) {
        with_error_reporting(|level| *level = self.before);
    }
}

fn with_error_reporting<R>(f: impl FnOnce(&mut c_int) -> R) -> R {
    // SAFETY: a field of this thread's executor globals, which live as long as the module is loaded.
    f(unsafe { &mut (*ffi::ext_php_rs_executor_globals()).error_reporting })
}

/// Reads on; true at the end.
fn read_chunk(value: &Zval, bytes: &mut Vec<u8>) -> Result<bool, StreamError> {
    let stream = Stream::of(value).ok_or(StreamError::Gone)?;
    let before = bytes.len();
    bytes.resize(before.saturating_add(CHUNK), 0);
    let room = bytes.get_mut(before..).unwrap_or_default();
    // SAFETY: an open stream and a buffer of this length.
    let got = unsafe {
        ffi::_php_stream_read(stream.0.as_ptr().cast(), room.as_mut_ptr().cast::<c_char>(), room.len())
    };
    throw::check()?;
    let stream = Stream::of(value).ok_or(StreamError::Gone)?;
    let got = usize::try_from(got).map_err(|_| StreamError::Stuck)?;
    bytes.truncate(before.saturating_add(got));
    // SAFETY: an open stream.
    let ended = unsafe { _php_stream_eof(stream.0.as_ptr()) };
    throw::check()?;
    // A stream that does not block has nothing yet: what was read is not all.
    if got == 0 && !ended { Err(StreamError::Stuck) } else { Ok(ended) }
}

/// Writes all of `bytes`. No write begins after `until`.
pub fn write_all(value: &Zval, mut bytes: &[u8], until: Option<Timestamp>) -> Result<(), StreamError> {
    /// So much a pipe takes without blocking when it says that it takes something (PIPE_BUF); a socket takes more.
    const SMALL: usize = 4096;
    while !bytes.is_empty() {
        if !wait(value, For::Writing, until)? {
            return Err(StreamError::Late);
        }
        let stream = Stream::of(value).ok_or(StreamError::Gone)?;
        let can_block = until.is_some() && stream.plain_file().is_none();
        let piece = if can_block { bytes.get(..SMALL).unwrap_or(bytes) } else { bytes };
        // SAFETY: an open stream and a buffer of this length.
        let written = unsafe {
            ffi::_php_stream_write(stream.0.as_ptr().cast(), piece.as_ptr().cast::<c_char>(), piece.len())
        };
        throw::check()?;
        let written = usize::try_from(written).ok().filter(|&n| n > 0).ok_or(StreamError::Stuck)?;
        bytes = bytes.get(written..).unwrap_or_default();
    }
    Ok(())
}

/// Cuts off what stands behind `position`, and goes there.
pub fn cut_back(value: &Zval, position: u64) -> Result<(), StreamError> {
    let size = usize::try_from(position).map_err(|_| StreamError::Stuck)?;
    let stream = Stream::of(value).ok_or(StreamError::Gone)?;
    let sought = stream.seek(SeekFrom::Start(position));
    throw::check()?;
    let stream = Stream::of(value).ok_or(StreamError::Gone)?;
    // SAFETY: an open stream.
    let cut = unsafe { ffi::_php_stream_truncate_set_size(stream.0.as_ptr().cast(), size) } == 0;
    throw::check()?;
    if sought && cut { Ok(()) } else { Err(StreamError::Stuck) }
}
