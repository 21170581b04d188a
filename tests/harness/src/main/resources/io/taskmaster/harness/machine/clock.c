/*
 * A wall clock that can be set while a process runs, for one that is started with this library in LD_PRELOAD. It is ahead of the machine's by as
 * many nanoseconds as stand in a file, of eight bytes in the machine's byte order, that is mapped: setting the clock is writing there. The
 * monotonic clock is the machine's.
 *
 * TASKMASTER_CLOCK_AHEAD  the file
 *
 * Whoever waits until a time of the wall clock waits until the machine's clock would show it if it were set by as much now. What is read by
 * system calls of its own, past the C library, such as the times of files, is the machine's.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <pthread.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

#define SECOND 1000000000LL

/* Times of conditions do not say of which clock they are. By the monotonic clock, which begins with the machine, this is after 30 years. */
#define WALL_CLOCK_FROM 1000000000

static const int64_t nobody_sets_it = 0;
static const volatile int64_t *ahead;

static int (*real_gettime)(clockid_t, struct timespec *);
static int (*real_timedwait)(pthread_cond_t *, pthread_mutex_t *, const struct timespec *);

static void *next(const char *name) {
    void *symbol = dlsym(RTLD_NEXT, name);
    if (symbol == NULL) {
        _exit(120);
    }
    return symbol;
}

/* Before main, or by the first call, if another library comes first. */
__attribute__((constructor)) static void begin(void) {
    if (ahead != NULL) {
        return;
    }
    real_gettime = next("clock_gettime");
    real_timedwait = next("pthread_cond_timedwait");
    const char *path = getenv("TASKMASTER_CLOCK_AHEAD");
    if (path == NULL) {
        ahead = &nobody_sets_it;
        return;
    }
    int file = open(path, O_RDONLY | O_CLOEXEC);
    void *mapped = file < 0 ? MAP_FAILED : mmap(NULL, sizeof *ahead, PROT_READ, MAP_SHARED, file, 0);
    if (mapped == MAP_FAILED) {
        _exit(121);
    }
    close(file);
    ahead = mapped;
}

static struct timespec moved(const struct timespec *time, int64_t nanos) {
    int64_t all = time->tv_sec * SECOND + time->tv_nsec + nanos;
    return (struct timespec) {.tv_sec = all / SECOND, .tv_nsec = all % SECOND};
}

int clock_gettime(clockid_t clock, struct timespec *time) {
    begin();
    int result = real_gettime(clock, time);
    if (result == 0 && (clock == CLOCK_REALTIME || clock == CLOCK_REALTIME_COARSE)) {
        *time = moved(time, *ahead);
    }
    return result;
}

int gettimeofday(struct timeval *restrict time, void *restrict zone) {
    struct timespec now;
    (void) zone;
    clock_gettime(CLOCK_REALTIME, &now);
    time->tv_sec = now.tv_sec;
    time->tv_usec = now.tv_nsec / 1000;
    return 0;
}

time_t time(time_t *result) {
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    if (result != NULL) {
        *result = now.tv_sec;
    }
    return now.tv_sec;
}

int pthread_cond_timedwait(
    pthread_cond_t *restrict condition, pthread_mutex_t *restrict mutex, const struct timespec *restrict until) {
    begin();
    if (until->tv_sec < WALL_CLOCK_FROM) {
        return real_timedwait(condition, mutex, until);
    }
    struct timespec there = moved(until, -*ahead);
    return real_timedwait(condition, mutex, &there);
}
