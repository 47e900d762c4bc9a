package io.tierwise.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.tierwise.hadoop.mover.MoverSettings;
import io.tierwise.hadoop.mover.Repairs;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.SafeModeAction;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hdfs.DFSTestUtil;
import org.apache.hadoop.test.GenericTestUtils;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** {@code monitor run --once} and {@code --dry-run} where something is not, or cannot be, ok. */
class MonitorOnceIT {
  private static final int MB = 1 << 20;

  @TempDir private Path folder;
  private ManagedHdfs hdfs;

  private void start(boolean monitor) throws Exception {
    Configuration conf = ManagedHdfs.configuration();
    conf.setBoolean("tierwise.monitor.enabled", monitor);
    hdfs =
        ManagedHdfs.start(
            folder,
            ManagedHdfs.SSD_AND_DISK,
            conf,
            nodes ->
                nodes
                    .numDataNodes(1)
                    .storageTypes(new StorageType[] {StorageType.SSD, StorageType.DISK}));
  }

  @AfterEach
  void stop() {
    hdfs.cluster().shutdown();
  }

  private CommandRun run(String... options) {
    List<String> words = new ArrayList<>(List.of("monitor", "run", "--idle", "1"));
    words.addAll(List.of(options));
    words.addAll(List.of("-D", "tierwise.mover.journal.directory=" + folder.resolve("journal")));
    return hdfs.run(words.toArray(String[]::new));
  }

  private static void until(Supplier<Boolean> holds) throws Exception {
    GenericTestUtils.waitFor(holds, 100, 60_000);
  }

  @ParameterizedTest
  @ValueSource(strings = {"--once", "--dry-run"})
  void aMonitorThatIsOffIsNotToldAsNothingToDo(String option) throws Exception {
    start(false);
    CommandRun run = run(option, "--json");
    assertThat(run.exitCode()).as(run.out()).isEqualTo(ExitCode.CLUSTER);
    assertThat(run.err())
        .hasLineCount(1)
        .contains("the monitor is off", "tierwise.monitor.enabled");
    assertThat(run.out()).isEmpty();
  }

  @Test
  void aDaemonSaysOnceThatTheMonitorIsOff() throws Exception {
    start(false);
    List<String> said = new CopyOnWriteArrayList<>();
    AtomicInteger rounds = new AtomicInteger();
    Configuration conf = new Configuration(hdfs.fs().getConf());
    Repairs daemon =
        new Repairs(
            hdfs.fs(),
            conf,
            MoverSettings.DEFAULT,
            () -> {
              throw new AssertionError("nothing is moved");
            },
            said::add);
    Thread thread = new Thread(() -> daemon.run(10, round -> rounds.incrementAndGet()));
    thread.start();
    until(() -> !said.isEmpty());
    thread.join(1_000);
    daemon.stop();
    thread.join();

    assertThat(said).singleElement().asString().contains("the monitor is off");
    assertThat(rounds).hasValue(0);
  }

  @ParameterizedTest
  @ValueSource(strings = {"--once", "--dry-run"})
  void aMonitorThatHasNotLookedIsNotToldAsNothingToDo(String option) throws Exception {
    start(true);
    until(() -> run("--dry-run").exitCode() == 0);
    hdfs.fs().setSafeMode(SafeModeAction.ENTER);

    until(() -> run(option).exitCode() == ExitCode.CLUSTER);
    CommandRun run = run(option, "--json");
    assertThat(run.err()).hasLineCount(1).contains("not looked at all files yet", "safe mode");
    assertThat(run.out()).isEmpty();
  }

  /** The second run is given nothing: what failed rests. */
  @Test
  void aBlockThatCannotBeRepairedFailsTheNextRunToo() throws Exception {
    start(true);
    org.apache.hadoop.fs.Path file = new org.apache.hadoop.fs.Path("/t/file");
    DFSTestUtil.createFile(hdfs.fs(), file, 4096, MB, MB, (short) 1, 0);
    hdfs.awaitReplicas(file.toString(), 1);
    hdfs.fs()
        .setXAttr(file.getParent(), "user.tierwise.placement", "layout:1 x ssd".getBytes(UTF_8));
    until(() -> run("--dry-run").exitCode() == ExitCode.FAILED);

    for (int again = 0; again < 2; again++) {
      CommandRun run = run("--once", "--keep-free", "99");
      assertThat(run.exitCode()).as(run.err() + run.out()).isEqualTo(ExitCode.FAILED);
      assertThat(run.err()).contains("1 block still to repair");
    }
  }
}
