package io.tierwise.experiments.reproduce;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tierwise.core.message.OperatorException;
import io.tierwise.experiments.run.StopAfter;
import io.tierwise.simulator.report.Estimate;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** An interrupted call, and the one after it. */
class KeptRunsTest {
  private static final int RUNS = 6;

  @TempDir private Path paper;
  private final List<String> remarks = new ArrayList<>();

  /** Two runs with three seeds. */
  @BeforeEach
  void writeAPaper() throws IOException {
    Files.writeString(paper.resolve("one.yaml"), StopAfter.SCENARIO);
    Files.writeString(
        paper.resolve("runs.yaml"),
        """
        seeds: 3
        runs: [{name: one, scenario: one.yaml}, {name: two, scenario: one.yaml, set: ['policies.replication=2']}]
        rows: [{figure: f, case: c, metric: m, ours: "[two makespan_seconds] / [one makespan_seconds]", cause: none}]
        """);
    Files.writeString(
        paper.resolve("expected.csv"), "figure,case,metric,value,unit,where\nf,c,m,1,ratio,here\n");
    Files.writeString(
        paper.resolve("tolerance.yaml"),
        "[{relative: 0.01, reason: none, rows: [{figure: f, case: c, metric: m}]}]");
  }

  private Runner runner(String... settings) {
    return new Runner(Reproduction.read(paper), List.of(settings), null, remarks::add);
  }

  /** Runs with one thread, and is stopped after so many runs; how many ended. */
  private static int run(Runner runner, int stopAfter) {
    StopAfter stop = new StopAfter(stopAfter);
    runner.run(row -> true, 1, stop, stop);
    return stop.ended();
  }

  private static Estimate ours(Runner runner) {
    return runner.compare(row -> true).get(0).ours();
  }

  @Test
  void theNextCallMakesOnlyTheRunsThatAreMissing() {
    Runner whole = runner();
    assertThat(run(whole, Integer.MAX_VALUE)).isEqualTo(RUNS);
    Runner interrupted = runner();
    assertThat(run(interrupted, 4)).isEqualTo(4);
    assertThat(ours(interrupted)).as("a run lacks a seed").isNull();
    assertThat(interrupted.keep())
        .startsWith("4 of 6 runs of " + paper.getFileName() + " are kept in " + paper)
        .endsWith("the same command goes on from there");

    Runner next = runner();
    assertThat(run(next, Integer.MAX_VALUE)).isEqualTo(RUNS - 4);
    assertThat(remarks)
        .containsExactly(
            "4 of 6 runs of "
                + paper.getFileName()
                + " were kept by an interrupted call: not run again");
    assertThat(ours(next)).as("to the last digit").isEqualTo(ours(whole));
    assertThat(ours(next).halfWidth()).as("seeds differ").isPositive();
  }

  /** As a trace that is cut off, or a run that needs more memory than there is. */
  @Test
  void runsThatWereOverBeforeAnotherOneFailedAreKept() throws IOException {
    Files.writeString(paper.resolve("cut.json"), "{\"id\":\"a\",\"maps\":");
    String one = Files.readString(paper.resolve("one.yaml"));
    Files.writeString(
        paper.resolve("cut.yaml"),
        one.replace(
            "{dfsio: {tasks: 7, file: 300 MB}}", "{trace: {format: jobs, file: cut.json}}"));
    Path plan = paper.resolve("runs.yaml");
    String whole = Files.readString(plan);
    Files.writeString(
        plan, whole.replace("{name: two, scenario: one.yaml", "{name: two, scenario: cut.yaml"));
    Runner failing = runner();

    assertThatThrownBy(() -> run(failing, Integer.MAX_VALUE)).isInstanceOf(OperatorException.class);
    assertThat(failing.keep()).startsWith("3 of 6 runs of").contains(" are kept in ");
    Files.writeString(plan, whole);
    assertThat(run(runner(), Integer.MAX_VALUE)).isEqualTo(RUNS - 3);
  }

  /** A machine that loses its power sends no signal. */
  @Test
  void runsAreKeptEachHalfMinuteWhileOthersRun() {
    long[] nanos = {0};
    KeptRuns kept = KeptRuns.in(paper, List.of(), () -> nanos[0]);
    KeptRuns.Key first = new KeptRuns.Key("one", 0, "stamp");
    kept.add(first, Map.of("makespan_seconds", 1.5));
    kept.writeNowAndThen();
    assertThat(paper.resolve(".kept-runs.csv")).doesNotExist();
    nanos[0] = 30_000_000_000L;
    kept.writeNowAndThen();

    assertThat(KeptRuns.in(paper, List.of()).find(first))
        .isEqualTo(Map.of("makespan_seconds", 1.5));
  }

