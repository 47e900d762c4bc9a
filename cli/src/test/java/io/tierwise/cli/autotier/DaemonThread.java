package io.tierwise.cli.autotier;

import static org.assertj.core.api.Assertions.assertThat;

import io.tierwise.hadoop.autotier.Autotier;
import io.tierwise.hadoop.autotier.AutotierSettings;
import io.tierwise.hadoop.autotier.Control;
import io.tierwise.hadoop.autotier.Daemon;
import io.tierwise.hadoop.inspect.audit.NameNodeLogs;
import io.tierwise.hadoop.mover.MoverCluster;
import io.tierwise.hadoop.mover.journal.Journal;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.time.ZoneId;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.hdfs.DistributedFileSystem;

/** A daemon in a thread, with a connection of its own. */
final class DaemonThread implements AutoCloseable {
  private static final long SECONDS_MAX = 60;

  private final Queue<String> said = new ConcurrentLinkedQueue<>();
  private final AtomicBoolean stopped = new AtomicBoolean();
  private final DistributedFileSystem fs;
  private final Thread thread;
  private volatile Exception failure;

  /** Something that becomes true. */
  @FunctionalInterface
  interface Question {
    boolean holds() throws Exception;
  }

  DaemonThread(
      AuditedHdfs hdfs, Configuration conf, AutotierSettings settings, Path log, Path journal)
      throws IOException {
    this(hdfs.fs().getUri(), conf, settings, List.of(log), journal);
  }

  /** One that reads the logs of several NameNodes. */
  DaemonThread(
      URI cluster, Configuration conf, AutotierSettings settings, List<Path> logs, Path journal)
      throws IOException {
    fs = (DistributedFileSystem) FileSystem.newInstance(cluster, conf);
    Daemon daemon =
        new Daemon(
            MoverCluster.of(fs, conf),
            new Control(fs, conf),
            settings,
            new Autotier.Logs(NameNodeLogs.Source.of(logs, List.of()), ZoneId.systemDefault()),
            new Journal(journal),
            said::add);
    thread =
        new Thread(
            () -> {
              try {
                daemon.run(0, round -> {}, stopped::get);
              } catch (IOException | InterruptedException | RuntimeException e) {
                failure = e;
              }
            },
            "daemon");
    thread.start();
  }

  /** What it told people. */
  Queue<String> said() {
    return said;
  }

  /** What it told last with a text in it; empty where it told nothing such. */
  String lastSaid(String text) {
    return said.stream().filter(line -> line.contains(text)).reduce("", (before, line) -> line);
  }

  void awaitSaid(String text) throws Exception {
    try {
      await(text, () -> said.stream().anyMatch(line -> line.contains(text)));
    } catch (AssertionError e) {
      throw new AssertionError(text + " was not among " + said, failure == null ? e : failure);
    }
  }

  /** Waits until it counts so many bytes of the temporary region. */
  void awaitCounted(WaitingYarn yarn, long bytes) throws Exception {
    try {
      await("it is counted", () -> yarn.takenBytes() == bytes);
    } catch (AssertionError e) {
      assertThat(yarn.takenBytes()).as("%s, said %s", yarn.told(), said).isEqualTo(bytes);
    }
  }

  static void await(String what, Question question) throws Exception {
    await(what, SECONDS_MAX, question);
  }

  static void await(String what, long secondsMax, Question question) throws Exception {
    long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(secondsMax);
    while (!question.holds()) {
      assertThat(System.nanoTime()).as(what).isLessThan(end);
      LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(200));
    }
  }

  @Override
  public void close() throws IOException, InterruptedException {
    stopped.set(true);
    thread.join(TimeUnit.SECONDS.toMillis(SECONDS_MAX));
    fs.close();
    assertThat(thread.isAlive()).isFalse();
    assertThat(failure).isNull();
  }
}
