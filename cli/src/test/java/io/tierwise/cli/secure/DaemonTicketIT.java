package io.tierwise.cli.secure;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.StorageType;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tickets that end after a minute, while {@code monitor run} goes on; a day is usual. */
@Tag("long")
class DaemonTicketIT {
  private static final int TICKET_SECONDS = 60;
  private static final int SECONDS_MAX = 240;

  /** A busy machine takes so long from a process's start to its login. */
  private static final int START_SECONDS_MAX = 20;

  /** Longer than Hadoop keeps an idle connection, over which nobody asks for a ticket again. */
  private static final String IDLE = "12";

  @TempDir static java.nio.file.Path folder;

  private static SecureHdfs hdfs;

  @BeforeAll
  static void start() throws Exception {
    hdfs = SecureHdfs.start(folder);
  }

  @AfterAll
  static void stop() throws IOException {
    hdfs.close();
  }

  private interface Check {
    boolean holds() throws Exception;
  }

  private static void await(TierwiseProcess daemon, String what, Check check) throws Exception {
    long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(SECONDS_MAX);
    while (!check.holds()) {
      assertThat(daemon.isAlive()).as("%s: %s", what, daemon.err()).isTrue();
      assertThat(System.nanoTime()).as("%s: %s", what, daemon.err()).isLessThan(end);
      LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(200));
    }
  }

  /** A file on disks that is to be on the fast tier. */
  private static Path misplaced(String directory) throws Exception {
    Path file = new Path(directory, "file");
    UserFiles.giveToAlice(hdfs, file.getParent());
    UserFiles.writeAndRead(hdfs, hdfs.alice(), file, hdfs.client());
    assertThat(UserFiles.storageTypes(hdfs, file)).containsOnly(StorageType.DISK);
    try (FileSystem superuser = FileSystem.newInstance(hdfs.uri(), hdfs.client())) {
      superuser.setXAttr(
          file.getParent(), "user.tierwise.placement", "layout:2 x fast".getBytes(UTF_8));
    }
    return file;
  }

  private static TierwiseProcess byKeytab(java.nio.file.Path realm) throws IOException {
    return hdfs.daemon(
        hdfs.realmWithTicketsFor(realm, TICKET_SECONDS),
        folder.resolve("no-tickets"),
        "monitor",
        "run",
        "--idle",
        IDLE,
        "-D",
        "tierwise.keytab.file=" + hdfs.keytab("hdfs"),
        "-D",
        "tierwise.kerberos.principal=" + hdfs.principal("hdfs/localhost"));
  }

  private static boolean isRepaired(Path file) throws Exception {
    return !UserFiles.storageTypes(hdfs, file).contains(StorageType.DISK);
  }

  @Test
  void byKeytabADaemonGoesOnAndSaysNothing() throws Exception {
    try (TierwiseProcess daemon = byKeytab(hdfs.realm())) {
      Path before = misplaced("/before");
      await(daemon, "a repair by the first ticket", () -> isRepaired(before));
      await(daemon, "its end", () -> daemon.seconds() > 2 * TICKET_SECONDS);
      Path after = misplaced("/after");
      await(daemon, "a repair after its end", () -> isRepaired(after));
      assertThat(daemon.err()).isEmpty();
    }
  }

  /** Also shows that a ticket ends: nobody repairs anything without a new one. */
  @Test
  void whileNoNewTicketIsToBeHadADaemonSaysSoAndGoesOnAfterwards() throws Exception {
    try (KdcGate gate = new KdcGate(hdfs.kdcPort());
        TierwiseProcess daemon = byKeytab(hdfs.realmServedBy(gate.port()))) {
      Path before = misplaced("/gate/before");
      await(daemon, "a repair by the first ticket", () -> isRepaired(before));
      gate.shut(true);
      await(daemon, "its end", () -> daemon.seconds() > TICKET_SECONDS + START_SECONDS_MAX);
      Path after = misplaced("/gate/after");
      await(
          daemon, "a line", () -> daemon.err().contains("Kerberos gives no new ticket for hdfs/"));
      assertThat(isRepaired(after)).isFalse();
      gate.shut(false);
      await(daemon, "a repair by a new ticket", () -> isRepaired(after));
      // Hadoop's client says it in two ways, of which each is told once.
      assertThat(daemon.err().lines())
          .hasSizeLessThanOrEqualTo(2)
          .doesNotHaveDuplicates()
          .allMatch(line -> line.contains("Kerberos"));
    }
  }
}
