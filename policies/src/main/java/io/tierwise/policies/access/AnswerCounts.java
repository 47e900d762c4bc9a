package io.tierwise.policies.access;

import java.util.Arrays;

/**
 * What a strategy counted of one answer, so that a host can take it back. That may be less than
 * what was asked for: where a bound left out a part, to take back the whole would take away what
 * others count for. A host keeps it with its answer; for one thread.
 */
public final class AnswerCounts {
  /** Own: a node and the five resources of a long path; more make it grow. */
  private static final int USUAL_SIZE = 6;

  private int size;
  private long[] resources = new long[USUAL_SIZE];
  private double[] rates = new double[USUAL_SIZE];
  private double[] counted = new double[USUAL_SIZE];
  private long nowMillis;

  /** Forgets all, for the next answer. */
  public void clear() {
    size = 0;
  }

  /**
   * Writes down what was counted on a resource.
   *
   * @param rate at which it goes by itself
   * @param atMillis the same for all of one answer
   */
  void add(long resource, double rate, double count, long atMillis) {
    if (size == resources.length) {
      resources = Arrays.copyOf(resources, 2 * size);
      rates = Arrays.copyOf(rates, 2 * size);
      counted = Arrays.copyOf(counted, 2 * size);
    }
    resources[size] = resource;
    rates[size] = rate;
    counted[size] = count;
    nowMillis = atMillis;
    size++;
  }

  void takeBack(ReadLoads loads) {
    for (int i = 0; i < size; i++) {
      loads.add(resources[i], rates[i], -counted[i], Double.POSITIVE_INFINITY, nowMillis);
    }
    clear();
  }
}
