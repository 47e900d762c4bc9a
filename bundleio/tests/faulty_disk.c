/* Preloaded, this is a disk that fails where a test says, in files of steps that are under way, or
   of series:
     FAULTY_DISK="flip N BYTES" the Nth write of at least BYTES of each process stores a bit wrongly
     FAULTY_DISK="kill N BYTES" ends the process in the place of that write, as SIGKILL does
     FAULTY_DISK="publish N 0"  ends it before the Nth folder gets its visible name
     FAULTY_DISK="full N BYTES" fails that write: no space is left
     FAULTY_DISK="fail N BYTES" fails that write: the disk has an error
     FAULTY_DISK="lose N BYTES" stores nothing, and says that it did
     FAULTY_DISK="hang N BYTES" never comes back from it
     FAULTY_DISK="busy N MILLIS" makes that write, of any size, take so much time of the processor
     FAULTY_DISK="copy N BYTES" stores a bit of such a plain write() wrongly: drains copy by it
     FAULTY_DISK="stop N BYTES" ends the process in the place of a plain write()
     FAULTY_DISK="half N BYTES" stores half of such a plain write(), and has no space for the rest
     FAULTY_DISK="sync N 0"     fails the Nth fsync
     FAULTY_DISK="shown N 0"    fails the Nth fsync after a folder got its visible name
     FAULTY_DISK="close N 0"    fails the Nth close behind writes to its file, which it closes: as a
                                disk far away that took them tells what became of them
     FAULTY_DISK="slow N SECONDS" stores the file of the Nth fsync in so many parts, one a second
     FAULTY_DISK="nap N SECONDS" sleeps so long in the Nth fsync
     FAULTY_DISK="cut N 0"      fails the Nth cut of a file by its name
     FAULTY_DISK="bad 1 BYTES"  fails to read the index of a series from that byte on
     FAULTY_DISK="worn N BYTES" fails the Nth read of at least BYTES of a visible step: a bad place
     FAULTY_DISK="stuck N BYTES" never comes back from the Nth read of at least BYTES
     FAULTY_DISK="blind 1 0"    shows no checksums of a step, as a file system that is late
     FAULTY_DISK="nolock 1 0"   has no locks of open files, as some network file systems
     FAULTY_DISK="noflock 1 0"  has neither these nor those of flock, by which HDF5 locks
     FAULTY_DISK="noname 1 0"   tells of no descriptor what it is of
     FAULTY_DISK="dead N 0"     lets the shell do what DISK_DEATH says before the Nth file is made
     FAULTY_DISK="dying N BYTES" does it before that write
     FAULTY_DISK="thread 1 0"   starts no thread of C++; those of MPI come from elsewhere
   With DISK_UNCUT="N" the first N cuts of a file by its name behind a "half" or "sync" fail, too.
   Into the file that DISK_NOTES names it writes a line "sync PATH" for each fsync, "rename FROM"
   for each rename, "close PATH" where a close failed, "lose PATH" for what it lost, "cut PATH" for
   what it did not cut, "unsynced PATH" for what it did not store, "early PATH" where "slow" finds
   that the kernel stored the rest of the file by itself; into the file that DISK_WRITES names, a
   line "write PATH" for each write to such files. */
#define _GNU_SOURCE
#include "faulty_disk.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/types.h>
#include <sys/uio.h>
#include <time.h>
#include <unistd.h>

typedef ssize_t write_at(int, const void*, size_t, off_t);
typedef ssize_t write_next(int, const void*, size_t);
typedef ssize_t write_pieces(int, const struct iovec*, int);
typedef int cut_name(const char*, off_t);
typedef int sync_of(int);
typedef int rename_to(const char*, const char*);

static void note_write(int file) { note_file("DISK_WRITES", "write", file); }

/* A copy with one bit changed, which is the caller's to free. */
static char* spoiled(const void* bytes, size_t count) {
  char* damaged = malloc(count);
  if (damaged == NULL) abort();
  memcpy(damaged, bytes, count);
  damaged[count / 2] ^= 1;
  return damaged;
}

static void be_busy(void) {
  int number = 0;
  long millis = 0;
  const char* fault = getenv("FAULTY_DISK");
  if (fault == NULL || sscanf(fault, "busy %d %ld", &number, &millis) != 2) return;
  const clock_t end = clock() + millis * (CLOCKS_PER_SEC / 1000);
  while (clock() < end) {
  }
}

/* As the kernel has it: cachestat, of Linux 6.5. */
static int is_stored_from(int file, off_t start) {
  const uint64_t rest[2] = {(uint64_t)start, 0};
  uint64_t facts[5] = {0};
  return syscall(451, file, rest, facts, 0) == 0 && facts[1] + facts[2] == 0;
}

static void store_slowly(int file) {
  const int parts = last_number_of_fault();
  struct stat facts = {0};
  fstat(file, &facts);
  const off_t part = facts.st_size / (parts > 0 ? parts : 1);
  for (int i = 0; i < parts; ++i) {
    /* This part may be stored by another rank just now. */
    const off_t next = (i + 1) * part;
    if (i + 1 < parts && is_stored_from(file, next)) note_file("DISK_NOTES", "early", file);
    sync_file_range(
        file, i * part, part,
        SYNC_FILE_RANGE_WAIT_BEFORE | SYNC_FILE_RANGE_WRITE | SYNC_FILE_RANGE_WAIT_AFTER);
    sleep(1);
  }
}

