package io.tierwise.simulator.jobs;

import java.util.Arrays;
import java.util.List;
import java.util.Objects;

/**
 * The attempts that run, by a number that their flows and timers carry. A number is used again; the
 * ticket, number and generation, never is: what comes too late finds nobody.
 */
final class AttemptTable {
  private static final int GENERATION_BITS = 24;
  private static final int GENERATION_MASK = (1 << GENERATION_BITS) - 1;

  private TaskAttempt[] attempts = new TaskAttempt[64];
  private final IntStack free = new IntStack();
  private int[] generations = new int[attempts.length];

  /** By node, the attempts that fetch map output. */
  private int[] fetching = new int[0];

  /** Numbers that were ever given out. */
  private int numbers;

  private int count;

  /** The number of the next attempt. */
  int nextId() {
    if (free.isEmpty()) {
      if (numbers == attempts.length) {
        attempts = Arrays.copyOf(attempts, 2 * numbers);
        generations = Arrays.copyOf(generations, 2 * numbers);
      }
      return numbers++;
    }
    return free.pop();
  }

  void add(TaskAttempt attempt) {
    attempts[attempt.id] = attempt;
    attempt.stage.running.add(attempt.id);
    count++;
  }

  void remove(TaskAttempt attempt) {
    if (attempts[attempt.id] != attempt) {
      throw new IllegalStateException("attempt " + attempt.id + " is over already");
    }
    countFetching(attempt, -1);
    attempts[attempt.id] = null;
    attempt.stage.running.remove(attempt.id);
    generations[attempt.id] = (generations[attempt.id] + 1) & GENERATION_MASK;
    free.push(attempt.id);
    count--;
  }

  /** The attempt goes on to another phase, or begins the same one again. */
  void enter(TaskAttempt attempt, TaskAttempt.Phase next) {
    countFetching(attempt, -1);
    attempt.setPhase(next);
    countFetching(attempt, 1);
  }

  private void countFetching(TaskAttempt attempt, int change) {
    if (attempt.phase() == TaskAttempt.Phase.FETCHING && isRunning(attempt)) {
      if (attempt.node >= fetching.length) {
        fetching = Arrays.copyOf(fetching, Math.max(attempt.node + 1, 2 * fetching.length));
      }
      fetching[attempt.node] += change;
    }
  }

  /** Whether an attempt on the node fetches map output. */
  boolean isFetching(int node) {
    return node < fetching.length && fetching[node] > 0;
  }

  long ticket(TaskAttempt attempt) {
    return (long) attempt.id << GENERATION_BITS | generations[attempt.id];
  }

  /** The attempt with that ticket, or null when it is over. */
  TaskAttempt find(long ticket) {
    int id = (int) (ticket >>> GENERATION_BITS);
    return generations[id] == (int) (ticket & GENERATION_MASK) ? attempts[id] : null;
  }

  /** The attempt with that number, which runs. */
  TaskAttempt get(int id) {
    return attempts[id];
  }

  boolean isRunning(TaskAttempt attempt) {
    return attempts[attempt.id] == attempt;
  }

  int count() {
    return count;
  }

  /** Throws unless stages know of those that run, and all that fetch are counted. */
  void check() {
    int[] fetches = new int[fetching.length];
    for (TaskAttempt attempt : running()) {
      if (!attempt.stage.running.holds(attempt.id)) {
        throw new IllegalStateException("attempt " + attempt.id + " runs unknown to its stage");
      }
      if (attempt.phase() == TaskAttempt.Phase.FETCHING) {
        fetches[attempt.node]++;
      }
    }
    if (!Arrays.equals(fetches, fetching)) {
      throw new IllegalStateException("not all that fetch are counted");
    }
  }

  /** All that run, in order of their numbers. */
  List<TaskAttempt> running() {
    return Arrays.stream(attempts, 0, numbers).filter(Objects::nonNull).toList();
  }
}
