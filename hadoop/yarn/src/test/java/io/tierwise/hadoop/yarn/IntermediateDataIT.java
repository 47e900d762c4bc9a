package io.tierwise.hadoop.yarn;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import javax.management.ObjectName;
import javax.management.openmbean.TabularData;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.io.LongWritable;
import org.apache.hadoop.io.Text;
import org.apache.hadoop.mapreduce.Job;
import org.apache.hadoop.mapreduce.Mapper;
import org.apache.hadoop.mapreduce.Reducer;
import org.apache.hadoop.mapreduce.lib.input.FileInputFormat;
import org.apache.hadoop.mapreduce.lib.output.FileOutputFormat;
import org.apache.hadoop.mapreduce.v2.MiniMRYarnCluster;
import org.apache.hadoop.test.GenericTestUtils;
import org.apache.hadoop.yarn.conf.YarnConfiguration;
import org.apache.hadoop.yarn.server.nodemanager.LocalDirsHandlerService;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * MapReduce jobs on a real YARN, whose NodeManager has a directory on an SSD and three on disks.
 */
@Tag("long")
class IntermediateDataIT {
  private static final String NAME = "intermediate";

  @TempDir private Path folder;

  /** A mini cluster insists on Hadoop's own executor. */
  private static final class Settings extends YarnConfiguration {
    @Override
    public void setClass(String name, Class<?> theClass, Class<?> xface) {
      if (!name.equals(YarnConfiguration.NM_CONTAINER_EXECUTOR)) {
        super.setClass(name, theClass, xface);
      }
    }
  }

  /** Emits its words, and where it may spill them. */
  public static final class Words extends Mapper<LongWritable, Text, Text, Text> {
    @Override
    protected void map(
        LongWritable offset, Text line, Mapper<LongWritable, Text, Text, Text>.Context context)
        throws IOException, InterruptedException {
      context.write(
          new Text("map"),
          new Text(
              System.getenv("LOCAL_DIRS")
                  + " "
                  + context.getConfiguration().get("mapreduce.cluster.local.dir")));
    }
  }

  /** Passes on what it is given, and where it may merge. */
  public static final class Places extends Reducer<Text, Text, Text, Text> {
    @Override
    protected void reduce(
        Text key, Iterable<Text> values, Reducer<Text, Text, Text, Text>.Context context)
        throws IOException, InterruptedException {
      for (Text value : values) {
        context.write(key, value);
      }
      context.write(new Text("reduce"), new Text(System.getenv("LOCAL_DIRS")));
    }
  }

  private Set<String> run(Configuration conf, String name, String tier) throws Exception {
    Path input = Files.createDirectories(folder.resolve(name).resolve("in"));
    Files.writeString(input.resolve("a"), "one\n");
    Files.writeString(input.resolve("b"), "two\n");
    Job job = Job.getInstance(conf, name);
    if (tier != null) {
      for (String key : List.of("mapreduce.map.env.", "mapreduce.reduce.env.")) {
        job.getConfiguration().set(key + LocalDirectories.VARIABLE, tier);
      }
    }
    job.setMapperClass(Words.class);
    job.setReducerClass(Places.class);
    job.setOutputKeyClass(Text.class);
    job.setOutputValueClass(Text.class);
    FileInputFormat.addInputPath(job, new org.apache.hadoop.fs.Path(input.toUri()));
    Path output = folder.resolve(name).resolve("out");
    FileOutputFormat.setOutputPath(job, new org.apache.hadoop.fs.Path(output.toUri()));
    assertThat(job.waitForCompletion(false)).as(name).isTrue();
    String places = Files.readString(output.resolve("part-r-00000"), StandardCharsets.UTF_8);
    assertThat(places.lines().filter(line -> line.startsWith("map"))).as(places).hasSize(2);
    Set<String> roots = new TreeSet<>();
    for (String place : places.replaceAll("(?m)^(map|reduce)", "").split("[\\s,]+")) {
      if (!place.isEmpty()) {
        roots.add(place.substring(0, place.indexOf("/usercache")));
      }
    }
    return roots;
  }

  private static long containers(String attribute, String tier) throws Exception {
    TabularData counts =
        (TabularData)
            ManagementFactory.getPlatformMBeanServer()
                .getAttribute(
                    new ObjectName("Hadoop:service=NodeManager,name=TierwiseIntermediate"),
                    attribute);
    return (long) counts.get(new Object[] {tier}).get("value");
  }

  @Test
  void tasksSpillAndMergeOnTheTierThatTheirJobAsksFor() throws Exception {
    MiniMRYarnCluster cluster = new MiniMRYarnCluster(NAME, 1);
    try {
      // As the mini cluster names them.
      Path work = cluster.getTestWorkDir().toPath().toAbsolutePath();
      String ssd = work.resolve(NAME + "-localDir-nm-0_0").toString();
      String[] disks = new String[3];
      Arrays.setAll(disks, i -> work.resolve(NAME + "-localDir-nm-0_" + (i + 1)).toString());
      Settings conf = new Settings();
      conf.setInt(YarnConfiguration.DEBUG_NM_DELETE_DELAY_SEC, 600);
      conf.setLong(YarnConfiguration.NM_DISK_HEALTH_CHECK_INTERVAL_MS, 1000);
      conf.set(YarnConfiguration.NM_CONTAINER_EXECUTOR, TierwiseContainerExecutor.class.getName());
      conf.set(LocalDirectories.DIRECTORIES_KEY + "ssd", ssd);
      conf.set(LocalDirectories.DIRECTORIES_KEY + "disk", String.join(",", disks));
      cluster.init(conf);
      cluster.start();

      assertThat(run(cluster.getConfig(), "on-ssd", "ssd")).containsExactly(ssd);
      assertThat(mapOutputs(ssd)).isEqualTo(2);
      assertThat(mapOutputs(disks)).isZero();
      assertThat(containers("ContainersOnTier", "ssd")).isEqualTo(3);

      assertThat(run(cluster.getConfig(), "on-disk", "disk")).containsExactly(disks);
      assertThat(mapOutputs(disks)).isEqualTo(2);
      assertThat(run(cluster.getConfig(), "anywhere", null)).hasSize(4);
      assertThat(run(cluster.getConfig(), "on-tape", "tape")).hasSize(4);

      loseDirectory(cluster, ssd);
      assertThat(run(cluster.getConfig(), "on-lost-ssd", "ssd")).containsExactly(disks);
      assertThat(containers("ContainersWithoutRoom", "ssd")).isEqualTo(3);
    } finally {
      cluster.stop();
    }
  }

  /** A device that died: its directory is none, and the NodeManager has seen that. */
  private static void loseDirectory(MiniMRYarnCluster cluster, String directory) throws Exception {
    Path lost = Path.of(directory);
    Files.move(lost, lost.resolveSibling("lost"));
    Files.createFile(lost);
    LocalDirsHandlerService handler =
        cluster.getNodeManager(0).getNodeHealthChecker().getDiskHandler();
    GenericTestUtils.waitFor(
        () -> handler.getLocalDirs().stream().noneMatch(directory::equals), 100, 60_000);
  }

  private static long mapOutputs(String... directories) throws IOException {
    long count = 0;
    for (String directory : directories) {
      try (Stream<Path> files = Files.walk(Path.of(directory))) {
        count += files.filter(file -> file.getFileName().toString().equals("file.out")).count();
      }
    }
    return count;
  }
}
