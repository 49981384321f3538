/*
 * Preloaded into a server by a test, this makes the files of one directory fail with EIO while a flag file says how:
 *   "write"  every write fails, from the next one to the file `probe` on: lmdb damages its memory if a disk begins to
 *            fail between a probe and the commit that follows it (docs/storage.md, "Full disks and I/O errors")
 *   "sync"   every sync fails, and so does every write that would be synced at once
 *   "head"   every write of some bytes, but less than a page, fails: so LMDB writes which commit counts
 * ASSAY_FAILING_DIRECTORY is the path of the directory, with a slash, ASSAY_FAILING_FLAG that of the flag file.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/uio.h>
#include <unistd.h>

#define PAGE 4096

static char mode_now(void) {
	const char *path = getenv("ASSAY_FAILING_FLAG");
	char mode = 0;
	int fd = path ? open(path, O_RDONLY | O_CLOEXEC) : -1;
	if (fd < 0) return 0;
	if (read(fd, &mode, 1) != 1) mode = 0;
	close(fd);
	return mode;
}

static int is_failing_file(int fd, int *is_probe) {
	const char *directory = getenv("ASSAY_FAILING_DIRECTORY");
	char link[64], path[4096];
	snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
	ssize_t length = readlink(link, path, sizeof path);
	size_t start = directory ? strlen(directory) : 0;
	*is_probe = length >= 6 && memcmp(path + length - 6, "/probe", 6) == 0;
	return start && length >= (ssize_t)start && memcmp(path, directory, start) == 0;
}

static volatile int a_probe_failed = 0;

static int fails_write(int fd, size_t length) {
	int is_probe;
	if (!is_failing_file(fd, &is_probe)) return 0;
	char mode = mode_now();
	if (mode != 'w') a_probe_failed = 0;
	else if (is_probe) a_probe_failed = 1;
	int fails = a_probe_failed || (mode == 'h' && length > 1 && length < PAGE) || (mode == 's' && (fcntl(fd, F_GETFL) & O_DSYNC));
	if (fails) errno = EIO;
	return fails;
}

static int fails_sync(int fd) {
	int is_probe;
	if (!is_failing_file(fd, &is_probe) || mode_now() != 's') return 0;
	errno = EIO;
	return 1;
}

static size_t length_of(const struct iovec *parts, int count) {
	size_t length = 0;
	for (int index = 0; index < count; index++) length += parts[index].iov_len;
	return length;
}

#define REAL(type, name, ...) ((type(*)(__VA_ARGS__))dlsym(RTLD_NEXT, name))

ssize_t write(int fd, const void *bytes, size_t length) {
	if (fails_write(fd, length)) return -1;
	return REAL(ssize_t, "write", int, const void *, size_t)(fd, bytes, length);
}

ssize_t pwrite(int fd, const void *bytes, size_t length, off_t at) {
	if (fails_write(fd, length)) return -1;
	return REAL(ssize_t, "pwrite", int, const void *, size_t, off_t)(fd, bytes, length, at);
}

ssize_t pwrite64(int fd, const void *bytes, size_t length, off64_t at) {
	if (fails_write(fd, length)) return -1;
	return REAL(ssize_t, "pwrite64", int, const void *, size_t, off64_t)(fd, bytes, length, at);
}

ssize_t writev(int fd, const struct iovec *parts, int count) {
	if (fails_write(fd, length_of(parts, count))) return -1;
	return REAL(ssize_t, "writev", int, const struct iovec *, int)(fd, parts, count);
}

ssize_t pwritev(int fd, const struct iovec *parts, int count, off_t at) {
	if (fails_write(fd, length_of(parts, count))) return -1;
	return REAL(ssize_t, "pwritev", int, const struct iovec *, int, off_t)(fd, parts, count, at);
}

ssize_t pwritev64(int fd, const struct iovec *parts, int count, off64_t at) {
	if (fails_write(fd, length_of(parts, count))) return -1;
	return REAL(ssize_t, "pwritev64", int, const struct iovec *, int, off64_t)(fd, parts, count, at);
}

int fsync(int fd) {
	return fails_sync(fd) ? -1 : REAL(int, "fsync", int)(fd);
}

int fdatasync(int fd) {
	return fails_sync(fd) ? -1 : REAL(int, "fdatasync", int)(fd);
}
