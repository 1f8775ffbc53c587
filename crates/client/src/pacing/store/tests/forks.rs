//! A child neither frees nor keeps what its parent holds.

use std::process::{Command, Stdio};

use super::*;

const KIND: PlaceKind = PlaceKind::InFlight;

fn soon(holds: impl Fn() -> bool) {
    let until = clock::now().after(Duration::from_secs(5));
    while !holds() {
        assert!(clock::now() < until);
        std::thread::yield_now();
    }
}

#[test]
fn however_a_child_ends_its_parent_keeps_its_places() {
    let folder = Folder::new();
    let (store, watcher) = (folder.store(), folder.store());
    let (mine, watched) = (slot(&store, 1), slot(&watcher, 1));
    let place = mine.place(KIND, 2).unwrap();
    let check = || assert_eq!((watched.taken(KIND), watcher.about().processes), (1, 2));
    let ways: [&dyn Fn(); 5] = [
        &|| {},
        // SAFETY: as often as the test: the child's exit handlers are its own.
        &|| unsafe { libc::exit(0) },
        // What the parent made is used and dropped in the child.
        &|| {
            // SAFETY: the copy is used in this child only, which leaves by _exit.
            drop(unsafe { std::ptr::read(&raw const place) });
        },
        &|| {
            // SAFETY: the same.
            drop(unsafe { std::ptr::read(&raw const store) });
        },
        &|| {
            let own = slot(&store, 1);
            assert_eq!(own.taken(KIND), 1);
            let held = own.place(KIND, 2);
            assert!(held.is_some() && own.place(KIND, 2).is_none());
            assert_eq!((own.taken(KIND), store.about().processes), (2, 3));
        },
    ];
    for end in ways {
        check();
        forked::in_child(end);
        check();
    }
    drop(place);
    assert_eq!(watched.taken(KIND), 0);
}

#[test]
fn a_child_does_not_count_with_what_its_parent_had_open() {
    let folder = Folder::new();
    let store = folder.store();
    let mine = slot(&store, 1);
    let _place = mine.place(KIND, 1).unwrap();
    forked::in_child(|| {
        // The parent's slot: its memory is there, its file is closed.
        assert!(!mine.memory.places.are_intact());
        mine.ring(3).unwrap()[0].store(8, Relaxed);
        assert!(mine.place(KIND, 1).is_none(), "the parent's places at the fork");
        assert!(mine.place(KIND, 2).is_some(), "counted here alone");
        // One's own.
        assert_eq!(slot(&store, 1).taken(KIND), 1);
    });
    assert_eq!(mine.ring(3).unwrap()[0].load(Relaxed), 8);
}

#[test]
fn a_dead_parents_places_are_free_though_its_child_lives() {
    let folder = Folder::new();
    let watcher = folder.store();
    let watched = slot(&watcher, 1);
    let (parent, mut heard) = Child::telling(|tell| {
        let store = folder.store();
        let slot = slot(&store, 1);
        let _held = [slot.place(KIND, 5).unwrap(), slot.place(KIND, 5).unwrap()];
        // The child keeps the mapping and all descriptors but one.
        tell(forked::start_child(|| sleep_for_ever()) as u64);
        sleep_for_ever()
    });
    let child = hear(&mut heard) as libc::pid_t;
    assert_eq!((watched.taken(KIND), watcher.about().processes), (2, 2));
    parent.kill();
    // The child closes as the first thing it does, but it may not have come to run yet.
    soon(|| (watched.taken(KIND), watcher.about().processes) == (0, 1));
    // SAFETY: no memory is involved; signal 0 asks whether it is there.
    assert_eq!(unsafe { libc::kill(child, 0) }, 0);
    let maps = fs::read_to_string(format!("/proc/{child}/maps")).unwrap();
    assert!(maps.contains("retry_client."), "the child still maps it");
    // SAFETY: it is there.
    unsafe { libc::kill(child, libc::SIGKILL) };
}

#[test]
#[expect(clippy::zombie_processes, reason = "who started it is killed")]
fn a_program_that_is_started_keeps_nothing() {
    let folder = Folder::new();
    let watcher = folder.store();
    let watched = slot(&watcher, 1);
    let (parent, mut heard) = Child::telling(|tell| {
        let slot = slot(&folder.store(), 1);
        let _held = slot.place(KIND, 5).unwrap();
        let sleep =
            Command::new("sleep").arg("20").stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
        tell(u64::from(sleep.id()));
        sleep_for_ever()
    });
    let sleep = hear(&mut heard) as libc::pid_t;
    assert_eq!(watched.taken(KIND), 1);
    parent.kill();
    // The one that waits for an exec goes on a moment before the kernel closes what exec closes.
    soon(|| (watched.taken(KIND), watcher.about().processes) == (0, 1));
    // SAFETY: no memory is involved; the process is ours.
    assert_eq!(unsafe { libc::kill(sleep, libc::SIGKILL) }, 0);
}

#[test]
fn a_daemon_that_closes_all_descriptors_opens_the_file_again() {
    let folder = Folder::new();
    forked::in_child(|| {
        let store = folder.store();
        let slot_before = slot(&store, 1);
        // SAFETY: nothing else in this child needs them.
        unsafe { libc::close_range(3, u32::MAX, 0) };
        // The number may be another file's by now.
        let others: Vec<_> = (0..20).map(|_| fs::File::open("/dev/null").unwrap()).collect();
        assert!(slot_before.place(KIND, 1).is_some());
        look_now(&store);
        let slot_after = slot(&store, 1);
        let _place = slot_after.place(KIND, 5).unwrap();
        assert_eq!(slot(&folder.store(), 1).taken(KIND), 1);
        drop(slot_before);
        others.iter().for_each(|file| assert!(file.metadata().is_ok(), "not closed for us"));
    });
}

#[test]
fn descriptors_that_were_given_back_are_not_closed_in_a_child() {
    let folder = Folder::new();
    forked::in_child(|| {
        drop(folder.store());
        let files: Vec<_> = (0..20).map(|_| fs::File::open("/dev/null").unwrap()).collect();
        forked::in_child(|| files.iter().for_each(|file| assert!(file.metadata().is_ok())));
        // Given back, and closed by somebody else before.
        let store = folder.store();
        // SAFETY: nothing else in this child needs them.
        unsafe { libc::close_range(3, u32::MAX, 0) };
        std::mem::forget(files);
        let files: Vec<_> = (0..20).map(|_| fs::File::open("/dev/null").unwrap()).collect();
        forked::in_child(|| files.iter().for_each(|file| assert!(file.metadata().is_ok())));
        drop(store);
        files.iter().for_each(|file| assert!(file.metadata().is_ok()));
    });
}

#[test]
fn a_thousand_openings_and_no_more() {
    let folder = Folder::new();
    forked::in_child(|| {
        let stores: Vec<_> = (0..1100).map(|_| Store::open(&folder.choice())).collect();
        let is_shared = |store: &&Store| store.0.memory.borrow().as_ref().unwrap().file.is_some();
        let count = stores.iter().filter(is_shared).count();
        assert!((900..=1024).contains(&count), "{count}");
        assert_eq!(stores.last().unwrap().about().reason.unwrap(), "too many threads share already");
        assert_eq!(stores[0].about().processes as usize, count);
        drop(stores);
        assert_eq!(folder.store().about().processes, 1);
    });
}
