package io.tierwise.cli.autotier;

import static io.tierwise.cli.autotier.DaemonThread.await;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hdfs.DFSTestUtil;
import org.apache.hadoop.hdfs.HdfsConfiguration;

/**
 * An HDFS with files that were read once, and one that people read all the time, so that a daemon
 * sends the others to a secondary store.
 */
final class ColdFiles implements AutoCloseable {
  static final int READERS = 12;

  private static final StorageType[] DISK = {StorageType.DISK};
  private static final long SECONDS_MAX = 300;
  private static final String HOT = "/data/hot";

  private final Path folder;
  private final AuditedHdfs hdfs;
  private final List<String> paths;
  private final byte[] written;

  ColdFiles(Path folder, int count) throws IOException, InterruptedException {
    this.folder = folder;
    hdfs = new AuditedHdfs(folder, new HdfsConfiguration(), DISK, DISK, DISK);
    paths = IntStream.range(0, count).mapToObj(i -> "/data/cold-" + i).toList();
    for (String path : paths) {
      hdfs.write(path, 3);
      hdfs.read(path, 1);
    }
    hdfs.write(HOT, 3);
    written = inHdfs(HOT);
  }

  AuditedHdfs hdfs() {
    return hdfs;
  }

  /** Of those that nobody reads. */
  List<String> paths() {
    return paths;
  }

  /** What each file holds. */
  byte[] written() {
    return written;
  }

  /** What people read who know nothing of a store. */
  byte[] inHdfs(String path) throws IOException {
    return DFSTestUtil.readFileAsBytes(hdfs.fs(), AuditedHdfs.hadoop(path));
  }

  long stored(StoredFiles files) throws IOException {
    long stored = 0;
    for (String path : paths) {
      stored += files.isStored(path) ? 1 : 0;
    }
    return stored;
  }

  void assertReadable(StoredFiles files) throws IOException, InterruptedException {
    for (String path : paths) {
      assertThat(files.content("somebody", path)).as(path).isEqualTo(written);
    }
  }

  /**
   * A daemon that sends away files that nobody has read for some seconds.
   *
   * @param store options that tell of it
   */
  DaemonProcess daemon(List<String> store, String... more) throws IOException {
    return new DaemonProcess(folder, words("run", store, more));
  }

  /** The words of such a command. */
  List<String> words(String command, List<String> store, String... more) throws IOException {
    List<String> words =
        new ArrayList<>(List.of(command, "--below", "/data", "--hold", "1", "--extra", "0"));
    words.addAll(List.of("--secondary", "8 s"));
    words.addAll(store);
    words.addAll(List.of(more));
    return hdfs.words("1 s", words.toArray(String[]::new));
  }

  /** Has people read all the time. */
  void awaitReading(DaemonProcess daemon, String what, DaemonThread.Question question)
      throws Exception {
    try {
      await(
          what,
          SECONDS_MAX,
          () -> {
            hdfs.read(HOT, READERS);
            assertThat(daemon.isAlive()).as("it lives").isTrue();
            return question.holds();
          });
    } catch (AssertionError e) {
      throw new AssertionError(e.getMessage() + "; said " + daemon.said(), e);
    }
  }

  @Override
  public void close() {
    hdfs.close();
  }
}
