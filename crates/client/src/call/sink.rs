//! Where the final body goes when it does not stay in memory.

use std::{
    fs,
    io::{self, Write},
    os::unix::fs::PermissionsExt,
    path::{Path, PathBuf},
};

use bytes::Bytes;
use policy::FailureKind;
use tempfile::NamedTempFile;

use super::{Outside, Sink, Step};
use crate::Failed;

/// A sink in use for one body.
pub(crate) enum Writing<'a> {
    File(FileWriting),
    Stream { outside: &'a Outside, rewindable: bool, written: bool },
}

pub(crate) struct FileWriting {
    target: PathBuf,
    beside: NamedTempFile,
}

impl<'a> Writing<'a> {
    /// `None` for a body that stays in memory.
    pub(crate) fn open(sink: &Sink, outside: &'a Outside) -> Result<Option<Self>, Failed> {
        match sink {
            Sink::Memory | Sink::Lent | Sink::Handed(_) => Ok(None),
            Sink::File(path) => FileWriting::open(path).map(|file| Some(Self::File(file))).map_err(failed),
            Sink::Stream { rewindable } => {
                Ok(Some(Self::Stream { outside, rewindable: *rewindable, written: false }))
            }
        }
    }

    pub(crate) async fn write(&mut self, chunk: Bytes) -> Result<(), Failed> {
        match self {
            Self::File(file) => file.beside.write_all(&chunk).map_err(failed),
            Self::Stream { outside, written, .. } => {
                *written = true;
                outside.sink(Step::SinkWrite(chunk)).await.map_err(failed)
            }
        }
    }

    pub(crate) fn finish(self) -> Result<(), Failed> {
        match self {
            Self::File(file) => file.finish().map_err(failed),
            Self::Stream { .. } => Ok(()),
        }
    }

    /// The body broke: what was written must not stay, and if it has to, nothing may be sent again.
    pub(crate) async fn abandon(self, mut failure: Failed) -> Failed {
        if let Self::Stream { outside, rewindable, written: true } = self {
            let taken_back = rewindable && outside.sink(Step::SinkRewind).await.is_ok();
            failure.permanent |= !taken_back;
        }
        failure
    }
}

/// Where a path leads, also through links to what does not exist yet.
fn followed(path: &Path) -> io::Result<PathBuf> {
    /// As many as the kernel follows (path_resolution(7)).
    const MAX_LINKS: usize = 40;
    let mut target = path.to_owned();
    for _ in 0..MAX_LINKS {
        let Ok(link) = fs::read_link(&target) else { return Ok(target) };
        target = target.parent().unwrap_or(Path::new("")).join(link);
    }
    Err(io::Error::from_raw_os_error(libc::ELOOP))
}

impl FileWriting {
    /// A temporary file beside the target, so that the renaming is one step; a link's target is what
    /// is replaced, not the link.
    fn open(path: &Path) -> io::Result<Self> {
        let target = followed(path)?;
        let old = fs::metadata(&target).ok();
        // A rename would put a file in the place of a device or a pipe.
        if old.as_ref().is_some_and(|old| !old.is_file()) {
            return Err(io::Error::other("it is no regular file"));
        }
        let folder = target.parent().filter(|parent| !parent.as_os_str().is_empty());
        let beside = tempfile::Builder::new()
            .prefix(".retry_client-")
            .permissions(fs::Permissions::from_mode(0o666))
            .tempfile_in(folder.unwrap_or(Path::new(".")))?;
        if let Some(old) = old {
            // Explicitly: at its creation the umask has its say.
            let mode = old.permissions().mode() & 0o777;
            beside.as_file().set_permissions(fs::Permissions::from_mode(mode))?;
        }
        Ok(Self { target, beside })
    }

    fn finish(self) -> io::Result<()> {
        self.beside.persist(&self.target).map(drop).map_err(|error| error.error)
    }
}

fn failed(why: impl std::fmt::Display) -> Failed {
    Failed {
        kind: FailureKind::Sink,
        message: format!("The sink failed: {why}"),
        unsent: false,
        permanent: true,
    }
}
