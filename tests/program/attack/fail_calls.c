/* SPDX-License-Identifier: Apache-2.0
 * Makes calls of the system fail, for tests/program/attack/torture.py. Load it with LD_PRELOAD.
 *
 *   KINF_FAIL=KIND:N    the N-th call of this kind fails, and no other
 *   KINF_FAIL=KIND:N+   the N-th call and all later ones fail
 *   KINF_FAIL=KIND:count  prints the number of calls to the file descriptor KINF_FAIL_COUNT at the
 * end
 *
 * KIND is memory (malloc, calloc, realloc, memalign), thread, descriptor (open, socket, accept4,
 * epoll, eventfd, timerfd, signalfd, dup), pipe, or write (what is written to files, and syncs).
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

static const char* kind = "";
static long first = LONG_MAX;
static int all_later = 0;
static atomic_long calls;

extern void* __libc_malloc(size_t);
extern void* __libc_calloc(size_t, size_t);
extern void* __libc_realloc(void*, size_t);
extern void* __libc_memalign(size_t, size_t);

__attribute__((constructor)) static void read_settings(void) {
  static char name[32];
  const char* setting = getenv("KINF_FAIL");
  const char* colon = setting == NULL ? NULL : strchr(setting, ':');
  if (colon == NULL || (size_t)(colon - setting) >= sizeof name) return;
  memcpy(name, setting, (size_t)(colon - setting));
  char* end = NULL;
  const long number = strtol(colon + 1, &end, 10);
  if (end != colon + 1) first = number;
  all_later = *end == '+';
  kind = name;
}

__attribute__((destructor)) static void print_count(void) {
  const char* descriptor = getenv("KINF_FAIL_COUNT");
  if (descriptor != NULL) dprintf(atoi(descriptor), "%ld\n", atomic_load(&calls));
}

/* Counts a call. Returns whether it must fail. */
static int must_fail(const char* of_kind) {
  if (kind[0] != of_kind[0]) return 0;
  const long number = atomic_fetch_add(&calls, 1) + 1;
  return all_later ? number >= first : number == first;
}

static void* no_memory(void) {
  errno = ENOMEM;
  return NULL;
}

void* malloc(size_t size) { return must_fail("memory") ? no_memory() : __libc_malloc(size); }
void* calloc(size_t n, size_t size) {
  return must_fail("memory") ? no_memory() : __libc_calloc(n, size);
}
void* realloc(void* old, size_t size) {
  return must_fail("memory") ? no_memory() : __libc_realloc(old, size);
}
void* memalign(size_t alignment, size_t size) {
  return must_fail("memory") ? no_memory() : __libc_memalign(alignment, size);
}
void* aligned_alloc(size_t alignment, size_t size) { return memalign(alignment, size); }
int posix_memalign(void** out, size_t alignment, size_t size) {
  *out = memalign(alignment, size);
  return *out == NULL ? ENOMEM : 0;
}

/* Never fails: libjq asserts that it succeeds. */
char* strdup(const char* text) {
  const size_t size = strlen(text) + 1;
  return memcpy(__libc_malloc(size), text, size);
}

int pthread_create(pthread_t* thread, const pthread_attr_t* attributes, void* (*run)(void*),
                   void* argument) {
  static int (*real)(pthread_t*, const pthread_attr_t*, void* (*)(void*), void*);
  if (real == NULL) *(void**)&real = dlsym(RTLD_NEXT, "pthread_create");
  return must_fail("thread") ? EAGAIN : real(thread, attributes, run, argument);
}

static int no_descriptor(void) {
  errno = EMFILE;
  return -1;
}

/* Defines the function `name`, which fails without a descriptor when it must. */
#define FAILING(of_kind, name, parameters, arguments)             \
  int name parameters {                                           \
    static int(*real) parameters;                                 \
    if (real == NULL) *(void**)&real = dlsym(RTLD_NEXT, #name);   \
    return must_fail(of_kind) ? no_descriptor() : real arguments; \
  }

static int no_space(void) {
  errno = ENOSPC;
  return -1;
}

/* Defines the function `name`, which fails for a full disk when it must. */
#define FAILING_WRITE(result, name, parameters, arguments)      \
  result name parameters {                                      \
    static result(*real) parameters;                            \
    if (real == NULL) *(void**)&real = dlsym(RTLD_NEXT, #name); \
    return must_fail("write") ? no_space() : real arguments;    \
  }

static int is_file(int fd) {
  struct stat status;
  return fstat(fd, &status) == 0 && S_ISREG(status.st_mode);
}

ssize_t write(int fd, const void* bytes, size_t size) {
  static ssize_t (*real)(int, const void*, size_t);
  if (real == NULL) *(void**)&real = dlsym(RTLD_NEXT, "write");
  return kind[0] == 'w' && is_file(fd) && must_fail("write") ? no_space() : real(fd, bytes, size);
}

FAILING_WRITE(ssize_t, pwrite, (int fd, const void* bytes, size_t size, off_t at),
              (fd, bytes, size, at))
FAILING_WRITE(ssize_t, pwrite64, (int fd, const void* bytes, size_t size, off64_t at),
              (fd, bytes, size, at))
FAILING_WRITE(int, ftruncate, (int fd, off_t size), (fd, size))
FAILING_WRITE(int, ftruncate64, (int fd, off64_t size), (fd, size))
FAILING_WRITE(int, fsync, (int fd), (fd))
FAILING_WRITE(int, fdatasync, (int fd), (fd))

FAILING("descriptor", socket, (int family, int type, int protocol), (family, type, protocol))
FAILING("descriptor", accept4, (int fd, struct sockaddr* from, socklen_t* size, int flags),
        (fd, from, size, flags))
FAILING("descriptor", socketpair, (int family, int type, int protocol, int ends[2]),
        (family, type, protocol, ends))
FAILING("descriptor", epoll_create1, (int flags), (flags))
FAILING("descriptor", eventfd, (unsigned value, int flags), (value, flags))
FAILING("descriptor", timerfd_create, (int clock, int flags), (clock, flags))
FAILING("descriptor", signalfd, (int fd, const void* mask, int flags), (fd, mask, flags))
FAILING("descriptor", memfd_create, (const char* name, unsigned flags), (name, flags))
FAILING("descriptor", dup, (int fd), (fd))
FAILING("descriptor", mkstemp, (char* name), (name))
FAILING("pipe", pipe2, (int ends[2], int flags), (ends, flags))
FAILING("pipe", pipe, (int ends[2]), (ends))

/* Returns the third argument of open(), which calls that create a file have. */
#define MODE_AFTER(flags)                     \
  int mode = 0;                               \
  if ((flags & (O_CREAT | O_TMPFILE)) != 0) { \
    va_list rest;                             \
    va_start(rest, flags);                    \
    mode = va_arg(rest, int);                 \
    va_end(rest);                             \
  }

#define FAILING_OPEN(name)                                                      \
  int name(const char* path, int flags, ...) {                                  \
    static int (*real)(const char*, int, ...);                                  \
    if (real == NULL) *(void**)&real = dlsym(RTLD_NEXT, #name);                 \
    MODE_AFTER(flags)                                                           \
    return must_fail("descriptor") ? no_descriptor() : real(path, flags, mode); \
  }

FAILING_OPEN(open)
FAILING_OPEN(open64)
