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
        """The limits are shared all the same, and places are counted per process: no call waits for one that nobody has."""
        for what, error in (("lock", "Permission denied (os error 13)"), ("ofd", "Invalid argument (os error 22)")):
            with self.subTest(what):
                path = self.folder(what)
                self.one_at_once(host.refusing(what), path)
                answer = self.paced(host.refusing(what), ini={SHM: path})
                file = f"{path}/{NAME}"
                reason = f"cannot lock {file}: {error}; what waits and is in flight is counted per process"
                self.assertEqual((True, file, reason, 1), tuple(answer["state"][key] for key in ("shared", "path", "reason", "processes")))
                self.assertIn(f"Shared state => {file}: {reason}\n", answer["info"])

    def one_at_once(self, before, path):
        """A batch whose limit lets one request be in flight, and a call that waits where others do."""
        url = self.server.script({"delay_ms": 20})
        refused = self.server.script({"status": 429, "headers": [["Retry-After", "0.1"]]}, {"body": "through"})
        batch = {"batch": 5, "uri": url, "options": {"limit": "1 at once", "budget": 5.0}}
        waiting = {"call": {"method": "GET", "uri": refused}, "options": {"maxAttempts": 2, "budget": 5.0}}
        answer = host.run(batch, waiting, before=before, ini={SHM: path}).json
        self.assertEqual(({"200": 5}, 200), (answer["steps"][0].get("statuses"), answer["steps"][1].get("status")), answer["steps"])
        arrived = [entry["monotonic_ns"] for entry in self.server.log(url, 5)]
        self.assertGreater((arrived[-1] - arrived[0]) / 1e9, 0.08, "one after the other")

    def test_a_journal_that_cannot_be_locked(self):
        """Two processes that write to it would spoil it."""
        step = {"batch": 1, "uri": self.server["http"] + "/status/200", "with": {"journal": str(self.folder("journals") / "journal")}}
        seen = host.run(step, before=host.refusing("lock")).json["steps"][0]
        self.assertEqual("RetryClient::sendAll(): Argument #5 ($journal) cannot be locked: Permission denied (os error 13)", seen.get("message"))

    COPY_ON_WRITE = "a copy-on-write file system: should that be full, a change would end the process"

    def test_file_systems(self):
        """One of another machine's clock, and one on which a change may find no room although the file has its space."""
        path = self.folder("system")
        for magic, why in (("6969", "a network file system"), ("65735546", "a network file system"),
                           ("9123683e", self.COPY_ON_WRITE), ("ca451a4e", self.COPY_ON_WRITE), ("3434", self.COPY_ON_WRITE), ("794c7630", self.COPY_ON_WRITE)):
            with self.subTest(magic):
                env = {"LD_PRELOAD": harness.library("file_system.c", host.HERE), "FILE_SYSTEM": magic}
                self.assertState(f"{path}/{NAME} is on {why}", self.paced(ini={SHM: path}, env=env))
        self.assertEqual([], list(path.iterdir()))

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
    NAME = "retry_client.0.1"    # whoever made the namespace is root in it

    def automatic(self, script, *kinds):
        return self.paced(host.unshare(script, *kinds), ini={SHM: "auto"})

    def test_no_dev_shm(self):
        answer = self.automatic("mount -t tmpfs none /dev")
        self.assertState("cannot make a file in /dev/shm: No such file or directory (os error 2)", answer)

    def test_a_full_dev_shm(self):
        """It takes its 5 MB at once: a page that finds no room later would be a SIGBUS."""
        answer = self.automatic("mount -t tmpfs -o size=64k none /dev/shm")
        self.assertState(f"cannot reserve space for /dev/shm/{self.NAME}: No space left on device (os error 28)", answer)

    def test_a_read_only_root(self):
        script = "mount -o remount,bind,ro / && mount -t tmpfs -o ro none /dev/shm"
        answer = self.automatic(script)
        self.assertState("cannot make a file in /dev/shm: Read-only file system (os error 30)", answer)

    def test_a_dev_shm_from_which_nothing_is_run(self):
        state = self.automatic("mount -t tmpfs -o size=16m,noexec,nosuid,nodev none /dev/shm")["state"]
        self.assertEqual(f"/dev/shm/{self.NAME}", state["path"], state)

    def test_no_proc(self):
        answer = self.automatic("mount -t tmpfs none /proc")
        self.assertState("cannot read /proc/sys/kernel/random/boot_id: No such file or directory (os error 2)", answer)
