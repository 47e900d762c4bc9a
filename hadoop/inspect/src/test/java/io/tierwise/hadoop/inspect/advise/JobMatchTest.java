package io.tierwise.hadoop.inspect.advise;

import static org.assertj.core.api.Assertions.assertThat;

import io.tierwise.core.use.JobReads;
import io.tierwise.history.Phase;
import io.tierwise.history.RunRecord;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Which reads of a log are a job's. */
class JobMatchTest {
  private static RunRecord run(String id, long from, long to, long read, String... inputs) {
    Phase maps =
        new Phase(
            "map", 8, from, to, 4 * (to - from), 9_000_000_000L, read, 0, 0, 0, Map.of("n", 8L));
    return new RunRecord(
        RunRecord.Engine.MAPREDUCE,
        id,
        "app",
        from,
        from,
        to,
        true,
        List.of(maps),
        List.of(inputs));
  }

  private static int[] runs(String path, String... inputs) {
    return new JobPaths(List.of(run("a", 0, 1, 1, inputs)), ImageNames.UNKNOWN).of(path);
  }

  @Test
  void anInputIsAFileAFolderOrAPattern() {
    assertThat(runs("/t/d=1/part-0", "hdfs://nn:8020/t/")).hasSize(1);
    assertThat(runs("/t/d=1/part-0", "/t/d=1/part-0")).hasSize(1);
    assertThat(runs("/t/d=1/part-0", "/t/d=1/part")).isEmpty();
    assertThat(runs("/t/d=1/part-0", "/t/d=*")).hasSize(1);
    assertThat(runs("/t/d=1/part-0", "/t/d={2,1}/part-[0-3]")).hasSize(1);
    assertThat(runs("/t/d=1/part-0", "/*/part-0")).isEmpty();
    assertThat(runs("/t/d=1/part-0", "/t/*/*")).hasSize(1);
    assertThat(runs("/t/d=1/part-0", "/t/[")).isEmpty();
    assertThat(runs("/t/d=1/part-0", "/")).hasSize(1);
    assertThat(runs("/other", "hdfs://nn")).hasSize(1);
  }

  @Test
  void theSamePathInAnotherFileSystemIsAnotherFile() {
    assertThat(runs("/w/t/f", "s3a://lake/w/t", "file:///w", "gs://b/w/*")).isEmpty();
    assertThat(runs("/w/t/f", "hdfs://any/w/t")).as("nobody said which is ours").hasSize(1);
    assertThat(runs("/w/t/f", "viewfs://mounts/w/t", "hdfs:/w/t", "hdfs:///w")).hasSize(1);

    Configuration conf = new Configuration(false);
    conf.set("fs.defaultFS", "hdfs://lake");
    conf.set("dfs.nameservices", "lake,mirror");
    conf.set("dfs.ha.namenodes.lake", "a");
    conf.set("dfs.namenode.rpc-address.lake.a", "nn1.example.com:8020");
    conf.set("dfs.ha.namenodes.mirror", "b");
    conf.set("dfs.namenode.rpc-address.mirror.b", "nn9.example.com:8020");
    for (String own :
        List.of(
            "hdfs://lake/w", "webhdfs://nn1:9870/w", "hdfs://NN1/w", "hdfs://10.0.0.1:8020/w")) {
      assertThat(runsIn(conf, own)).as(own).hasSize(1);
    }
    for (String other : List.of("hdfs://mirror/w", "hdfs://nn9.example.com:8020/w/t")) {
      assertThat(runsIn(conf, other)).as(other).isEmpty();
    }
  }

  private static int[] runsIn(Configuration conf, String input) {
    return new JobPaths(List.of(run("a", 0, 1, 1, input)), ImageNames.of(conf)).of("/w/t/f");
  }

