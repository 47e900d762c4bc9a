package io.tierwise.simulator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tierwise.core.view.ArrayClusterView;
import io.tierwise.core.view.Refusal;
import io.tierwise.simulator.jobs.TaskContext;
import io.tierwise.simulator.measure.RunResult;
import io.tierwise.simulator.network.BrokenNetwork;
import io.tierwise.simulator.scenario.Scenario;
import io.tierwise.simulator.scenario.WorkloadSpec.Dfsio;
import io.tierwise.simulator.storage.BrokenStorage;
import java.util.function.Predicate;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Each check of the assert mode finds what it is for: a run in whose middle that breaks ends. */
class AssertModeTest {
  private static final Scenario SCENARIO =
      Scenarios.of(
          Scenarios.hats(1.25e9), "hybrid", "hybrid", new Dfsio(27, 256L << 20, true, true));

  static Stream<Arguments> breaks() {
    return Stream.of(
        broken("a replica is gone that nobody dropped", "were placed", AssertModeTest::forget),
        broken("a byte of room is gone", "bytes stores", AssertModeTest::takeRoom),
        broken("a node has two replicas", "has two replicas on", AssertModeTest::join),
        broken("a task counts that never started", "tasks started", AssertModeTest::countATask),
        broken("a buffer gave up what it had not", "0 holds -1 bytes", AssertModeTest::giveUp),
        broken("a device was busy while idle", "J by their busy time", AssertModeTest::lengthen),
        broken("a node computed what no task did", "node 3 took", AssertModeTest::compute),
        broken("a flow is slower than it could be", "has no bottleneck", AssertModeTest::slow),
        broken("a device in use is down", "is down, but in use", AssertModeTest::fail));
  }

  /** {@code breaks} does so when it can, and says whether it could. */
  private static Arguments broken(String name, String message, Predicate<TaskContext> breaks) {
    return Arguments.of(name, message, breaks);
  }

  private static boolean forget(TaskContext context) {
    return BrokenStorage.forgetAReplica(context.namespace());
  }

  private static boolean join(TaskContext context) {
    return BrokenStorage.joinTwoReplicas(context.namespace());
  }

  private static boolean takeRoom(TaskContext context) {
    ArrayClusterView view = context.cluster().view();
    view.setFreeBytes(0, view.freeBytes(0) - 1);
    return true;
  }

  private static boolean countATask(TaskContext context) {
    context.jobMeter().taskStarted();
    return true;
  }

  private static boolean giveUp(TaskContext context) {
    context.buffers().giveUp(0, 1, Double.POSITIVE_INFINITY);
    return true;
  }

  private static boolean lengthen(TaskContext context) {
    return IntStream.range(0, context.cluster().volumeCount())
        .map(volume -> context.cluster().volume(volume).resource())
        .anyMatch(
            resource ->
                BrokenNetwork.lengthenBusyTime(
                    context.transfers().network(), resource, context.engine().now()));
  }

  private static boolean compute(TaskContext context) {
    context.costs().computed(3, 1e9);
    return true;
  }

  /** Again and again: what changes next may set the rate right before anybody looks. */
  private static boolean slow(TaskContext context) {
    BrokenNetwork.slowAFlow(context.transfers().network());
    return false;
  }

  /** While tasks read: those that write find no node, and with their job nothing is in use. */
  private static boolean fail(TaskContext context) {
    boolean reads = context.meters().readBytes() > 0;
    if (!reads || context.transfers().network().flowCount() == 0) {
      return false;
    }
    for (int node = 0; node < context.cluster().nodeCount(); node++) {
      context.cluster().view().refuseNode(node, Refusal.DEAD);
    }
    return true;
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("breaks")
  void whatIsBrokenIsFound(String name, String message, Predicate<TaskContext> breaks) {
    assertThatThrownBy(() -> run(breaks))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining(message);
  }

  @Test
  void theSameRunPassesWhenNothingIsBroken() throws Exception {
    assertThat(run(context -> false).complete()).isTrue();
  }

  private static RunResult run(Predicate<TaskContext> breaks) throws Exception {
    Simulation simulation = Simulation.of(SCENARIO).checkBetween(0, 1000).updateEvery(1);
    boolean[] isBroken = {false};
    return simulation.run(
        (seconds, jobs, done) -> {
          isBroken[0] = isBroken[0] || breaks.test(simulation.context());
          return true;
        });
  }
}
