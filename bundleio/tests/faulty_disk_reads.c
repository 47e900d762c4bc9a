/* The other part of faulty_disk.c: reads, names, locks and threads. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <stdarg.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/types.h>
#include <unistd.h>

#include "faulty_disk.h"

typedef ssize_t read_next(int, void*, size_t);
typedef ssize_t read_at(int, void*, size_t, off_t);
typedef int open_name(const char*, int, ...);
typedef int look_at(const char*, struct stat*);
typedef int lock_of(int, int);
typedef int control_file(int, int, ...);
typedef int create_thread(pthread_t*, const pthread_attr_t*, void* (*)(void*), void*);

static void be_stuck(int file, size_t count) {
  if (!is_fault("stuck ") || !is_under_way(file) || !is_due("stuck", count)) return;
  for (;;) pause();
}

/* A bad place of the disk, under what can be read by its name. */
static int is_worn(int file, size_t count) {
  char path[PATH_MAX];
  if (!is_fault("worn ") || !has_name(file, path, sizeof path)) return 0;
  return strstr(path, "/step-") != NULL && is_due("worn", count);
}

static ssize_t read_from(const char* name, int file, void* bytes, size_t count, off_t offset) {
  read_at* real;
  find(&real, name);
  be_stuck(file, count);
  if (is_worn(file, count)) return failed(EIO);
  return real(file, bytes, count, offset);
}

ssize_t pread(int file, void* bytes, size_t count, off_t offset) {
  return read_from("pread", file, bytes, count, offset);
}

ssize_t pread64(int file, void* bytes, size_t count, off_t offset) {
  return read_from("pread64", file, bytes, count, offset);
}

/* A place that cannot be read, whatever was read before it. */
ssize_t read(int file, void* bytes, size_t count) {
  read_next* real;
  char path[PATH_MAX];
  find(&real, "read");
  be_stuck(file, count);
  if (is_worn(file, count)) return failed(EIO);
  if (!is_fault("bad ") || !has_name(file, path, sizeof path)) return real(file, bytes, count);
  if (!is_of_step(path) || !is_called(path, "steps")) return real(file, bytes, count);
  const off_t left = last_number_of_fault() - lseek(file, 0, SEEK_CUR);
  if (left <= 0) return failed(EIO);
  return real(file, bytes, count < (size_t)left ? count : (size_t)left);
}

int stat(const char* path, struct stat* facts) {
  look_at* real;
  find(&real, "stat");
  if (is_fault("blind ") && is_called(path, "checksums")) return (int)failed(ENOENT);
  return real(path, facts);
}

static int opened(const char* name, const char* path, int flags, mode_t mode) {
  open_name* real;
  find(&real, name);
  const int makes = (flags & O_CREAT) != 0;
  if (!makes && is_fault("blind ") && is_called(path, "checksums")) return (int)failed(ENOENT);
  if (makes && is_of_step(path) && is_due("dead", 0)) die();
  return real(path, flags, mode);
}

int open(const char* path, int flags, ...) {
  va_list more;
  va_start(more, flags);
  const mode_t mode = va_arg(more, mode_t);
  va_end(more);
  return opened("open", path, flags, mode);
}

int open64(const char* path, int flags, ...) {
  va_list more;
  va_start(more, flags);
  const mode_t mode = va_arg(more, mode_t);
  va_end(more);
  return opened("open64", path, flags, mode);
}

ssize_t readlink(const char* link, char* path, size_t size) {
  const int is_descriptor = strncmp(link, "/proc/self/fd/", 14) == 0;
  if (is_descriptor && is_fault("noname ")) return failed(ENOENT);
  return (ssize_t)syscall(SYS_readlinkat, AT_FDCWD, link, path, size);
}

static int controlled(const char* name, int file, int command, void* argument) {
  control_file* real;
  find(&real, name);
  const int is_lock = command == F_OFD_GETLK || command == F_OFD_SETLK;
  if (is_lock && (is_fault("nolock ") || is_fault("noflock "))) return (int)failed(ENOLCK);
  return real(file, command, argument);
}

/* Numbers and pointers are handed over alike. */
int fcntl(int file, int command, ...) {
  va_list more;
  va_start(more, command);
  void* argument = va_arg(more, void*);
  va_end(more);
  return controlled("fcntl", file, command, argument);
}

int fcntl64(int file, int command, ...) {
  va_list more;
  va_start(more, command);
  void* argument = va_arg(more, void*);
  va_end(more);
  return controlled("fcntl64", file, command, argument);
}

int flock(int file, int operation) {
  lock_of* real;
  find(&real, "flock");
  if (is_fault("noflock ")) return (int)failed(ENOLCK);
  return real(file, operation);
}

int pthread_create(pthread_t* thread, const pthread_attr_t* kind, void* (*work)(void*),
                   void* argument) {
  create_thread* original;
  Dl_info caller;
  find(&original, "pthread_create");
  if (is_fault("thread ") && dladdr(__builtin_return_address(0), &caller) != 0 &&
      strstr(caller.dli_fname, "libstdc++")) {
    return EAGAIN;
  }
  return original(thread, kind, work, argument);
}
