package io.tierwise.hadoop.secondary;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import io.tierwise.core.message.Listener;
import io.tierwise.hadoop.hdfs.client.TierwiseFileSystem;
import io.tierwise.hadoop.hdfs.client.TierwiseFs;
import io.tierwise.hadoop.hdfs.secondary.SecondaryKeys;
import io.tierwise.hadoop.mover.JobRun;
import io.tierwise.hadoop.mover.journal.Journal;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.Files;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.LocatedFileStatus;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.RemoteIterator;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.hdfs.DFSTestUtil;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.HdfsConfiguration;
import org.apache.hadoop.hdfs.MiniDFSCluster;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;

/**
 * Two HDFS clusters with all defaults of HDFS as they are, the second one for copies; for all
 * suites that ask for them.
 */
final class Clusters implements AutoCloseable {
  static final int BLOCK_BYTES = 1 << 20;
  static final String BLOCK_BYTES_MIN = "dfs.namenode.fs-limits.min-block-size";

  /**
   * Starts them with the first suite of a JVM and ends them with its session: each suite is a run
   * of its own.
   */
  static final class Both implements ParameterResolver {
    @Override
    public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
      return parameter.getParameter().getType() == Clusters.class;
    }

    @Override
    public Clusters resolveParameter(ParameterContext parameter, ExtensionContext context) {
      return context
          .getStore(
              ExtensionContext.StoreScope.LAUNCHER_SESSION,
              ExtensionContext.Namespace.create(Clusters.class))
          .getOrComputeIfAbsent(Clusters.class, key -> start(), Clusters.class);
    }
  }

  private final MiniDFSCluster primary;
  private final MiniDFSCluster archive;
  private final java.nio.file.Path folder;
  private int stores;

  private Clusters(MiniDFSCluster primary, MiniDFSCluster archive, java.nio.file.Path folder) {
    this.primary = primary;
    this.archive = archive;
    this.folder = folder;
  }

  private static Clusters start() {
    try {
      return new Clusters(
          mini(new HdfsConfiguration(), 2),
          mini(new HdfsConfiguration(), 1),
          Files.createTempDirectory("tierwise-secondary"));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /**
   * One of so many nodes, and no second one.
   *
   * @param volumeBytes of each of a node's two volumes: what else is written to this machine's disk
   *     changes nothing
   */
  static Clusters ofNodes(int nodes, long volumeBytes) throws IOException {
    MiniDFSCluster cluster =
        new MiniDFSCluster.Builder(
                new HdfsConfiguration(), Files.createTempDirectory("tierwise-mini").toFile())
            .numDataNodes(nodes)
            .storagesPerDatanode(2)
            .storageCapacities(new long[] {volumeBytes, volumeBytes})
            .build();
    cluster.waitActive();
    return new Clusters(cluster, null, Files.createTempDirectory("tierwise-secondary"));
  }

  /** One with other settings, and no second one. */
  static Clusters with(Configuration conf) throws IOException {
    return new Clusters(mini(conf, 2), null, Files.createTempDirectory("tierwise-secondary"));
  }

  private static MiniDFSCluster mini(Configuration conf, int nodes) throws IOException {
    MiniDFSCluster cluster =
        new MiniDFSCluster.Builder(conf, Files.createTempDirectory("tierwise-mini").toFile())
            .numDataNodes(nodes)
            .build();
    cluster.waitActive();
    return cluster;
  }

  MiniDFSCluster primary() {
    return primary;
  }

  MiniDFSCluster archive() {
    return archive;
  }

  /** An empty store that anybody may write; {@code kind} is file or hdfs. */
  String store(String kind) throws IOException {
    String name = "store" + stores++;
    FsPermission forAll = new FsPermission((short) 01777);
    if (kind.equals("hdfs")) {
      Path path = new Path("/" + name);
      archive.getFileSystem().mkdirs(path);
      archive.getFileSystem().setPermission(path, forAll);
      return archive.getURI() + "/" + name;
    }
    java.nio.file.Path path = Files.createDirectory(folder.resolve(name));
    return path.toUri().toString().replaceFirst("/$", "");
  }

  /** Of a client that knows the store; its file systems are ours. */
  Configuration conf(String store) {
    Configuration conf = new Configuration(primary.getConfiguration(0));
    conf.set("fs.defaultFS", primary.getURI().toString());
    conf.set("fs.hdfs.impl", TierwiseFileSystem.class.getName());
    conf.set("fs.AbstractFileSystem.hdfs.impl", TierwiseFs.class.getName());
    conf.setLong("dfs.blocksize", BLOCK_BYTES);
    conf.set(SecondaryKeys.STORES, store);
    conf.setInt("ipc.client.connect.max.retries", 1);
    return conf;
  }

  /** Our client. */
  FileSystem ours(String store) throws IOException {
    return FileSystem.newInstance(primary.getURI(), conf(store));
  }

  /** A stock client. */
  DistributedFileSystem stock() throws IOException {
    return primary.getFileSystem();
  }

  /** Writes a file of two replicas, and returns its bytes. */
  byte[] write(String path, int bytes) throws IOException {
    byte[] data = new byte[bytes];
    new Random(path.hashCode()).nextBytes(data);
    return write(path, data);
  }

  byte[] write(String path, byte[] data) throws IOException {
    Path file = new Path(path);
    long blockBytes = Math.max(BLOCK_BYTES, stock().getConf().getLong(BLOCK_BYTES_MIN, 0));
    try (FSDataOutputStream out = stock().create(file, true, 4096, (short) 2, blockBytes)) {
      out.write(data);
    }
    try {
      DFSTestUtil.waitReplication(stock(), file, (short) 2);
    } catch (Exception e) {
      throw new IOException(e);
    }
    return data;
  }

  static byte[] read(FileSystem fs, String path) throws IOException {
    try (FSDataInputStream in = fs.open(new Path(path))) {
      return in.readAllBytes();
    }
  }

  /** Runs as the command does. */
  SecondaryReport run(String store, SecondaryRun.Kind kind, String... paths) throws IOException {
    return run(store, kind, Steps.NONE, Listener.SILENT, paths);
  }

  SecondaryReport run(
      String store, SecondaryRun.Kind kind, Steps steps, Listener listener, String... paths)
      throws IOException {
    return run(conf(store), store, kind, steps, listener, paths);
  }

  /** The same on a local store that gives back other bytes. */
  SecondaryReport runOnLiar(String store, SecondaryRun.Kind kind, String... paths)
      throws IOException {
    Configuration conf = conf(store);
    conf.set("fs.file.impl", LyingFileSystem.class.getName());
    return run(conf, store, kind, Steps.NONE, Listener.SILENT, paths);
  }

  SecondaryReport run(
      Configuration conf,
      String store,
      SecondaryRun.Kind kind,
      Steps steps,
      Listener listener,
      String... paths)
      throws IOException {
    return run(conf, store, 0, kind, steps, listener, paths);
  }

  /** Of the store's room a share stays free. */
  SecondaryReport run(String store, double keepFree, SecondaryRun.Kind kind, String... paths)
      throws IOException {
    return run(conf(store), store, keepFree, kind, Steps.NONE, Listener.SILENT, paths);
  }

  /** A dry run. */
  SecondaryReport plan(String store, SecondaryRun.Kind kind, String... paths) throws IOException {
    return plan(store, kind, true, paths);
  }

  /** Without a question to the store, or with one. */
  SecondaryReport plan(String store, SecondaryRun.Kind kind, boolean asksStore, String... paths)
      throws IOException {
    Configuration conf = conf(store);
    SecondaryTier.prepare(conf);
    try (DistributedFileSystem fs =
            (DistributedFileSystem) FileSystem.newInstance(primary.getURI(), conf);
        SecondaryTier tier = SecondaryTier.of(fs, conf)) {
      SecondaryRun run = new SecondaryRun(tier, new SecondarySettings(1L << 40, 0), kind);
      return asksStore ? run.plan(List.of(paths)) : run.foresee(List.of(paths));
    }
  }

  /** The same where a share of the place that files go to stays free. */
  SecondaryReport run(
      Configuration conf,
      String store,
      double keepFree,
      SecondaryRun.Kind kind,
      Steps steps,
      Listener listener,
      String... paths)
      throws IOException {
    SecondaryTier.prepare(conf);
    try (DistributedFileSystem fs =
            (DistributedFileSystem) FileSystem.newInstance(primary.getURI(), conf);
        SecondaryTier tier = SecondaryTier.of(fs, conf)) {
      List<String> all = List.of(paths);
      SecondarySettings settings = new SecondarySettings(1L << 40, keepFree);
      SecondaryReport plan = new SecondaryRun(tier, settings, kind).plan(all);
      return new SecondaryRun(tier, settings, kind, steps)
          .run(
              all,
              plan,
              () -> journal().begin("test", fs, all, store, null),
              listener,
              () -> false);
    }
  }

  /** Something that somebody does while a run goes on. */
  interface Doing {
    void run() throws IOException;
  }

  /** Runs, and does something once, right after a step. */
  SecondaryReport runAndAt(
      String step, String store, SecondaryRun.Kind kind, String path, Doing doing)
      throws IOException {
    boolean[] done = new boolean[1];
    return run(
        store,
        kind,
        made -> {
          if (made.equals(step) && !done[0]) {
            done[0] = true;
            unchecked(doing);
          }
        },
        Listener.SILENT,
        path);
  }

  static void unchecked(Doing doing) {
    try {
      doing.run();
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  /** How many files a run copies that takes up no copy. */
  int copiesOf(String store, SecondaryRun.Kind kind, String path) throws IOException {
    int[] copied = new int[1];
    SecondaryReport report =
        run(store, kind, step -> copied[0] += step.equals("copied") ? 1 : 0, Listener.SILENT, path);
    if (!report.complete()) {
      throw new AssertionError(report.left());
    }
    return copied[0];
  }

  Journal journal() {
    return new Journal(folder.resolve("journal"));
  }

  /** Cleans what has any age as the command does; orphans when no path is given. */
  SecondaryReport clean(String store, String... paths) throws IOException {
    return clean(conf(store), store, 0, paths);
  }

  SecondaryReport clean(Configuration conf, String store, int hoursMin, String... paths)
      throws IOException {
    SecondaryTier.prepare(conf);
    try (DistributedFileSystem fs =
            (DistributedFileSystem) FileSystem.newInstance(primary.getURI(), conf);
        SecondaryTier tier = SecondaryTier.of(fs, conf)) {
      List<String> all = List.of(paths);
      Cleaning cleaning = new Cleaning(tier, false, hoursMin);
      JobRun.Start start = () -> journal().begin("test", fs, all, store, null);
      return all.isEmpty() ? cleaning.orphans(conf, start) : cleaning.copiesBelow(all, start);
    }
  }

  /** How many files a store has. */
  static int filesIn(String store) throws IOException {
    return contentsOf(store).size();
  }

  /** The bytes of each file of a store, as text that can be compared. */
  static Map<String, String> contentsOf(String store) throws IOException {
    FileSystem fs = FileSystem.newInstance(URI.create(store), new Configuration());
    try (fs) {
      Map<String, String> contents = new TreeMap<>();
      RemoteIterator<LocatedFileStatus> files = fs.listFiles(new Path(store), true);
      while (files.hasNext()) {
        Path file = files.next().getPath();
        contents.put(file.toString(), new String(read(fs, file.toString()), ISO_8859_1));
      }
      return contents;
    }
  }

  /** The copy that a local store has of a file, by the number that the file has now. */
  java.nio.file.Path copyOf(String store, String path) throws IOException {
    try (var files = Files.walk(java.nio.file.Path.of(URI.create(store)))) {
      long id = stock().getClient().getFileInfo(path).getFileId();
      return files
          .filter(file -> file.getFileName().toString().equals(Long.toString(id)))
          .findFirst()
          .orElseThrow();
    }
  }

  static java.nio.file.Path metaOf(java.nio.file.Path copy) {
    return copy.resolveSibling(copy.getFileName() + ".meta");
  }

  /** Turns a bit of a description. */
  static void damage(java.nio.file.Path copy) throws IOException {
    byte[] meta = Files.readAllBytes(metaOf(copy));
    meta[meta.length / 2] ^= 1;
    Files.write(metaOf(copy), meta);
  }

  @Override
  public void close() {
    primary.shutdown();
    if (archive != null) {
      archive.shutdown();
    }
  }
}
