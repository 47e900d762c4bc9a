package io.tierwise.hadoop.hdfs.namenode;

import io.tierwise.hadoop.hdfs.namenode.OtherTools.Tool;
import io.tierwise.hadoop.hdfs.namenode.RepairCalls.Moved;
import io.tierwise.hadoop.hdfs.namenode.RepairCalls.Question;
import io.tierwise.hadoop.hdfs.namenode.RepairCalls.State;
import io.tierwise.policies.movement.MovementPlan;
import io.tierwise.policies.movement.RepairBacklog;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;

/**
 * Counters of the repairs that movers told of, and of how often the monitor backed off. They grow
 * from the start.
 */
final class RepairCounters {
  static final String UP = "up";
  static final String DOWN = "down";

  /** A mover asks at least every half minute. */
  private static final long ABSENT_NANOS = TimeUnit.SECONDS.toNanos(RepairBacklog.LEASE_SECONDS);

  private static final String OTHER = "other";

  private final Map<String, LongAdder> movedReplicas = named(UP, DOWN);
  private final Map<String, LongAdder> movedBytes = named(UP, DOWN);
  private final Map<String, LongAdder> failures = failureReasons();
  private final Map<String, LongAdder> backOffs = tools();
  private volatile Asked asked;

  private record Asked(Question question, long nanos) {}

  private static Map<String, LongAdder> named(String... names) {
    Map<String, LongAdder> adders = new LinkedHashMap<>();
    for (String name : names) {
      adders.put(name, new LongAdder());
    }
    return adders;
  }

  /** A fixed set: words of a mover that are not in it become no labels. */
  private static Map<String, LongAdder> failureReasons() {
    Map<String, LongAdder> adders = named("failed", "left_to_hdfs", OTHER);
    for (MovementPlan.Reason reason : MovementPlan.Reason.values()) {
      adders.put(reason.name().toLowerCase(Locale.ROOT), new LongAdder());
    }
    return adders;
  }

  private static Map<String, LongAdder> tools() {
    Map<String, LongAdder> adders = new LinkedHashMap<>();
    for (Tool tool : Tool.values()) {
      adders.put(tool.label(), new LongAdder());
    }
    return adders;
  }

  void asked(Question question) {
    asked = new Asked(question, System.nanoTime());
  }

  void moved(Moved up, Moved down) {
    movedReplicas.get(UP).add(up.replicas());
    movedBytes.get(UP).add(up.bytes());
    movedReplicas.get(DOWN).add(down.replicas());
    movedBytes.get(DOWN).add(down.bytes());
  }

  void failed(String reason) {
    failures.getOrDefault(reason, failures.get(OTHER)).increment();
  }

  void backedOff(Tool tool) {
    backOffs.get(tool.label()).increment();
  }

  Map<String, Long> movedReplicas() {
    return sums(movedReplicas);
  }

  Map<String, Long> movedBytes() {
    return sums(movedBytes);
  }

  Map<String, Long> failures() {
    return sums(failures);
  }

  Map<String, Long> backOffs() {
    return sums(backOffs);
  }

  private static Map<String, Long> sums(Map<String, LongAdder> adders) {
    Map<String, Long> sums = new LinkedHashMap<>();
    adders.forEach((name, adder) -> sums.put(name, adder.sum()));
    return sums;
  }

  /** The state of the mover that asked last. */
  State state() {
    Asked last = asked;
    boolean absent = last == null || System.nanoTime() - last.nanos() > ABSENT_NANOS;
    return absent ? State.ABSENT : last.question().state();
  }

  /** The bytes a second that it may move, of a node and in all; zero while none is there. */
  Map<String, Long> limits() {
    Asked last = asked;
    boolean absent = state() == State.ABSENT;
    Map<String, Long> limits = new LinkedHashMap<>();
    limits.put("node", absent ? 0 : last.question().nodeBytesPerSecond());
    limits.put("all", absent ? 0 : last.question().allBytesPerSecond());
    return limits;
  }

  /** The nodes that it yielded at, as it told when it asked last. */
  int yieldingNodes() {
    Asked last = asked;
    return state() == State.ABSENT ? 0 : last.question().yieldingNodes();
  }
}
