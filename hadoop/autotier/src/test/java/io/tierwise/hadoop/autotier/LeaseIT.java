package io.tierwise.hadoop.autotier;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tierwise.core.message.OperatorException;
import java.io.Closeable;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.DFSClient;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.HdfsConfiguration;
import org.apache.hadoop.hdfs.MiniDFSCluster;
import org.apache.hadoop.hdfs.server.namenode.NameNodeAdapter;
import org.apache.hadoop.util.Time;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Daemons that want the lease at once, and daemons that stand still between two calls. */
@Timeout(180)
class LeaseIT {
  private static final long SOFT_MILLIS = TimeUnit.MINUTES.toMillis(1);
  private static final long HARD_MILLIS = TimeUnit.MINUTES.toMillis(20);
  private static final long SECONDS_MAX = 60;

  @TempDir private static java.nio.file.Path folder;
  private static MiniDFSCluster hdfs;
  private final List<Closeable> clients = new ArrayList<>();
  private Path file;

  @BeforeAll
  static void start() throws IOException {
    hdfs =
        new MiniDFSCluster.Builder(new HdfsConfiguration(), folder.resolve("hdfs").toFile())
            .numDataNodes(1)
            .build();
    hdfs.waitActive();
  }

  @AfterAll
  static void stop() {
    hdfs.shutdown();
  }

  /** Each test has a lease of its own. */
  @BeforeEach
  void name(TestInfo test) {
    file = new Path("/system/" + test.getTestMethod().orElseThrow().getName() + "/lease");
  }

  @AfterEach
  void close() throws IOException {
    for (Closeable each : clients) {
      each.close();
    }
  }

  @FunctionalInterface
  private interface Doing {
    void run() throws IOException;
  }

  /** A process that stands still once before a call, while others go on. */
  private final class Slow extends DistributedFileSystem {
    private final AtomicBoolean still = new AtomicBoolean();
    private final Doing beforeDelete;
    private final Doing beforeClient;
    private final Doing beforeCreate;

    Slow(Doing beforeDelete, Doing beforeClient, Doing beforeCreate) throws IOException {
      this.beforeDelete = beforeDelete;
      this.beforeClient = beforeClient;
      this.beforeCreate = beforeCreate;
      initialize(hdfs.getURI(), hdfs.getConfiguration(0));
      clients.add(this);
    }

    private void standStill(Doing meanwhile) throws IOException {
      if (meanwhile != null && still.compareAndSet(false, true)) {
        meanwhile.run();
      }
    }

    @Override
    public boolean delete(Path path, boolean recursive) throws IOException {
      standStill(beforeDelete);
      return super.delete(path, recursive);
    }

    @Override
    public HdfsDataOutputStreamBuilder createFile(Path path) {
      try {
        standStill(beforeCreate);
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
      return super.createFile(path);
    }

    @Override
    public DFSClient getClient() {
      try {
        standStill(beforeClient);
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
      return super.getClient();
    }
  }

  private DistributedFileSystem process() throws IOException {
    return new Slow(null, null, null);
  }

  private Optional<Lease> tryTake(DistributedFileSystem fs) throws IOException {
    return Lease.tryTake(fs, file);
  }

  private Lease take(DistributedFileSystem fs) throws IOException {
    long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(SECONDS_MAX);
    Optional<Lease> lease = tryTake(fs);
    while (lease.isEmpty() && System.nanoTime() < end) {
      LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(100));
      lease = tryTake(fs);
    }
    return lease.orElseThrow();
  }

  /** The first try finds a holder that has given no sign of life for longer than HDFS's limit. */
  private Optional<Lease> tryLate(DistributedFileSystem fs) throws IOException {
    hdfs.setLeasePeriod(-1, HARD_MILLIS);
    try {
      return tryTake(fs);
    } finally {
      hdfs.setLeasePeriod(SOFT_MILLIS, HARD_MILLIS);
    }
  }

  private Lease takeOver(DistributedFileSystem fs) throws IOException {
    Optional<Lease> lease = tryLate(fs);
    return lease.isPresent() ? lease.get() : take(fs);
  }

  /** A daemon was killed, and HDFS has closed its file. */
  private void leaveOldLease() throws IOException {
    process().create(file).close();
  }

  @Test
  void whoGivesItBackLeavesItToTheNext() throws IOException {
    Lease first = take(process());
    assertThat(first.holds()).isTrue();
    assertThat(tryTake(process())).isEmpty();

    first.close();

    assertThat(process().exists(file)).isFalse();
    assertThat(take(process()).holds()).isTrue();
  }

  @Test
  void whoLostItRightAfterTakingItDoesNotTakeTheNextOnesForIts() throws IOException {
    AtomicReference<Lease> second = new AtomicReference<>();
    Lease first = take(new Slow(null, () -> second.set(takeOver(process())), null));

    assertThat(first.holds()).isFalse();
    assertThat(second.get().holds()).isTrue();
  }

  @Test
  void oneOfTwoThatFindAnOldLeaseAtOnceHasIt() throws IOException {
    leaveOldLease();
    AtomicReference<Optional<Lease>> second = new AtomicReference<>();

    Optional<Lease> first = tryTake(new Slow(() -> second.set(tryTake(process())), null, null));

    assertThat(second.get()).isEmpty();
    assertThat(first).isPresent();
    assertThat(first.get().holds()).isTrue();
  }

