package io.tierwise.cli.profile;

import io.tierwise.cli.CommandRun;
import io.tierwise.hadoop.yarn.TierwiseContainerExecutor;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.HdfsConfiguration;
import org.apache.hadoop.hdfs.MiniDFSCluster;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;
import org.apache.hadoop.mapreduce.v2.MiniMRYarnCluster;
import org.apache.hadoop.yarn.conf.YarnConfiguration;

/**
 * A stock HDFS of two nodes with an SSD and a disk each, and a YARN whose NodeManager has local
 * directories on both. The input has its two replicas on disks.
 */
final class ProfilingCluster implements AutoCloseable {
  static final String INPUT = "/data/words";
  private static final String NAME = "profiling";
  private static final String LINE = "a rose is a rose is a rose\n";
  private static final int LINES = 20_000;
  static final long INPUT_BYTES = (long) LINE.length() * LINES;
  private static final int DISKS = 3;
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
  private final MiniMRYarnCluster yarn = new MiniMRYarnCluster(NAME, 1);
  private final String ssd;
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

  ProfilingCluster(Path folder) throws Exception {
    this.folder = folder;
    Configuration conf = new HdfsConfiguration();
    conf.setLong("dfs.heartbeat.interval", 1);
    conf.setLong("dfs.namenode.redundancy.interval.seconds", 1);
    hdfs =
        new MiniDFSCluster.Builder(conf, folder.resolve("hdfs").toFile())
            .numDataNodes(2)
            .storagesPerDatanode(2)
            .storageTypes(new StorageType[][] {BOTH, BOTH})
            .build();
    hdfs.waitActive();
    // As the mini cluster names them.
    Path work = yarn.getTestWorkDir().toPath().toAbsolutePath();
    ssd = work.resolve(NAME + "-localDir-nm-0_0").toString();
    Arrays.setAll(disks, i -> work.resolve(NAME + "-localDir-nm-0_" + (i + 1)).toString());
    yarn.init(settings());
    yarn.start();
    writeConfiguration();
    try (FSDataOutputStream out = fs().create(hadoop(INPUT), (short) 2)) {
      for (int i = 0; i < LINES; i++) {
        out.writeBytes(LINE);
      }
    }
  }

  private Settings settings() throws IOException {
    Settings conf = new Settings();
    conf.set("fs.defaultFS", hdfs.getURI().toString());
    conf.set("yarn.app.mapreduce.am.staging-dir", "/staging");
    conf.setInt(YarnConfiguration.DEBUG_NM_DELETE_DELAY_SEC, 600);
    conf.set(YarnConfiguration.NM_CONTAINER_EXECUTOR, TierwiseContainerExecutor.class.getName());
    conf.set("tierwise.nodemanager.local-dirs.ssd", ssd);
    conf.set("tierwise.nodemanager.local-dirs.disk", String.join(",", disks));
    return conf;
  }

  /** The directory that a user of the cluster has. */
  private void writeConfiguration() throws IOException {
    Files.createDirectories(conf());
    Configuration all = new Configuration(yarn.getConfig());
    // Each part of Hadoop has defaults of its own, which stand above the files of the others.
    for (String part : List.of("core", "hdfs", "yarn", "mapred")) {
      if (part.equals("mapred")) {
        all.set("mapreduce.job.tags", "ours");
      }
      try (OutputStream out = Files.newOutputStream(conf().resolve(part + "-site.xml"))) {
        all.writeXml(out);
      }
    }
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
    return yarn.getConfig();
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
    List<String> applications = new ArrayList<>();
    for (String directory : tier.equals("ssd") ? new String[] {ssd} : disks) {
      try (Stream<Path> files = Files.walk(Path.of(directory))) {
        files
            .filter(file -> file.getFileName().toString().equals("file.out"))
            .map(file -> file.toString().replaceAll(".*(application_\\d+_\\d+).*", "$1"))
            .forEach(applications::add);
      }
    }
    return applications.stream().sorted().distinct().toList();
  }

  @Override
  public void close() throws IOException {
    yarn.stop();
    hdfs.shutdown();
  }
}
