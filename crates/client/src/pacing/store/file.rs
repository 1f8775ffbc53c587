//! Opens the file that is shared, or makes it: whole, or not at all.
//!
//! A new file has no name until it is complete, and takes its name only if that is free (`O_TMPFILE`, `linkat`); who
//! is killed meanwhile leaves nothing behind, and who comes second uses the first one's. A file that does not fit
//! loses its name first. Two processes that do so at once may, in a moment of microseconds, end on two files; the
//! look at the path that [`super::Store`] takes now and then brings them together.

use std::{
    ffi::CString,
    fs::{self, File, OpenOptions},
    io,
    os::{
        fd::{AsRawFd, FromRawFd},
        unix::{
            ffi::OsStrExt,
            fs::{MetadataExt, OpenOptionsExt, PermissionsExt},
        },
    },
    path::Path,
};

use rand::Rng;

use super::{
    layout::{SIZE, Stamp},
    reason::Reason,
    region::Region,
    target::{Identity, Target, identity, user},
};
use crate::{fork, random};

/// How often others may replace the file while it is opened.
const ROUNDS: u32 = 10;

/// How often a signal may interrupt the reservation of a file's space.
const INTERRUPTIONS: u32 = 100;

/// An open file: its memory, and the descriptor that its locks hang on.
#[derive(Debug)]
pub(super) struct Shared {
    pub(super) region: Region,
    /// Another opening than the one that is mapped: a mapping keeps its opening, and with it all locks, alive in
    /// every child.
    pub(super) locks: fork::Private,
    pub(super) identity: Identity,
}

enum Look {
    Good(Shared),
    Nothing,
    Bad(Identity),
    /// It was another file at the second look.
    Changed,
}

pub(super) fn open(target: &Target, layout: u64) -> Result<Shared, Reason> {
    let boot = boot_id()?;
    for _ in 0..ROUNDS {
        match look(target, layout, boot)? {
            Look::Good(shared) => return Ok(shared),
            Look::Nothing => create(target, &Stamp { layout, boot, creator: user() })?,
            Look::Bad(found) => remove(target, found)?,
            Look::Changed => {}
        }
    }
    Err(Reason::Restless(target.path.clone()))
}

/// What the path names now; `None` for nothing.
pub(super) fn named(target: &Target) -> Option<Identity> {
    fs::symlink_metadata(&target.path).ok().map(|found| identity(&found))
}

fn look(target: &Target, layout: u64, boot: [u64; 2]) -> Result<Look, Reason> {
    let path = &target.path;
    let found = match fs::symlink_metadata(path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Look::Nothing),
        found => found.map_err(Reason::io("look at", path))?,
    };
    let bad = || target.may_replace(&found).map(|()| Look::Bad(identity(&found)));
    if !target.fits(&found) {
        return bad();
    }
    let Some(file) = reopen(path)? else { return Ok(Look::Changed) };
    let opened = file.metadata().map_err(Reason::io("look at", path))?;
    if identity(&opened) != identity(&found) || !target.fits(&opened) {
        return Ok(Look::Changed);
    }
    is_suitable(&file, path)?;
    // Its space was reserved when it was made, but a copy may have holes.
    if opened.blocks().saturating_mul(512) < SIZE as u64 {
        reserve(&file, libc::FALLOC_FL_KEEP_SIZE).map_err(Reason::io("reserve space for", path))?;
    }
    let region = Region::of(&file).map_err(Reason::io("map", path))?;
    if !region.has(&Stamp { layout, boot, creator: opened.uid() }) {
        return bad();
    }
    let Some(second) = reopen(path)? else { return Ok(Look::Changed) };
    if identity(&second.metadata().map_err(Reason::io("look at", path))?) != identity(&opened) {
        return Ok(Look::Changed);
    }
    let locks = fork::Private::new(second).map_err(Reason::io("look at", path))?.ok_or(Reason::Threads)?;
    Ok(Look::Good(Shared { region, locks, identity: identity(&opened) }))
}

fn reopen(path: &Path) -> Result<Option<File>, Reason> {
    // Not to wait for the other end, should it have become a FIFO.
    let flags = libc::O_NOFOLLOW | libc::O_NONBLOCK | libc::O_NOCTTY;
    match OpenOptions::new().read(true).write(true).custom_flags(flags).open(path).and_then(above_stdio) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        file => file.map(Some).map_err(Reason::io("open", path)),
    }
}

fn create(target: &Target, stamp: &Stamp) -> Result<(), Reason> {
    let (path, folder) = (&target.path, &target.folder);
    // Beyond that limit the reservation is a deadly signal, SIGXFSZ.
    if let Some(limit) = file_size_limit().filter(|limit| *limit < SIZE as u64) {
        return Err(Reason::FileSize(limit));
    }
    let file = OpenOptions::new()
        .read(true)
        .write(true)
        .mode(0o600)
        .custom_flags(libc::O_TMPFILE)
        .open(folder)
        .and_then(above_stdio)
        .map_err(Reason::io("make a file in", folder))?;
    is_suitable(&file, path)?;
    reserve(&file, 0).map_err(Reason::io("reserve space for", path))?;
    let secret = random::with(|rng| [rng.next_u64(), rng.next_u64()]);
    Region::of(&file).map_err(Reason::io("map", path))?.begin(stamp, secret);
    file.set_permissions(PermissionsExt::from_mode(target.mode()))
        .map_err(Reason::io("set the mode of", path))?;
    match name(&file, path) {
        // Another process was faster.
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => Ok(()),
        named => named.map_err(Reason::io("name", path)),
    }
}

