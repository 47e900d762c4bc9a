/* What the parts of libfaulty_disk share. They are preloaded: none of these names may take the
   place of a program's own. */
#ifndef FAULTY_DISK_H
#define FAULTY_DISK_H

#include <stddef.h>
#include <sys/types.h>

#pragma GCC visibility push(hidden)

/* The function that this library hides. ISO C has no cast from a data pointer. */
void find(void* function, const char* name);
/* True at the Nth call for the fault `kind` with as many bytes. */
int is_due(const char* kind, size_t bytes);
int is_fault(const char* kind);
/* The fault's last number. */
int last_number_of_fault(void);
int has_name(int file, char* path, size_t size);
int is_of_step(const char* path);
int is_under_way(int file);
int is_called(const char* path, const char* name);
/* Into the file that the variable names. */
void note(const char* variable, const char* what, const char* path);
void note_file(const char* variable, const char* what, int file);
ssize_t failed(int error);
void die(void);

#pragma GCC visibility pop
#endif