  @Test
  void whoStandsStillBeforeItDeletesAnOldLeaseDeletesNoNewOne() throws IOException {
    leaveOldLease();
    AtomicReference<Lease> second = new AtomicReference<>();

    Optional<Lease> first = tryTake(new Slow(() -> second.set(takeOver(process())), null, null));

    assertThat(first).isEmpty();
    assertThat(second.get().holds()).isTrue();
  }

  /** The other one ends its process in between, or has it still. */
  @ParameterizedTest
  @CsvSource({"false, false", "false, true", "true, false", "true, true"})
  void whoStandsStillBeforeItMakesALeaseTakesItFromNobody(boolean old, boolean over)
      throws IOException {
    if (old) {
      leaveOldLease();
    }
    AtomicReference<Lease> second = new AtomicReference<>();

    Optional<Lease> first =
        tryTake(
            new Slow(
                null,
                null,
                () -> {
                  second.set(tryTake(process()).orElseThrow());
                  if (over) {
                    second.get().close();
                  }
                }));

    assertThat(first.isPresent()).isEqualTo(over);
    assertThat((over ? first.get() : second.get()).holds()).isTrue();
  }

  @Test
  void whoStoodStillKnowsWhileAnotherTakesOverThatItIsLost() throws IOException {
    Lease first = take(process());
    assertThat(first.holds()).isTrue();
    AtomicBoolean held = new AtomicBoolean(true);

    Lease second = takeOver(new Slow(() -> held.set(first.holds()), null, null));

    assertThat(held).isFalse();
    assertThat(second.holds()).isTrue();
    first.close();
    assertThat(second.holds()).isTrue();
  }

  /** As one that asks a store that hangs when it begins. Long: HDFS's client has its own times. */
  @Tag("long")
  @Test
  void whoDoesNotLookHasItRenewedBeforeAnotherMayTakeIt() throws IOException {
    Lease lease = take(process());
    long taken = renewedMillis();
    long end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(SOFT_MILLIS);
    while (renewedMillis() == taken) {
      assertThat(System.nanoTime()).isLessThan(end);
      LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(200));
    }

    assertThat(renewedMillis() - taken).isLessThan(SOFT_MILLIS);
    assertThat(lease.holds()).isTrue();
  }

  private long renewedMillis() {
    return NameNodeAdapter.getLeaseRenewalTime(hdfs.getNameNode(), file.toString());
  }

  @Test
  void aLookRenewsIt() throws IOException {
    Lease lease = take(process());
    long before = Time.monotonicNow();

    assertThat(lease.holds()).isTrue();

    assertThat(renewedMillis()).isGreaterThanOrEqualTo(before);
  }

  @Test
  void aNameNodeThatStartsAgainKnowsIt() throws IOException {
    Lease lease = take(process());

    hdfs.restartNameNode();

    assertThat(lease.holds()).isTrue();
    assertThat(tryTake(process())).isEmpty();
  }

  @Test
  void whatWasMovedAwayIsNotHeld() throws IOException {
    Lease lease = take(process());

    process().rename(file, new Path("/trash"));

    assertThat(lease.holds()).isFalse();
    assertThat(take(process()).holds()).isTrue();
  }

  /** Beside the lease, in the daemon's directory. */
  @Test
  void aStatusThatNoDaemonWroteIsNamed() throws IOException {
    DistributedFileSystem fs = hdfs.getFileSystem();
    Configuration conf = new Configuration(fs.getConf());
    conf.set(Control.DIRECTORY_KEY, file.getParent().toString());
    Path status = new Path(file.getParent(), "status.json");
    Control control = new Control(fs, conf);
    for (String text : List.of("", "{\"host\": ", "[]", "{\"seen\": \"yesterday\"}")) {
      try (OutputStream out = fs.create(status, true)) {
        out.write(text.getBytes(StandardCharsets.UTF_8));
      }
      assertThatThrownBy(control::status)
          .as(text)
          .isInstanceOf(OperatorException.class)
          .hasMessage(status + " is not what Tierwise writes: delete it");
    }
    assertThat(fs.delete(status, false)).isTrue();
    assertThat(control.status().state()).isEqualTo(Control.State.STOPPED);
  }

  @Test
  void whatAKilledProcessHadHalfWrittenIsCleared() throws IOException {
    DistributedFileSystem fs = hdfs.getFileSystem();
    Configuration conf = new Configuration(fs.getConf());
    Path directory = file.getParent();
    conf.set(Control.DIRECTORY_KEY, directory.toString());
    Control control = new Control(fs, conf);
    control.pause();
    for (String name : List.of("status.json", "status.json.1f", "paused.2f", "paused.3f")) {
      fs.create(new Path(directory, name)).close();
    }
    fs.setTimes(new Path(directory, "paused.2f"), System.currentTimeMillis() - SOFT_MILLIS - 1, -1);

    control.clear();

    assertThat(fs.listStatus(directory))
        .as("somebody may pause it just now")
        .extracting(each -> each.getPath().getName())
        .containsExactly("paused", "paused.3f", "status.json");
  }
}
