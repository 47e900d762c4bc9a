package io.tierwise.simulator.jobs;

import java.util.ArrayList;
import java.util.List;

/**
 * The attempts that run, by a number that their flows and timers carry. A number is used again; the
 * ticket, number and generation, never is: what comes too late finds nobody.
 */
final class AttemptTable {
  private static final int GENERATION_BITS = 24;
  private static final int GENERATION_MASK = (1 << GENERATION_BITS) - 1;

  private final List<TaskAttempt> attempts = new ArrayList<>();
  private final IntStack free = new IntStack();
  private int[] generations = new int[64];
  private int count;

  /** The number of the next attempt. */
  int nextId() {
    if (free.isEmpty()) {
      int id = attempts.size();
      attempts.add(null);
      if (id == generations.length) {
        generations = java.util.Arrays.copyOf(generations, 2 * id);
      }
      return id;
    }
    return free.pop();
  }

  void add(TaskAttempt attempt) {
    attempts.set(attempt.id, attempt);
    count++;
  }

  void remove(TaskAttempt attempt) {
    if (attempts.get(attempt.id) != attempt) {
      throw new IllegalStateException("attempt " + attempt.id + " is over already");
    }
    attempts.set(attempt.id, null);
    generations[attempt.id] = (generations[attempt.id] + 1) & GENERATION_MASK;
    free.push(attempt.id);
    count--;
  }

  long ticket(TaskAttempt attempt) {
    return (long) attempt.id << GENERATION_BITS | generations[attempt.id];
  }

  /** The attempt with that ticket, or null when it is over. */
  TaskAttempt find(long ticket) {
    int id = (int) (ticket >>> GENERATION_BITS);
    return generations[id] == (int) (ticket & GENERATION_MASK) ? attempts.get(id) : null;
  }

  boolean isRunning(TaskAttempt attempt) {
    return attempts.get(attempt.id) == attempt;
  }

  int count() {
    return count;
  }

  /** All that run, in order of their numbers. */
  List<TaskAttempt> running() {
    return attempts.stream().filter(java.util.Objects::nonNull).toList();
  }
}
