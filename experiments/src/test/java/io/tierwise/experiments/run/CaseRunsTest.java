package io.tierwise.experiments.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tierwise.core.message.OperatorException;
import io.tierwise.core.view.ReadView;
import io.tierwise.policies.access.AccessProvider;
import io.tierwise.policies.access.AccessReason;
import io.tierwise.policies.access.AccessRequest;
import io.tierwise.policies.access.AccessStrategies;
import io.tierwise.policies.access.AccessStrategy;
import io.tierwise.policies.text.PolicyProvider.Nothing;
import io.tierwise.policies.text.SpecReader;
import io.tierwise.simulator.report.Report;
import io.tierwise.simulator.report.RunCase;
import io.tierwise.simulator.report.StoppingRule;
import io.tierwise.simulator.scenario.yaml.ScenarioFiles;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class CaseRunsTest {
  private static final String SMALL =
      """
      cluster: {racks: [{count: 2, nodes: [{kind: disk-node, count: 2}, ssd-node]}]}
      model: {write-through: true}
      workload: {dfsio: {tasks: 6, file: 200 MB}}
      """;

  private static List<CaseSpec> cases(String... placements) {
    List<CaseSpec> cases = new ArrayList<>();
    for (String placement : placements) {
      ScenarioFiles files = ScenarioFiles.parse(SMALL, "small");
      cases.add(
          new CaseSpec(
              placement, files.with("policies.placement=" + placement, "--set").scenario()));
    }
    return cases;
  }

  private static List<RunCase> run(
      List<CaseSpec> cases, StoppingRule rule, int threads, BooleanSupplier stopped) {
    RunListener silent = new RunListener() {};
    return new CaseRuns(cases, rule, silent, stopped).run(threads);
  }

  @Test
  void whatComesOutDoesNotDependOnTheThreads() {
    StoppingRule rule = new StoppingRule(3, 8, 0.05);
    String one = new Report(run(cases("stock", "hybrid", "random"), rule, 1, () -> false)).csv();
    String many = new Report(run(cases("stock", "hybrid", "random"), rule, 5, () -> false)).csv();
    assertThat(many).isEqualTo(one);
    assertThat(one.lines().count()).isGreaterThanOrEqualTo(1 + 3 * 3);
  }

  @Test
  void eachSeedIsAnotherRunAndAllCasesMeetTheSameSeeds() {
    List<RunCase> ran = run(cases("stock", "random"), StoppingRule.exactly(3), 2, () -> false);
    assertThat(ran).hasSize(2);
    for (RunCase each : ran) {
      assertThat(each.runs()).extracting(result -> result.seed()).containsExactly(1L, 2L, 3L);
      assertThat(each.runs().stream().map(r -> r.engine().logHash()).distinct()).hasSize(3);
    }
  }

  @Test
  void casesThatRanWhenItWasStoppedAreKept() {
    AtomicInteger asked = new AtomicInteger();
    List<RunCase> ran =
        run(
            cases("stock", "hybrid", "random"),
            StoppingRule.exactly(1),
            1,
            () -> asked.incrementAndGet() > 2);
    assertThat(ran).hasSizeBetween(1, 2);
    assertThat(ran.get(0).label()).isEqualTo("stock");
    assertThat(run(cases("stock"), StoppingRule.exactly(1), 1, () -> true)).isEmpty();
  }

  @Test
  void aRunThatCannotBeDoneEndsAllWithOneLine() {
    CaseSpec bad =
        new CaseSpec(
            "bad",
            ScenarioFiles.parse(SMALL, "small")
                .with("workload.trace={format: swim, file: gone.tsv}", "--set")
                .scenario());
    assertThatThrownBy(() -> run(List.of(bad), StoppingRule.exactly(2), 2, () -> false))
        .isInstanceOf(OperatorException.class)
        .hasMessageContaining("gone.tsv");
  }

  /** A policy of another jar, made for another version of ours. */
  public static final class OfAnotherVersion implements AccessProvider {
    @Override
    public String name() {
      return "of-another-version";
    }

    @Override
    public String usage() {
      return name();
    }

    @Override
    public String summary() {
      return "needs a method that is gone";
    }

    @Override
    public AccessStrategy make(SpecReader settings, Nothing nothing) {
      AccessStrategy nearest = AccessStrategies.parse("network-aware");
      return new AccessStrategy() {
        @Override
        public String name() {
          return OfAnotherVersion.this.name();
        }

        @Override
        public AccessReason order(
            AccessRequest request, ReadView view, RandomGenerator random, int[] order) {
          nearest.order(request, view, random, order);
          throw new NoSuchMethodError("gone");
        }
      };
    }
  }

  /** On its own thread or on another one: no report lacks the run without a word. */
  @ParameterizedTest
  @ValueSource(ints = {1, 3})
  void aPolicyThatFailsInAnyWayEndsAllWithOneLineThatNamesItsCase(int threads) {
    List<CaseSpec> mixed = new ArrayList<>(cases("stock", "random"));
    mixed.add(
        new CaseSpec(
            "theirs",
            ScenarioFiles.parse(SMALL, "small")
                .with("policies.access=of-another-version", "--set")
                .scenario()));
    assertThatThrownBy(() -> run(mixed, StoppingRule.exactly(1), threads, () -> false))
        .isInstanceOf(OperatorException.class)
        .hasMessage("a run of theirs failed: NoSuchMethodError: gone");
  }
}
