package io.tierwise.hadoop.hdfs.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.hadoop.fs.CreateFlag;
import org.apache.hadoop.fs.FileContext;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Options.CreateOpts;
import org.apache.hadoop.fs.Path;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** On a cluster with an observer that lags, a client reads what it has written itself. */
class ObserverReadsIT {
  private static final int FILES = 200;
  private static final Map<String, String> GREEDY = Map.of(ClientKeys.STRATEGY, "greedy");

  private static ObserverCluster cluster;
  private static ExecutorService threads;

  @BeforeAll
  static void start() throws IOException {
    cluster = ObserverCluster.start(2);
    threads = Executors.newFixedThreadPool(2 * FILES);
  }

  @AfterAll
  static void stop() {
    threads.shutdownNow();
    cluster.close();
  }

  /** One of Hadoop's two ways to use a file system. */
  private interface Files {
    OutputStream create(Path path) throws IOException;

    InputStream open(Path path) throws IOException;

    void msync() throws IOException;
  }

  private static Files files(FileSystem fs) {
    return new Files() {
      @Override
      public OutputStream create(Path path) throws IOException {
        return fs.create(path);
      }

      @Override
      public InputStream open(Path path) throws IOException {
        return fs.open(path);
      }

      @Override
      public void msync() throws IOException {
        fs.msync();
      }
    };
  }

  private static Files files(FileContext fs) {
    return new Files() {
      @Override
      public OutputStream create(Path path) throws IOException {
        return fs.create(path, EnumSet.of(CreateFlag.CREATE), CreateOpts.createParent());
      }

      @Override
      public InputStream open(Path path) throws IOException {
        return fs.open(path);
      }

      @Override
      public void msync() throws IOException {
        fs.msync();
      }
    };
  }

  @Test
  void whatAClientWroteItFindsWholeAtOnce() throws Exception {
    try (TierwiseFileSystem fs = cluster.fileSystem(GREEDY)) {
      List<Future<List<String>>> runs = new ArrayList<>();
      runs.addAll(createThenOpen("/system", files(fs), false));
      runs.addAll(createThenOpen("/context", files(cluster.fileContext(GREEDY)), false));
      assertThat(faults(runs)).isEmpty();
      awaitFromObserver(fs, new Path("/system/0"));
    }
  }

  @Test
  @Tag("long")
  void whatAClientWroteItFindsWholeAfterAnMsync() throws Exception {
    try (TierwiseFileSystem fs = cluster.fileSystem(GREEDY)) {
      List<Future<List<String>>> runs = new ArrayList<>();
      runs.addAll(createThenOpen("/system-msync", files(fs), true));
      runs.addAll(createThenOpen("/context-msync", files(cluster.fileContext(GREEDY)), true));
      assertThat(faults(runs)).isEmpty();
    }
  }

  @Test
  @Tag("long")
  void whatAClientWroteItFindsAfterAFailover() throws Exception {
    try (FileSystem fs = cluster.fileSystem(GREEDY)) {
      List<Files> clients = List.of(files(fs), files(cluster.fileContext(GREEDY)));
      List<Future<List<String>>> written = new ArrayList<>();
      List<Callable<List<String>>> reads = new ArrayList<>();
      for (int i = 0; i < FILES; i++) {
        for (int c = 0; c < clients.size(); c++) {
          Files client = clients.get(c);
          Path path = new Path("/failover-" + c, "file-" + i);
          written.add(threads.submit(() -> written(client, path)));
          reads.add(() -> faultsOf(client, path));
        }
      }
      assertThat(faults(written)).isEmpty();
      cluster.failOver();
      assertThat(faults(reads.stream().map(threads::submit).toList())).isEmpty();
      assertThat(faults(createThenOpen("/after-failover", clients.get(0), false))).isEmpty();
    }
  }

