//! Folders in which there can be no file, and those that share among a group.

use std::{
    ffi::CString,
    os::unix::fs::{MetadataExt, chown},
};

use super::*;

fn limit(resource: libc::__rlimit_resource_t, value: u64) {
    let limit = libc::rlimit { rlim_cur: value, rlim_max: value };
    // SAFETY: it reads the structure.
    assert_eq!(unsafe { libc::setrlimit(resource, &raw const limit) }, 0);
}

#[test]
fn no_folder_to_be_in() {
    let folder = Folder::new();
    let at = |path: &Path| reason(&Store::open(&SharedMemory::At(path.into())));
    let missing = folder.path().join("a/b");
    assert_eq!(
        at(&missing),
        format!(
            "cannot find the folder {}/a: No such file or directory (os error 2)",
            folder.path().display()
        )
    );
    let missing = folder.path().join("a/");
    assert!(at(&missing).starts_with("cannot find the folder "));
    fs::write(folder.path().join("file"), "").unwrap();
    assert!(at(&folder.path().join("file/x")).ends_with("/file is no folder, which is not replaced"));
    assert_eq!(at(Path::new("here")), "here is not an absolute path");
    assert!(at(Path::new("/dev/shm/\0")).starts_with("cannot look at"));
    assert!(at(&folder.path().join("n".repeat(300))).contains("File name too long"));
}

#[test]
fn a_folder_that_may_not_be_written_to() {
    let folder = Folder::new();
    set_mode(folder.path(), 0o555);
    forked::in_child(|| {
        become_user(4711, &[]);
        let reason = reason(&Store::open(&folder.choice()));
        assert!(
            reason.starts_with("cannot make a file in ") && reason.contains("Permission denied"),
            "{reason}"
        );
    });
    assert!(folder.names().is_empty());
    set_mode(folder.path(), 0o700);
}

/// A file system of 1 MiB, where this is root's process.
struct Small(CString);

impl Small {
    fn mount(at: &Path) -> Option<Self> {
        let path = CString::new(at.as_os_str().as_encoded_bytes()).unwrap();
        let (kind, options) = (c"tmpfs".as_ptr(), c"size=1m".as_ptr().cast());
        // SAFETY: all are live, NUL-terminated strings.
        let mounted = unsafe { libc::mount(kind, path.as_ptr(), kind, 0, options) };
        (mounted == 0).then_some(Self(path))
    }
}

impl Drop for Small {
    fn drop(&mut self) {
        // SAFETY: a live, NUL-terminated string.
        unsafe { libc::umount2(self.0.as_ptr(), libc::MNT_DETACH) };
    }
}

#[test]
fn a_full_file_system() {
    let folder = Folder::new();
    let Some(_small) = Small::mount(folder.path()) else {
        // Without root's rights no file system can be filled; the limit on a file's size refuses likewise.
        return files_may_not_be_so_large();
    };
    let reason = reason(&Store::open(&folder.choice()));
    assert_eq!(
        reason,
        format!(
            "cannot reserve space for {}: No space left on device (os error 28)",
            folder.file().display()
        )
    );
    assert!(folder.names().is_empty());
    // Nothing of the attempt is left.
    fs::write(folder.path().join("most"), vec![1; 900_000]).unwrap();
}

#[test]
fn files_may_not_be_so_large() {
    let (empty, used) = (Folder::new(), Folder::new());
    slot(&used.store(), 7);
    forked::in_child(|| {
        limit(libc::RLIMIT_FSIZE, 1_000_000);
        let reason = reason(&Store::open(&empty.choice()));
        assert_eq!(
            reason,
            format!(
                "the process may write files of 1000000 bytes only (RLIMIT_FSIZE); {} are needed",
                layout::SIZE
            )
        );
        // What others have made can be used.
        assert!(used.store().find(7).is_some());
    });
    assert!(empty.names().is_empty());
}

#[test]
fn no_descriptor_is_left() {
    let folder = Folder::new();
    forked::in_child(|| {
        // SAFETY: nothing in this child uses what other tests have open.
        unsafe { libc::close_range(3, u32::MAX, 0) };
        let open = || fs::read_dir("/proc/self/fd").unwrap().count();
        let before = open();
        for _ in 0..20 {
            slot(&folder.store(), 7).place(PlaceKind::Waiting, 5);
            fs::write(folder.file(), "junk").unwrap();
            reason(&Store::open(&SharedMemory::At("/dev/shm/missing/".into())));
        }
        assert_eq!(open(), before);
        // SAFETY: a descriptor is made and closed.
        let next = unsafe {
            let next = libc::dup(0);
            libc::close(next);
            next
        };
        for allowed in 0..2 {
            limit_open(next + allowed);
            let store = Store::open(&folder.choice());
            assert!(reason(&store).contains("Too many open files"), "{allowed}");
        }
        limit_open(next + 2);
        folder.store();
    });
}

