package io.tierwise.lab.embedded;

import io.tierwise.hadoop.yarn.TierwiseContainerExecutor;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.mapreduce.v2.MiniMRYarnCluster;
import org.apache.hadoop.yarn.api.records.ApplicationId;
import org.apache.hadoop.yarn.api.records.ApplicationReport;
import org.apache.hadoop.yarn.api.records.ApplicationSubmissionContext;
import org.apache.hadoop.yarn.api.records.ContainerLaunchContext;
import org.apache.hadoop.yarn.api.records.Resource;
import org.apache.hadoop.yarn.client.api.YarnClient;
import org.apache.hadoop.yarn.conf.YarnConfiguration;
import org.apache.hadoop.yarn.exceptions.YarnException;

/**
 * A YARN of one node in this process, with a history server, whose NodeManager has local
 * directories on a fast tier and on a slow one, and the plug-in that chooses among them. Close it
 * to stop it; its files stay.
 */
public final class EmbeddedYarn implements AutoCloseable {
  /** Where clients and the history server keep their files, on the file system of jobs. */
  public static final String STAGING = "/staging";

  private static final String NAME = "jobs";
  private static final int NODE_MEGABYTES = 4_096;

  /** As many local directories as a mini cluster's node has by default; one of them is fast. */
  private static final int LOCAL_DIRECTORIES = 4;

  /** Where mini clusters keep their files. */
  private static final String PLACE_PROPERTY = "test.build.data";

  private static final String DIRECTORIES_KEY = "tierwise.nodemanager.local-dirs.";

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

  /** Which tiers local directories are on. */
  public record Tiers(String fast, String slow) {}

  private EmbeddedYarn(Path directory) {
    yarn = miniYarn(directory);
  }

  /**
   * Starts one.
   *
   * @param directory for all that it writes
   * @param conf whose {@code fs.defaultFS} jobs read from; settings of a test are kept
   */
  public static EmbeddedYarn start(Path directory, Tiers tiers, Configuration conf)
      throws IOException {
    EmbeddedYarn started = new EmbeddedYarn(directory);
    boolean serves = false;
    try {
      started.yarn.init(started.settings(tiers, conf));
      started.yarn.start();
      started.client.init(started.configuration());
      started.client.start();
      serves = true;
      return started;
    } finally {
      if (!serves) {
        // Threads that go on would keep the process from ending.
        started.close();
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

  private Configuration settings(Tiers tiers, Configuration given) {
    List<Path> all = new ArrayList<>();
    for (int i = 0; i < LOCAL_DIRECTORIES; i++) {
      // As the mini cluster names them.
      String name = NAME + "-localDir-nm-0_" + i;
      all.add(yarn.getTestWorkDir().toPath().toAbsolutePath().resolve(name));
    }
    localDirectories.put(tiers.fast(), all.subList(0, 1));
    localDirectories.put(tiers.slow(), all.subList(1, all.size()));
    Settings conf = new Settings(given);
    conf.set("yarn.app.mapreduce.am.staging-dir", STAGING);
    // Map outputs are looked for when the job is over.
    conf.setInt(YarnConfiguration.DEBUG_NM_DELETE_DELAY_SEC, 600);
    conf.set(YarnConfiguration.NM_CONTAINER_EXECUTOR, TierwiseContainerExecutor.class.getName());
    localDirectories.forEach(
        (tier, paths) ->
            conf.set(
                DIRECTORIES_KEY + tier,
                String.join(",", paths.stream().map(Path::toString).toList())));
    return conf;
  }

  /** Of its clients. */
  public Configuration configuration() {
    return yarn.getConfig();
  }

  /** What YARN says of an application. */
  public ApplicationReport report(ApplicationId application) throws IOException {
    try {
      return client.getApplicationReport(application);
    } catch (YarnException e) {
      throw new IOException(e.getMessage(), e);
    }
  }

  /** Another application takes the whole node, so that jobs wait; its id. */
  public ApplicationId occupy() throws IOException, InterruptedException {
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

  /** Ends an application. */
  public void kill(ApplicationId application) throws IOException {
    try {
      client.killApplication(application);
    } catch (YarnException e) {
      throw new IOException(e.getMessage(), e);
    }
  }

  /** What maps left for reducers in the local directories of a tier. */
  public List<Path> mapOutputs(String tier) throws IOException {
    List<Path> outputs = new ArrayList<>();
    for (Path directory : localDirectories.get(tier)) {
      try (Stream<Path> files = Files.walk(directory)) {
        files
            .filter(file -> file.getFileName().toString().equals("file.out"))
            .forEach(outputs::add);
      }
    }
    return outputs;
  }

  /** The same of one application. */
  public List<Path> mapOutputs(String tier, ApplicationId application) throws IOException {
    return mapOutputs(tier).stream()
        .filter(file -> file.toString().contains(application.toString()))
        .toList();
  }

  @Override
  public void close() {
    client.stop();
    yarn.stop();
  }
}
