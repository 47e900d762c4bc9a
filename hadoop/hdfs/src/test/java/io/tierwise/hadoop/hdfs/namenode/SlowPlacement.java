package io.tierwise.hadoop.hdfs.namenode;

import io.tierwise.core.action.Place;
import io.tierwise.core.view.ClusterView;
import io.tierwise.core.view.FileView;
import io.tierwise.policies.placement.PlacementPolicies;
import io.tierwise.policies.placement.PlacementPolicy;
import io.tierwise.policies.placement.PlacementProvider;
import io.tierwise.policies.placement.PlacementRequest;
import io.tierwise.policies.text.SpecReader;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.random.RandomGenerator;

/**
 * All that a policy of another jar should not be: it sleeps, throws at times, and keeps a table
 * that grows and that no thread guards. The replicas themselves it chooses as {@code hybrid}.
 */
public final class SlowPlacement implements PlacementPolicy {
  static final String NAME = "slow-and-stateful";

  /** Where it is set, decisions wait for it, and not for a time. */
  static volatile CountDownLatch gate;

  private static final AtomicLong WAITING = new AtomicLong();

  private final PlacementPolicy hybrid;
  private final int millis;
  private final Map<Long, List<byte[]>> kept = new HashMap<>();
  private int asked;

  private SlowPlacement(PlacementPolicy hybrid, int millis) {
    this.hybrid = hybrid;
    this.millis = millis;
  }

  @Override
  public String name() {
    return NAME + ":millis=" + millis;
  }

  @Override
  public Place place(PlacementRequest asked, ClusterView view, RandomGenerator random) {
    disturb(asked.file().fileId());
    return new Place(name(), hybrid.place(asked, view, random).choices());
  }

  private void disturb(long fileId) {
    kept.computeIfAbsent(fileId, any -> new ArrayList<>()).add(new byte[1 << 10]);
    CountDownLatch opens = gate;
    if (opens != null) {
      await(opens);
      return;
    }
    sleep();
    if (++asked % 7 == 0) {
      throw new IllegalStateException("planted");
    }
  }

  private static void await(CountDownLatch opens) {
    WAITING.incrementAndGet();
    try {
      opens.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } finally {
      WAITING.decrementAndGet();
    }
  }

  /** Decisions that wait at the gate. */
  static long waiting() {
    return WAITING.get();
  }

  private void sleep() {
    long end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(millis);
    for (long left = end - System.nanoTime(); left > 0; left = end - System.nanoTime()) {
      LockSupport.parkNanos(left);
    }
  }

  @Override
  public int[] chooseExcess(int[] volumes, FileView file, int replicaCount, ClusterView view) {
    sleep();
    return hybrid.chooseExcess(volumes, file, replicaCount, view);
  }

  /** Makes it known by its name. */
  public static final class Provider implements PlacementProvider {
    @Override
    public String name() {
      return NAME;
    }

    @Override
    public String usage() {
      return name() + ":millis=N";
    }

    @Override
    public String summary() {
      return "sleeps";
    }

    @Override
    public PlacementPolicy make(SpecReader settings, Context context) {
      return new SlowPlacement(
          PlacementPolicies.parse("hybrid", context.tiers()),
          settings.integer("millis", 0, 0, 60_000));
    }
  }
}
