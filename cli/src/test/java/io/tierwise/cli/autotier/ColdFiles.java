package io.tierwise.cli.autotier;

import static io.tierwise.cli.autotier.DaemonThread.await;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import java.util.stream.IntStream;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hdfs.DFSTestUtil;
import org.apache.hadoop.hdfs.HdfsConfiguration;

/**
 * An HDFS with files that were read once, and some that people read all the time, so that a daemon
 * sends the others to a secondary store. Those that are read never go there: somebody chose their
 * number of replicas.
 */
final class ColdFiles implements AutoCloseable {
  static final int READERS = 12;

  /** After which a daemon sends files away that nobody has read. */
  static final Duration UNREAD_FOR = Duration.ofSeconds(8);

  private static final StorageType[] DISK = {StorageType.DISK};
  private static final long SECONDS_MAX = 300;
  private static final int HOT = 4;

  private final Path folder;
  private final AuditedHdfs hdfs;
  private final List<String> paths;
  private final byte[] written;
  private int reads;

  ColdFiles(Path folder, int count) throws IOException, InterruptedException {
    this.folder = folder;
    hdfs = new AuditedHdfs(folder, new HdfsConfiguration(), DISK, DISK, DISK);
    paths = IntStream.range(0, count).mapToObj(i -> "/data/cold-" + i).toList();
    for (String path : paths) {
      hdfs.write(path, 3);
      hdfs.read(path, 1);
    }
    for (int i = 0; i < HOT; i++) {
      hdfs.write("/data/hot-" + i, 2);
    }
    written = inHdfs(paths.get(0));
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
   * The predictor. Of what a file gains by being read, each file loses a quarter, however many
   * there are. By default they lose that share of it which one file is of all: so little that the
   * moment of its first read, and how fast this machine reads the others, decide whether a file is
   * ever unpopular.
   */
  String predictor() {
    return String.format(Locale.ROOT, "ppa:s=%.4f", (double) HOT / (paths.size() + HOT));
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
    words.addAll(List.of("--secondary", UNREAD_FOR.toSeconds() + " s"));
    words.addAll(List.of("--predictor", predictor()));
    words.addAll(store);
    words.addAll(List.of(more));
    return hdfs.words("1 s", words.toArray(String[]::new));
  }

  /** People read one of the files that are read all the time, the next one each time. */
  void readHot() throws IOException, InterruptedException {
    hdfs.read("/data/hot-" + reads++ % HOT, READERS);
  }

  /** Has people read all the time. */
  void awaitReading(DaemonProcess daemon, String what, DaemonThread.Question question)
      throws Exception {
    awaitReading(
        this::readHot,
        what,
        () -> {
          assertThat(daemon.isAlive()).as("it lives").isTrue();
          return question.holds();
        },
        daemon::said);
  }

  /**
   * Has people do that all the time.
   *
   * @param said tells what the daemon said
   */
  void awaitReading(
      AuditedHdfs.Doing reading, String what, DaemonThread.Question question, Callable<?> said)
      throws Exception {
    try {
      await(
          what,
          SECONDS_MAX,
          () -> {
            reading.run();
            return question.holds();
          });
    } catch (AssertionError e) {
      String told = hdfs.run("autotier", "status").unfolded();
      throw new AssertionError(
          e.getMessage() + "; said " + said.call() + "; its status is " + told, e);
    }
  }

  @Override
  public void close() {
    hdfs.close();
  }
}
