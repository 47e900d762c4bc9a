package io.tierwise.simulator.jobs;

import java.util.Arrays;

/**
 * The attempts of a stage's tasks that run, in order of their numbers. An attempt does not know its
 * place: there is one for every slot that is taken, and a place would take eight bytes of each.
 */
final class StageAttempts {
  private TaskAttempt[] attempts = {};
  private int count;

  void add(TaskAttempt attempt) {
    if (count == attempts.length) {
      attempts = Arrays.copyOf(attempts, count + count / 4 + 1);
    }
    int place = place(attempt);
    System.arraycopy(attempts, place, attempts, place + 1, count - place);
    attempts[place] = attempt;
    count++;
  }

  void remove(TaskAttempt attempt) {
    int place = place(attempt);
    System.arraycopy(attempts, place + 1, attempts, place, count - place - 1);
    attempts[--count] = null;
  }

  boolean holds(TaskAttempt attempt) {
    int place = place(attempt);
    return place < count && attempts[place] == attempt;
  }

  /** The place of the first whose number is not below that of the attempt. */
  private int place(TaskAttempt attempt) {
    int from = 0;
    int to = count;
    while (from < to) {
      int middle = (from + to) >>> 1;
      if (attempts[middle].id < attempt.id) {
        from = middle + 1;
      } else {
        to = middle;
      }
    }
    return from;
  }

  int count() {
    return count;
  }

  /** Places count from 0 to {@link #count}. */
  TaskAttempt get(int place) {
    return attempts[place];
  }
}
