//! What can be wrong with a journal. No message names the path, or repeats what the file or a request says.

use std::io;

use super::{Key, scan::VERSION};

#[derive(Debug, thiserror::Error)]
pub enum JournalError {
    #[error("The journal must be a regular file")]
    NotAFile,
    #[error("The journal is in use by another process, or by another batch of this one")]
    InUse,
    #[error("The journal was opened before a fork and belongs to the parent process")]
    Forked,
    #[error("The journal must be a new file or one that a batch wrote: line 1 is another's")]
    Foreign,
    #[error("The journal has version {0} of the format, where {VERSION} is known")]
    Version(u64),
    #[error("The journal is damaged: line {line} is no entry (column {column})")]
    Malformed { line: u64, column: usize },
    /// The key stands for another request in the journal.
    #[error("The journal has another request under the key {0}")]
    Other(Key),
    #[error("The journal was changed by others while in use: the entry of the key {0} is lost")]
    Changed(Key),
    #[error("The journal was shortened, removed or replaced by others while in use")]
    Meddled,
    #[error("The journal cannot be {what}: {source}")]
    Io { what: &'static str, source: io::Error },
    /// The request's, not the journal's.
    #[error("The journal needs the request's body, which cannot be read: {0}")]
    Body(#[source] io::Error),
}

impl JournalError {
    /// `what`: a participle.
    pub(super) fn io(what: &'static str) -> impl FnOnce(io::Error) -> Self {
        move |source| Self::Io { what, source }
    }
}
