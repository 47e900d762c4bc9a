package io.tierwise.lab.demo;

import io.tierwise.hadoop.hdfs.tiers.TierConfiguration;
import io.tierwise.hadoop.hdfs.tiers.TierMatch;
import io.tierwise.hadoop.yarn.TierwiseContainerExecutor;
import io.tierwise.lab.embedded.EmbeddedCluster;
import io.tierwise.lab.embedded.EmbeddedPlan;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.logging.Level;
import java.util.logging.Logger;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;
import org.apache.hadoop.io.IntWritable;
import org.apache.hadoop.io.LongWritable;
import org.apache.hadoop.io.Text;
import org.apache.hadoop.mapreduce.Job;
import org.apache.hadoop.mapreduce.Mapper;
import org.apache.hadoop.mapreduce.lib.input.FileInputFormat;
import org.apache.hadoop.mapreduce.lib.output.NullOutputFormat;
import org.apache.hadoop.mapreduce.lib.reduce.IntSumReducer;
import org.apache.hadoop.mapreduce.v2.MiniMRYarnCluster;
import org.apache.hadoop.yarn.api.records.ApplicationId;
import org.apache.hadoop.yarn.api.records.ApplicationReport;
import org.apache.hadoop.yarn.api.records.ApplicationSubmissionContext;
import org.apache.hadoop.yarn.api.records.ContainerLaunchContext;
import org.apache.hadoop.yarn.api.records.FinalApplicationStatus;
import org.apache.hadoop.yarn.api.records.Resource;
import org.apache.hadoop.yarn.api.records.YarnApplicationState;
import org.apache.hadoop.yarn.client.api.YarnClient;
import org.apache.hadoop.yarn.conf.YarnConfiguration;
import org.apache.hadoop.yarn.exceptions.YarnException;

/**
 * An HDFS of two nodes on emulated devices, one of which has an SSD, and beside it a YARN of one
 * node, which has local directories for both tiers and the plug-in that chooses among them. Close
 * it to stop all; its files stay.
 */
final class JobCluster implements AutoCloseable {
  /** The directory of all input. */
  static final String DATA = "/data";

  private static final String NAME = "jobs";
  private static final String STAGING = "/staging";
  private static final String CONTROL = "/system/tierwise-autotier";
  private static final int NODE_MEGABYTES = 4_096;

  /** As many local directories as a mini cluster's node has by default. */
  private static final int LOCAL_DIRECTORIES = 4;

  private static final int LINE_BYTES = 1_000;

  /** Where mini clusters keep their files. */
  private static final String PLACE_PROPERTY = "test.build.data";

  /**
   * Of the web servers in one process the second and all later ones warn of the others. Held here,
   * since a logger that nobody holds forgets its level.
   */
  private static final Logger WEB_SERVERS =
      Logger.getLogger("com.google.inject.servlet.GuiceFilter");

  private final EmbeddedCluster hdfs;
  private final DistributedFileSystem fs;
  private final TierConfiguration tiers;
  private final MiniMRYarnCluster yarn;
  private final YarnClient client = YarnClient.createYarnClient();
  private final Map<String, List<Path>> localDirectories = new LinkedHashMap<>();

  /** A mini cluster insists on Hadoop's own executor. */
  private static final class Settings extends YarnConfiguration {
    Settings(Configuration conf) {
      super(conf);
    }

    @Override
    public void setClass(String name, Class<?> theClass, Class<?> xface) {
      if (!name.equals(YarnConfiguration.NM_CONTAINER_EXECUTOR)) {
        super.setClass(name, theClass, xface);
      }
    }
  }

  /** Counts equal lines, of which there are none: all of its input goes to the reducer. */
  public static final class Lines extends Mapper<LongWritable, Text, Text, IntWritable> {
    @Override
    protected void map(
        LongWritable offset,
        Text line,
        Mapper<LongWritable, Text, Text, IntWritable>.Context context)
        throws IOException, InterruptedException {
      context.write(line, new IntWritable(1));
    }
  }

