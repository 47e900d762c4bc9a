package io.tierwise.cli.autotier;

import static io.tierwise.cli.autotier.DaemonThread.await;
import static org.assertj.core.api.Assertions.assertThat;

import io.tierwise.cli.CommandRun;
import io.tierwise.hadoop.autotier.AutotierSettings;
import io.tierwise.hadoop.autotier.Prefetching;
import io.tierwise.hadoop.mover.MoverSettings;
import io.tierwise.hadoop.yarn.TierwiseContainerExecutor;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hdfs.HdfsConfiguration;
import org.apache.hadoop.io.IntWritable;
import org.apache.hadoop.io.LongWritable;
import org.apache.hadoop.io.Text;
import org.apache.hadoop.mapreduce.Job;
import org.apache.hadoop.mapreduce.Mapper;
import org.apache.hadoop.mapreduce.lib.input.FileInputFormat;
import org.apache.hadoop.mapreduce.lib.output.FileOutputFormat;
import org.apache.hadoop.mapreduce.lib.reduce.IntSumReducer;
import org.apache.hadoop.mapreduce.v2.MiniMRYarnCluster;
import org.apache.hadoop.yarn.api.records.ApplicationId;
import org.apache.hadoop.yarn.api.records.ApplicationSubmissionContext;
import org.apache.hadoop.yarn.api.records.ContainerLaunchContext;
import org.apache.hadoop.yarn.api.records.Resource;
import org.apache.hadoop.yarn.client.api.YarnClient;
import org.apache.hadoop.yarn.conf.YarnConfiguration;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A MapReduce job runs on a real HDFS and YARN and is learned from. The next one waits until
 * another application has left its node, and finds its input in the fast tier; its intermediate
 * data goes there, too. Neither job sets anything of ours.
 */
@Tag("long")
class ProfiledJobIT {
  private static final String NAME = "profiled";
  private static final String STAGING = "/staging";
  private static final int LINES = 80_000;
  private static final int NODE_MEGABYTES = 4_096;
  private static final long REGION_BYTES = 1L << 30;

  /** Of the local directories of the node, this one is on an SSD. */
  private static final int DISKS = 3;

  private static final String TIERS =
      """
      tiers:
        - name: ssd
          match: {storage-type: SSD}
          class: {name: s, read-megabytes-per-second: 500, write-megabytes-per-second: 400}
        - name: disk
          match: {storage-type: DISK}
          class: {name: d, read-megabytes-per-second: 1, write-megabytes-per-second: 1}
      """;

  @TempDir private Path folder;
  private String ssd;
  private final String[] disks = new String[DISKS];

  /** A mini cluster insists on Hadoop's own executor. */
  private static final class Settings extends YarnConfiguration {
    @Override
    public void setClass(String name, Class<?> theClass, Class<?> xface) {
      if (!name.equals(YarnConfiguration.NM_CONTAINER_EXECUTOR)) {
        super.setClass(name, theClass, xface);
      }
    }
  }

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

  private Settings settings(AuditedHdfs hdfs, MiniMRYarnCluster yarn) throws IOException {
    // As the mini cluster names them.
    Path work = yarn.getTestWorkDir().toPath().toAbsolutePath();
    ssd = work.resolve(NAME + "-localDir-nm-0_0").toString();
    Arrays.setAll(disks, i -> work.resolve(NAME + "-localDir-nm-0_" + (i + 1)).toString());
    Settings conf = new Settings();
    conf.set("fs.defaultFS", hdfs.fs().getUri().toString());
    conf.set("yarn.app.mapreduce.am.staging-dir", STAGING);
    conf.set("tierwise.tiers.file", Files.writeString(folder.resolve("tiers"), TIERS).toString());
    conf.setInt(YarnConfiguration.DEBUG_NM_DELETE_DELAY_SEC, 600);
    conf.set(YarnConfiguration.NM_CONTAINER_EXECUTOR, TierwiseContainerExecutor.class.getName());
    conf.set("tierwise.nodemanager.local-dirs.ssd", ssd);
    conf.set("tierwise.nodemanager.local-dirs.disk", String.join(",", disks));
    conf.set(
        "tierwise.nodemanager.intermediate.directory",
        hdfs.fs().getUri() + "/system/tierwise-autotier/intermediate");
    return conf;
  }

  private static Job submit(AuditedHdfs hdfs, Configuration conf, String day) throws Exception {
    org.apache.hadoop.fs.Path input = new org.apache.hadoop.fs.Path("/data/" + day);
    try (FSDataOutputStream out = hdfs.fs().create(input, (short) 1)) {
      for (int i = 0; i < LINES; i++) {
        out.writeBytes("a rose is a rose is a rose\n");
      }
    }
    Job job = Job.getInstance(conf, "word count " + day);
    job.setMapperClass(Words.class);
    job.setReducerClass(IntSumReducer.class);
    job.setOutputKeyClass(Text.class);
    job.setOutputValueClass(IntWritable.class);
    FileInputFormat.addInputPath(job, input);
    FileOutputFormat.setOutputPath(job, new org.apache.hadoop.fs.Path("/out/" + day));
    job.submit();
    return job;
  }

