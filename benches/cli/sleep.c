/* Sleeps for each of the given milliseconds until an absolute time, and prints how much later it woke, in nanoseconds. */

#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

int main(int count, char **arguments)
{
    for (int i = 1; i < count; i++) {
        struct timespec due, now;
        clock_gettime(CLOCK_MONOTONIC, &due);
        long ns = due.tv_nsec + atol(arguments[i]) * 1000000L;
        due.tv_sec += ns / 1000000000L;
        due.tv_nsec = ns % 1000000000L;
        while (clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &due, NULL) != 0) {
        }
        clock_gettime(CLOCK_MONOTONIC, &now);
        printf("%ld\n", (now.tv_sec - due.tv_sec) * 1000000000L + now.tv_nsec - due.tv_nsec);
    }
    return 0;
}