  JobCluster(Path directory) throws IOException {
    WEB_SERVERS.setLevel(Level.SEVERE);
    EmbeddedPlan plan =
        new EmbeddedPlan(
            1, 2, 0, PopularityDemo.SPEED_FACTOR, EmbeddedPlan.TEN_GIGABIT_BYTES_PER_SECOND);
    hdfs = EmbeddedCluster.start(plan, new Configuration(false), directory);
    boolean serves = false;
    try {
      fs = (DistributedFileSystem) FileSystem.newInstance(hdfs.uri(), hdfs.configuration());
      tiers = TierConfiguration.load(hdfs.configuration());
      yarn = miniYarn(directory);
      yarn.init(settings());
      yarn.start();
      client.init(configuration());
      client.start();
      serves = true;
    } finally {
      if (!serves) {
        // What goes on would keep the process from ending.
        close();
      }
    }
  }

  private static MiniMRYarnCluster miniYarn(Path directory) {
    String before = System.setProperty(PLACE_PROPERTY, directory.toString());
    try {
      return new MiniMRYarnCluster(NAME, 1);
    } finally {
      if (before == null) {
        System.clearProperty(PLACE_PROPERTY);
      } else {
        System.setProperty(PLACE_PROPERTY, before);
      }
    }
  }

  private Configuration settings() {
    List<Path> all = new ArrayList<>();
    for (int i = 0; i < LOCAL_DIRECTORIES; i++) {
      // As the mini cluster names them.
      String name = NAME + "-localDir-nm-0_" + i;
      all.add(yarn.getTestWorkDir().toPath().toAbsolutePath().resolve(name));
    }
    localDirectories.put(fastTier(), all.subList(0, 1));
    localDirectories.put(slowTier(), all.subList(1, all.size()));
    Settings conf = new Settings(hdfs.configuration());
    conf.set("fs.defaultFS", hdfs.uri().toString());
    conf.set("yarn.app.mapreduce.am.staging-dir", STAGING);
    // Map outputs are looked for when the job is over.
    conf.setInt(YarnConfiguration.DEBUG_NM_DELETE_DELAY_SEC, 600);
    conf.set(YarnConfiguration.NM_CONTAINER_EXECUTOR, TierwiseContainerExecutor.class.getName());
    localDirectories.forEach(
        (tier, paths) ->
            conf.set(
                "tierwise.nodemanager.local-dirs." + tier,
                String.join(",", paths.stream().map(Path::toString).toList())));
    conf.set("tierwise.nodemanager.intermediate.directory", hdfs.uri() + CONTROL + "/intermediate");
    return conf;
  }

  String fastTier() {
    return tiers.table().tier(0).name();
  }

  String slowTier() {
    return tiers.table().tier(tiers.table().count() - 1).name();
  }

  /** Of a client of both. */
  Configuration configuration() {
    return yarn.getConfig();
  }

  DistributedFileSystem fs() {
    return fs;
  }

  /** Where the history server keeps its files. */
  String history() {
    return hdfs.uri() + STAGING + "/history";
  }

  /** Writes a file of one block and one replica, so that it is certain which device reads it. */
  String write(String name, int bytes) throws IOException {
    String path = DATA + "/" + name;
    byte[] line = new byte[LINE_BYTES];
    SplittableRandom random = new SplittableRandom(name.hashCode());
    try (FSDataOutputStream out =
        fs.create(new org.apache.hadoop.fs.Path(path), true, LINE_BYTES, (short) 1, bytes)) {
      for (int written = 0; written < bytes; written += LINE_BYTES) {
        for (int i = 0; i < line.length - 1; i++) {
          line[i] = (byte) ('a' + random.nextInt('z' - 'a' + 1));
        }
        line[line.length - 1] = '\n';
        out.write(line, 0, Math.min(LINE_BYTES, bytes - written));
      }
    }
    return path;
  }

