//! Places are never more than they should be, and end with their process.

use std::os::fd::AsFd;

use super::*;

const BOTH: [PlaceKind; 2] = [PlaceKind::Waiting, PlaceKind::InFlight];

#[test]
fn as_many_as_there_are_and_free_again_when_dropped() {
    let folder = Folder::new();
    for store in [folder.store(), Store::local()] {
        let slots = [slot(&store, 1), slot(&store, 2)];
        for slot in &slots {
            for kind in BOTH {
                let mut held: Vec<_> = (0..5).map(|_| slot.place(kind, 5).unwrap()).collect();
                assert!(slot.place(kind, 5).is_none());
                assert_eq!(slot.taken(kind), 5);
                held.remove(2);
                assert_eq!(slot.taken(kind), 4);
                held.push(slot.place(kind, 5).unwrap());
                assert!(slot.place(kind, 5).is_none());
                assert!(slot.place(kind, 0).is_none());
                drop(held);
                assert_eq!(slot.taken(kind), 0);
            }
        }
        let _one = slots[0].place(PlaceKind::Waiting, u32::MAX).unwrap();
        let taken = slots.each_ref().map(|slot| BOTH.map(|kind| slot.taken(kind)));
        assert_eq!(taken, [[1, 0], [0, 0]]);
    }
}

#[test]
fn all_processes_together_have_them() {
    let folder = Folder::new();
    let mine = slot(&folder.store(), 1);
    let kind = PlaceKind::InFlight;
    let hold = |count: usize| {
        Child::holding(|| {
            let slot = slot(&folder.store(), 1);
            let held: Vec<_> = (0..count).map(|_| slot.place(kind, 10).unwrap()).collect();
            (slot, held)
        })
    };
    let (two, four) = (hold(2), hold(4));
    assert_eq!(mine.taken(kind), 6);
    let held: Vec<_> = (0..4).map(|_| mine.place(kind, 10).unwrap()).collect();
    assert!(mine.place(kind, 10).is_none());
    assert_eq!(mine.taken(kind), 10);
    two.kill();
    assert_eq!(mine.taken(kind), 8);
    let more = [mine.place(kind, 10).unwrap(), mine.place(kind, 10).unwrap()];
    assert!(mine.place(kind, 10).is_none());
    four.kill();
    assert_eq!(mine.taken(kind), 6);
    drop((held, more));
    assert_eq!(mine.taken(kind), 0);
}

#[test]
fn never_more_at_once_than_there_are() {
    const LIMIT: u32 = 5;
    let folder = Folder::new();
    let work = || {
        let store = folder.store();
        let slot = slot(&store, 1);
        let [inside, most, ..] = slot.ring(10).unwrap() else { panic!() };
        let mut got = 0;
        while got < 1000 {
            if let Some(place) = slot.place(PlaceKind::InFlight, LIMIT) {
                most.fetch_max(inside.fetch_add(1, Relaxed) + 1, Relaxed);
                got += 1;
                std::thread::yield_now();
                inside.fetch_sub(1, Relaxed);
                drop(place);
            } else {
                std::thread::yield_now();
            }
        }
    };
    let children: Vec<_> = (0..8).map(|_| Child(forked::start_child(work))).collect();
    children.into_iter().for_each(Child::wait);
    let store = folder.store();
    let slot = slot(&store, 1);
    let ring = slot.ring(10).unwrap();
    assert_eq!(ring[0].load(Relaxed), 0);
    assert!((2..=u64::from(LIMIT)).contains(&ring[1].load(Relaxed)), "{ring:?}");
    assert_eq!(slot.taken(PlaceKind::InFlight), 0);
}

#[test]
fn a_stopped_holder_keeps_its_place_and_holds_up_nobody() {
    let folder = Folder::new();
    let holder = Child::holding(|| {
        let slot = slot(&folder.store(), 1);
        (slot.place(PlaceKind::InFlight, 2).unwrap(), slot)
    });
    holder.signal(libc::SIGSTOP);
    let begun = clock::now();
    let slot = slot(&folder.store(), 1);
    let mine = slot.place(PlaceKind::InFlight, 2);
    assert!(mine.is_some() && slot.place(PlaceKind::InFlight, 2).is_none());
    assert_eq!(slot.taken(PlaceKind::InFlight), 2);
    assert!(clock::now().since(begun) < Duration::from_secs(2));
    holder.kill();
    assert_eq!(slot.taken(PlaceKind::InFlight), 1);
}

#[test]
fn who_shares_is_counted() {
    let folder = Folder::new();
    let store = folder.store();
    assert_eq!(store.about().processes, 1);
    let others: Vec<_> = (0..3).map(|_| Child::holding(|| folder.store())).collect();
    let again = folder.store();
    assert_eq!((store.about().processes, again.about().processes), (5, 5));
    others.into_iter().for_each(Child::kill);
    drop(again);
    assert_eq!(store.about().processes, 1);
}

/// Locks bytes of the file as a program might that means no good.
fn lock(folder: &Folder, kind: libc::c_int, stretches: impl Iterator<Item = (i64, i64)>) -> fs::File {
    use std::os::fd::AsRawFd;
    let file = fs::OpenOptions::new().read(true).write(true).open(folder.file()).unwrap();
    for (l_start, l_len) in stretches {
        let lock = libc::flock { l_type: kind as i16, l_whence: 0, l_start, l_len, l_pid: 0 };
        // SAFETY: it reads the structure.
        assert_eq!(unsafe { libc::fcntl(file.as_fd().as_raw_fd(), libc::F_OFD_SETLK, &raw const lock) }, 0);
    }
    file
}

#[test]
fn locks_of_mischief_only_take_places() {
    // In a process that no other test forks: its child would keep those locks.
    let folder = Folder::new();
    forked::in_child(|| mischief(&folder));
}

fn mischief(folder: &Folder) {
    let slot = slot(&folder.store(), 1);
    let (waiting, in_flight) = (Range::of(BOTH[0], slot.index()), Range::of(BOTH[1], slot.index()));
    assert_ne!(waiting, in_flight);
    let begun = clock::now();
    // As `Range` has it.
    let start = (3 * 4096 + slot.index() as i64) << 33;
    for kind in [libc::F_WRLCK, libc::F_RDLCK] {
        // A length of 0: to the end of all.
        for stretch in [(start, 0), (start - 5, 1 << 40), (start, 1000)] {
            let everything = lock(folder, kind, std::iter::once(stretch));
            assert!(slot.place(PlaceKind::InFlight, 1000).is_none(), "{stretch:?}");
            let taken = slot.taken(PlaceKind::InFlight);
            assert_eq!(taken, if stretch.1 == 1000 { 1000 } else { u32::MAX });
            drop(everything);
            assert_eq!(slot.taken(PlaceKind::InFlight), 0);
        }
    }
    let every_other = lock(folder, libc::F_WRLCK, (0..2000).map(|n| (start + 2 * n, 1)));
    assert_eq!(slot.taken(PlaceKind::InFlight), 2000);
    let held: Vec<_> = (0..500).map(|_| slot.place(PlaceKind::InFlight, 1000).unwrap()).collect();
    assert!(slot.place(PlaceKind::InFlight, 1000).is_none());
    assert_eq!(slot.taken(PlaceKind::InFlight), 2500);
    drop((held, every_other));
    assert_eq!(slot.taken(PlaceKind::InFlight), 0);
    assert!(clock::now().since(begun) < Duration::from_secs(10));
}
