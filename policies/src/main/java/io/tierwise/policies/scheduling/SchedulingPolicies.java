package io.tierwise.policies.scheduling;

import io.tierwise.policies.scheduling.SchedulingProvider.Defaults;
import io.tierwise.policies.text.PolicyProvider;
import io.tierwise.policies.text.PolicyRegistry;
import io.tierwise.policies.text.SpecReader;
import java.util.List;
import java.util.function.Function;

/**
 * The registry of scheduling policies. A specification is {@code name} or {@code
 * name:key=value,key=value}, for example {@code fair:delay-seconds=5}. Settings that are left out
 * have the host's defaults.
 */
public final class SchedulingPolicies {
  private static final String DELAY_USAGE = "[delay-seconds=3][,late-factor=1.5][,near-first=true]";

  /** Longer texts are refused unread; a queue's share takes some 15 characters. */
  public static final int TEXT_LENGTH_MAX = 4096;

  /** Nanoseconds: a host's delay may be of any length, and a policy's name tells it. */
  private static final int DELAY_SCALE = 9;

  private static final long DELAY_NANOS_MAX = 3_600_000_000_000L;
  private static final int FACTOR_SCALE = 3;
  private static final int FACTOR_UNITS_MAX = 1_000_000;
  private static final int LEFT_OUT = -1;

  private static final PolicyRegistry<SchedulingPolicy, Defaults> REGISTRY =
      PolicyRegistry.of(
          "scheduling policy",
          TEXT_LENGTH_MAX,
          SchedulingPolicy::name,
          SchedulingProvider.class,
          List.of(
              new Ordered(
                  FifoOrder.NAME,
                  "fifo:" + DELAY_USAGE,
                  "the job that was submitted first",
                  settings -> new FifoOrder()),
              new Ordered(
                  FairOrder.NAME,
                  "fair:" + DELAY_USAGE,
                  "the job with the fewest running tasks",
                  settings -> new FairOrder()),
              new Ordered(
                  CapacityOrder.NAME,
                  "capacity:[QUEUE=SHARE[/MOST],...]" + DELAY_USAGE,
                  "queues with shares of the slots, in percent, and ceilings",
                  CapacityOrder::of),
              new Ordered(
                  SmallestFirstOrder.NAME,
                  "smallest-first:[overtake-seconds=600][,by=bytes|seconds|path]" + DELAY_USAGE,
                  "the smallest job, by bytes or by what its tasks took before; none is overtaken for long",
                  SmallestFirstOrder::of)));

  private SchedulingPolicies() {}

  /** A policy of this package: an order with the settings that all of them share. */
  private record Ordered(
      String name, String usage, String summary, Function<SpecReader, JobOrder> order)
      implements SchedulingProvider {
    @Override
    public SchedulingPolicy make(SpecReader settings, Defaults defaults) {
      long delayNanos =
          settings.decimalOfMany(DelayScheduling.DELAY, LEFT_OUT, DELAY_SCALE, DELAY_NANOS_MAX);
      int factor = settings.decimal(DelayScheduling.LATE, LEFT_OUT, FACTOR_SCALE, FACTOR_UNITS_MAX);
      boolean nearFirst = settings.flag(DelayScheduling.NEAR_FIRST, true);
      return new DelayScheduling(
          order.apply(settings),
          delayNanos == LEFT_OUT ? defaults.patienceNanos() : delayNanos,
          factor == LEFT_OUT ? defaults.secondAttempts() : secondAttempts(settings, factor),
          nearFirst);
    }

    private static SecondAttempts secondAttempts(SpecReader settings, int factor) {
      try {
        return factor == 0
            ? SecondAttempts.NEVER
            : new SecondAttempts(factor / Math.pow(10, FACTOR_SCALE));
      } catch (IllegalArgumentException e) {
        throw settings.refusal(e.getMessage());
      }
    }
  }

  /**
   * The policy of that specification.
   *
   * @throws IllegalArgumentException one line that names the bad value and what is allowed
   */
  public static SchedulingPolicy parse(String specification, Defaults defaults) {
    return REGISTRY.parse(specification, defaults);
  }

  /** As {@link #parse(String, Defaults)} with the usual defaults. */
  public static SchedulingPolicy parse(String specification) {
    return parse(specification, Defaults.USUAL);
  }

  /** All policies, this project's first. */
  public static List<PolicyProvider<SchedulingPolicy, Defaults>> all() {
    return REGISTRY.providers();
  }

  /** As {@link PolicyRegistry#problems}. */
  public static List<String> problems() {
    return REGISTRY.problems();
  }
}