  /**
   * Anybody who may run a job can name these: a job's input may be of any length that YARN takes.
   */
  @Test
  @Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
  void aPatternOfMoreThanAThousandPathsNamesNothing() {
    List<String> hostile =
        List.of(
            "/" + "{a/b,c/d}".repeat(40),
            "/" + "{a/,\\{c/d\\,e/f\\}}".repeat(30),
            "/{a/b}" + "{c,d/e}".repeat(11),
            "{".repeat(400_000) + "/" + "}".repeat(400_000),
            "/{" + "x/y,".repeat(100_000) + "}" + "z".repeat(100_000));
    for (String input : hostile) {
      RunRecord job = run("a", 0, 1, 1, input, "/other");
      JobPaths paths =
          new JobPaths(List.of(job, run("b", 0, 1, 1, "/t/{a/b,c/d}{e/f,g}")), ImageNames.UNKNOWN);
      assertThat(paths.of("/other/f")).containsExactly(0);
      assertThat(paths.of("/t/c/dg/f")).containsExactly(1);
      assertThat(paths.of("/" + "c/d".repeat(40))).isEmpty();
    }
    // A thousand small patterns are as many as a large one.
    String[] many = new String[1_000];
    Arrays.setAll(many, i -> "/" + i + "{a/b,c/d}".repeat(9));
    assertThat(
            new JobPaths(List.of(run("a", 0, 1, 1, many)), ImageNames.UNKNOWN)
                .of("/999" + "c/d".repeat(9)))
        .isEmpty();
    assertThat(runs("/0" + "c/d".repeat(9), many)).hasSize(1);
  }

  @Test
  void aReadIsThatOfTheRunThatWasThere() {
    JobMatch match =
        new JobMatch(
            List.of(
                run("a", 10_000, 20_000, 10, "/t"),
                run("b", 30_500, 40_000, 10, "/t"),
                run("c", 50_000, 90_000, 10, "/longer")),
            ImageNames.UNKNOWN);
    match.addRead("/t/f");
    match.addRead("/else/f");

    assertThat(match.read(0, 9, 10, false)).isEqualTo(JobReads.NONE);
    assertThat(match.read(0, 10, 10, true)).isZero();
    assertThat(match.read(0, 20, 10, false)).isZero();
    assertThat(match.read(0, 25, 10, false)).isEqualTo(JobReads.NONE);
    // A log's second is cut off, and a run's millisecond is not.
    assertThat(match.read(0, 30, 10, false)).isEqualTo(1);
    assertThat(match.read(1, 15, 10, false)).isEqualTo(JobReads.NONE);
    Advice.Job job = match.rows().get(0);
    assertThat(job.found()).isEqualTo(Advice.Found.READS);
    assertThat(job.reads()).isEqualTo(2);
    assertThat(job.readBytes()).isEqualTo(20);
    assertThat(job.fastShare()).isEqualTo(0.5);
    assertThat(job.readersMax()).isEqualTo(4);
    assertThat(match.jobs().get(0).cpuSeconds()).isEqualTo(9);
  }

  @Test
  void ofTwoRunsThatWereThereItIsThatWhichLacksMore() {
    JobMatch match =
        new JobMatch(
            List.of(run("large", 0, 90_000, 300, "/t"), run("small", 1_000, 90_000, 100, "/t/f")),
            ImageNames.UNKNOWN);
    match.addRead("/t/f");
    int[] reads = new int[2];
    for (int second = 2; second < 42; second++) {
      reads[match.read(0, second, 10, false)]++;
    }

    assertThat(reads).containsExactly(30, 10);
  }

  @Test
  void saysWhyARunHasNoReads() {
    JobMatch match =
        new JobMatch(
            List.of(
                run("early", 0, 1_000, 10, "/t"),
                run("nameless", 10_000, 20_000, 10),
                run("gone", 10_000, 20_000, 10, "/gone"),
                run("unread", 10_000, 20_000, 10, "/cold")),
            ImageNames.UNKNOWN);
    match.addRead("/t/f");
    match.addUnread("/cold/f");
    match.read(0, 5, 10, false);
    match.read(0, 25, 10, false);

    assertThat(match.rows())
        .extracting(Advice.Job::found)
        .containsExactly(
            Advice.Found.OUTSIDE_THE_LOG,
            Advice.Found.NO_INPUT_NAMED,
            Advice.Found.NOT_IN_THE_IMAGE,
            Advice.Found.NOT_READ_THEN);
    assertThat(String.join(" ", JobsText.section(new Advice.Jobs(1, 2, match.rows()), 5).below()))
        .contains("Of 4 jobs 0 have reads in the log; 1 name no input", "(the first is gone)")
        .contains("1 log of applications that still run left out; 2 files that cannot be used");
  }
}
