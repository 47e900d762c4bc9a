/* Preloaded into the programs of tests: a rank that waits for another one sleeps in between, where
   Open MPI asks all the time and only lets others go first. Several suites run at once on few
   cores, and more of their processors' time would go into waiting than into work. Nothing else
   changes: what ranks wait for, and for how long. */
#define _GNU_SOURCE
#include <errno.h>
#include <sched.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

/* Messages that come at once are not slept over. */
enum { ASKS_BEFORE_SLEEP = 16, SLEEP_NANOS = 100000 };

int sched_yield(void) {
  static _Thread_local unsigned asks = 0;
  if (++asks % ASKS_BEFORE_SLEEP != 0) return (int)syscall(SYS_sched_yield);
  const int before = errno;
  const struct timespec moment = {0, SLEEP_NANOS};
  nanosleep(&moment, NULL);
  errno = before;
  return 0;
}
