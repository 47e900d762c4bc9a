package io.tierwise.cli.secure;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import org.apache.hadoop.fs.Path;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tickets that end after a minute, while {@code monitor run} goes on; a day is usual. */
@Tag("long")
class DaemonTicketIT {
  private static final int TICKET_SECONDS = 60;

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

  @Test
  void byKeytabADaemonGoesOnAndSaysNothing() throws Exception {
    try (TierwiseProcess daemon = byKeytab(hdfs.realm())) {
      Path before = UserFiles.misplaced(hdfs, "/before");
      daemon.await("a repair by the first ticket", () -> UserFiles.isRepaired(hdfs, before));
      daemon.await("its end", () -> daemon.seconds() > 2 * TICKET_SECONDS);
      Path after = UserFiles.misplaced(hdfs, "/after");
      daemon.await("a repair after its end", () -> UserFiles.isRepaired(hdfs, after));
      assertThat(daemon.err()).isEmpty();
    }
  }

  /** Also shows that a ticket ends: nobody repairs anything without a new one. */
  @Test
  void whileNoNewTicketIsToBeHadADaemonSaysSoAndGoesOnAfterwards() throws Exception {
    try (KdcGate gate = new KdcGate(hdfs.kdcPort());
        TierwiseProcess daemon = byKeytab(hdfs.realmServedBy(gate.port()))) {
      Path before = UserFiles.misplaced(hdfs, "/gate/before");
      daemon.await("a repair by the first ticket", () -> UserFiles.isRepaired(hdfs, before));
      gate.shut(true);
      daemon.await("its end", () -> daemon.seconds() > TICKET_SECONDS + START_SECONDS_MAX);
      Path after = UserFiles.misplaced(hdfs, "/gate/after");
      daemon.await("a line", () -> daemon.err().contains("Kerberos gives no new ticket for hdfs/"));
      assertThat(UserFiles.isRepaired(hdfs, after)).isFalse();
      gate.shut(false);
      daemon.await("a repair by a new ticket", () -> UserFiles.isRepaired(hdfs, after));
      // Hadoop's client says it in two ways, of which each is told once.
      assertThat(daemon.err().lines())
          .hasSizeLessThanOrEqualTo(2)
          .doesNotHaveDuplicates()
          .allMatch(line -> line.contains("Kerberos"));
    }
  }
}
