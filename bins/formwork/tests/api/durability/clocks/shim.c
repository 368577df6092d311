/* Sets the time of day of a process off by CLOCK_OFFSET seconds. Monotonic clocks are left alone. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdlib.h>
#include <time.h>

static int (*next)(clockid_t, struct timespec *);
static time_t offset;

__attribute__((constructor)) static void find(void) {
    const char *seconds = getenv("CLOCK_OFFSET");
    next = (__typeof__(next))dlsym(RTLD_NEXT, "clock_gettime");
    offset = seconds ? atol(seconds) : 0;
}

int clock_gettime(clockid_t clock, struct timespec *time) {
    if (!next) find();
    int result = next(clock, time);
    if (!result && (clock == CLOCK_REALTIME || clock == CLOCK_REALTIME_COARSE)) time->tv_sec += offset;
    return result;
}