/* Files that were written since one of their descriptors was closed. */
enum { OPEN_MAX_HERE = 64 };
static ino_t written[OPEN_MAX_HERE];

/* The place of the file in `written`, or a free one. */
static ino_t* place_of(ino_t number) {
  ino_t* free_place = NULL;
  for (int i = 0; i < OPEN_MAX_HERE; ++i) {
    if (written[i] == number) return &written[i];
    if (written[i] == 0) free_place = &written[i];
  }
  return free_place;
}

static void remember_write(int file) {
  struct stat facts;
  if (!is_fault("close ") || fstat(file, &facts) != 0) return;
  ino_t* place = place_of(facts.st_ino);
  if (place != NULL) *place = facts.st_ino;
}

int close(int file) {
  sync_of* real;
  struct stat facts;
  find(&real, "close");
  if (!is_fault("close ") || !is_under_way(file) || fstat(file, &facts) != 0) return real(file);
  ino_t* place = place_of(facts.st_ino);
  const int was_written = place != NULL && *place == facts.st_ino;
  if (!was_written || (fcntl(file, F_GETFL) & O_ACCMODE) == O_RDONLY) return real(file);
  *place = 0;
  if (!is_due("close", 0)) return real(file);
  note_file("DISK_NOTES", "close", file);
  real(file);
  return (int)failed(EIO);
}

static ssize_t faulty(int file, const void* bytes, size_t count, off_t offset) {
  write_at* real;
  find(&real, "pwrite64");
  if (!is_under_way(file)) return real(file, bytes, count, offset);
  note_write(file);
  remember_write(file);
  if (is_due("busy", SIZE_MAX)) be_busy();
  if (is_due("dying", count)) die();
  if (is_due("kill", count)) raise(SIGKILL);
  if (is_due("full", count)) return failed(ENOSPC);
  if (is_due("fail", count)) return failed(EIO);
  if (is_due("lose", count)) {
    note_file("DISK_NOTES", "lose", file);
    return (ssize_t)count;
  }
  if (is_due("hang", count)) {
    for (;;) pause();
  }
  if (!is_due("flip", count)) return real(file, bytes, count, offset);
  char* damaged = spoiled(bytes, count);
  const ssize_t written = real(file, damaged, count, offset);
  free(damaged);
  return written;
}

/* Cuts that fail from now on. */
static int uncut = 0;

static void end_cuts(void) {
  const char* count = getenv("DISK_UNCUT");
  if (count != NULL) uncut = atoi(count);
}

ssize_t write(int file, const void* bytes, size_t count) {
  write_next* real;
  find(&real, "write");
  if (is_under_way(file)) note_write(file);
  if (getenv("FAULTY_DISK") == NULL || !is_under_way(file)) return real(file, bytes, count);
  remember_write(file);
  static int is_half = 0;
  if (is_half || is_due("full", count)) {
    is_half = 0;
    return failed(ENOSPC);
  }
  if (is_due("half", count)) {
    is_half = 1;
    end_cuts();
    note_file("DISK_NOTES", "half", file);
    return real(file, bytes, count / 2);
  }
  if (is_due("stop", count)) raise(SIGKILL);
  if (!is_due("copy", count)) return real(file, bytes, count);
  char* damaged = spoiled(bytes, count);
  const ssize_t written = real(file, damaged, count);
  free(damaged);
  return written;
}

ssize_t writev(int file, const struct iovec* pieces, int count) {
  write_pieces* real;
  find(&real, "writev");
  if (is_under_way(file)) note_write(file);
  return real(file, pieces, count);
}

int truncate(const char* path, off_t length) {
  cut_name* real;
  find(&real, "truncate");
  if (!is_of_step(path) || (uncut == 0 && !is_due("cut", 0))) return real(path, length);
  if (uncut > 0) --uncut;
  note("DISK_NOTES", "cut", path);
  return (int)failed(EIO);
}

static int is_shown = 0; /* a folder of a step has its visible name */

int fsync(int file) {
  sync_of* real;
  find(&real, "fsync");
  note_file("DISK_NOTES", "sync", file);
  if (is_shown && is_due("shown", 0)) return (int)failed(EIO);
  if (!is_under_way(file)) return real(file);
  if (is_due("slow", SIZE_MAX)) store_slowly(file);
  if (is_due("nap", SIZE_MAX)) sleep((unsigned)last_number_of_fault());
  if (!is_due("sync", 0)) return real(file);
  end_cuts();
  note_file("DISK_NOTES", "unsynced", file);
  errno = EIO;
  return -1;
}

ssize_t pwrite(int file, const void* bytes, size_t count, off_t offset) {
  return faulty(file, bytes, count, offset);
}

ssize_t pwrite64(int file, const void* bytes, size_t count, off_t offset) {
  return faulty(file, bytes, count, offset);
}

int rename(const char* from, const char* to) {
  rename_to* real;
  find(&real, "rename");
  note("DISK_NOTES", "rename", from);
  const int shows = strstr(from, "/.step-") != NULL;
  if (shows && is_due("publish", 0)) raise(SIGKILL);
  is_shown = is_shown || shows;
  return real(from, to);
}
