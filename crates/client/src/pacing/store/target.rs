//! Which file is to be shared, and with whom.

use std::{
    fs::{self, File, Metadata},
    io::Read,
    os::unix::{
        ffi::OsStrExt,
        fs::{FileTypeExt, MetadataExt, OpenOptionsExt},
    },
    path::{Path, PathBuf},
};

use super::{
    layout::{MAGIC, SIZE},
    reason::Reason,
};
use crate::pacing::SharedMemory;

#[derive(Debug)]
pub(super) struct Target {
    pub(super) path: PathBuf,
    pub(super) folder: PathBuf,
    /// Whose members share it: that of a folder with the set-group-id bit. `None`: one user's processes do.
    group: Option<u32>,
    /// Somebody gave the name: what is there may be precious.
    is_named: bool,
}

/// Device and inode.
pub(super) type Identity = (u64, u64);

pub(super) fn identity(found: &Metadata) -> Identity {
    (found.dev(), found.ino())
}

impl Target {
    pub(super) fn of(choice: &SharedMemory, layout: u64) -> Result<Self, Reason> {
        match choice {
            SharedMemory::None => Err(Reason::Chosen),
            SharedMemory::Auto => Ok(Self::inside(Path::new("/dev/shm"), None, layout)),
            SharedMemory::At(path) if path.is_relative() => Err(Reason::Relative(path.clone())),
            SharedMemory::At(path) => {
                let is_folder = path.as_os_str().as_bytes().ends_with(b"/") || path.is_dir();
                let (Some(folder), false) = (path.parent(), is_folder) else {
                    return Ok(Self::inside(path, group_of(path)?, layout));
                };
                Ok(Self {
                    path: path.clone(),
                    folder: folder.into(),
                    group: group_of(folder)?,
                    is_named: true,
                })
            }
        }
    }

    fn inside(folder: &Path, group: Option<u32>, layout: u64) -> Self {
        let name = match group {
            Some(group) => format!("retry_client.g{group}.{layout}"),
            None => format!("retry_client.{}.{layout}", user()),
        };
        Self { path: folder.join(name), folder: folder.into(), group, is_named: false }
    }

    pub(super) fn mode(&self) -> u32 {
        if self.group.is_some() { 0o660 } else { 0o600 }
    }

    /// Whether a file is what this library makes: its own header aside.
    pub(super) fn fits(&self, found: &Metadata) -> bool {
        found.is_file()
            && self.is_owned(found)
            && found.mode() & 0o7777 == self.mode()
            && found.nlink() == 1
            && found.len() == SIZE as u64
    }

    /// Whose word is taken for what is in the file, and who can make it shorter.
    fn is_owned(&self, found: &Metadata) -> bool {
        self.group.map_or(found.uid() == user(), |group| found.gid() == group)
    }

    /// Whether something that does not fit may be replaced.
    ///
    /// # Errors
    /// It may not; the reason.
    pub(super) fn may_replace(&self, found: &Metadata) -> Result<(), Reason> {
        let refuse = |what| Err(Reason::InTheWay { path: self.path.clone(), what });
        if !self.is_owned(found) && found.uid() != user() {
            return Err(Reason::NotOurs { path: self.path.clone(), owner: found.uid() });
        }
        let kind = found.file_type();
        if kind.is_dir() {
            return refuse("a folder");
        }
        if kind.is_block_device() || kind.is_char_device() {
            return refuse("a device");
        }
        if self.is_named && !kind.is_file() {
            return refuse("no ordinary file");
        }
        let is_like_ours = || [0, SIZE as u64].contains(&found.len()) || begins_like_ours(&self.path);
        if self.is_named && !is_like_ours() { refuse("another program's file") } else { Ok(()) }
    }
}

/// The group that a folder shares among. What everyone may write to shares among nobody: anyone could put a file
/// of that group there.
fn group_of(folder: &Path) -> Result<Option<u32>, Reason> {
    let found = fs::metadata(folder).map_err(Reason::io("find the folder", folder))?;
    if !found.is_dir() {
        return Err(Reason::InTheWay { path: folder.into(), what: "no folder" });
    }
    let shares = found.mode() & libc::S_ISGID != 0 && found.mode() & libc::S_IWOTH == 0;
    Ok(shares.then_some(found.gid()))
}

fn begins_like_ours(path: &Path) -> bool {
    let mut magic = [0; 8];
    let open = fs::OpenOptions::new().read(true).custom_flags(libc::O_NOFOLLOW | libc::O_NONBLOCK).open(path);
    open.and_then(|mut file: File| file.read_exact(&mut magic)).is_ok() && u64::from_ne_bytes(magic) == MAGIC
}

/// The user whose rights this process has.
pub(super) fn user() -> u32 {
    // SAFETY: it reads one number of the process and cannot fail.
    unsafe { libc::geteuid() }
}
