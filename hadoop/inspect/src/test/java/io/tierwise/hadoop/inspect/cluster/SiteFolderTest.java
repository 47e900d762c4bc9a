package io.tierwise.hadoop.inspect.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tierwise.core.message.OperatorException;
import io.tierwise.hadoop.hdfs.tiers.TierConfiguration;
import java.io.IOException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.security.UserGroupInformation;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A directory that is named while {@code HADOOP_CONF_DIR} has another cluster's. */
class SiteFolderTest {
  private static final String FS = "fs.defaultFS";
  private static final String PROD = "hdfs://prod:8020";
  private static final String ADDRESS = "yarn.resourcemanager.address";

  private static final String TIERS = "tiers:\n  - {name: %s, match: {storage-type: DISK}}\n";

  /** Keys of ours that would send files, or look for journals, where the other cluster has them. */
  private static final Map<String, String> OURS =
      Map.of(
          "tierwise.secondary.stores", "s3=s3a://prod",
          "tierwise.mover.journal.directory", "/prod",
          "tierwise.keytab.file", "/prod.keytab",
          "dfs.nameservices", "prod");

  @TempDir private Path prod;
  @TempDir private Path test;
  private ClassLoader before;

  @BeforeEach
  void putTheOtherClusterOnTheClassPath() throws IOException {
    Files.writeString(
        prod.resolve("core-site.xml"),
        """
        <configuration>
        <property><name>fs.defaultFS</name><value>hdfs://prod:8020</value><final>true</final>
        </property></configuration>
        """);
    write(prod, "hdfs-site.xml", OURS);
    write(prod, "yarn-site.xml", Map.of(ADDRESS, "prod:8032"));
    Files.writeString(prod.resolve("tiers.yaml"), TIERS.formatted("gold"));
    before = Thread.currentThread().getContextClassLoader();
    Thread.currentThread()
        .setContextClassLoader(new URLClassLoader(new URL[] {prod.toUri().toURL()}, before));
  }

  @AfterEach
  void giveTheClassPathBack() {
    Thread.currentThread().setContextClassLoader(before);
    UserGroupInformation.setConfiguration(new Configuration());
  }

  private static void write(Path folder, String name, Map<String, String> values)
      throws IOException {
    StringBuilder xml = new StringBuilder("<configuration>");
    values.forEach(
        (key, value) ->
            xml.append(
                "<property><name>" + key + "</name><value>" + value + "</value></property>"));
    Files.writeString(folder.resolve(name), xml + "</configuration>");
  }

  private Configuration ofTest() {
    return ClusterConnection.configuration(test, null, Map.of());
  }

  private static String tier(Configuration conf) {
    return TierConfiguration.load(conf).table().tiers().get(0).name();
  }

  @Test
  void nothingOfTheClassPathHolds() throws IOException {
    write(test, "hdfs-site.xml", Map.of("dfs.replication", "2"));

    Configuration conf = ofTest();

    assertThat(conf.get(FS)).isEqualTo("file:///");
    assertThat(conf.get("dfs.replication")).isEqualTo("2");
    assertThat(conf.get("dfs.namenode.handler.count")).as("Hadoop's default").isEqualTo("10");
    OURS.keySet().forEach(key -> assertThat(conf.get(key)).as(key).isNull());
    assertThat(tier(conf)).isEqualTo("ram");
  }

  @Test
  void aFinalKeyOfTheClassPathIsNotKept() throws IOException {
    write(test, "core-site.xml", Map.of(FS, "hdfs://test:8020"));
    assertThat(ofTest().get(FS)).isEqualTo("hdfs://test:8020");
  }

  @Test
  void theTiersAreThoseBesideTheFiles() throws IOException {
    write(prod, "hdfs-site.xml", Map.of("tierwise.tiers.file", prod + "/tiers.yaml"));
    Files.writeString(test.resolve("tiers.yaml"), TIERS.formatted("mine"));
    assertThat(tier(ofTest())).isEqualTo("mine");
  }

  /** As YARN's classes do when they are loaded, which may be long after the start. */
  @Test
  void theResourceManagerIsThatOfTheDirectory() throws IOException {
    write(test, "core-site.xml", Map.of());
    Configuration conf = ofTest();
    Configuration.addDefaultResource("yarn-site.xml");
    assertThat(conf.get(ADDRESS)).isNull();

    write(test, "yarn-site.xml", Map.of(ADDRESS, "b:8032"));
    assertThat(ofTest().get(ADDRESS)).isEqualTo("b:8032");
  }

  /** Hadoop makes some by itself, as for the names of hosts in tickets. */
  @Test
  void configurationsOfOthersAreOfTheDirectoryToo() throws Exception {
    write(test, "core-site.xml", Map.of(FS, "hdfs://test:8020"));
    ofTest();
    assertThat(new Configuration().get(FS)).isEqualTo("hdfs://test:8020");

    CompletableFuture<String> ofThread = new CompletableFuture<>();
    new Thread(() -> ofThread.complete(new Configuration().get(FS))).start();
    assertThat(ofThread.get()).isEqualTo("hdfs://test:8020");
  }

  @Test
  void loginsAreThoseOfTheDirectory() throws IOException {
    write(prod, "core-site.xml", Map.of("hadoop.security.authentication", "kerberos"));
    write(test, "core-site.xml", Map.of());
    ofTest();
    assertThat(UserGroupInformation.isSecurityEnabled()).isFalse();
  }

  @Test
  void theNextCommandWithoutADirectoryHasTheClassPath() throws IOException {
    write(test, "core-site.xml", Map.of(FS, "hdfs://test:8020"));
    ofTest();
    Configuration conf = ClusterConnection.configuration(null, null, Map.of());
    assertThat(conf.get(FS)).isEqualTo(PROD);
    assertThat(tier(conf)).isEqualTo("gold");
  }

  @Test
  void aDirectoryWithoutAConfigurationIsRefused() throws IOException {
    Files.createDirectory(test.resolve("conf"));
    assertThatThrownBy(this::ofTest)
        .isInstanceOf(OperatorException.class)
        .hasMessage("--conf " + test + " has none of core-site.xml, hdfs-site.xml and tiers.yaml");
    assertThat(new Configuration().get(FS)).isEqualTo(PROD);
  }
}
