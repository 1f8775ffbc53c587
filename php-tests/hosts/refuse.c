/* refuse WHAT... -- COMMAND...: runs the command where the kernel refuses some of what a program may ask for, as SELinux,
 * AppArmor or a container's seccomp profile do. `map` and `lock`: a file cannot be mapped to be shared, or locked (EACCES);
 * `ofd`: there are no open file description locks (EINVAL); `epoll`, `timers`, `random`, `statx`, `ring`: the calls of that
 * name (EPERM). */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

static struct sock_filter code[100];
static unsigned short length;

static void add(unsigned short operation, unsigned char yes, unsigned char no, unsigned value)
{
    code[length++] = (struct sock_filter){operation, yes, no, value};
}

static void load(size_t offset)
{
    add(BPF_LD | BPF_W | BPF_ABS, 0, 0, offset);
}

static void refuse(long number, int error)
{
    add(BPF_JMP | BPF_JEQ | BPF_K, 0, 1, number);
    add(BPF_RET | BPF_K, 0, 0, SECCOMP_RET_ERRNO | error);
}

/* Refuses a call if bits of an argument have this value. */
static void refuse_with(long number, int argument, unsigned mask, unsigned value, int error)
{
    add(BPF_JMP | BPF_JEQ | BPF_K, 0, 5, number);
    load(offsetof(struct seccomp_data, args) + 8 * argument);
    add(BPF_ALU | BPF_AND | BPF_K, 0, 0, mask);
    add(BPF_JMP | BPF_JEQ | BPF_K, 0, 1, value);
    add(BPF_RET | BPF_K, 0, 0, SECCOMP_RET_ERRNO | error);
    load(offsetof(struct seccomp_data, nr));
}

int main(int count, char **words)
{
    int word = 1;
    load(offsetof(struct seccomp_data, nr));
    for (; word < count && strcmp(words[word], "--") != 0; word++) {
        const char *what = words[word];
        if (strcmp(what, "map") == 0) {
            refuse_with(SYS_mmap, 3, MAP_TYPE | MAP_ANONYMOUS, MAP_SHARED, EACCES);
        } else if (strcmp(what, "lock") == 0) {
            refuse_with(SYS_fcntl, 1, ~0u, F_OFD_SETLK, EACCES);
            refuse(SYS_flock, EACCES);
        } else if (strcmp(what, "ofd") == 0) {
            refuse_with(SYS_fcntl, 1, ~0u, F_OFD_SETLK, EINVAL);
            refuse_with(SYS_fcntl, 1, ~0u, F_OFD_GETLK, EINVAL);
        } else if (strcmp(what, "epoll") == 0) {
            refuse(SYS_epoll_create1, EPERM);
        } else if (strcmp(what, "timers") == 0) {
            refuse(SYS_timerfd_create, EPERM);
        } else if (strcmp(what, "random") == 0) {
            refuse(SYS_getrandom, EPERM);
        } else if (strcmp(what, "statx") == 0) {
            refuse(SYS_statx, EPERM);
        } else if (strcmp(what, "ring") == 0) {
            refuse(SYS_io_uring_setup, EPERM);
        } else {
            fprintf(stderr, "refuse: what is %s?\n", what);
            return 2;
        }
    }
    if (word + 1 >= count) {
        fprintf(stderr, "usage: refuse WHAT... -- COMMAND...\n");
        return 2;
    }
    add(BPF_RET | BPF_K, 0, 0, SECCOMP_RET_ALLOW);
    struct sock_fprog filter = {length, code};
    if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0 || prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &filter) != 0) {
        perror("refuse");
        return 2;
    }
    execvp(words[word + 1], words + word + 1);
    perror(words[word + 1]);
    return 2;
}
