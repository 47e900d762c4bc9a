package io.tierwise.cli.secure;

import static org.assertj.core.api.Assertions.assertThat;

import io.tierwise.cli.autotier.AuditFile;
import io.tierwise.cli.secure.SecureHdfs.Ended;
import java.io.IOException;
import java.io.InputStream;
import java.security.PrivilegedExceptionAction;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Tickets of kinit that end after a minute or so, in a process that goes on: without a keytab
 * nobody but a person gets the next one.
 */
@Tag("long")
class EndedTicketIT {
  private static final String HDFS = "hdfs/localhost";
  private static final int TICKET_SECONDS = 60;

  /** A run that somebody waits for: its ticket ends in the middle of it. */
  private static final int RUN_TICKET_SECONDS = 40;

  /**
   * For a ticket of the NameNode: the KDC of this test does not end one with the ticket that it was
   * given for, as others do.
   */
  private static final int SERVICE_TICKET_SECONDS = 20;

  private static final int DAY_SECONDS = 86_400;

  /** Longer than Hadoop keeps an idle connection, over which nobody asks for a ticket again. */
  private static final String IDLE = "12";

  private static final int MEBIBYTE = 1 << 20;
  private static final int BLOCKS = 100;

  /** A mover that could not give its lock back holds it for a minute, and HDFS looks by turns. */
  private static final int TRIES_MAX = 40;

  private static final Pattern ENDED_AT = Pattern.compile(" ended at (\\S+Z): run kinit");

  @TempDir static java.nio.file.Path folder;

  private static SecureHdfs hdfs;
  private static AuditFile audit;

  @BeforeAll
  static void start() throws Exception {
    audit = new AuditFile(folder.resolve("audit.log"));
    hdfs = SecureHdfs.start(folder);
  }

  @AfterAll
  static void stop() throws IOException {
    hdfs.close();
    audit.close();
  }

  /** A process with a ticket, and when that ends. */
  private record Held(TierwiseProcess process, java.nio.file.Path cache, Instant end) {
    static Held start(int seconds, String name, String... words) throws Exception {
      java.nio.file.Path cache = folder.resolve(name + ".ccache");
      Kinit.as(hdfs, HDFS, seconds, cache);
      Instant end = Instant.now().plusSeconds(seconds);
      java.nio.file.Path realm = hdfs.realmWithTicketsFor(hdfs.realm(), SERVICE_TICKET_SECONDS);
      return new Held(hdfs.daemon(realm, cache, words), cache, end);
    }

    void awaitItsEnd() throws Exception {
      Instant last = end.plusSeconds(SERVICE_TICKET_SECONDS + 1);
      process.await("the end of all tickets", () -> Instant.now().isAfter(last));
    }

    /** What it said, without the lines of Hadoop's own log. */
    List<String> said() throws IOException {
      return process.err().lines().filter(line -> line.startsWith("tierwise ")).toList();
    }

    /** The lines about tickets: one ended, and perhaps Hadoop has yet to see the new one. */
    List<String> saidOfTickets() throws IOException {
      return said().stream().filter(line -> line.contains("the Kerberos ticket")).toList();
    }

    /** Says whose ticket ended, when, and what to do. */
    void assertSaysSo(String text) {
      assertThat(text).contains("the Kerberos ticket of " + hdfs.principal(HDFS));
      Matcher at = ENDED_AT.matcher(text);
      assertThat(at.find()).as(text).isTrue();
      assertThat(Duration.between(end, Instant.parse(at.group(1))).abs())
          .isLessThan(Duration.ofSeconds(5));
    }

    void renew() throws Exception {
      Kinit.as(hdfs, HDFS, DAY_SECONDS, cache);
    }
  }

  private static void assertSaidOnce(Held held) throws IOException {
    List<String> lines = held.saidOfTickets();
    assertThat(lines).hasSizeBetween(1, 2).doesNotHaveDuplicates();
    held.assertSaysSo(lines.get(0));
    assertThat(lines.get(0)).contains("tierwise.keytab.file");
  }

  @Test
  void repairsWaitForAPersonAndGoOn() throws Exception {
    Held held = Held.start(TICKET_SECONDS, "monitor", "monitor", "run", "--idle", IDLE);
    try (TierwiseProcess daemon = held.process()) {
      Path before = UserFiles.misplaced(hdfs, "/monitor/before");
      daemon.await("a repair by the first ticket", () -> UserFiles.isRepaired(hdfs, before));
      held.awaitItsEnd();
      Path after = UserFiles.misplaced(hdfs, "/monitor/after");
      daemon.await("a line", () -> !held.saidOfTickets().isEmpty());
      assertThat(UserFiles.isRepaired(hdfs, after)).isFalse();
      held.renew();
      daemon.await("a repair by a new ticket", () -> UserFiles.isRepaired(hdfs, after));
      assertSaidOnce(held);
      assertThat(held.said()).isEqualTo(held.saidOfTickets());
    }
  }

  /** As by somebody's 'kinit -R' in time, which leaves a later end in the cache. */
  @Test
  void aTicketThatIsReplacedBeforeItsEndIsTakenWithoutAWord() throws Exception {
    Held held = Held.start(TICKET_SECONDS, "renewed", "monitor", "run", "--idle", IDLE);
    try (TierwiseProcess daemon = held.process()) {
      Path before = UserFiles.misplaced(hdfs, "/renewed/before");
      daemon.await("a repair by the first ticket", () -> UserFiles.isRepaired(hdfs, before));
      held.renew();
      assertThat(Instant.now()).as("in time").isBefore(held.end());
      held.awaitItsEnd();
      Path after = UserFiles.misplaced(hdfs, "/renewed/after");
      daemon.await("a repair by the second", () -> UserFiles.isRepaired(hdfs, after));
      assertThat(held.said()).isEmpty();
    }
  }

