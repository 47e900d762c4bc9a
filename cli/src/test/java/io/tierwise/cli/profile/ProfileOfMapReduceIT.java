package io.tierwise.cli.profile;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.tierwise.cli.CommandRun;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.MiniDFSCluster;
import org.apache.hadoop.io.IntWritable;
import org.apache.hadoop.io.LongWritable;
import org.apache.hadoop.io.Text;
import org.apache.hadoop.mapreduce.Job;
import org.apache.hadoop.mapreduce.Mapper;
import org.apache.hadoop.mapreduce.lib.input.FileInputFormat;
import org.apache.hadoop.mapreduce.lib.output.FileOutputFormat;
import org.apache.hadoop.mapreduce.lib.reduce.IntSumReducer;
import org.apache.hadoop.mapreduce.v2.MiniMRYarnCluster;
import org.apache.hadoop.yarn.conf.YarnConfiguration;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * History that jobs on a real YARN leave in HDFS, in both encodings: imported from there again and
 * again, told, and the next run predicted.
 */
@Tag("long")
class ProfileOfMapReduceIT {
  private static final String STAGING = "/staging";
  private static final String LINE = "a rose is a rose is a rose\n";

  @TempDir private java.nio.file.Path folder;
  private String nameNode;

  /** Counts words. */
  public static final class Words extends Mapper<LongWritable, Text, Text, IntWritable> {
    @Override
    protected void map(
        LongWritable offset,
        Text line,
        Mapper<LongWritable, Text, Text, IntWritable>.Context context)
        throws IOException, InterruptedException {
      for (String word : line.toString().split(" ")) {
        context.write(new Text(word), new IntWritable(1));
      }
    }
  }

  /** Writes the input and counts its words; the bytes that it has. */
  private static long count(Configuration conf, String day, int lines, String format)
      throws Exception {
    FileSystem fs = FileSystem.get(conf);
    Path input = new Path("/in/" + day);
    try (FSDataOutputStream out = fs.create(input)) {
      for (int i = 0; i < lines; i++) {
        out.writeBytes(LINE);
      }
    }
    Job job = Job.getInstance(conf, "word count " + day);
    job.getConfiguration().set("mapreduce.jobhistory.jhist.format", format);
    job.setJarByClass(ProfileOfMapReduceIT.class);
    job.setMapperClass(Words.class);
    job.setReducerClass(IntSumReducer.class);
    job.setOutputKeyClass(Text.class);
    job.setOutputValueClass(IntWritable.class);
    FileInputFormat.addInputPath(job, input);
    FileOutputFormat.setOutputPath(job, new Path("/out/" + day));
    assertThat(job.waitForCompletion(false)).as(day).isTrue();
    return fs.getFileStatus(input).getLen();
  }

  private CommandRun profile(String command, String... arguments) {
    List<String> words = new ArrayList<>(List.of("profile", command));
    words.addAll(List.of(arguments));
    words.addAll(List.of("--json", "--catalog", folder.resolve("runs.db").toString()));
    return CommandRun.of(words.toArray(String[]::new));
  }

  private static JsonNode json(CommandRun run) throws IOException {
    assertThat(run.exitCode()).as(run.err()).isZero();
    return new ObjectMapper().readTree(run.out());
  }

  /**
   * Imports until all jobs' files are in their folder, which the last job's end does not promise.
   */
  private void importAll(int jobs) throws Exception {
    long deadline = System.nanoTime() + 60_000_000_000L;
    int known = 0;
    while (known < jobs) {
      assertThat(System.nanoTime()).as("%d of %d jobs are there", known, jobs).isLessThan(deadline);
      Thread.sleep(500);
      JsonNode answer = json(profile("import", nameNode + STAGING + "/history"));
      known = answer.path("added").asInt() + answer.path("known").asInt();
    }
  }

  @Test
  void jobsOfAClusterAreImportedFromHdfsAndTheNextIsPredicted() throws Exception {
    Configuration conf = new YarnConfiguration();
    conf.set(MiniDFSCluster.HDFS_MINIDFS_BASEDIR, folder.resolve("hdfs").toString());
    conf.set("yarn.app.mapreduce.am.staging-dir", STAGING);
    try (MiniDFSCluster hdfs = new MiniDFSCluster.Builder(conf).build();
        MiniMRYarnCluster yarn = new MiniMRYarnCluster("profile", 1)) {
      nameNode = hdfs.getURI().toString();
      yarn.init(conf);
      yarn.start();
      long small = count(yarn.getConfig(), "2026-11-25", 2_000, "binary");
      long middle = count(yarn.getConfig(), "2026-11-26", 6_000, "json");
      long large = count(yarn.getConfig(), "2026-11-27", 9_000, "binary");
      importAll(3);

      JsonNode row = json(profile("show", "word count 2026-11-28")).path("applications").get(0);
      assertThat(row.path("application").asText()).isEqualTo("word count #");
      assertThat(row.path("engine").asText()).isEqualTo("mapreduce");
      assertThat(row.path("runs").asInt()).isEqualTo(3);
      assertThat(row.path("failed_runs").asInt()).isZero();
      // A map reads its split's description from HDFS, too.
      assertThat(row.path("input_bytes_min").asLong()).isBetween(small, small + 1000);
      assertThat(row.path("input_bytes_max").asLong()).isBetween(large, large + 1000);
      assertThat(row.path("seconds").asDouble()).isPositive();
      assertPhases(row.path("phases"));
      assertThat(row.path("hosts")).hasSize(1);
      assertThat(row.path("hosts").get(0).path("tasks").asInt()).isGreaterThanOrEqualTo(6);

      JsonNode next = json(profile("predict", "word count #", "--input", Long.toString(middle)));
      JsonNode read = next.path("phases").get(0).path("read_bytes");
      assertThat(read.path("expected").asDouble()).isBetween(middle - 5.0, middle + 5.0);
      assertThat(read.path("low").asDouble()).isLessThanOrEqualTo(middle + 5.0);
      assertThat(next.path("seconds").path("high").asDouble()).isPositive();
      assertThat(next.path("remarks")).isEmpty();
    }
  }

  private static void assertPhases(JsonNode phases) {
    assertThat(phases.findValuesAsText("phase")).containsExactly("map", "shuffle", "reduce");
    JsonNode map = phases.get(0);
    assertThat(map.path("tasks").asDouble()).isEqualTo(1);
    assertThat(map.path("task_seconds").asDouble()).isPositive();
    assertThat(map.path("spilled_bytes").asLong()).isPositive();
    assertThat(phases.get(1).path("shuffled_bytes").asLong()).isPositive();
    assertThat(phases.get(1).path("task_seconds").asDouble()).isPositive();
    assertThat(phases.get(2).path("written_bytes").asLong()).isPositive();
  }
}
