package io.tierwise.simulator.jobs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.tierwise.simulator.Progress;
import io.tierwise.simulator.Simulation;
import io.tierwise.simulator.measure.RunResult;
import io.tierwise.simulator.scenario.yaml.ScenarioFiles;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collections;
import java.util.List;
import java.util.stream.DoubleStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Second attempts against closed forms. Each machine has one slot and runs one map of 1 GB, which
 * takes 1 s to start and 10 s to read; the disk of the first machine is k times as slow.
 */
class SpeculationTest {
  private static final double START_SECONDS = 1;
  private static final double READ_SECONDS = 10;
  private static final double MAP_SECONDS = START_SECONDS + READ_SECONDS;

  /** f: a map is late after so many times the mean. */
  private static final double LATE_FACTOR = 1.5;

  /** What three bytes of map output take on their way. */
  private static final double SHUFFLE_SECONDS = 0.01;

  @TempDir private Path folder;

  /** Jobs of the trace beside the one that is looked at. */
  private String others = "";

  private String scheduler = "fifo";

  /** Of the job that is looked at. */
  private boolean hasReducer = true;

  /** Of the same job; 0: one for each node. */
  private int maps;

  /** Nodes whose disks hold no input, beside the others. */
  private String dataless = "";

  /** How long maps wait for a slot near their data. */
  private String patience = "0 s";

  private RunResult run(int nodes, boolean speculative, String... faults) throws IOException {
    int mapCount = maps == 0 ? nodes : maps;
    Path trace = folder.resolve("trace.json");
    String map = "{\"attempts\": [{\"result\": \"SUCCESS\", \"hdfsBytesRead\": 1000000000}]}";
    String reducer = "{\"attempts\": [{\"result\": \"SUCCESS\", \"reduceShuffleBytes\": 3}]}";
    Files.writeString(
        trace,
        """
        {"jobID": "job_1", "jobName": "a", "submitTime": 1000, "totalMaps": %d, "totalReduces": %d,
         "mapTasks": [%s], "reduceTasks": [%s]}
        %s
        """
            .formatted(
                mapCount,
                hasReducer ? 1 : 0,
                String.join(",", Collections.nCopies(mapCount, map)),
                hasReducer ? reducer : "",
                others));
    String yaml =
        """
        nodes:
          n: {map-slots: 1, reduce-slots: 1, volumes: [{device: d}]}
          dataless: {based-on: n, volumes: [{device: d, data: false}]}
        devices: {d: {read: 100 MB/s, write: 100 MB/s}}
        cluster: {racks: [{nodes: [{kind: n, count: %d}%s]}]}
        policies: {replication: %d, block: 1 GB, scheduler: "%s"}
        model: {job-start: 0 s, task-start: 1 s, map-cycles: 0, reduce-cycles: 0, speculative: %b, locality-delay: %s}
        faults: [%s]
        workload: {trace: {format: rumen, file: %s}}
        """
            .formatted(
                nodes,
                dataless,
                nodes,
                scheduler,
                speculative,
                patience,
                String.join(",", faults),
                trace);
    return Simulation.of(ScenarioFiles.parse(yaml, "s").scenario())
        .checkBetween(0, 100_000)
        .run(Progress.NONE);
  }

  private static String slow(double times) {
    return "{at: 0 s, device: node-0/0, slow: " + 1 / times + "}";
  }

  /**
   * Two machines: without a second attempt the job takes s + k r. With one it takes min(s + k r, (f
   * + 1)(s + r)): seconds; s start, r reading, f the factor. The copy begins on the other machine
   * when the map is late, at f (s + r), and takes s + r. A map that ends before it is late gets no
   * copy, one that ends before its copy has it killed.
   */
  @ParameterizedTest
  @CsvSource({"1, 0", "1.5, 0", "2, 1", "2.6, 1", "2.7, 1", "20, 1", "300, 1"})
  void aSecondAttemptGainsWhatTwoMachinesCan(double k, int killed) throws IOException {
    double alone = START_SECONDS + k * READ_SECONDS;
    double together = Math.min(alone, (LATE_FACTOR + 1) * MAP_SECONDS);
    // The reducer starts when the first map is done.
    double reducer = MAP_SECONDS + START_SECONDS;
    RunResult without = run(2, false, slow(k));
    RunResult with = run(2, true, slow(k));

    assertThat(without.makespanSeconds())
        .isCloseTo(Math.max(alone, reducer), within(SHUFFLE_SECONDS));
    assertThat(without.jobs().killedTasks()).isZero();
    assertThat(with.makespanSeconds())
        .isCloseTo(Math.max(together, reducer), within(SHUFFLE_SECONDS));
    assertThat(with.jobs().killedTasks()).isEqualTo(killed);
    assertThat(with.jobs().finished()).isEqualTo(1);
  }

  /**
   * The second attempt runs from 16.5 s on one of two nodes. One of them fails at 20 s, and with it
   * the map that it had done. Where the copy was lost, that map runs again at once on the other
   * node, and a second copy begins there 15 s after the first. Where it was not lost, it ends at
   * 27.5 s. The slot of the straggler is free first then: the lost map runs again on the slow disk,
   * and gets a copy of its own.
   */
  @Test
  void aStragglerWhoseSecondAttemptFailsGetsAnother() throws IOException {
    double copySeconds = LATE_FACTOR * MAP_SECONDS;
    double kept = copySeconds + MAP_SECONDS + copySeconds + MAP_SECONDS;
    double lost = copySeconds + 15 + MAP_SECONDS;
    double[] seconds =
        DoubleStream.of(
                run(3, true, slow(300), "{at: 20 s, node: node-1}").makespanSeconds(),
                run(3, true, slow(300), "{at: 20 s, node: node-2}").makespanSeconds())
            .sorted()
            .toArray();

    assertThat(seconds[0]).isCloseTo(lost, within(SHUFFLE_SECONDS));
    assertThat(seconds[1]).isCloseTo(kept, within(SHUFFLE_SECONDS));
  }

