package io.tierwise.cli.simulate;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Remarks beside the figures, so that readers do not take them for more than they are. */
class RunRemarksTest {
  @TempDir Path folder;

  @Test
  void readsFromPageCachesAreSaidUntilCachesAreCold() throws IOException {
    Ran warm = Ran.of("simulate", Ran.small(folder));
    assertThat(warm.exitCode()).as(warm.err()).isZero();
    assertThat(warm.err())
        .containsPattern("tierwise simulate: \\d+% of the reads came from page caches")
        .contains("--set model.drop-caches=true");
    Ran cold = Ran.of("simulate", Ran.small(folder), "--set", "model.drop-caches=true");
    assertThat(cold.err()).doesNotContain("page caches");
    Ran sweep = Ran.of("sweep", Ran.small(folder), "--vary", "seed=1,2");
    assertThat(sweep.err()).contains("tierwise sweep: ").contains("(2 of 2 cases)");
  }

  /** The device of the small cluster's disks has a curve then, and nobody reads. */
  @Test
  void aCurveThatWritesThroughBuffersNeverAskIsSaid() throws IOException {
    String curve = "devices.hdd.curve={1: 1, 4: 0.5}";
    String writes = "workload.dfsio.read=false";
    Ran back = Ran.of("simulate", Ran.small(folder), "--set", curve, "--set", writes);
    assertThat(back.exitCode()).as(back.err()).isZero();
    assertThat(back.err())
        .containsPattern("nothing was read, and buffers write .*: the curve of .*hdd.* changed")
        .contains("--set model.write-through=true");
    Ran through =
        Ran.of(
            "simulate",
            Ran.small(folder),
            "--set",
            curve,
            "--set",
            writes,
            "--set",
            "model.write-through=true");
    assertThat(through.err()).doesNotContain("curve");
    Ran read = Ran.of("simulate", Ran.small(folder), "--set", curve);
    assertThat(read.err()).doesNotContain("curve");
  }

  /** A path that is misspelt would seem to cost nothing. */
  @Test
  void aMovementThatFindsNoFileIsSaid() throws IOException {
    String stored = "stored=[{path: /warehouse, files: 4, size: 10 MB}]";
    String[] paths = {"/warehose", "/warehouse"};
    for (String path : paths) {
      String movement = "movement=[{path: " + path + ", placement: 'layout:1 x hdd'}]";
      Ran ran =
          Ran.of("simulate", Ran.small(folder), "--set", stored, "--set", movement, "--seeds", "2");
      assertThat(ran.exitCode()).as(ran.err()).isZero();
      assertThat(ran.err().contains("a movement moved nothing: when it began no file was at /w"))
          .as(path)
          .isEqualTo(path.equals("/warehose"));
    }
  }

  @Test
  void popularityWhoseFirstWindowNeverEndsIsSaid() throws IOException {
    for (String window : new String[] {"1 h", "1 s"}) {
      String popularity = "popularity={predictor: scarlett, window: " + window + "}";
      Ran ran = Ran.of("simulate", Ran.small(folder), "--set", popularity);
      assertThat(ran.exitCode()).as(ran.err()).isZero();
      assertThat(ran.err().contains("popularity changed nothing: no window of 60.0 min"))
          .as(window)
          .isEqualTo(window.equals("1 h"));
    }
  }

  @Test
  void scenariosWithDifferentJobsAreNotCompared() throws IOException {
    String today = Ran.small(folder);
    String other = "based-on: small.yaml\nworkload: {dfsio: {tasks: 12, file: 10 MB}}\n";
    Path next = Files.writeString(folder.resolve("next.yaml"), other);
    Ran ran = Ran.of("simulate", today, next.toString());
    assertThat(ran.exitCode()).as(ran.err()).isZero();
    assertThat(ran.err())
        .contains("tierwise simulate: small and next run different jobs, so that their figures");
    assertThat(ran.out()).containsPattern("makespan +\\S+ s +\\S+ s\n");

    Files.writeString(next, "based-on: small.yaml\npolicies: {replication: 2}\n");
    Ran same = Ran.of("simulate", today, next.toString());
    assertThat(same.err()).doesNotContain("different jobs");
    assertThat(same.out()).containsPattern("makespan +\\S+ s +\\S+ s \\(");
  }

  @Test
  void aRunWhoseJobsAllFailIsSaidWithTheReasonAndExitCodeThree() throws IOException {
    Ran all = Ran.of("simulate", Ran.small(folder), "--set", racksFail("1 s"));
    assertThat(all.exitCode()).as(all.err()).isEqualTo(3);
    assertThat(all.err().lines())
        .filteredOn(line -> line.contains("failed"))
        .singleElement()
        .asString()
        .matches(
            "tierwise simulate: all jobs failed, the first: .*: waits for what is down for good");
    assertThat(all.out()).as("the figures are printed all the same").contains("jobs failed");
  }

  private static String racksFail(String second) {
    return "faults=[{at: 1 s, rack: rack-1}, {at: " + second + ", rack: rack-2}]";
  }

  @Test
  void aCaseWhoseJobsAllFailDoesNotFailTheOthers() throws IOException {
    Ran some =
        Ran.of(
            "sweep",
            Ran.small(folder),
            "--set",
            racksFail("2 s"),
            "--vary",
            "faults[1].at=1 s,1 h");
    assertThat(some.exitCode()).as(some.err()).isZero();
    assertThat(some.err()).containsPattern("all jobs of .* \\(1 of 2 cases\\) failed, the first: ");
  }

  @Test
  void aMissedPrecisionIsSaidAndExitCodeOne() throws IOException {
    Ran missed = Ran.of("simulate", Ran.small(folder), "--precision", "0.00001%", "--seeds", "3");
    assertThat(missed.exitCode()).as(missed.err()).isEqualTo(1);
    assertThat(missed.err())
        .containsPattern("tierwise simulate: --precision 0.00001% is missed by .*: ±.*% after 3");
    assertThat(missed.out()).as("the figures are printed all the same").contains("makespan");
    Ran met = Ran.of("simulate", Ran.small(folder), "--precision", "99%");
    assertThat(met.exitCode()).as(met.err()).isZero();
    assertThat(met.err()).doesNotContain("is missed");
  }

  @Test
  void aSweepSaysWhichPointsMissedTheirPrecision() throws IOException {
    Ran sweep =
        Ran.of(
            "sweep",
            Ran.small(folder),
            "--vary",
            "policies.replication=1,2",
            "--precision",
            "0.00001%",
            "--seeds",
            "3");
    assertThat(sweep.exitCode()).as(sweep.err()).isEqualTo(1);
    assertThat(sweep.err().lines().filter(line -> line.contains("is missed by"))).hasSize(2);
  }
}
