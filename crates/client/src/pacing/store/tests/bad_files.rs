//! What is at the path and does not fit: replaced, or left alone with the reason.

use std::os::unix::{
    fs::{MetadataExt, chown, symlink},
    net::UnixListener,
};

use super::*;

/// A folder with a good file of this library in it, with one key.
fn used() -> Folder {
    let folder = Folder::new();
    slot(&folder.store(), 7);
    folder
}

/// The store must share a new file in which nothing is known.
fn is_replaced(folder: &Folder) {
    let before = fs::symlink_metadata(folder.file()).unwrap().ino();
    let store = folder.store();
    assert_ne!(inode(&store), before);
    assert!(store.find(7).is_none());
    let found = fs::symlink_metadata(folder.file()).unwrap();
    assert_eq!((found.ino(), found.mode(), found.len()), (inode(&store), 0o100_600, layout::SIZE as u64));
    assert!(found.blocks() * 512 >= layout::SIZE as u64, "all its space is taken");
    assert!(!folder.names().iter().any(|name| name.contains("tmp")));
    slot(&store, 7);
    assert!(folder.store().find(7).is_some());
}

#[test]
fn a_good_file_is_not_replaced() {
    let folder = used();
    let before = fs::metadata(folder.file()).unwrap().ino();
    let store = folder.store();
    assert!(store.find(7).is_some());
    assert_eq!(inode(&store), before);
}

#[test]
fn the_header_says_which_start_of_the_machine_it_is_of() {
    let bytes = fs::read(used().file()).unwrap();
    let words: Vec<_> = bytes[..4096]
        .as_chunks()
        .0
        .iter()
        .map(|bytes| format!("{:016x}", u64::from_ne_bytes(*bytes)))
        .collect();
    let boot = fs::read_to_string("/proc/sys/kernel/random/boot_id").unwrap();
    assert_eq!(words[2..4].concat(), boot.trim().replace('-', ""));
}

#[test]
fn files_that_do_not_fit_are_replaced() {
    type Spoil = fn(&Path);
    let spoilers: [(&str, Spoil); 15] = [
        ("empty", |path| drop(fs::File::create(path).unwrap())),
        ("truncated", |path| fs::OpenOptions::new().write(true).open(path).unwrap().set_len(5000).unwrap()),
        ("one byte less", |path| {
            fs::OpenOptions::new().write(true).open(path).unwrap().set_len(layout::SIZE as u64 - 1).unwrap();
        }),
        ("huge", |path| fs::OpenOptions::new().write(true).open(path).unwrap().set_len(1 << 40).unwrap()),
        ("foreign", |path| fs::write(path, "#!/bin/sh\n").unwrap()),
        ("zeros", |path| {
            fs::remove_file(path).unwrap();
            fs::File::create(path).unwrap().set_len(layout::SIZE as u64).unwrap();
            set_mode(path, 0o600);
        }),
        ("wrong magic", |path| overwrite(path, &[1], 0)),
        ("magic of the other byte order", |path| overwrite(path, &[layout::MAGIC.swap_bytes()], 0)),
        ("other layout", |path| overwrite(path, &[LAYOUT + 1], 8)),
        ("other boot", |path| overwrite(path, &[0xb007], 16)),
        ("other sizes", |path| overwrite(path, &[1024], 40)),
        ("other creator", |path| overwrite(path, &[77], 56)),
        ("readable by all", |path| set_mode(path, 0o644)),
        ("not even by its owner", |path| set_mode(path, 0)),
        ("read-only", |path| set_mode(path, 0o400)),
    ];
    for (what, spoil) in spoilers {
        println!("{what}");
        let folder = used();
        spoil(&folder.file());
        is_replaced(&folder);
    }
}