  /** The bytes of a file's replicas by tier. */
  Map<String, Long> tiers(String path) throws IOException {
    Map<String, Long> bytes = new HashMap<>();
    for (LocatedBlock block :
        fs.getClient().getLocatedFileInfo(path, false).getLocatedBlocks().getLocatedBlocks()) {
      for (int i = 0; i < block.getLocations().length; i++) {
        TierMatch.Volume volume =
            TierMatch.Volume.of(
                block.getStorageTypes()[i], block.getLocations()[i], block.getStorageIDs()[i]);
        int tier = tiers.matcher().tierOf(volume);
        bytes.merge(tiers.table().tier(tier).name(), block.getBlockSize(), Long::sum);
      }
    }
    return bytes;
  }

  /** Submits the job that reads a file, without a setting of Tierwise's. */
  Job submit(String input) throws IOException, InterruptedException {
    Job job = Job.getInstance(configuration(), "count lines");
    job.setMapperClass(Lines.class);
    job.setReducerClass(IntSumReducer.class);
    job.setOutputKeyClass(Text.class);
    job.setOutputValueClass(IntWritable.class);
    job.setOutputFormatClass(NullOutputFormat.class);
    FileInputFormat.addInputPath(job, new org.apache.hadoop.fs.Path(input));
    try {
      job.submit();
    } catch (ClassNotFoundException e) {
      throw new IOException("a class of the demo's job is not there: " + e.getMessage(), e);
    }
    return job;
  }

  private static ApplicationId id(Job job) {
    return ApplicationId.fromString(job.getJobID().toString().replace("job_", "application_"));
  }

  ApplicationReport report(Job job) throws IOException {
    return report(id(job));
  }

  private ApplicationReport report(ApplicationId id) throws IOException {
    try {
      return client.getApplicationReport(id);
    } catch (YarnException e) {
      throw new IOException(e.getMessage(), e);
    }
  }

  /**
   * Whether it is over.
   *
   * @throws IOException when it failed
   */
  boolean succeeded(Job job) throws IOException {
    ApplicationReport report = report(job);
    if (report.getFinalApplicationStatus() == FinalApplicationStatus.FAILED
        || report.getFinalApplicationStatus() == FinalApplicationStatus.KILLED) {
      throw new IOException("the demo's job failed: " + report.getDiagnostics());
    }
    return report.getYarnApplicationState() == YarnApplicationState.FINISHED;
  }

  /** Another application takes the whole node, so that jobs wait; its id. */
  ApplicationId occupy() throws IOException, InterruptedException {
    try {
      ApplicationSubmissionContext app =
          client.createApplication().getApplicationSubmissionContext();
      app.setApplicationName("has the node");
      app.setResource(Resource.newInstance(NODE_MEGABYTES, 1));
      app.setMaxAppAttempts(1);
      app.setAMContainerSpec(
          ContainerLaunchContext.newInstance(
              Map.of(), Map.of(), List.of("sleep 600"), Map.of(), null, Map.of()));
      client.submitApplication(app);
      while (report(app.getApplicationId())
              .getApplicationResourceUsageReport()
              .getNumUsedContainers()
          == 0) {
        Thread.sleep(100);
      }
      return app.getApplicationId();
    } catch (YarnException e) {
      throw new IOException(e.getMessage(), e);
    }
  }

  void kill(ApplicationId application) throws IOException {
    try {
      client.killApplication(application);
    } catch (YarnException e) {
      throw new IOException(e.getMessage(), e);
    }
  }

  /** The bytes that a job's maps left for its reducer, by tier. */
  Map<String, Long> mapOutputBytes(Job job) throws IOException {
    Map<String, Long> bytes = new HashMap<>();
    for (Map.Entry<String, List<Path>> each : localDirectories.entrySet()) {
      for (Path directory : each.getValue()) {
        try (Stream<Path> files = Files.walk(directory)) {
          for (Path file :
              files
                  .filter(file -> file.getFileName().toString().equals("file.out"))
                  .filter(file -> file.toString().contains(id(job).toString()))
                  .toList()) {
            bytes.merge(each.getKey(), Files.size(file), Long::sum);
          }
        }
      }
    }
    return bytes;
  }

  @Override
  public void close() throws IOException {
    client.stop();
    if (yarn != null) {
      yarn.stop();
    }
    if (fs != null) {
      fs.close();
    }
    hdfs.close();
  }
}
