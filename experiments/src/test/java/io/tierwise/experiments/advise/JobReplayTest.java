package io.tierwise.experiments.advise;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.tierwise.core.use.JobReads;
import io.tierwise.core.use.JobReads.ReadingJob;
import io.tierwise.core.use.ReadHistory;
import io.tierwise.core.use.ReadHistory.ReadFile;
import io.tierwise.experiments.run.RunListener;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Replays of reads whose jobs are known. */
class JobReplayTest {
  private static final long MIB = 1 << 20;
  private static final int READS = 40;

  private static final String CLUSTER =
      """
      cluster: {racks: [{nodes: [{kind: worker, count: 4}]}]}
      nodes:
        worker:
          page-cache: 0 B
          volumes: [{device: sata-ssd, capacity: 20 GB, temporary: false}, {device: hdd, capacity: 1 TB}]
      workload: {dfsio: {tasks: 1}}
      """;

  @TempDir private Path folder;

  /** Two files in turn: the first is one job's in each half, the second nobody's. */
  private static ReadHistory history() {
    int[] files = new int[READS];
    double[] seconds = new double[READS];
    for (int i = 0; i < READS; i++) {
      files[i] = i % 2;
      seconds[i] = 60.0 * i;
    }
    return new ReadHistory(
        Collections.nCopies(2, new ReadFile(512 * MIB, 3, false)), files, seconds);
  }

  private static JobReads jobs(ReadingJob... jobs) {
    int[] of = new int[READS];
    for (int i = 0; i < READS; i++) {
      of[i] = i % 2 == 1 ? JobReads.NONE : i / (READS / jobs.length);
    }
    return new JobReads(List.of(jobs), of);
  }

  private static ReadingJob job(String id, int readers, long bytes, double cpuSeconds) {
    return new ReadingJob(id, "app", 1_000, 900, readers, 4, bytes, cpuSeconds);
  }

  private ReplayAnswer replay(JobReads jobs, ReplaySite site) throws IOException {
    Path file = Files.writeString(folder.resolve("cluster.yaml"), CLUSTER);
    return LogReplay.replay(
        new LogReplay.Question(history(), jobs, file.toString(), site, READS, 0),
        new RunListener() {},
        () -> false);
  }

  private List<JsonNode> trace(JobReads jobs) throws IOException {
    Path file = folder.resolve("trace");
    new ReplayTrace(history(), jobs).write(0, file);
    List<JsonNode> rows = new ArrayList<>();
    for (String line : Files.readAllLines(file)) {
      rows.add(new ObjectMapper().readTree(line));
    }
    return rows;
  }

  @Test
  void aJobsReadsAreOfItsOwnBytesByItsOwnTasksAndComputeAsTheyDid() throws IOException {
    // Twenty reads of half a gigabyte would be ten; its counters say five.
    List<JsonNode> rows = trace(jobs(job("j", 60, 5 * 1024 * MIB, 40)));

    assertThat(rows).hasSize(READS);
    assertThat(rows.get(0).path("input_bytes").asLong()).isEqualTo(256 * MIB);
    assertThat(rows.get(0).path("file_bytes").asLong()).isEqualTo(512 * MIB);
    assertThat(rows.get(0).path("maps").asInt()).isEqualTo(3);
    assertThat(rows.get(0).path("map_cpu_millis").asLong()).isEqualTo(2_000);
    assertThat(rows.get(1).path("input_bytes").asLong()).isEqualTo(512 * MIB);
    assertThat(rows.get(1).path("maps").asInt()).isZero();
    assertThat(rows.get(1).path("map_cpu_millis").asLong()).isZero();
  }

  @Test
  void aReadIsOfNoMoreThanItsFile() throws IOException {
    List<JsonNode> rows = trace(jobs(job("j", 1, 500 * 1024 * MIB, 0), job("k", 1, 0, 0)));

    assertThat(rows).allMatch(row -> row.path("input_bytes").asLong() == 512 * MIB);
    assertThat(rows.get(0).path("maps").asInt()).isEqualTo(1);
  }

  @Test
  void saysWhichJobsGainAndWhatEachPolicySaves() throws IOException {
    JobsAnswer answer =
        replay(
                jobs(
                    job("before", 1, 10 * 1024 * MIB, 1),
                    job("reads", 1, 5 * 1024 * MIB, 1),
                    job("computes", 1, 10 * MIB, 900),
                    job("after", 1, 5 * 1024 * MIB, 1)),
                ReplaySite.UNKNOWN)
            .jobs();

    // The first half teaches: two of the jobs ran in it.
    assertThat(answer.jobs()).isEqualTo(2);
    assertThat(answer.reads()).isEqualTo(READS / 4);
    assertThat(answer.allReads()).isEqualTo(READS / 2);
    assertThat(answer.policies())
        .extracting(JobsAnswer.Policy::policy)
        .containsExactly("drawn blindly", "hot set", "by hindsight");
    JobsAnswer.Policy hot = answer.policies().get(1);
    assertThat(hot.gaining()).isEqualTo(1);
    assertThat(hot.savedSeconds()).isPositive();
    assertThat(hot.fastBytes()).isEqualTo(answer.readBytes());
    assertThat(hot.storageDollarsMore()).isPositive();
    JobsAnswer.Gain first = answer.gains().get(0);
    assertThat(first.id()).isEqualTo("after");
    assertThat(first.bestPolicy()).isEqualTo("hot set");
    assertThat(first.bestSavedSeconds()).isPositive().isLessThanOrEqualTo(900);
    JobsAnswer.Gain second = answer.gains().get(1);
    assertThat(second.id()).isEqualTo("computes");
    assertThat(second.bestPolicy()).isNull();
  }

  /** Its reads are replayed one by one, and its tasks read for half a second. */
  @Test
  void aJobSavesNoMoreThanTheTimeInWhichItRead() throws IOException {
    ReadingJob shortly = new ReadingJob("j", "app", 1, 0.5, 1, 4, 10 * 1024 * MIB, 1);
    JobsAnswer answer = replay(jobs(shortly), ReplaySite.UNKNOWN).jobs();

    assertThat(answer.gains()).hasSize(1);
    assertThat(answer.gains().get(0).bestSavedSeconds()).isEqualTo(0.5);
    assertThat(answer.policies()).allMatch(policy -> policy.savedSeconds() <= 0.5);
  }

  @Test
  void nodesRacksAndBlocksAreThoseOfTheConfiguration() throws IOException {
    ReplaySite site = new ReplaySite(256 * MIB, 2, Map.of("/a", 5, "/b", 3));
    ReplayAnswer answer = replay(JobReads.none(READS), site);

    assertThat(answer.nodes()).isEqualTo(8);
    assertThat(answer.jobs()).isNull();
    assertThat(String.join(" ", answer.legend()))
        .contains(
            "By the configuration: 8 nodes in 2 racks, blocks of 256.0 MiB; most bytes read have"
                + " 3 replicas, and new files 2.");
    assertThat(replay(JobReads.none(READS), ReplaySite.UNKNOWN).nodes()).isEqualTo(4);
  }
}