#[test]
fn what_is_no_file_but_ours_is_replaced_and_what_a_link_points_to_is_not_touched() {
    let folder = used();
    let precious = folder.path().join("precious");
    fs::rename(folder.file(), &precious).unwrap();
    let before = fs::read(&precious).unwrap();
    for links in [symlink::<&Path, PathBuf> as fn(_, _) -> _, fs::hard_link::<&Path, PathBuf>] {
        links(&precious, folder.file()).unwrap();
        is_replaced(&folder);
        assert!(fs::read(&precious).unwrap() == before);
        fs::remove_file(folder.file()).unwrap();
    }
    symlink("nowhere", folder.file()).unwrap();
    is_replaced(&folder);
    fs::remove_file(folder.file()).unwrap();
    let name = std::ffi::CString::new(folder.file().into_os_string().into_encoded_bytes()).unwrap();
    // SAFETY: the name is a live, NUL-terminated string.
    assert_eq!(unsafe { libc::mkfifo(name.as_ptr(), 0o600) }, 0);
    is_replaced(&folder);
    fs::remove_file(folder.file()).unwrap();
    let _socket = UnixListener::bind(folder.file()).unwrap();
    is_replaced(&folder);
}

#[test]
fn a_folder_of_that_name_is_left_alone() {
    let folder = Folder::new();
    fs::create_dir(folder.file()).unwrap();
    let store = Store::open(&folder.choice());
    assert_eq!(reason(&store), format!("{} is a folder, which is not replaced", folder.file().display()));
    assert!(folder.file().is_dir());
}

#[test]
fn another_users_file_is_left_alone() {
    let folder = used();
    let path = if is_root() {
        chown(folder.file(), Some(4711), None).unwrap();
        folder.file()
    } else {
        "/etc/passwd".into()
    };
    let before = fs::read(&path).unwrap();
    let store = Store::open(&SharedMemory::At(path.clone()));
    let owner = if is_root() { 4711 } else { 0 };
    assert_eq!(reason(&store), format!("{} belongs to user {owner}", path.display()));
    assert!(fs::read(&path).unwrap() == before);
}

#[test]
fn a_file_that_loses_its_owner_while_in_use_is_left() {
    if is_root() {
        let folder = used();
        let store = folder.store();
        chown(folder.file(), Some(4711), None).unwrap();
        let other = Store::open(&folder.choice());
        assert!(reason(&other).ends_with("belongs to user 4711"));
        assert!(store.find(7).is_some());
    }
}

#[test]
fn a_named_file_is_made_used_and_replaced_only_if_it_was_ours() {
    let folder = Folder::new();
    let path = folder.path().join("name");
    let choice = SharedMemory::At(path.clone());
    let open = || Store::open(&choice);
    for spoil in [
        (|_| {}) as fn(&Path),
        |path| overwrite(path, &[0xb007], 16),
        |path| fs::OpenOptions::new().write(true).open(path).unwrap().set_len(5000).unwrap(),
        |path| fs::write(path, "").unwrap(),
        |path| overwrite(path, &[1], 0),
    ] {
        slot(&open(), 7);
        assert!(open().find(7).is_some());
        assert_eq!(folder.names(), ["name"]);
        spoil(&path);
        assert_eq!(shared_path(&open()), path);
    }
    fs::write(&path, "what somebody needs").unwrap();
    assert_eq!(
        reason(&open()),
        format!("{} is another program's file, which is not replaced", path.display())
    );
    assert_eq!(fs::read(&path).unwrap(), b"what somebody needs");
    let link = folder.path().join("link");
    symlink(&path, &link).unwrap();
    let reason = reason(&Store::open(&SharedMemory::At(link.clone())));
    assert_eq!(reason, format!("{} is no ordinary file, which is not replaced", link.display()));
    assert!(link.is_symlink());
}

#[test]
fn a_copy_with_holes_gets_its_space_before_it_is_used() {
    let folder = used();
    let bytes = fs::read(folder.file()).unwrap();
    fs::remove_file(folder.file()).unwrap();
    let copy = fs::File::create(folder.file()).unwrap();
    copy.set_len(layout::SIZE as u64).unwrap();
    copy.write_all_at(&bytes[..4096], 0).unwrap();
    set_mode(&folder.file(), 0o600);
    assert!(copy.metadata().unwrap().blocks() * 512 < layout::SIZE as u64);
    slot(&folder.store(), 7);
    assert!(copy.metadata().unwrap().blocks() * 512 >= layout::SIZE as u64);
}
