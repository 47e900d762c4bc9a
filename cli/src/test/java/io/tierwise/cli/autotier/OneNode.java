package io.tierwise.cli.autotier;

import io.tierwise.cli.CommandRun;
import io.tierwise.hadoop.autotier.AutotierSettings;
import io.tierwise.hadoop.autotier.Prefetching;
import io.tierwise.hadoop.mover.MoverSettings;
import io.tierwise.lab.embedded.EmbeddedYarn;
import io.tierwise.profiles.RunCatalog;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hdfs.HdfsConfiguration;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;

/**
 * A real HDFS of one node with an SSD and a disk, and a real YARN of one node with local
 * directories on both. One application can take all of YARN's node, so that others wait.
 */
final class OneNode implements AutoCloseable {
  private static final String TOLD = "/system/tierwise-autotier/intermediate";
  private static final StorageType[] BOTH = {StorageType.SSD, StorageType.DISK};
  private static final EmbeddedYarn.Tiers TIERS = new EmbeddedYarn.Tiers("ssd", "disk");

  private final Path folder;
  private final AuditedHdfs hdfs;
  private final EmbeddedYarn yarn;

  OneNode(Path folder) throws IOException {
    this.folder = folder;
    hdfs = new AuditedHdfs(folder, new HdfsConfiguration(), BOTH);
    boolean serves = false;
    try {
      yarn = EmbeddedYarn.start(folder.resolve("yarn"), TIERS, settings());
      serves = true;
    } finally {
      if (!serves) {
        hdfs.close();
      }
    }
  }

  private Configuration settings() throws IOException {
    Configuration conf = new Configuration();
    conf.set("fs.defaultFS", hdfs.fs().getUri().toString());
    conf.set(
        "tierwise.tiers.file",
        Files.writeString(folder.resolve("tiers"), WaitingYarn.TIERS).toString());
    conf.set("tierwise.nodemanager.intermediate.directory", hdfs.fs().getUri() + TOLD);
    return conf;
  }

  AuditedHdfs hdfs() {
    return hdfs;
  }

  EmbeddedYarn yarn() {
    return yarn;
  }

  /** The tier that a file's one replica is on, asked in a way that is no read of it. */
  StorageType type(String path) throws IOException {
    return hdfs.fs()
        .getClient()
        .getLocatedFileInfo(path, false)
        .getLocatedBlocks()
        .get(0)
        .getStorageTypes()[0];
  }

  /** The bytes of a file whose one replica is on such a device, asked in the same way. */
  long bytesOn(StorageType type, String path) throws IOException {
    return hdfs
        .fs()
        .getClient()
        .getLocatedFileInfo(path, false)
        .getLocatedBlocks()
        .getLocatedBlocks()
        .stream()
        .filter(block -> block.getStorageTypes()[0] == type)
        .mapToLong(LocatedBlock::getBlockSize)
        .sum();
  }

  Path journal() {
    return folder.resolve("journal");
  }

  private String catalog() {
    return folder.resolve("runs.db").toString();
  }

  /** Adds the runs of a folder of history to the catalog. */
  CommandRun learn(String history) {
    return CommandRun.of("profile", "import", history, "--catalog", catalog());
  }

  /** Adds a run to the catalog. */
  void learn(RunCatalog.NamedRun run) {
    try (RunCatalog catalog = RunCatalog.openOrMake(catalog())) {
      catalog.add(List.of(run));
    }
  }

  /** For jobs whose runs the catalog has. */
  Prefetching prefetching(long regionBytes) {
    return new Prefetching(catalog(), regionBytes);
  }

  /** A daemon for the files below {@code /data}. */
  DaemonThread daemon(long regionBytes) throws IOException {
    return daemon(WaitingYarn.bounds("/data", prefetching(regionBytes), MoverSettings.DEFAULT));
  }

  DaemonThread daemon(AutotierSettings settings) throws IOException {
    return new DaemonThread(
        hdfs, yarn.configuration(), settings, folder.resolve("hdfs-audit.log"), journal());
  }

  /** Whether NodeManagers are told of a tier for any application. */
  boolean tells() throws IOException {
    org.apache.hadoop.fs.Path told = AuditedHdfs.hadoop(TOLD);
    return hdfs.fs().exists(told) && hdfs.fs().listStatus(told).length > 0;
  }

  @Override
  public void close() {
    yarn.close();
    hdfs.close();
  }
}
