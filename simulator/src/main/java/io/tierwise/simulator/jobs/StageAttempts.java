package io.tierwise.simulator.jobs;

import java.util.Arrays;

/**
 * The numbers of the attempts of a stage's tasks that run, in order. An attempt does not know its
 * place: there is one for every slot that is taken, and a place would take eight bytes of each. A
 * search for it looks at numbers alone, since attempts stand all over the memory.
 */
final class StageAttempts {
  private int[] ids = {};
  private int count;

  void add(int id) {
    if (count == ids.length) {
      ids = Arrays.copyOf(ids, count + count / 4 + 1);
    }
    int place = place(id);
    System.arraycopy(ids, place, ids, place + 1, count - place);
    ids[place] = id;
    count++;
  }

  void remove(int id) {
    int place = place(id);
    System.arraycopy(ids, place + 1, ids, place, count - place - 1);
    count--;
  }

  boolean holds(int id) {
    int place = place(id);
    return place < count && ids[place] == id;
  }

  /** The place of the first that is not below the number. */
  private int place(int id) {
    int found = Arrays.binarySearch(ids, 0, count, id);
    return found < 0 ? ~found : found;
  }

  int count() {
    return count;
  }

  /** Places count from 0 to {@link #count}. */
  int get(int place) {
    return ids[place];
  }
}
