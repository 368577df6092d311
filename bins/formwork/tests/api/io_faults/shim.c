/* Makes writes to regular files fail. IO_FAULTS names a file of two numbers, which is mapped into memory: the error,
   0 for none, and a countdown. With a countdown of n > 0 the n-th write fails, and none after it; with 0 all fail. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>

static _Atomic int *faults;

__attribute__((constructor)) static void map(void) {
    const char *path = getenv("IO_FAULTS");
    int file = path ? open(path, O_RDWR) : -1;
    if (file < 0) return;
    void *mapped = mmap(NULL, 2 * sizeof(int), PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    if (mapped != MAP_FAILED) faults = mapped;
    close(file);
}

static int fails(int fd) {
    struct stat about;
    int error = faults ? atomic_load(&faults[0]) : 0;
    if (!error || fd < 3 || fstat(fd, &about) || !S_ISREG(about.st_mode)) return 0;
    if (atomic_load(&faults[1]) > 0) {
        if (atomic_fetch_sub(&faults[1], 1) != 1) return 0;
        atomic_store(&faults[0], 0);
    }
    errno = error;
    return 1;
}

#define NEXT(name) ((__typeof__(&name))dlsym(RTLD_NEXT, #name))

ssize_t write(int fd, const void *bytes, size_t count) {
    return fails(fd) ? -1 : NEXT(write)(fd, bytes, count);
}
ssize_t writev(int fd, const struct iovec *parts, int count) {
    return fails(fd) ? -1 : NEXT(writev)(fd, parts, count);
}
ssize_t pwrite(int fd, const void *bytes, size_t count, off_t place) {
    return fails(fd) ? -1 : NEXT(pwrite)(fd, bytes, count, place);
}
ssize_t pwrite64(int fd, const void *bytes, size_t count, off64_t place) {
    return fails(fd) ? -1 : NEXT(pwrite64)(fd, bytes, count, place);
}
int fsync(int fd) { return fails(fd) ? -1 : NEXT(fsync)(fd); }
int fdatasync(int fd) { return fails(fd) ? -1 : NEXT(fdatasync)(fd); }
int ftruncate(int fd, off_t length) { return fails(fd) ? -1 : NEXT(ftruncate)(fd, length); }
int ftruncate64(int fd, off64_t length) { return fails(fd) ? -1 : NEXT(ftruncate64)(fd, length); }
