package io.tierwise.simulator;

import static org.assertj.core.api.Assertions.assertThat;

import io.tierwise.simulator.report.RunResult;
import io.tierwise.simulator.scenario.ClusterSpec;
import io.tierwise.simulator.scenario.FaultSpec;
import io.tierwise.simulator.scenario.FaultSpec.Kind;
import io.tierwise.simulator.scenario.FaultSpec.Target;
import io.tierwise.simulator.scenario.ModelSpec;
import io.tierwise.simulator.scenario.PolicySpec;
import io.tierwise.simulator.scenario.Scenario;
import io.tierwise.simulator.scenario.WorkloadSpec;
import io.tierwise.simulator.scenario.WorkloadSpec.Applications;
import io.tierwise.simulator.scenario.WorkloadSpec.Applications.Share;
import io.tierwise.simulator.scenario.WorkloadSpec.Arrival;
import io.tierwise.simulator.scenario.WorkloadSpec.Dfsio;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Several faults at a time: what one breaks, another one finds broken. */
class FaultsTest {
  private static final double NEVER = Double.POSITIVE_INFINITY;
  private static final ClusterSpec CLUSTER = Scenarios.hats(1.25e9);
  private static final WorkloadSpec READS = new Dfsio(60, 2_000_000_000L, false, true);
  private static final WorkloadSpec SORTS =
      new Applications(
          new Arrival.Together(),
          List.of(new Share("lsn/teragen", 2, 0.02), new Share("lsn/terasort", 3, 0.02)));

  static IntStream chances() {
    return IntStream.range(0, 24);
  }

  @ParameterizedTest
  @MethodSource("chances")
  void anyFaultsLeaveEachTaskItsSlotAndEachByteItsPlace(int seed) throws Exception {
    Random random = new Random(seed);
    List<FaultSpec> faults = new ArrayList<>();
    for (int i = 1 + random.nextInt(6); i > 0; i--) {
      faults.add(fault(random));
    }
    WorkloadSpec workload = seed % 3 == 0 ? READS : SORTS;
    RunResult result =
        Simulation.of(scenario(workload, faults, 1 + random.nextInt(3), seed % 2 == 0))
            .checkBetween(0, 100_000)
            .run(Progress.NONE);

    assertThat(result.complete()).isTrue();
    assertThat(result.jobs().finished() + result.jobs().failed()).isEqualTo(seed % 3 == 0 ? 1 : 5);
  }

  private static FaultSpec fault(Random random) {
    Target target = Target.values()[random.nextInt(4)];
    String node = "node-" + random.nextInt(27);
    String name =
        switch (target) {
          case RACK -> "rack-" + random.nextInt(3);
          case DEVICE -> node + "/0";
          default -> node;
        };
    double at = random.nextInt(25);
    Kind kind = random.nextInt(4) == 0 ? Kind.SLOW : Kind.FAIL;
    return new FaultSpec(
        at, target, name, kind, 0.1, at + (random.nextBoolean() ? 5 : 700) + random.nextInt(20));
  }

  private static Scenario scenario(
      WorkloadSpec workload, List<FaultSpec> faults, int replication, boolean speculative) {
    Scenario plain = Scenarios.withStragglers(CLUSTER, workload, speculative, 7 + faults.size());
    ModelSpec model = plain.model();
    return new Scenario(
        plain.name(),
        plain.seed(),
        plain.cluster(),
        plain.tiers(),
        new PolicySpec(
            plain.policies().placement(),
            plain.policies().access(),
            replication,
            plain.policies().blockBytes(),
            plain.policies().scheduler()),
        model,
        plain.workload(),
        faults);
  }
}
