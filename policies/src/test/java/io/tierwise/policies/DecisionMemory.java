package io.tierwise.policies;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import java.util.Arrays;
import java.util.function.IntConsumer;

/**
 * The memory of decisions, for the contract suites: what one allocates, and what is left of many.
 * Neither depends on the machine's speed.
 */
public final class DecisionMemory {
  /**
   * A decision in two that kept the smallest object there is: what the JVM itself keeps is less.
   */
  public static final double HALF_OBJECT_BYTES = 8;

  private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

  private static final int TRIES = 5;
  private static final int COLLECTIONS_MAX = 10;
  private static final long STILL_BYTES = 4096;

  private DecisionMemory() {}

  /**
   * Bytes that the calling thread allocates in one decision, on average, once the code is warm.
   *
   * @param decision gets its number, from 0
   */
  public static double allocatedBytes(int decisions, IntConsumer decision) {
    run(decisions, decision);
    long before = THREADS.getCurrentThreadAllocatedBytes();
    run(decisions, decision);
    return (THREADS.getCurrentThreadAllocatedBytes() - before) / (double) decisions;
  }

  /**
   * Bytes of the heap that are still held for each decision when all of them have been made; near 0
   * when nothing outlives its decision, and below it when other garbage went. An object has 16
   * bytes or more. The median of a few tries: the JVM itself may keep or drop a megabyte in one of
   * them, and what decisions keep shows in each.
   *
   * @param decision gets its number, from 0, and has to throw its answer away
   */
  public static double heldBytes(int decisions, IntConsumer decision) {
    run(decisions / 10, decision);
    double[] held = new double[TRIES];
    for (int i = 0; i < TRIES; i++) {
      long before = heldBytes();
      run(decisions, decision);
      held[i] = (heldBytes() - before) / (double) decisions;
    }
    Arrays.sort(held);
    return held[TRIES / 2];
  }

  /** Collects until no more goes: what has a cleaner goes later than the rest. */
  private static long heldBytes() {
    long held = Long.MAX_VALUE;
    for (int i = 0; i < COLLECTIONS_MAX; i++) {
      System.gc();
      long now = ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed();
      if (now > held - STILL_BYTES) {
        return now;
      }
      held = now;
    }
    return held;
  }

  private static void run(int decisions, IntConsumer decision) {
    for (int i = 0; i < decisions; i++) {
      decision.accept(i);
    }
  }
}