/// Gives a file without a name this one, if it is free.
fn name(file: &File, path: &Path) -> io::Result<()> {
    let from = CString::new(format!("/proc/self/fd/{}", file.as_raw_fd()))?;
    let to = CString::new(path.as_os_str().as_bytes())?;
    let (here, follow) = (libc::AT_FDCWD, libc::AT_SYMLINK_FOLLOW);
    // SAFETY: both paths are live, NUL-terminated strings.
    succeeded(unsafe { libc::linkat(here, from.as_ptr(), here, to.as_ptr(), follow) })
}

fn remove(target: &Target, found: Identity) -> Result<(), Reason> {
    if named(target) != Some(found) {
        return Ok(());
    }
    match fs::remove_file(&target.path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
        removed => removed.map_err(Reason::io("replace", &target.path)),
    }
}

/// Takes the space now: to write to a page that finds no room later is a SIGBUS. Not `posix_fallocate`, which
/// where this is not supported writes zeros over what others have just changed.
fn reserve(file: &File, mode: libc::c_int) -> io::Result<()> {
    let mut interruptions = 0;
    loop {
        // SAFETY: no memory is involved.
        match succeeded(unsafe { libc::fallocate(file.as_raw_fd(), mode, 0, SIZE as libc::off_t) }) {
            // tmpfs gives up at any signal.
            Err(error) if error.kind() == io::ErrorKind::Interrupted && interruptions < INTERRUPTIONS => {
                interruptions += 1;
            }
            reserved => return reserved,
        }
    }
}

fn file_size_limit() -> Option<u64> {
    let mut limit = libc::rlimit { rlim_cur: 0, rlim_max: 0 };
    // SAFETY: getrlimit fills the structure it is given.
    let known = unsafe { libc::getrlimit(libc::RLIMIT_FSIZE, &raw mut limit) };
    (known == 0 && limit.rlim_cur != libc::RLIM_INFINITY).then_some(limit.rlim_cur)
}

/// Machines that share a folder share neither memory nor clock, and would replace each other's file for ever. Where each
/// change is written to new space, reserving some is no help: to change a page while there is none is a SIGBUS.
fn is_suitable(file: &File, path: &Path) -> Result<(), Reason> {
    /// magic(7) numbers of statfs(2): NFS, SMB, CIFS, SMB2, AFS, Ceph, FUSE, 9P, Lustre.
    const NETWORK: [u32; 9] = [
        0x6969,
        0x517b,
        0xff53_4d42,
        0xfe53_4d42,
        0x5346_414f,
        0x00c3_6400,
        0x6573_5546,
        0x0102_1997,
        0x0bd0_0bd0,
    ];
    /// btrfs, bcachefs, NILFS. (ZFS does not ask for the space before it writes the page.)
    const COPY_ON_WRITE: [u32; 3] = [0x9123_683e, 0xca45_1a4e, 0x3434];
    const OVERLAY: u32 = 0x794c_7630;
    let mut found = std::mem::MaybeUninit::<libc::statfs>::uninit();
    // SAFETY: fstatfs fills the structure it is given, or fails.
    succeeded(unsafe { libc::fstatfs(file.as_raw_fd(), found.as_mut_ptr()) })
        .map_err(Reason::io("look at the file system of", path))?;
    // SAFETY: it did not fail.
    let found = unsafe { found.assume_init() };
    let kind = found.f_type as u32;
    if NETWORK.contains(&kind) {
        return Err(Reason::Network(path.into()));
    }
    // An overlay tells all but the kind of what is below it, and btrfs is what does not count files.
    let is_over_btrfs = kind == OVERLAY && found.f_files == 0;
    if is_over_btrfs || COPY_ON_WRITE.contains(&kind) {
        return Err(Reason::CopyOnWrite(path.into()));
    }
    Ok(())
}

/// Moves a descriptor away from 0 to 2: a program that was started without them prints there.
fn above_stdio(file: File) -> io::Result<File> {
    if file.as_raw_fd() > 2 {
        return Ok(file);
    }
    // SAFETY: no memory is involved.
    match unsafe { libc::fcntl(file.as_raw_fd(), libc::F_DUPFD_CLOEXEC, 3) } {
        -1 => Err(io::Error::last_os_error()),
        // SAFETY: the descriptor is new, and nobody else has it.
        number => Ok(unsafe { File::from_raw_fd(number) }),
    }
}

/// Differs after each start of the machine: its clock began anew then.
fn boot_id() -> Result<[u64; 2], Reason> {
    let path = Path::new("/proc/sys/kernel/random/boot_id");
    let text = fs::read_to_string(path).map_err(Reason::io("read", path))?;
    let digits: String = text.chars().filter(char::is_ascii_hexdigit).collect();
    let id = u128::from_str_radix(&digits, 16)
        .map_err(|error| io::Error::new(io::ErrorKind::InvalidData, error))
        .map_err(Reason::io("read", path))?;
    Ok([(id >> 64) as u64, id as u64])
}

fn succeeded(code: libc::c_int) -> io::Result<()> {
    if code == 0 { Ok(()) } else { Err(io::Error::last_os_error()) }
}
