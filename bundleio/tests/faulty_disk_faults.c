/* Which fault is due, of which files, and what is written down of it. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "faulty_disk.h"

void find(void* function, const char* name) {
  void* found = dlsym(RTLD_NEXT, name);
  memcpy(function, &found, sizeof found);
}

int is_due(const char* kind, size_t bytes) {
  static int calls = 0;
  const char* fault = getenv("FAULTY_DISK");
  char wanted[16];
  int number = 0;
  size_t least = 0;
  if (fault == NULL || sscanf(fault, "%15s %d %zu", wanted, &number, &least) != 3) return 0;
  return strcmp(wanted, kind) == 0 && bytes >= least && ++calls == number;
}

/* By the kernel's own call, which no fault is of. */
int has_name(int file, char* path, size_t size) {
  char link[64];
  snprintf(link, sizeof link, "/proc/self/fd/%d", file);
  const long length = syscall(SYS_readlinkat, AT_FDCWD, link, path, size - 1);
  if (length < 0) return 0;
  path[length] = '\0';
  return 1;
}

int is_of_step(const char* path) {
  return strstr(path, "/.step-") != NULL || strstr(path, "/series-") != NULL;
}

int is_under_way(int file) {
  char path[PATH_MAX];
  return has_name(file, path, sizeof path) && is_of_step(path);
}

int is_fault(const char* kind) {
  const char* fault = getenv("FAULTY_DISK");
  return fault != NULL && strncmp(fault, kind, strlen(kind)) == 0;
}

int is_called(const char* path, const char* name) {
  const char* last = strrchr(path, '/');
  return last != NULL && strcmp(last + 1, name) == 0;
}

void note(const char* variable, const char* what, const char* path) {
  const char* name = getenv(variable);
  FILE* notes = name == NULL ? NULL : fopen(name, "a");
  if (notes == NULL) return;
  fprintf(notes, "%s %s\n", what, path);
  fclose(notes);
}

void note_file(const char* variable, const char* what, int file) {
  char path[PATH_MAX];
  if (getenv(variable) != NULL && has_name(file, path, sizeof path)) note(variable, what, path);
}

ssize_t failed(int error) {
  errno = error;
  return -1;
}

int last_number_of_fault(void) {
  int number = 0;
  int last = 0;
  const char* fault = getenv("FAULTY_DISK");
  if (fault == NULL || sscanf(fault, "%*s %d %d", &number, &last) != 2) return 0;
  return last;
}

void die(void) {
  const char* death = getenv("DISK_DEATH");
  if (death == NULL || system(death) != 0) abort();
}
