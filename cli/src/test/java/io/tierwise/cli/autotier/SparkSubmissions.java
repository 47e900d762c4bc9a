package io.tierwise.cli.autotier;

import java.io.IOException;
import java.io.OutputStream;
import java.io.OutputStreamWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.yarn.api.records.ApplicationId;
import org.apache.hadoop.yarn.api.records.ApplicationSubmissionContext;
import org.apache.hadoop.yarn.api.records.ContainerLaunchContext;
import org.apache.hadoop.yarn.api.records.Resource;
import org.apache.hadoop.yarn.client.api.YarnClient;
import org.apache.hadoop.yarn.conf.YarnConfiguration;

/**
 * Submits applications as Spark's client does, by YARN's own: of Spark's type, with the archive of
 * settings that it leaves. What runs is {@link StandInMaster}, on the whole node.
 *
 * <p>Source: Apache Spark 4.2.0, {@code yarn.Client.createConfArchive} and {@code
 * createApplicationSubmissionContext}.
 */
final class SparkSubmissions implements AutoCloseable {
  private static final FsPermission PRIVATE = new FsPermission((short) 0700);

  private final DistributedFileSystem fs;
  private final Configuration conf;
  private final YarnClient client = YarnClient.createYarnClient();

  SparkSubmissions(DistributedFileSystem fs, Configuration conf) {
    this.fs = fs;
    this.conf = conf;
    client.init(conf);
    client.start();
  }

  /**
   * Submits one, and does not wait for it.
   *
   * @param directory that it says it reads
   * @param file of it, that it reads
   * @param end that it waits for
   */
  ApplicationId submit(String name, String directory, String file, String end) throws Exception {
    ApplicationSubmissionContext app = client.createApplication().getApplicationSubmissionContext();
    stage(app.getApplicationId(), name, directory);
    app.setApplicationName(name);
    app.setApplicationType("SPARK");
    app.setMaxAppAttempts(1);
    app.setResource(Resource.newInstance(YarnConfiguration.DEFAULT_YARN_MINICLUSTER_NM_PMEM_MB, 1));
    app.setAMContainerSpec(
        ContainerLaunchContext.newInstance(
            Map.of(), Map.of(), List.of(command(file, end)), Map.of(), null, Map.of()));
    return client.submitApplication(app);
  }

  private String command(String file, String end) {
    return String.join(
        " ",
        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
        "-Xmx256m",
        "-cp",
        System.getProperty("java.class.path"),
        StandInMaster.class.getName(),
        fs.getUri().toString(),
        conf.get(YarnConfiguration.RM_SCHEDULER_ADDRESS),
        file,
        end,
        "1><LOG_DIR>/stdout 2><LOG_DIR>/stderr");
  }

  private void stage(ApplicationId id, String name, String directory) throws IOException {
    org.apache.hadoop.fs.Path staging =
        new org.apache.hadoop.fs.Path(fs.getHomeDirectory(), ".sparkStaging/" + id);
    fs.mkdirs(staging, PRIVATE);
    Properties settings = new Properties();
    settings.setProperty("spark.app.name", name);
    settings.setProperty("spark.master", "yarn");
    settings.setProperty("spark.tierwise.input", directory);
    try (OutputStream out =
            fs.create(new org.apache.hadoop.fs.Path(staging, "__spark_conf__.zip"));
        ZipOutputStream zip = new ZipOutputStream(out)) {
      zip.setLevel(0);
      zip.putNextEntry(new ZipEntry("__hadoop_conf__/"));
      zip.putNextEntry(new ZipEntry("__spark_hadoop_conf__.xml"));
      conf.writeXml(zip);
      write(zip, "__spark_conf__.properties", settings);
      write(zip, "__spark_dist_cache__.properties", new Properties());
    }
  }

  private static void write(ZipOutputStream zip, String name, Properties settings)
      throws IOException {
    zip.putNextEntry(new ZipEntry(name));
    OutputStreamWriter writer = new OutputStreamWriter(zip, StandardCharsets.UTF_8);
    settings.store(writer, "Spark configuration.");
    writer.flush();
  }

  @Override
  public void close() {
    client.stop();
  }
}