  private static String application(Job job) {
    return job.getJobID().toString().replace("job_", "application_");
  }

  private static StorageType type(AuditedHdfs hdfs, String path) throws IOException {
    return hdfs.fs().getClient().getLocatedBlocks(path, 0).get(0).getStorageTypes()[0];
  }

  /** Map outputs of an application in these local directories. */
  private static long mapOutputs(Job job, String... directories) throws IOException {
    long count = 0;
    for (String directory : directories) {
      try (Stream<Path> files = Files.walk(Path.of(directory))) {
        count +=
            files
                .filter(file -> file.getFileName().toString().equals("file.out"))
                .filter(file -> file.toString().contains(application(job)))
                .count();
      }
    }
    return count;
  }

  /** An application that has the only node for itself. */
  private static ApplicationId block(YarnClient client) throws Exception {
    ApplicationSubmissionContext app = client.createApplication().getApplicationSubmissionContext();
    app.setApplicationName("has the node");
    app.setResource(Resource.newInstance(NODE_MEGABYTES, 1));
    app.setMaxAppAttempts(1);
    app.setAMContainerSpec(
        ContainerLaunchContext.newInstance(
            Map.of(), Map.of(), List.of("sleep 600"), Map.of(), null, Map.of()));
    client.submitApplication(app);
    ApplicationId id = app.getApplicationId();
    await(
        "it has the node",
        () ->
            client
                    .getApplicationReport(id)
                    .getApplicationResourceUsageReport()
                    .getNumUsedContainers()
                == 1);
    return id;
  }

  private void learn(AuditedHdfs hdfs) throws Exception {
    await(
        "the first job is in the catalog",
        () -> {
          CommandRun run =
              CommandRun.of(
                  "profile",
                  "import",
                  hdfs.fs().getUri() + STAGING + "/history",
                  "--catalog",
                  catalog());
          return run.out().contains("added 1 run");
        });
  }

  private String catalog() {
    return folder.resolve("runs.db").toString();
  }

  private AutotierSettings bounds() {
    return new AutotierSettings(
        "ppa",
        TimeUnit.DAYS.toMillis(1),
        20,
        1,
        0,
        List.of("/data"),
        1_000,
        Optional.empty(),
        1_000,
        Optional.of("ssd"),
        Optional.of(new Prefetching(catalog(), REGION_BYTES)),
        MoverSettings.DEFAULT);
  }

  @Test
  void aProfiledJobFindsItsInputAndItsIntermediateDataInTheFastTier() throws Exception {
    try (AuditedHdfs hdfs =
            new AuditedHdfs(
                folder,
                new HdfsConfiguration(),
                new StorageType[] {StorageType.SSD, StorageType.DISK});
        MiniMRYarnCluster yarn = new MiniMRYarnCluster(NAME, 1);
        YarnClient client = YarnClient.createYarnClient()) {
      yarn.init(settings(hdfs, yarn));
      yarn.start();
      Configuration conf = yarn.getConfig();
      client.init(conf);
      client.start();

      Job first = submit(hdfs, conf, "2026-11-27");
      assertThat(first.waitForCompletion(false)).isTrue();
      learn(hdfs);
      ApplicationId other = block(client);
      Job second = submit(hdfs, conf, "2026-11-28");
      assertThat(type(hdfs, "/data/2026-11-28")).isEqualTo(StorageType.DISK);

      try (DaemonThread daemon =
          new DaemonThread(
              hdfs, conf, bounds(), folder.resolve("hdfs-audit.log"), folder.resolve("journal"))) {
        await(
            "its input comes: " + daemon.said(),
            () -> type(hdfs, "/data/2026-11-28") == StorageType.SSD);
        client.killApplication(other);
        assertThat(second.waitForCompletion(false)).isTrue();
        daemon.awaitSaid("between phases go to ssd");
        await(
            "NodeManagers are told nothing of it any more",
            () ->
                hdfs.fs()
                        .listStatus(
                            new org.apache.hadoop.fs.Path("/system/tierwise-autotier/intermediate"))
                        .length
                    == 0);
      }
      assertThat(mapOutputs(second, ssd)).isOne();
      assertThat(mapOutputs(second, disks)).isZero();
      assertThat(mapOutputs(first, ssd) + mapOutputs(first, disks)).isOne();
    }
  }
}
