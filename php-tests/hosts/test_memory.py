"""Where nothing can be shared: pacing stays within the process, the state says why, and nothing crashes."""

import os
import stat

import harness
import host
from host import HostTest, passing

SHM = "retry_client.shared_memory"
NAME = f"retry_client.{os.geteuid()}.1"


class Paced(HostTest):
    """Each test here ends with this: requests work, and a limit is still kept by the process itself."""

    def paced(self, before=(), **options):
        """What a process saw whose limit lets three requests go in 0.4 s."""
        url = self.server.script({})
        limited = {"call": {"method": "GET", "uri": url}, "options": {"limit": "5/s"}, "times": 3}
        answer = host.run(limited, before=before, **options).json
        self.assertEqual([200] * 3, passing(answer), answer)
        arrived = [entry["monotonic_ns"] for entry in self.server.log(url, 3)]
        self.assertGreater((arrived[2] - arrived[0]) / 1e9, 0.35, "the process keeps its own limit")
        self.assertEqual([], answer["warnings"])
        return answer


class Refused(Paced):
    """What can be made without namespaces."""

    def folder(self, name, mode=0o777):
        path = harness.folder / name
        path.mkdir()
        path.chmod(mode)
        return path

    def test_mmap(self):
        path = self.folder("map")
        answer = self.paced(host.refusing("map"), ini={SHM: path})
        self.assertState(f"cannot map {path}/{NAME}: Permission denied (os error 13)", answer)

    def test_a_folder_that_is_not_there(self):
        answer = self.paced(ini={SHM: "/nowhere/at/all/"})
        self.assertState("cannot find the folder /nowhere/at/all/: No such file or directory (os error 2)", answer)

    def test_locks(self):
        """Without locks the limits themselves are shared, and only places in flight are counted per process."""
        path = self.folder("lock")
        answer = self.paced(host.refusing("lock"), ini={SHM: path})
        self.assertEqual((True, f"{path}/{NAME}"), (answer["state"]["shared"], answer["state"]["path"]))

    def test_a_file_size_limit(self):
        path = self.folder("size")
        answer = self.paced(ini={SHM: path}, start=host.limited(FSIZE=65536))
        self.assertState("the process may write files of 65536 bytes only (RLIMIT_FSIZE); 5246976 are needed", answer)


class OtherUsers(Paced):
    """Containers whose users differ, with one folder between them."""

    def setUp(self):
        super().setUp()
        if os.geteuid() != 0:
            self.skipTest("only root can be several users")

    def user(self, uid, gid):
        def start():
            os.setgroups([])
            os.setgid(gid)
            os.setuid(uid)
        return start

    def shared(self, name, mode, gid=0):
        path = harness.folder / name
        path.mkdir()
        os.chown(path, 0, gid)
        path.chmod(mode)
        return path

    def test_a_folder_for_all_has_a_file_for_each(self):
        path = self.shared("all", 0o1777)
        for uid in (61001, 61002):
            state = self.paced(ini={SHM: path}, start=self.user(uid, uid))["state"]
            self.assertEqual(f"{path}/retry_client.{uid}.1", state["path"], state)

    def test_a_set_group_id_folder_has_one_for_the_group(self):
        path = self.shared("group", 0o2770, 61000)
        for uid in (61001, 61002):
            state = self.paced(ini={SHM: path}, start=self.user(uid, 61000))["state"]
            self.assertEqual(f"{path}/retry_client.g61000.1", state["path"], state)
        self.assertEqual(0o660, stat.S_IMODE(os.stat(path / "retry_client.g61000.1").st_mode))

    def test_a_named_file_is_its_makers(self):
        path = self.shared("named", 0o1777) / "state"
        self.assertEqual(str(path), self.paced(ini={SHM: path}, start=self.user(61001, 61001))["state"]["path"])
        answer = self.paced(ini={SHM: path}, start=self.user(61002, 61002))
        self.assertState(f"{path} belongs to user 61001", answer)


class Mounts(Paced):
    needs_namespaces = True

    def automatic(self, script, *kinds):
        return self.paced(host.unshare(script, *kinds), ini={SHM: "auto"})

    def test_no_dev_shm(self):
        answer = self.automatic("mount -t tmpfs none /dev")
        self.assertState("cannot make a file in /dev/shm: No such file or directory (os error 2)", answer)

    def test_a_full_dev_shm(self):
        """It takes its 5 MB at once: a page that finds no room later would be a SIGBUS."""
        answer = self.automatic("mount -t tmpfs -o size=64k none /dev/shm")
        self.assertState(f"cannot reserve space for /dev/shm/{NAME}: No space left on device (os error 28)", answer)

    def test_a_read_only_root(self):
        script = "mount -o remount,bind,ro / && mount -t tmpfs -o ro none /dev/shm"
        answer = self.automatic(script)
        self.assertState("cannot make a file in /dev/shm: Read-only file system (os error 30)", answer)

    def test_a_dev_shm_from_which_nothing_is_run(self):
        state = self.automatic("mount -t tmpfs -o size=16m,noexec,nosuid,nodev none /dev/shm")["state"]
        self.assertEqual(f"/dev/shm/{NAME}", state["path"], state)

    def test_no_proc(self):
        answer = self.automatic("mount -t tmpfs none /proc")
        self.assertState("cannot read /proc/sys/kernel/random/boot_id: No such file or directory (os error 2)", answer)