  /**
   * At 12 s, before the copy begins, the disks of both other nodes become ten times as slow, one of
   * them for 18 s. The copy may be on either. When it is late itself, the other disk is well again,
   * but nobody begins a third time.
   */
  @Test
  void aMapWhoseSecondAttemptIsLateTooGetsNoThird() throws IOException {
    double[] seconds =
        DoubleStream.of(secondsWithSlowCopies(1, 2), secondsWithSlowCopies(2, 1))
            .sorted()
            .toArray();

    double begun = LATE_FACTOR * MAP_SECONDS + START_SECONDS;
    double slowly = 30 - begun;
    assertThat(seconds[0]).isCloseTo(30 + READ_SECONDS - slowly / 10, within(SHUFFLE_SECONDS));
    assertThat(seconds[1]).isCloseTo(begun + 10 * READ_SECONDS, within(SHUFFLE_SECONDS));
  }

  private double secondsWithSlowCopies(int forEver, int forAWhile) throws IOException {
    String slow = "{at: 12 s, device: node-%d/0, slow: 0.1%s}";
    RunResult result =
        run(
            3,
            true,
            slow(300),
            slow.formatted(forEver, ""),
            slow.formatted(forAWhile, ", until: 30 s"));
    assertThat(result.jobs().killedTasks()).isEqualTo(1);
    return result.makespanSeconds();
  }

  /**
   * Its output stands in the file system, where two attempts would write the same block. The last
   * map begins when the first one has ended, so that what a map takes is known.
   */
  @Test
  void aTaskThatWritesTheOutputGetsNoSecondAttempt() throws IOException {
    hasReducer = false;
    maps = 3;
    RunResult result = run(2, true, slow(20));

    assertThat(result.makespanSeconds())
        .isCloseTo(START_SECONDS + 20 * READ_SECONDS, within(SHUFFLE_SECONDS));
    assertThat(result.jobs().killedTasks()).isZero();
  }

  /** Whichever of the two nodes has the second attempt, the map runs where a node is left. */
  @ParameterizedTest
  @ValueSource(ints = {1, 2})
  void aMapWhoseTwoAttemptsFailRunsAgain(int other) throws IOException {
    List<String> faults =
        List.of(slow(300), "{at: 20 s, node: node-0}", "{at: 21 s, node: node-" + other + "}");
    RunResult result = run(3, true, faults.toArray(String[]::new));

    assertThat(result.jobs().finished()).isEqualTo(1);
    assertThat(result.makespanSeconds()).isLessThan(100);
  }

  /** From 12 s to 113 s the only other slot has the map of another job, which reads 10 GB. */
  @Test
  void aLateMapWithoutAFreeSlotGetsTheNextOne() throws IOException {
    others =
        """
        {"jobID": "job_2", "jobName": "b", "submitTime": 13000, "totalMaps": 1, "totalReduces": 0,
         "mapTasks": [{"attempts": [{"result": "SUCCESS", "hdfsBytesRead": 10000000000}]}]}
        """;
    RunResult result = run(2, true, slow(300));

    assertThat(result.jobs().finished()).isEqualTo(2);
    assertThat(result.makespanSeconds())
        .as("within a second after the slot is free")
        .isBetween(113 + MAP_SECONDS, 114 + MAP_SECONDS + SHUFFLE_SECONDS);
  }

  /**
   * All input is on the first node, and the second one's slot stays free, for maps wait longer for
   * a slot near their data than they have to. The second map is late while the third one waits: a
   * second attempt would have the free slot before it, and halve the disk's rate for the late one.
   * Reading stops at 12 s, as good as, and goes on at 40 s.
   */
  @Test
  void aLateMapGetsNoSecondAttemptWhileOthersWait() throws IOException {
    maps = 3;
    dataless = ", {kind: dataless, count: 1}";
    patience = "100 s";
    String pause = "{at: 12 s, device: node-0/0, slow: 0.0001, until: 40 s}";
    RunResult result = run(1, true, pause);

    assertThat(result.jobs().killedTasks()).isZero();
    assertThat(result.makespanSeconds())
        .isCloseTo(40 + READ_SECONDS + MAP_SECONDS, within(SHUFFLE_SECONDS));
  }

  /** Of the four slots the late map and the reducer have two. */
  @ParameterizedTest
  @CsvSource({"50, false", "75, true"})
  void aQueueAtItsCeilingGetsNoSlotForASecondAttempt(int mostPercent, boolean isCopied)
      throws IOException {
    scheduler = "capacity:a=10/" + mostPercent;
    RunResult result = run(2, true, slow(20));

    double alone = START_SECONDS + 20 * READ_SECONDS;
    double copied = (LATE_FACTOR + 1) * MAP_SECONDS;
    assertThat(result.makespanSeconds())
        .isCloseTo(isCopied ? copied : alone, within(SHUFFLE_SECONDS));
    assertThat(result.jobs().killedTasks()).isEqualTo(isCopied ? 1 : 0);
  }
}
