//! Why a process keeps what it knows to itself.

use std::{
    io,
    path::{Path, PathBuf},
};

use super::layout::SIZE;

#[derive(Debug, thiserror::Error)]
pub(super) enum Reason {
    #[error("so chosen")]
    Chosen,
    #[error("{} is not an absolute path", .0.display())]
    Relative(PathBuf),
    #[error("cannot {what} {}: {source}", .path.display())]
    Io { what: &'static str, path: PathBuf, source: io::Error },
    #[error("{} belongs to user {owner}", .path.display())]
    NotOurs { path: PathBuf, owner: u32 },
    #[error("{} is {what}, which is not replaced", .path.display())]
    InTheWay { path: PathBuf, what: &'static str },
    #[error("{} is on a network file system", .0.display())]
    Network(PathBuf),
    #[error("{} is on a copy-on-write file system: should that be full, a change would end the process", .0.display())]
    CopyOnWrite(PathBuf),
    #[error("the process may write files of {0} bytes only (RLIMIT_FSIZE); {SIZE} are needed")]
    FileSize(u64),
    #[error("{} is replaced again and again", .0.display())]
    Restless(PathBuf),
    #[error("too many threads share already")]
    Threads,
}

impl Reason {
    pub(super) fn io(what: &'static str, path: &Path) -> impl FnOnce(io::Error) -> Self {
        move |source| Self::Io { what, path: path.to_owned(), source }
    }
}
