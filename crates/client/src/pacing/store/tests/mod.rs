//! Real files, real processes.

mod bad_files;
mod folders;
mod forks;
mod hostile;
mod kills;
mod places;
mod room;
mod sharing;
mod speed;

use std::{
    fs,
    os::unix::fs::{FileExt, PermissionsExt},
    path::{Path, PathBuf},
    sync::atomic::Ordering::Relaxed,
    time::Duration,
};

use super::*;
use crate::{
    children::{Child, hear, sleep_for_ever},
    forked,
};

/// An empty folder in /dev/shm.
pub(in crate::pacing) struct Folder(tempfile::TempDir);

impl Folder {
    pub(in crate::pacing) fn new() -> Self {
        Self(tempfile::tempdir_in("/dev/shm").unwrap())
    }

    pub(in crate::pacing) fn path(&self) -> &Path {
        self.0.path()
    }

    pub(in crate::pacing) fn choice(&self) -> SharedMemory {
        SharedMemory::At(self.path().into())
    }

    fn file(&self) -> PathBuf {
        self.path().join(format!("retry_client.{}.{LAYOUT}", target::user()))
    }

    /// A store that shares in this folder.
    fn store(&self) -> Store {
        let store = Store::open(&self.choice());
        assert_eq!(shared_path(&store), self.file());
        store
    }

    /// The names of all files in it.
    fn names(&self) -> Vec<String> {
        let names = fs::read_dir(self.path()).unwrap();
        names.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect()
    }
}

/// The file that a store shares; panics with the reason if it does not.
fn shared_path(store: &Store) -> PathBuf {
    let about = store.about();
    assert_eq!(about.reason, None);
    about.path.unwrap()
}

/// Why a store does not share; panics if it does or does not work.
fn reason(store: &Store) -> String {
    let about = store.about();
    assert_eq!((about.path, about.processes, about.keys), (None, 1, 0));
    let slot = slot(store, 1);
    slot.ring(3).unwrap()[1].store(5, Relaxed);
    assert_eq!(store.find(1).unwrap().ring(3).unwrap()[1].load(Relaxed), 5);
    let place = slot.place(PlaceKind::InFlight, 1).unwrap();
    assert!(slot.place(PlaceKind::InFlight, 1).is_none());
    drop(place);
    about.reason.unwrap()
}

fn label(n: u64) -> Label {
    Label { origin: format!("https://{n}.example"), scope: format!("model-{n}") }
}

fn slot(store: &Store, key: u64) -> Slot {
    store.slot(key, || label(key)).unwrap()
}

fn inode(store: &Store) -> u64 {
    let memory = store.0.memory.borrow();
    memory.as_ref().unwrap().file.as_ref().unwrap().1.1
}

/// Lets the next call look at the path, as if 5 seconds were over.
fn look_now(store: &Store) {
    store.0.look_at.set(Timestamp::default());
}

fn overwrite(path: &Path, words: &[u64], at: u64) {
    let bytes: Vec<u8> = words.iter().flat_map(|word| word.to_ne_bytes()).collect();
    fs::OpenOptions::new().write(true).open(path).unwrap().write_all_at(&bytes, at).unwrap();
}

fn set_mode(path: &Path, mode: u32) {
    fs::set_permissions(path, PermissionsExt::from_mode(mode)).unwrap();
}

fn is_root() -> bool {
    target::user() == 0
}

/// Gives up root's rights, in a child.
fn become_user(user: u32, groups: &[u32]) {
    if is_root() {
        let group = *groups.first().unwrap_or(&user);
        // SAFETY: the list is live for its length; the rest is numbers.
        let done = unsafe {
            libc::setgroups(groups.len(), groups.as_ptr()) | libc::setgid(group) | libc::setuid(user)
        };
        assert_eq!(done, 0);
    }
}
