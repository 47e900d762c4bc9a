package io.tierwise.simulator.workload.generated;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.tierwise.simulator.scenario.PhasePlan;
import io.tierwise.simulator.scenario.TaskMemory;
import io.tierwise.simulator.scenario.WorkloadSpec;
import io.tierwise.simulator.scenario.WorkloadSpec.Applications.Edges;
import io.tierwise.simulator.scenario.WorkloadSpec.Applications.Share;
import io.tierwise.simulator.scenario.WorkloadSpec.Arrival;
import io.tierwise.simulator.workload.JobSource;
import io.tierwise.simulator.workload.JobSources;
import io.tierwise.simulator.workload.JobSpec;
import io.tierwise.simulator.workload.WorkloadException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;
import java.util.Random;
import java.util.SplittableRandom;
import net.jqwik.api.Assume;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.DoubleRange;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class ArrivalsTest {
  private static final List<Share> MIX =
      List.of(new Share("lsn/grep", 30, 1), new Share("lsn/join", 10, 0.5));

  @Test
  void letsAllArriveTogetherInTheOrderGiven() throws IOException {
    List<JobSpec> jobs = run(new Arrival.Together(), MIX, 1, 5).jobs();
    assertThat(jobs).hasSize(40).allSatisfy(job -> assertThat(job.submitSeconds()).isZero());
    assertThat(jobs.subList(0, 30))
        .allSatisfy(job -> assertThat(job.application()).isEqualTo("lsn/grep"));
    assertThat(jobs).extracting(JobSpec::name).doesNotHaveDuplicates();
  }

  @Test
  void letsOneArriveWhenTheOneBeforeIsOver() throws IOException {
    Run run = run(new Arrival.OneAfterAnother(), MIX, 1, 5);
    assertThat(run.jobs()).hasSize(40);
    assertThat(run.runningMax()).isEqualTo(1);
    for (int i = 0; i < 40; i++) {
      assertThat(run.jobs().get(i).submitSeconds()).isEqualTo(5.0 * i);
    }
  }

  @Test
  void letsClientsThinkBeforeTheySubmitAgain() throws IOException {
    Run run = run(new Arrival.ClosedLoop(4, 2.5), MIX, 1, 5);
    assertThat(run.jobs()).hasSize(40);
    assertThat(run.runningMax()).isEqualTo(4);
    for (int i = 0; i < 40; i++) {
      int round = i / 4;
      assertThat(run.jobs().get(i).submitSeconds()).isEqualTo(7.5 * round);
    }
  }

  @Test
  void letsJobsArriveAtThePoissonRate() throws IOException {
    int count = 40_000;
    List<JobSpec> jobs =
        run(new Arrival.Poisson(0.5), List.of(new Share("lsn/grep", count, 1)), 7, 1).jobs();
    double last = jobs.get(count - 1).submitSeconds();
    // The sum of n exponential gaps has a standard deviation of sqrt(n) / rate: four of them.
    assertThat(last).isCloseTo(count / 0.5, within(4 * Math.sqrt(count) / 0.5));
    double squares = 0;
    for (int i = 1; i < count; i++) {
      double gap = jobs.get(i).submitSeconds() - jobs.get(i - 1).submitSeconds();
      squares += gap * gap;
    }
    // E[gap^2] = 2 / rate^2; the standard deviation of its mean is sqrt(20 / n) / rate^2.
    assertThat(squares / count).isCloseTo(8, within(4 * Math.sqrt(20.0 / count) * 4));
  }

  @Property(tries = 200)
  void neverBreaksTheContractOfASource(
      @ForAll @IntRange(min = 0, max = 3) int kind,
      @ForAll @IntRange(min = 1, max = 20) int clients,
      @ForAll @DoubleRange(min = 0, max = 30) double thinkSeconds,
      @ForAll @IntRange(min = 0, max = 40) int first,
      @ForAll @IntRange(min = 1, max = 40) int second,
      @ForAll long seed)
      throws IOException {
    Arrival arrival =
        switch (kind) {
          case 0 -> new Arrival.Together();
          case 1 -> new Arrival.OneAfterAnother();
          case 2 -> new Arrival.Poisson(0.1);
          default -> new Arrival.ClosedLoop(clients, thinkSeconds);
        };
    List<Share> shares = List.of(new Share("lsn/grep", first, 1), new Share("lsn/join", second, 2));
    Run run = run(arrival, shares, seed, 13);
    assertThat(run.jobs()).hasSize(first + second);
    assertThat(run.jobs().stream().filter(job -> job.application().equals("lsn/grep")).count())
        .isEqualTo(first);
    assertThat(run.jobs().stream().map(JobSpec::submitSeconds).toList()).isSorted();
    assertThat(run).as("same seed, same jobs").isEqualTo(run(arrival, shares, seed, 13));
    if (kind == 3) {
      assertThat(run.runningMax()).isLessThanOrEqualTo(clients);
    }
  }

  private static Share named(String name, int count, String... after) {
    Edges edges = new Edges(name, List.of(after), "");
    return new Share("lsn/grep", count, 1, PhasePlan.MODEL, TaskMemory.NONE, "", edges);
  }

  /** A node comes after those of the nodes before it that a bit is set for. */
  @Property(tries = 200)
  void letsJobsArriveWhenTheLastOneBeforeThemIsOver(
      @ForAll @Size(min = 1, max = 12) List<@IntRange(max = 3) Integer> counts,
      @ForAll @Size(12) List<@IntRange(max = 4095) Integer> bits)
      throws IOException {
    double seconds = 13;
    Assume.that(counts.stream().anyMatch(count -> count > 0));
    List<Share> shares = new ArrayList<>();
    List<Double> arrives = new ArrayList<>();
    List<Double> expected = new ArrayList<>();
    for (int node = 0; node < counts.size(); node++) {
      List<String> after = new ArrayList<>();
      double last = 0;
      for (int other = 0; other < node; other++) {
        if ((bits.get(node) >> other & 1) > 0) {
          after.add("n" + other);
          last = Math.max(last, arrives.get(other) + (counts.get(other) > 0 ? seconds : 0));
        }
      }
      arrives.add(last);
      expected.addAll(Collections.nCopies(counts.get(node), last));
      shares.add(named("n" + node, counts.get(node), after.toArray(String[]::new)));
    }
    // What comes last may stand first.
    Collections.shuffle(shares, new Random(bits.get(0)));

    assertThat(run(new Arrival.Together(), shares, 1, seconds).jobs())
        .extracting(JobSpec::submitSeconds)
        .containsExactlyElementsOf(expected.stream().sorted().toList());
  }

  @Test
  void scalesBytesAndTasks() throws IOException {
    JobSpec job =
        run(new Arrival.Together(), List.of(new Share("lsn/join", 1, 0.5)), 1, 1).jobs().get(0);
    assertThat(job.inputBytes()).isEqualTo(5L << 30);
    assertThat(job.mapCount()).isEqualTo(80);
    assertThat(job.reduceCount()).isEqualTo(20);
    assertThat(job.mapCyclesPerByte()).isEqualTo(400);
  }

  @Test
  void letsJobsOfOneApplicationAndSizeReadTheSameData() throws IOException {
    List<Share> shares =
        List.of(
            new Share("lsn/join", 2, 1), new Share("lsn/join", 1, 3), new Share("lsn/grep", 1, 1));
    List<String> paths =
        run(new Arrival.Together(), shares, 1, 1).jobs().stream().map(JobSpec::inputPath).toList();
    assertThat(paths.get(0)).isEqualTo(paths.get(1));
    assertThat(List.of(paths.get(0), paths.get(2), paths.get(3))).doesNotHaveDuplicates();
  }

  static List<WorkloadSpec.Applications> mistakes() {
    Arrival together = new Arrival.Together();
    return List.of(
        new WorkloadSpec.Applications(together, List.of()),
        new WorkloadSpec.Applications(together, List.of(new Share("lsn/grep", 0, 1))),
        new WorkloadSpec.Applications(together, List.of(new Share("lsn/grep", -1, 1))),
        new WorkloadSpec.Applications(together, List.of(new Share("lsn/grep", 1, 0))),
        new WorkloadSpec.Applications(together, List.of(new Share("lsn/grep", 1, 1e12))),
        new WorkloadSpec.Applications(together, List.of(new Share("nothing", 1, 1))),
        new WorkloadSpec.Applications(together, List.of(named("a", 1, "b"), named("b", 1, "a"))),
        new WorkloadSpec.Applications(new Arrival.Poisson(0), MIX),
        new WorkloadSpec.Applications(new Arrival.Poisson(Double.NaN), MIX),
        new WorkloadSpec.Applications(new Arrival.ClosedLoop(0, 1), MIX),
        new WorkloadSpec.Applications(new Arrival.ClosedLoop(1, -1), MIX));
  }

  @ParameterizedTest
  @MethodSource("mistakes")
  void refusesSettingsThatMakeNoSenseInOneLine(WorkloadSpec.Applications spec) {
    assertThatThrownBy(() -> JobSources.open(spec, new SplittableRandom(1)))
        .isInstanceOf(WorkloadException.class)
        .message()
        .doesNotContain("\n");
  }

  /** The jobs that a host saw. */
  private record Run(List<JobSpec> jobs, int runningMax) {}

  private static Run run(Arrival arrival, List<Share> shares, long seed, double seconds)
      throws IOException {
    WorkloadSpec spec = new WorkloadSpec.Applications(arrival, shares);
    try (JobSource source = JobSources.open(spec, new SplittableRandom(seed))) {
      return host(source, seconds);
    }
  }

  /** A host that keeps to the contract of {@link JobSource}: every job takes so many seconds. */
  private static Run host(JobSource source, double jobSeconds) throws IOException {
    record Running(JobSpec job, double endSeconds) {}
    PriorityQueue<Running> running =
        new PriorityQueue<>(Comparator.comparingDouble(Running::endSeconds));
    List<JobSpec> jobs = new ArrayList<>();
    int runningMax = 0;
    JobSpec arriving = source.next();
    while (arriving != null || !running.isEmpty()) {
      boolean endsFirst =
          !running.isEmpty()
              && (arriving == null || running.peek().endSeconds() <= arriving.submitSeconds());
      if (endsFirst) {
        Running ended = running.remove();
        if (source.finished(ended.job(), ended.endSeconds()) && arriving == null) {
          arriving = source.next();
          assertThat(arriving.submitSeconds()).isGreaterThanOrEqualTo(ended.endSeconds());
        }
      } else {
        jobs.add(arriving);
        running.add(new Running(arriving, arriving.submitSeconds() + jobSeconds));
        runningMax = Math.max(runningMax, running.size());
        arriving = source.next();
      }
    }
    assertThat(source.next()).isNull();
    assertThat(source.progress()).isEqualTo(1);
    return new Run(jobs, runningMax);
  }
}
