package io.tierwise.cli.advise;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.tierwise.cli.CommandRun;
import java.io.IOException;
import java.nio.file.Files;
import java.time.ZoneId;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.MiniDFSCluster;
import org.apache.hadoop.io.LongWritable;
import org.apache.hadoop.io.Text;
import org.apache.hadoop.mapreduce.Job;
import org.apache.hadoop.mapreduce.lib.input.FileInputFormat;
import org.apache.hadoop.mapreduce.lib.output.FileOutputFormat;
import org.apache.hadoop.mapreduce.v2.MiniMRYarnCluster;
import org.apache.hadoop.yarn.conf.YarnConfiguration;
import org.apache.log4j.FileAppender;
import org.apache.log4j.Level;
import org.apache.log4j.Logger;
import org.apache.log4j.PatternLayout;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Jobs on a real YARN, found again in the audit log by what their history server keeps. */
@Tag("long")
class AdviseOfMapReduceIT {
  private static final String STAGING = "/staging";
  private static final int LINES = 40_000;

  @TempDir private java.nio.file.Path folder;

  private static void sort(Configuration conf, String name, String input) throws Exception {
    Job job = Job.getInstance(conf, name);
    job.setJarByClass(AdviseOfMapReduceIT.class);
    job.setOutputKeyClass(LongWritable.class);
    job.setOutputValueClass(Text.class);
    FileInputFormat.addInputPath(job, new Path(input));
    FileOutputFormat.setOutputPath(job, new Path("/out/" + name));
    assertThat(job.waitForCompletion(false)).as(name).isTrue();
  }

  private static long write(FileSystem fs, String path) throws IOException {
    try (FSDataOutputStream out = fs.create(new Path(path))) {
      for (int i = 0; i < LINES; i++) {
        out.writeBytes("a rose is a rose is a rose\n");
      }
    }
    return fs.getFileStatus(new Path(path)).getLen();
  }

  /** Copies history until all jobs' files are there, which a job's end does not promise. */
  private java.nio.file.Path copy(FileSystem fs, int jobs) throws Exception {
    java.nio.file.Path copied = folder.resolve("copied");
    long deadline = System.nanoTime() + 60_000_000_000L;
    long there = 0;
    while (there < 2L * jobs) {
      assertThat(System.nanoTime()).as("%d files are there", there).isLessThan(deadline);
      Thread.sleep(500);
      Path kept = new Path(STAGING + "/history");
      if (fs.exists(kept)) {
        org.apache.commons.io.FileUtils.deleteDirectory(copied.toFile());
        fs.copyToLocalFile(kept, new Path(copied.toUri()));
        try (Stream<java.nio.file.Path> files = Files.walk(copied)) {
          there = files.filter(f -> f.toString().matches(".*(\\.jhist|_conf\\.xml)")).count();
        }
      }
    }
    return copied;
  }

  @Test
  void jobsAreFoundByTheFilesThatTheyReadAndTheirCountersSayHowMuch() throws Exception {
    java.nio.file.Path log = folder.resolve("hdfs-audit.log");
    FileAppender appender =
        new FileAppender(new PatternLayout("%d{ISO8601} %p %c{2}: %m%n"), log.toString());
    Logger audit = Logger.getLogger("org.apache.hadoop.hdfs.server.namenode.FSNamesystem.audit");
    Level before = audit.getLevel();
    audit.addAppender(appender);
    audit.setLevel(Level.INFO);
    Configuration conf = new YarnConfiguration();
    conf.set(MiniDFSCluster.HDFS_MINIDFS_BASEDIR, folder.resolve("hdfs").toString());
    conf.set("yarn.app.mapreduce.am.staging-dir", STAGING);
    try (MiniDFSCluster hdfs = new MiniDFSCluster.Builder(conf).build();
        MiniMRYarnCluster yarn = new MiniMRYarnCluster("advise", 1)) {
      yarn.init(conf);
      yarn.start();
      FileSystem fs = hdfs.getFileSystem();
      long bytes = write(fs, "/in/day=1/part-0") + write(fs, "/in/day=2/part-0");
      long other = write(fs, "/in/day=3/part-0");
      sort(yarn.getConfig(), "both", "/in/day=[12]");
      sort(yarn.getConfig(), "other", "/in/day=3");
      java.nio.file.Path image = AdviseIT.save(hdfs);

      JsonNode jobs = advise(log, image, copy(fs, 2)).path("jobs");

      assertThat(jobs.path("refused").asInt()).isZero();
      assertThat(jobs.path("rows").findValuesAsText("application"))
          .containsExactly("both", "other");
      assertThat(jobs.path("rows").findValuesAsText("found")).containsOnly("reads");
      JsonNode both = jobs.path("rows").get(0);
      assertThat(both.path("files").asInt()).isEqualTo(2);
      assertThat(both.path("reads").asInt()).isEqualTo(2);
      assertThat(both.path("read_bytes").asLong()).isEqualTo(bytes);
      // A map reads its split's description from HDFS, too.
      assertThat(both.path("bytes_read").asLong()).isBetween(bytes, bytes + 1000);
      assertThat(jobs.path("rows").get(1).path("files").asInt()).isEqualTo(1);
      assertThat(jobs.path("rows").get(1).path("read_bytes").asLong()).isEqualTo(other);
    } finally {
      audit.removeAppender(appender);
      audit.setLevel(before);
      appender.close();
    }
  }

  private static JsonNode advise(
      java.nio.file.Path log, java.nio.file.Path image, java.nio.file.Path history)
      throws IOException {
    CommandRun run =
        CommandRun.of(
            "advise",
            "--json",
            "--zone",
            ZoneId.systemDefault().getId(),
            "--audit-log",
            log.toString(),
            "--fsimage",
            image.toString(),
            "--history",
            history.toString());
    assertThat(run.exitCode()).as(run.err()).isZero();
    return new ObjectMapper().readTree(run.out());
  }
}