fn limit_open(highest: i32) {
    let limit = libc::rlimit { rlim_cur: highest as u64, rlim_max: 1000 };
    // SAFETY: it reads the structure.
    assert_eq!(unsafe { libc::setrlimit(libc::RLIMIT_NOFILE, &raw const limit) }, 0);
}

#[test]
fn descriptors_0_to_2_are_not_taken() {
    let folder = Folder::new();
    forked::in_child(|| {
        // SAFETY: nothing in this child uses them.
        (0..3).for_each(|number| assert_eq!(unsafe { libc::close(number) }, 0));
        let store = folder.store();
        let place = slot(&store, 7).place(PlaceKind::InFlight, 1);
        assert!(place.is_some());
        for number in 0..3 {
            // SAFETY: no memory is involved.
            assert_eq!(unsafe { libc::fcntl(number, libc::F_GETFD) }, -1);
        }
    });
}

#[test]
fn the_umask_changes_nothing() {
    let folder = Folder::new();
    forked::in_child(|| {
        // SAFETY: no memory is involved.
        unsafe { libc::umask(0o777) };
        folder.store();
    });
    assert_eq!(fs::metadata(folder.file()).unwrap().mode(), 0o100_600);
}

#[test]
fn a_worker_that_gave_up_its_rights_shares() {
    let folder = Folder::new();
    set_mode(folder.path(), 0o777);
    forked::in_child(|| {
        // As php-fpm's: not root's any more, and so not to be looked into through /proc.
        become_user(4711, &[]);
        // SAFETY: no memory is involved.
        assert_eq!(unsafe { libc::prctl(libc::PR_SET_DUMPABLE, 0) }, 0);
        folder.store();
    });
}

#[test]
fn a_group_shares_in_a_folder_with_its_bit() {
    let folder = Folder::new();
    let group = if is_root() { 5555 } else { fs::metadata(folder.path()).unwrap().gid() };
    chown(folder.path(), None, Some(group)).unwrap();
    set_mode(folder.path(), 0o2770);
    let file = folder.path().join(format!("retry_client.g{group}.{LAYOUT}"));
    let member = |user, key, other_key| {
        forked::in_child(|| {
            become_user(user, &[group]);
            let store = Store::open(&folder.choice());
            assert_eq!(shared_path(&store), file);
            assert_eq!(store.find(other_key).is_some(), user != 1001);
            slot(&store, key);
        });
    };
    member(1001, 1, 2);
    let found = fs::metadata(&file).unwrap();
    assert_eq!((found.mode(), found.gid()), (0o100_660, group));
    member(1002, 2, 1);
    // One of the group replaces what another's file has become.
    overwrite(&file, &[0xb007], 16);
    member(1001, 3, 1);
    if is_root() {
        assert_ne!(fs::metadata(&file).unwrap().uid(), 1002);
        forked::in_child(|| {
            become_user(1003, &[]);
            assert!(reason(&Store::open(&folder.choice())).contains("Permission denied"));
        });
        chown(&file, Some(1002), Some(7777)).unwrap();
        forked::in_child(|| {
            become_user(1001, &[group]);
            assert!(reason(&Store::open(&folder.choice())).ends_with("belongs to user 1002"));
        });
    }
}

#[test]
fn a_folder_that_everyone_may_write_to_shares_among_no_group() {
    let folder = Folder::new();
    set_mode(folder.path(), 0o3777);
    folder.store();
    assert_eq!(fs::metadata(folder.file()).unwrap().mode(), 0o100_600);
}

#[test]
fn the_usual_file_is_in_dev_shm() {
    // Under a user of its own, so as not to meet a real one.
    forked::in_child(|| {
        become_user(4712, &[]);
        let store = Store::open_layout(&SharedMemory::Auto, 999_999);
        let path = PathBuf::from(format!("/dev/shm/retry_client.{}.999999", target::user()));
        assert_eq!(shared_path(&store), path);
        fs::remove_file(path).unwrap();
    });
}