  /** Its connection does not idle, so that it needs its ticket when the NameNode starts again. */
  @Test
  void soDoesPopularity() throws Exception {
    Path file = new Path("/auto/file");
    UserFiles.giveToAlice(hdfs, file.getParent());
    UserFiles.writeAndRead(hdfs, hdfs.alice(), file, hdfs.client());
    Held held =
        Held.start(
            TICKET_SECONDS,
            "autotier",
            "autotier",
            "run",
            "--audit-log",
            folder.resolve("audit.log").toString(),
            "--zone",
            ZoneId.systemDefault().getId(),
            "--window",
            "5 s",
            "--below",
            "/auto");
    try (TierwiseProcess daemon = held.process()) {
      daemon.await("a round by the first ticket", () -> !daemon.out().isEmpty());
      held.awaitItsEnd();
      hdfs.mini().restartNameNode(0);
      daemon.await("a line", () -> !held.saidOfTickets().isEmpty());
      long rounds = daemon.out().lines().count();
      held.renew();
      daemon.await(
          "rounds by a new ticket",
          () -> {
            UserFiles.read(hdfs, hdfs.alice(), file);
            return daemon.out().lines().count() > rounds + 1;
          });
      assertSaidOnce(held);
    }
  }

  private static void write(Path file) throws Exception {
    UserFiles.giveToAlice(hdfs, file.getParent());
    hdfs.alice()
        .doAs(
            (PrivilegedExceptionAction<Void>)
                () -> {
                  try (FileSystem fs = FileSystem.newInstance(hdfs.uri(), hdfs.client());
                      FSDataOutputStream out = fs.create(file, true, 4096, (short) 2, MEBIBYTE)) {
                    for (int block = 0; block < BLOCKS; block++) {
                      out.write(contentOf(block));
                    }
                  }
                  return null;
                });
  }

  private static byte[] contentOf(int block) {
    byte[] content = new byte[MEBIBYTE];
    new Random(block).nextBytes(content);
    return content;
  }

  private static void assertIsWhole(Path file) throws IOException {
    try (FileSystem superuser = FileSystem.newInstance(hdfs.uri(), hdfs.client());
        InputStream in = superuser.open(file)) {
      for (int block = 0; block < BLOCKS; block++) {
        assertThat(Arrays.equals(in.readNBytes(MEBIBYTE), contentOf(block))).isTrue();
      }
    }
  }

  /** The replicas on disks; a block never has fewer than its two. */
  private static long onDisks(Path file) throws IOException {
    try (FileSystem superuser = FileSystem.newInstance(hdfs.uri(), hdfs.client())) {
      List<LocatedBlock> blocks =
          ((DistributedFileSystem) superuser)
              .getClient()
              .getLocatedBlocks(file.toString(), 0, Long.MAX_VALUE)
              .getLocatedBlocks();
      assertThat(blocks)
          .hasSize(BLOCKS)
          .allMatch(block -> block.getLocations().length >= 2 && !block.isCorrupt());
      return blocks.stream()
          .flatMap(block -> Stream.of(block.getStorageTypes()))
          .filter(StorageType.DISK::equals)
          .count();
    }
  }

  private static Ended again(java.nio.file.Path cache, String... words) throws Exception {
    Ended ended = hdfs.command(hdfs.realm(), cache, hdfs.conf(), words);
    for (int i = 0; i < TRIES_MAX && ended.exitCode() == 3; i++) {
      assertThat(ended.err()).contains("another mover runs on this cluster, or one was killed");
      LockSupport.parkNanos(TimeUnit.SECONDS.toNanos(2));
      ended = hdfs.command(hdfs.realm(), cache, hdfs.conf(), words);
    }
    return ended;
  }

  /** It also needs its ticket when the NameNode starts again, as its connection does not idle. */
  @Test
  void aRunEndsSaysWhatToDoAndAnotherOneGoesOn() throws Exception {
    Path file = new Path("/run/file");
    write(file);
    String[] words = {"file", "move", "/run", "--to", "2 x fast", "--bandwidth-total", "1"};
    Held held = Held.start(RUN_TICKET_SECONDS, "run", words);
    try (TierwiseProcess run = held.process()) {
      run.await("moves by the first ticket", () -> onDisks(file) < 2 * BLOCKS);
      held.awaitItsEnd();
      hdfs.mini().restartNameNode(0);
      Ended ended = run.ended();
      assertThat(ended.exitCode()).as(ended.err() + ended.out()).isEqualTo(1);
      held.assertSaysSo(ended.out().replaceAll("\\s+", " "));
      assertThat(ended.err()).contains("stopped: the same command does the rest");
      long left = onDisks(file);
      assertThat(left).isBetween(1L, 2L * BLOCKS - 1);

      held.renew();
      words[words.length - 1] = "250";
      Ended rest = again(held.cache(), words);
      assertThat(rest.exitCode()).as(rest.err() + rest.out()).isZero();
      assertThat(onDisks(file)).isZero();
      assertIsWhole(file);
    }
  }
}
