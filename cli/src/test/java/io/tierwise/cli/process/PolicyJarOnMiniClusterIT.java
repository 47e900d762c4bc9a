package io.tierwise.cli.process;

import static org.assertj.core.api.Assertions.assertThat;

import io.tierwise.cli.TierwiseCommand;
import io.tierwise.hadoop.hdfs.client.TierwiseFileSystem;
import io.tierwise.hadoop.hdfs.namenode.TierwiseNameNodePlugin;
import io.tierwise.hadoop.hdfs.namenode.TierwisePlacementPolicy;
import io.tierwise.policies.access.AccessProvider;
import io.tierwise.policies.text.PolicyJar;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hdfs.DFSTestUtil;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.HdfsConfiguration;
import org.apache.hadoop.hdfs.MiniDFSCluster;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The policies of docs/how-to/write-a-policy.md on a mini cluster, in one process that has their
 * jar on its class path. {@link PolicyJarIT} gives each daemon and client a process of its own.
 */
class PolicyJarOnMiniClusterIT {
  private static final Path SOURCES = Path.of("../docs/examples/policies");
  private static final String TIERS =
      """
      tiers:
        - {name: fast, match: {storage-type: SSD}}
        - {name: slow, match: {storage-type: DISK}}
      """;

  @TempDir Path folder;

  /** Two DataNodes with an SSD and a disk each; prints where blocks are and who served them. */
  static final class MiniCluster {
    private static final int BLOCK_BYTES = 1 << 20;
    private static final int BLOCKS = 8;
    private static final short REPLICAS = 2;

    private MiniCluster() {}

    public static void main(String[] args) throws Exception {
      Configuration conf = new HdfsConfiguration();
      MiniDFSCluster.Builder builder =
          new MiniDFSCluster.Builder(conf, Path.of(args[0]).toFile())
              .numDataNodes(REPLICAS)
              .storagesPerDatanode(2)
              .storageTypes(new StorageType[] {StorageType.SSD, StorageType.DISK});
      try (MiniDFSCluster cluster = builder.build()) {
        cluster.waitActive();
        for (String policy : args[1].split(" ")) {
          write(cluster.getFileSystem(), "/" + policy.replace(':', '-'), policy);
        }
        Configuration reading = new Configuration(conf);
        reading.set("fs.hdfs.impl", TierwiseFileSystem.class.getName());
        reading.set("tierwise.access.strategy", args[2]);
        try (FileSystem client = FileSystem.newInstance(cluster.getURI(), reading)) {
          BusyNodeReads.read(
              (DistributedFileSystem) client, new org.apache.hadoop.fs.Path("/copy-per-tier/f"));
        }
      }
    }

    private static void write(DistributedFileSystem fs, String folder, String policy)
        throws Exception {
      org.apache.hadoop.fs.Path file = new org.apache.hadoop.fs.Path(folder, "f");
      fs.mkdirs(file.getParent());
      fs.setXAttr(
          file.getParent(), "user.tierwise.placement", policy.getBytes(StandardCharsets.UTF_8));
      try (FSDataOutputStream out = fs.create(file, true, 4096, REPLICAS, BLOCK_BYTES)) {
        out.write(new byte[BLOCKS * BLOCK_BYTES]);
      }
      DFSTestUtil.waitReplication(fs, file, REPLICAS);
      for (var block : DFSTestUtil.getAllBlocks(fs, file)) {
        System.out.println(
            policy
                + " "
                + Stream.of(block.getStorageTypes())
                    .map(StorageType::name)
                    .sorted()
                    .collect(Collectors.joining(" ")));
      }
    }
  }

  @Test
  void aNameNodePlacesAndAClientReadsByPoliciesOfAnotherJar() throws IOException {
    Path jar =
        PolicyJar.make(SOURCES, System.getProperty("java.class.path"), folder.resolve("their jar"));
    try (JavaProcesses processes = new JavaProcesses(folder, jar)) {
      String name = "mini-cluster";
      processes.configure(
          name,
          Map.of(),
          Map.of(
              "dfs.block.replicator.classname",
              TierwisePlacementPolicy.class.getName(),
              "dfs.namenode.plugins",
              TierwiseNameNodePlugin.class.getName(),
              "tierwise.tiers.file",
              processes.conf(name).resolve("tiers.yaml").toString()),
          TIERS);

      String output =
          processes.run(
              name,
              processes.classPath(),
              MiniCluster.class.getName(),
              folder.resolve("data").toString(),
              "copy-per-tier first-blocks:blocks=1",
              "least-busy");

      assertThat(output.lines())
          .containsSubsequence(
              "copy-per-tier DISK SSD", "copy-per-tier DISK SSD", "first-blocks:blocks=1 SSD SSD")
          .containsSubsequence(BusyNodeReads.all(MiniCluster.BLOCKS));
    }
  }

  /** Who looks for a policy of theirs in the list is told why it is not there. */
  @Test
  void aProviderThatCannotBeLoadedIsSaidBesideTheListOfPolicies() throws IOException {
    Path sources = folder.resolve("sources");
    Path services = Files.createDirectories(sources.resolve("META-INF/services"));
    Files.writeString(sources.resolve("Empty.java"), "class Empty {}");
    Files.writeString(services.resolve(AccessProvider.class.getName()), "com.example.Missing");
    Path jar =
        PolicyJar.make(sources, System.getProperty("java.class.path"), folder.resolve("its jar"));
    try (JavaProcesses processes = new JavaProcesses(folder, jar)) {
      processes.configure("list", Map.of(), Map.of(), TIERS);
      String output =
          processes.run(
              "list", processes.classPath(), TierwiseCommand.class.getName(), "policy", "list");

      assertThat(output)
          .containsPattern("tierwise policy list: not loaded: .*com.example.Missing not found")
          .contains("network-aware", "lru");
    }
  }
}
