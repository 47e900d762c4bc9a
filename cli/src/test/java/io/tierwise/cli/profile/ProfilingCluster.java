package io.tierwise.cli.profile;

import static org.assertj.core.api.Assertions.assertThat;

import io.tierwise.cli.CommandRun;
import io.tierwise.cli.SiteFiles;
import io.tierwise.lab.embedded.EmbeddedYarn;
import io.tierwise.lab.embedded.device.DeviceModel;
import io.tierwise.lab.embedded.device.EmulatedDatasetFactory;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hdfs.DFSConfigKeys;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.HdfsConfiguration;
import org.apache.hadoop.hdfs.MiniDFSCluster;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;

/**
 * A stock HDFS of two nodes with an SSD and a disk each, and a YARN whose NodeManager has local
 * directories on both. The input has its two replicas on disks.
 */
final class ProfilingCluster implements AutoCloseable {
  static final String INPUT = "/data/words";
  private static final String LINE = "a rose is a rose is a rose\n";
  private static final int LINES = 20_000;
  static final long INPUT_BYTES = (long) LINE.length() * LINES;
  private static final StorageType[] BOTH = {StorageType.SSD, StorageType.DISK};

  private static final String TIERS =
      """
      tiers:
        - name: ssd
          match: {storage-type: SSD}
        - name: disk
          match: {storage-type: DISK}
        - name: tape
          match: {storage-type: ARCHIVE}
      """;

  private final Path folder;
  private final MiniDFSCluster hdfs;
  private final EmbeddedYarn yarn;

  ProfilingCluster(Path folder) throws Exception {
    this(folder, Map.of());
  }

  /** One whose devices of these kinds are as slow as their models. */
  ProfilingCluster(Path folder, Map<StorageType, DeviceModel> devices) throws Exception {
    this.folder = folder;
    Configuration conf = new HdfsConfiguration();
    conf.setLong("dfs.heartbeat.interval", 1);
    conf.setLong("dfs.namenode.redundancy.interval.seconds", 1);
    if (!devices.isEmpty()) {
      conf.set(
          DFSConfigKeys.DFS_DATANODE_FSDATASET_FACTORY_KEY, EmulatedDatasetFactory.class.getName());
      devices.forEach((type, model) -> EmulatedDatasetFactory.setDevice(conf, type, model));
    }
    hdfs =
        new MiniDFSCluster.Builder(conf, folder.resolve("hdfs").toFile())
            .numDataNodes(2)
            .storagesPerDatanode(2)
            .storageTypes(new StorageType[][] {BOTH, BOTH})
            .build();
    hdfs.waitActive();
    if (!devices.isEmpty()) {
      // A job's own files are not what is measured.
      fs().mkdirs(hadoop(EmbeddedYarn.STAGING));
      fs().setStoragePolicy(hadoop(EmbeddedYarn.STAGING), "ALL_SSD");
    }
    yarn =
        EmbeddedYarn.start(
            folder.resolve("yarn"), new EmbeddedYarn.Tiers("ssd", "disk"), settings());
    writeConfiguration();
    try (FSDataOutputStream out = fs().create(hadoop(INPUT), (short) 2)) {
      for (int i = 0; i < LINES; i++) {
        out.writeBytes(LINE);
      }
    }
  }

  private Configuration settings() {
    Configuration settings = new Configuration();
    settings.set("fs.defaultFS", hdfs.getURI().toString());
    return settings;
  }

  private void writeConfiguration() throws IOException {
    Configuration all = new Configuration(yarn.configuration());
    all.set("mapreduce.job.tags", "ours");
    SiteFiles.write(conf(), all);
    Files.writeString(conf().resolve("tiers.yaml"), TIERS);
  }

  static org.apache.hadoop.fs.Path hadoop(String path) {
    return new org.apache.hadoop.fs.Path(path);
  }

  Path conf() {
    return folder.resolve("conf");
  }

  Path journal() {
    return folder.resolve("journal");
  }

  Configuration yarnConf() {
    return yarn.configuration();
  }

  DistributedFileSystem fs() throws IOException {
    return hdfs.getFileSystem();
  }

  /** The stores that the input's replicas are on, by block. */
  List<String> stores() throws IOException {
    List<String> stores = new ArrayList<>();
    for (LocatedBlock block :
        fs().getClient().getLocatedBlocks(INPUT, 0, Long.MAX_VALUE).getLocatedBlocks()) {
      stores.add(Stream.of(block.getStorageIDs()).sorted().toList().toString());
    }
    return stores;
  }

  /** The same, where the input is still on disks. */
  List<String> storesOnDisks() throws IOException {
    assertThat(types()).containsOnly(StorageType.DISK);
    return stores();
  }

  List<StorageType> types() throws IOException {
    return List.of(fs().getClient().getLocatedBlocks(INPUT, 0).get(0).getStorageTypes());
  }

  /** The words of a profiling of an application that ends, fails or hangs in each run. */
  List<String> words(String output, String mode, String... options) {
    List<String> words = new ArrayList<>(options(INPUT, options));
    words.addAll(
        List.of(
            "--",
            "sh",
            "-c",
            // An exit code of the shell's own would be another one.
            "exec \"$0\" -Xmx256m -cp \"$HADOOP_CONF_DIR:$1\" \"$2\" \"$3\" \"$4\" "
                + "\"$(case $4 in "
                + mode
                + " *) echo end;; esac)\"",
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            System.getProperty("java.class.path"),
            ProfiledWords.class.getName(),
            INPUT,
            output + "/{run}"));
    return words;
  }

  List<String> options(String input, String... options) {
    List<String> words = new ArrayList<>(List.of("profile", "run", "--input", input));
    words.addAll(List.of("--conf", conf().toString(), "--journal", journal().toString()));
    words.addAll(List.of("--catalog", catalog(), "--bandwidth", "1000"));
    if (!List.of(options).contains("--fast-tier")) {
      words.addAll(List.of("--fast-tier", "ssd"));
    }
    if (!List.of(options).contains("--slow-tier")) {
      words.addAll(List.of("--slow-tier", "disk"));
    }
    words.addAll(List.of(options));
    return words;
  }

  String catalog() {
    return folder.resolve("runs.db").toString();
  }

  static CommandRun run(List<String> words) {
    return CommandRun.of(words.toArray(String[]::new));
  }

  /** Applications whose map output is in directories of that tier. */
  List<String> spilledOn(String tier) throws IOException {
    return yarn.mapOutputs(tier).stream()
        .map(file -> file.toString().replaceAll(".*(application_\\d+_\\d+).*", "$1"))
        .sorted()
        .distinct()
        .toList();
  }

  @Override
  public void close() throws IOException {
    yarn.close();
    hdfs.shutdown();
  }
}
