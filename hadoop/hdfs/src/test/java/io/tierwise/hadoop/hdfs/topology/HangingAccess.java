package io.tierwise.hadoop.hdfs.topology;

import io.tierwise.core.view.ReadView;
import io.tierwise.policies.access.AccessProvider;
import io.tierwise.policies.access.AccessReason;
import io.tierwise.policies.access.AccessRequest;
import io.tierwise.policies.access.AccessStrategy;
import io.tierwise.policies.text.PolicyProvider.Nothing;
import io.tierwise.policies.text.SpecReader;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicLong;
import java.util.random.RandomGenerator;

/** A strategy of another jar that puts the last replica first, once its gate is open. */
public record HangingAccess() implements AccessStrategy {
  static final String NAME = "hanging";

  /** Closed by a test. */
  static volatile CountDownLatch gate = new CountDownLatch(0);

  private static final AtomicLong WAITING = new AtomicLong();

  @Override
  public String name() {
    return NAME;
  }

  @Override
  public AccessReason order(
      AccessRequest request, ReadView view, RandomGenerator random, int[] order) {
    int count = view.replicaCount();
    for (int place = 0; place < count; place++) {
      order[place] = count - 1 - place;
    }
    WAITING.incrementAndGet();
    try {
      gate.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } finally {
      WAITING.decrementAndGet();
    }
    return AccessReason.NEAREST;
  }

  /** Orders that wait at the gate. */
  static long waiting() {
    return WAITING.get();
  }

  /** Makes it known by its name. */
  public static final class Provider implements AccessProvider {
    @Override
    public String name() {
      return NAME;
    }

    @Override
    public String usage() {
      return name();
    }

    @Override
    public String summary() {
      return "waits";
    }

    @Override
    public AccessStrategy make(SpecReader settings, Nothing nothing) {
      return new HangingAccess();
    }
  }
}
