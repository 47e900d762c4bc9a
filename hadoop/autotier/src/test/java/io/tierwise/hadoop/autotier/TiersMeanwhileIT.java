package io.tierwise.hadoop.autotier;

import static org.assertj.core.api.Assertions.assertThat;

import io.tierwise.hadoop.mover.MoverCluster;
import io.tierwise.hadoop.mover.journal.Journal;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hdfs.HdfsConfiguration;
import org.apache.hadoop.ipc.RefreshRegistry;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A daemon that runs while the cluster gets another tier table. */
class TiersMeanwhileIT {
  private static final String FILE = "/hot/a";
  private static final String RULE = "path matches /hot/** -> tier quick";
  private static final long WINDOW_MILLIS = 2_000;
  private static final long LOOK_NANOS = TimeUnit.MILLISECONDS.toNanos(500);
  private static final long SECONDS_MAX = 60;
  private static final String ANEW = "the cluster goes by other tiers or regions than";

  @TempDir private Path folder;
  private final List<String> said = new CopyOnWriteArrayList<>();
  private final BlockingQueue<Round> rounds = new LinkedBlockingQueue<>();
  private final AtomicBoolean stopped = new AtomicBoolean();
  private Configuration conf;
  private TwoTierHdfs hdfs;

  @BeforeEach
  void start() throws IOException {
    conf = new HdfsConfiguration();
    conf.set("tierwise.tiers.file", folder.resolve("tiers.yaml").toString());
    tiers("quick", "DISK", "other", "SSD");
    hdfs = TwoTierHdfs.start(SharedDirectory.withPlugin(conf), folder);
    hdfs.write(FILE);
  }

  @AfterEach
  void stop() {
    hdfs.close();
  }

  private void tiers(String first, String type, String second, String otherType)
      throws IOException {
    Files.writeString(
        folder.resolve("tiers.yaml"),
        """
        tiers:
          - {name: %s, match: {storage-type: %s}}
          - {name: %s, match: {storage-type: %s}}
        """
            .formatted(first, type, second, otherType));
  }

  private CompletableFuture<Void> daemon() throws IOException {
    Daemon daemon =
        new Daemon(
                MoverCluster.of(hdfs.fs(), conf),
                new Control(hdfs.fs(), conf),
                RuledAutotier.settings(folder, RULE, WINDOW_MILLIS),
                RuledAutotier.logs(folder),
                new Journal(folder.resolve("journal")),
                said::add)
            .lookingEach(LOOK_NANOS);
    return CompletableFuture.runAsync(
        () -> {
          try {
            daemon.run(0, rounds::add, stopped::get);
          } catch (IOException | InterruptedException e) {
            throw new AssertionError(e);
          }
        });
  }

  private void waitForAMove() throws InterruptedException {
    Round round;
    do {
      round = rounds.poll(SECONDS_MAX, TimeUnit.SECONDS);
      assertThat(round).as("%s", said).isNotNull();
    } while (round.movedReplicas() == 0);
  }

  private List<String> saidOf(String part) {
    return said.stream().filter(line -> line.contains(part)).toList();
  }

  @Test
  @Timeout(180)
  void itGoesByTheTableOfANameNodeThatBeganAnew() throws Exception {
    CompletableFuture<Void> daemon = daemon();
    Round first = rounds.poll(SECONDS_MAX, TimeUnit.SECONDS);
    assertThat(first).as("%s", said).isNotNull();
    assertThat(first.movedReplicas()).as("it is there by the first table").isZero();

    tiers("quick", "SSD", "other", "DISK");
    hdfs.restartNameNode();
    waitForAMove();

    assertThat(hdfs.types(FILE)).containsExactly(StorageType.SSD);
    assertThat(saidOf(ANEW)).hasSize(1);
    stopped.set(true);
    daemon.get(SECONDS_MAX, TimeUnit.SECONDS);
    Control.Status last = new Control(hdfs.fs(), conf).status();
    assertThat(last.state()).isEqualTo(Control.State.STOPPED);
    assertThat(last.daemon().rounds()).as("those before count, too").isGreaterThanOrEqualTo(2);
  }

  @Test
  @Timeout(180)
  void aTableThatItsRulesDoNotFitIsSaidAndWaitedFor() throws Exception {
    CompletableFuture<Void> daemon = daemon();
    assertThat(rounds.poll(SECONDS_MAX, TimeUnit.SECONDS)).as("%s", said).isNotNull();

    tiers("swift", "SSD", "other", "DISK");
    hdfs.restartNameNode();
    long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(SECONDS_MAX);
    while (saidOf("unknown tier").isEmpty()) {
      assertThat(System.nanoTime()).as("%s", said).isLessThan(end);
      TimeUnit.MILLISECONDS.sleep(100);
    }
    assertThat(saidOf("unknown tier"))
        .containsExactly(
            "rules:1: unknown tier \"quick\"; known: swift, other; nothing is changed until that is"
                + " mended");
    assertThat(daemon).isNotDone();
    assertThat(hdfs.types(FILE)).containsExactly(StorageType.DISK);
    rounds.clear();

    tiers("quick", "SSD", "other", "DISK");
    hdfs.restartNameNode();
    waitForAMove();

    assertThat(hdfs.types(FILE)).containsExactly(StorageType.SSD);
    assertThat(saidOf("unknown tier")).as("it is said once").hasSize(1);
    stopped.set(true);
    daemon.get(SECONDS_MAX, TimeUnit.SECONDS);
  }

  /** It answers callers a moment before its plug-in does. */
  @Test
  @Timeout(180)
  void aNameNodeThatStartsIsNoOtherTable() throws Exception {
    TierWatch watch = new TierWatch(hdfs.cluster(), 0, said::add);
    assertThat(watch.look()).isTrue();

    RefreshRegistry.defaultRegistry().unregisterAll("tierwise");
    assertThat(watch.look()).isTrue();
    hdfs.restartNameNode();
    while (!MoverCluster.of(hdfs.fs(), conf).pluginRuns()) {
      TimeUnit.MILLISECONDS.sleep(100);
    }
    assertThat(watch.look()).isTrue();
    assertThat(said).isEmpty();

    RefreshRegistry.defaultRegistry().unregisterAll("tierwise");
    assertThat(watch.look()).isTrue();
    assertThat(watch.look()).as("it runs without the plug-in").isFalse();
    assertThat(watch.isOutdated()).isTrue();
    assertThat(said).singleElement().asString().startsWith(ANEW);
  }
}