  @Test
  @Tag("long")
  void readsGoOnWhenTheObserverFallsOver() throws Exception {
    try (TierwiseFileSystem fs = cluster.fileSystem(GREEDY)) {
      List<Files> clients = List.of(files(fs), files(cluster.fileContext(GREEDY)));
      Path path = new Path("/observer-down");
      write(clients.get(0), path);
      awaitFromObserver(fs, path);
      AtomicInteger reads = new AtomicInteger();
      AtomicBoolean enough = new AtomicBoolean();
      List<Future<List<String>>> readers = new ArrayList<>();
      for (int i = 0; i < 8; i++) {
        Files client = clients.get(i % clients.size());
        readers.add(
            threads.submit(
                () -> {
                  List<String> faults = new ArrayList<>();
                  while (!enough.get()) {
                    faults.addAll(faultsOf(client, path));
                    reads.incrementAndGet();
                  }
                  return faults;
                }));
      }
      try {
        ObserverCluster.await(() -> reads.get() > 50);
        cluster.stopObserver();
        int before = reads.get();
        ObserverCluster.await(() -> reads.get() > before + 50);
        assertThat(faults(createThenOpen("/without-observer", clients.get(1), false))).isEmpty();
        enough.set(true);
        assertThat(faults(readers)).isEmpty();
        assertThat(faultsOf(clients.get(0), path)).isEmpty();
        assertThat(cluster.isFromActive(fs)).isTrue();
      } finally {
        enough.set(true);
        cluster.startObserver();
      }
    }
  }

  @Test
  void aStrategyThatAClientSetsHoldsForItsNextRead() throws Exception {
    Map<String, String> byAttribute =
        Map.of(ClientKeys.FROM_ATTRIBUTE, "true", ClientKeys.ATTRIBUTE_SECONDS, "0");
    try (TierwiseFileSystem fs = cluster.fileSystem(byAttribute)) {
      Path folder = new Path("/by-attribute");
      write(files(fs), new Path(folder, "file"));
      fs.setXAttr(folder, ClientKeys.ATTRIBUTE, "greedy".getBytes(StandardCharsets.UTF_8));
      assertThat(fs.session("/by-attribute/file"))
          .hasValueSatisfying(session -> assertThat(session.strategy().name()).isEqualTo("greedy"));
    }
  }

  @Test
  void closingAFileSystemLeavesTheConnectionsOfOthers() throws Exception {
    try (FileSystem fs = cluster.fileSystem(GREEDY);
        FileSystem another = cluster.fileSystem(GREEDY)) {
      Path path = new Path("/kept");
      write(files(fs), path);
      assertThat(faultsOf(files(another), path)).isEmpty();
      fs.close();
      fs.close();
      assertThatThrownBy(() -> fs.open(path)).hasMessage("Filesystem closed");
      assertThat(faultsOf(files(another), path)).isEmpty();
    }
  }

  /**
   * Many threads, each of which creates a file and opens it at once. The client has read before:
   * its first read alone makes a connection know all that was written.
   */
  private static List<Future<List<String>>> createThenOpen(
      String folder, Files files, boolean msync) throws IOException {
    assertThat(faultsOf(files, new Path(folder, "none"))).hasSize(1);
    List<Future<List<String>>> runs = new ArrayList<>();
    for (int i = 0; i < FILES; i++) {
      Path path = new Path(folder, Integer.toString(i));
      runs.add(
          threads.submit(
              () -> {
                write(files, path);
                if (msync) {
                  files.msync();
                }
                return faultsOf(files, path);
              }));
    }
    return runs;
  }

  /** An observer that has not heard of a block's replicas yet leaves a read to the active one. */
  private static void awaitFromObserver(TierwiseFileSystem fs, Path path) {
    ObserverCluster.await(
        () -> {
          try {
            assertThat(faultsOf(files(fs), path)).isEmpty();
            return cluster.isFromObserver(fs);
          } catch (IOException e) {
            throw new AssertionError(e);
          }
        });
  }

  private static List<String> faults(List<Future<List<String>>> runs) throws Exception {
    List<String> faults = new ArrayList<>();
    for (Future<List<String>> run : runs) {
      faults.addAll(run.get());
    }
    return faults;
  }

  private static byte[] contentOf(Path path) {
    byte[] content = new byte[ObserverCluster.BLOCK_BYTES * 3 / 2];
    new Random(path.toString().hashCode()).nextBytes(content);
    return content;
  }

  private static void write(Files files, Path path) throws IOException {
    try (OutputStream out = files.create(path)) {
      out.write(contentOf(path));
    }
  }

  private static List<String> written(Files files, Path path) throws IOException {
    write(files, path);
    return List.of();
  }

  /** The fault of the file as the client reads it. */
  private static List<String> faultsOf(Files files, Path path) throws IOException {
    try (InputStream in = files.open(path)) {
      byte[] read = in.readAllBytes();
      byte[] written = contentOf(path);
      if (read.length < written.length) {
        return List.of(path + " is short: " + read.length + " bytes");
      }
      return Arrays.equals(read, written) ? List.of() : List.of(path + " differs");
    } catch (FileNotFoundException e) {
      return List.of(path + " is missing");
    }
  }
}