  @Test
  void aSecondInterruptionKeepsWhatTheFirstDid() {
    Runner first = runner();
    run(first, 2);
    first.keep();
    Runner second = runner();
    assertThat(run(second, 3)).isEqualTo(3);
    assertThat(second.keep()).startsWith("5 of 6 runs of");

    assertThat(run(runner(), Integer.MAX_VALUE)).isEqualTo(1);
  }

  @Test
  void runsOfAScenarioThatChangedAreMadeAnew() throws IOException {
    Runner interrupted = runner();
    run(interrupted, 4);
    interrupted.keep();

    assertThat(run(runner("devices.d.read=50 MB/s"), Integer.MAX_VALUE)).isEqualTo(RUNS);
    Files.writeString(
        paper.resolve("one.yaml"),
        Files.readString(paper.resolve("one.yaml")).replace("tasks: 7", "tasks: 8"));
    assertThat(run(runner(), Integer.MAX_VALUE)).isEqualTo(RUNS);
    assertThat(remarks).isEmpty();
  }

  /** As a look at what depends on a key, while hours of runs wait to go on. */
  @Test
  void aTrialWithOtherSettingsLeavesAloneWhatWasKept() {
    Runner interrupted = runner();
    run(interrupted, 4);
    interrupted.keep();
    Runner trial = runner("devices.d.read=50 MB/s");
    run(trial, 3);
    assertThat(trial.keep()).startsWith("3 of 6 runs of").contains(".kept-runs-");
    Runner other = runner("devices.d.read=40 MB/s");
    run(other, 5);
    assertThat(other.keep()).startsWith("5 of 6 runs of").contains(".kept-runs-");
    Runner again = runner("devices.d.read=50 MB/s");
    assertThat(run(again, Integer.MAX_VALUE)).isEqualTo(RUNS - 3);
    again.forget();

    assertThat(run(runner("devices.d.read=40 MB/s"), Integer.MAX_VALUE)).isEqualTo(RUNS - 5);
    assertThat(run(runner(), Integer.MAX_VALUE)).isEqualTo(RUNS - 4);
  }

  @Test
  void aCallThatWritesNothingLeavesWhatIsKeptForOneThatDoes() throws IOException {
    Runner interrupted = runner();
    run(interrupted, 4);
    interrupted.keep();
    Path file = paper.resolve(".kept-runs.csv");
    String kept = Files.readString(file);
    Runner look = runner();
    run(look, Integer.MAX_VALUE);
    look.forgetOwn();
    assertThat(file).content().isEqualTo(kept);

    Files.delete(file);
    Runner first = runner();
    run(first, Integer.MAX_VALUE);
    first.keep();
    first.forgetOwn();
    assertThat(file).as("nobody interrupted it").doesNotExist();
  }

  @Test
  void nothingIsLeftBehindAfterAllIsDone() {
    Runner interrupted = runner();
    run(interrupted, 4);
    interrupted.keep();
    Runner next = runner();
    run(next, Integer.MAX_VALUE);
    next.forget();

    assertThat(paper.resolve(".kept-runs.csv")).doesNotExist();
    assertThat(run(runner(), Integer.MAX_VALUE)).isEqualTo(RUNS);
  }

  @Test
  void anInterruptionBeforeAnyRunIsOverKeepsNothingAndSaysSo() {
    Runner interrupted = runner();
    assertThat(run(interrupted, 0)).isZero();
    assertThat(interrupted.keep())
        .isEqualTo("0 of 6 runs of " + paper.getFileName() + " were over: nothing is kept");
    assertThat(paper.resolve(".kept-runs.csv")).doesNotExist();
  }

  @Test
  void aDamagedFileIsOneLineThatSaysWhatToDo() throws IOException {
    Path file = paper.resolve(".kept-runs.csv");
    Files.writeString(file, KeptRuns.HEADER + "\none,0,abc,makespan_seconds=1x\n");
    assertThatThrownBy(this::runner)
        .isInstanceOf(OperatorException.class)
        .hasMessageStartingWith(file + " cannot be read, delete it to run all anew: ");
    Files.writeString(file, KeptRuns.HEADER + "\none,0\n");
    assertThatThrownBy(this::runner)
        .isInstanceOf(OperatorException.class)
        .hasMessageContaining(".kept-runs.csv:2: has 2 cells, must have 4");
  }
}
