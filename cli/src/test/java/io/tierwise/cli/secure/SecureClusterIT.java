package io.tierwise.cli.secure;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.tierwise.cli.secure.SecureHdfs.Ended;
import io.tierwise.hadoop.hdfs.client.ReadCounts;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.security.PrivilegedExceptionAction;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileContext;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.security.Credentials;
import org.apache.hadoop.security.SaslRpcServer.AuthMethod;
import org.apache.hadoop.security.UserGroupInformation;
import org.apache.hadoop.security.token.Token;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.io.TempDir;

/** Kerberos, block tokens, encrypted transfer and HTTPS alone, as an administrator sets them. */
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class SecureClusterIT {
  private static final int RUNS_MAX = 10;
  private static final String[] GREEDY = {"tierwise.access.strategy", "greedy"};

  @TempDir static java.nio.file.Path folder;

  private static SecureHdfs hdfs;

  @BeforeAll
  static void start() throws Exception {
    hdfs = SecureHdfs.start(folder);
    UserFiles.giveToAlice(hdfs, new Path("/data"));
  }

  @AfterAll
  static void stop() throws IOException {
    hdfs.close();
  }

  private static Ended command(String... arguments) throws Exception {
    return hdfs.command(hdfs.realm(), hdfs.tickets("alice"), hdfs.conf(), arguments);
  }

  @Test
  void commandsWorkWithATicket() throws Exception {
    assertThat(command("policy", "set", "/data", "--placement", "layout:1 x fast + 1 x slow"))
        .extracting(Ended::exitCode, Ended::err)
        .containsExactly(0, "");
    assertThat(command("policy", "get", "/data").out()).contains("layout:1 x fast + 1 x slow");
    writeAs(hdfs.alice(), new Path("/data/placed"));
    assertThat(UserFiles.storageTypes(hdfs, new Path("/data/placed")))
        .containsExactlyInAnyOrder(StorageType.SSD, StorageType.DISK);
    assertThat(command("explain", "/data/placed"))
        .satisfies(ended -> assertThat(ended.err()).isEmpty())
        .satisfies(ended -> assertThat(ended.exitCode()).isZero())
        .satisfies(ended -> assertThat(ended.out()).contains("fast", "slow"));
    assertThat(
            hdfs.command(
                hdfs.realm(), hdfs.tickets("hdfs/localhost"), hdfs.conf(), "tiers", "list"))
        .satisfies(ended -> assertThat(ended.err()).isEmpty())
        .satisfies(ended -> assertThat(ended.exitCode()).isZero())
        .satisfies(ended -> assertThat(ended.out()).contains("fast", "slow"));
  }

  @Test
  void aDirectoryGivenByOptionCountsAsMuchAsTheClassPath() throws Exception {
    assertThat(
            hdfs.command(
                hdfs.realm(),
                hdfs.tickets("alice"),
                null,
                "policy",
                "get",
                "/data",
                "--conf",
                hdfs.conf().toString()))
        .extracting(Ended::exitCode, Ended::err)
        .containsExactly(0, "");
  }

  @Test
  void withoutATicketACommandSaysSo() throws Exception {
    Ended ended =
        hdfs.command(
            hdfs.realm(), folder.resolve("no-tickets"), hdfs.conf(), "policy", "get", "/data");
    assertThat(ended.exitCode()).isEqualTo(3);
    assertThat(ended.err().lines()).hasSize(1).first().asString().contains("kinit");
  }

  @Test
  void soDoesOneWhoseTicketHasExpired() throws Exception {
    java.nio.file.Path over = Kinit.over(hdfs, "alice", folder.resolve("over.ccache"));
    Ended ended = hdfs.command(hdfs.realm(), over, hdfs.conf(), "policy", "get", "/data");
    assertThat(ended.exitCode()).isEqualTo(3);
    assertThat(ended.err().lines())
        .hasSize(1)
        .first()
        .asString()
        .contains("the Kerberos ticket of " + hdfs.principal("alice") + " ended at 20", "kinit");
  }

  @Test
  void aKeyDistributionCenterThatIsAwayIsNamedInOneLine() throws Exception {
    int port;
    try (ServerSocket free = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      port = free.getLocalPort();
    }
    assertNamesTheKdc(port);
  }

  /** Long: make test has one that is away. */
  @Tag("long")
  @Test
  void soIsOneThatNeverAnswers() throws Exception {
    try (ServerSocket silent = new ServerSocket(0, 50, InetAddress.getLoopbackAddress())) {
      assertNamesTheKdc(silent.getLocalPort());
    }
  }

  private static void assertNamesTheKdc(int port) throws Exception {
    Ended ended =
        hdfs.command(
            hdfs.realmServedBy(port), hdfs.tickets("alice"), hdfs.conf(), "policy", "get", "/data");
    assertThat(ended.exitCode()).isEqualTo(3);
    assertThat(ended.err().lines()).hasSize(1).first().asString().contains("KDC");
  }

  @Test
  void storedDataIsMovedByTheSuperuserAndNobodyElse() throws Exception {
    Path file = new Path("/stored/file");
    UserFiles.giveToAlice(hdfs, file.getParent());
    UserFiles.writeAndRead(hdfs, hdfs.alice(), file, hdfs.client());
    assertThat(UserFiles.storageTypes(hdfs, file)).containsOnly(StorageType.DISK);
    String journal = folder.resolve("journal").toString();
    String[] move = {"file", "move", "/stored", "--to", "2 x fast", "--journal", journal};

    Ended hers = command(move);
    assertThat(hers.exitCode()).isEqualTo(3);
    assertThat(hers.err().lines()).hasSize(1).first().asString().contains("superuser");
    assertThat(UserFiles.storageTypes(hdfs, file)).containsOnly(StorageType.DISK);

    Ended ended = hdfs.command(hdfs.realm(), hdfs.tickets("hdfs/localhost"), hdfs.conf(), move);
    assertThat(ended.exitCode()).as(ended.err() + ended.out()).isZero();
    assertThat(UserFiles.storageTypes(hdfs, file)).containsOnly(StorageType.SSD);
    assertThat(UserFiles.read(hdfs, hdfs.alice(), file)).isEqualTo(UserFiles.CONTENT);
  }

  /** Nobody types a password for a daemon, which outlives its ticket. */
  @Test
  void aDaemonLogsInByKeytabAndRepairs() throws Exception {
    Path file = new Path("/repaired/file");
    UserFiles.giveToAlice(hdfs, file.getParent());
    UserFiles.writeAndRead(hdfs, hdfs.alice(), file, hdfs.client());
    assertThat(UserFiles.storageTypes(hdfs, file)).containsOnly(StorageType.DISK);
    try (FileSystem superuser = FileSystem.newInstance(hdfs.uri(), hdfs.client())) {
      superuser.setXAttr(
          file.getParent(), "user.tierwise.placement", "layout:2 x fast".getBytes(UTF_8));
    }

    // The monitor looks each second, and may not have come by before the first run.
    for (int i = 0;
        i < RUNS_MAX && UserFiles.storageTypes(hdfs, file).contains(StorageType.DISK);
        i++) {
      Ended ended = repair(hdfs.keytab("hdfs"));
      assertThat(ended.exitCode()).as(ended.err() + ended.out()).isLessThanOrEqualTo(1);
    }
    assertThat(UserFiles.storageTypes(hdfs, file)).containsOnly(StorageType.SSD);

    Ended without = repair(folder.resolve("no.keytab").toFile());
    assertThat(without.exitCode()).isEqualTo(3);
    assertThat(without.err().lines())
        .hasSize(1)
        .first()
        .asString()
        .contains("no login as hdfs/localhost", "no.keytab", "tierwise.keytab.file");
  }

  private static Ended repair(File keytab) throws Exception {
    return hdfs.command(
        hdfs.realm(),
        folder.resolve("no-tickets"),
        hdfs.conf(),
        "monitor",
        "run",
        "--once",
        "-D",
        "tierwise.keytab.file=" + keytab,
        "-D",
        "tierwise.kerberos.principal=" + hdfs.principal("hdfs/localhost"));
  }

  @Test
  void ourClientReadsAndWritesWithBlockTokensAndByTheStrategy() throws Exception {
    writeAs(hdfs.alice(), new Path("/data/tokens"));
  }

  @Test
  void aJobWithNothingButItsTokenReadsAndWrites() throws Exception {
    writeAs(jobOfAlice(), new Path("/data/job"));
  }

  @Test
  @Order(Integer.MAX_VALUE)
  void jobsGoOnWhenTheKeyDistributionCenterIsGone() throws Exception {
    UserGroupInformation job = jobOfAlice();
    hdfs.stopKdc();
    writeAs(job, new Path("/data/job-without-kdc"));
  }

  /** One who has a delegation token, by which the NameNode knows alice, and no ticket. */
  private static UserGroupInformation jobOfAlice() throws Exception {
    Credentials credentials = new Credentials();
    as(
        hdfs.alice(),
        () -> {
          try (FileSystem fs = FileSystem.newInstance(hdfs.uri(), hdfs.client(GREEDY));
              FileSystem stock =
                  FileSystem.newInstance(hdfs.uri(), hdfs.mini().getConfiguration(0))) {
            assertThat(fs.getCanonicalServiceName()).isEqualTo(stock.getCanonicalServiceName());
            Token<?>[] tokens = fs.addDelegationTokens("alice", credentials);
            assertThat(tokens).hasSize(1);
            assertThat(fs.addDelegationTokens("alice", credentials)).isEmpty();
            assertThat(tokens[0].renew(hdfs.client(GREEDY))).isPositive();
          }
          return null;
        });
    UserGroupInformation job = UserGroupInformation.createRemoteUser("alice", AuthMethod.TOKEN);
    job.addCredentials(credentials);
    return job;
  }

  private static <T> T as(UserGroupInformation user, PrivilegedExceptionAction<T> action)
      throws Exception {
    return user.doAs(action);
  }

  /** Writes a file by our client, and reads it back in both of Hadoop's ways. */
  private static void writeAs(UserGroupInformation user, Path file) throws Exception {
    Configuration conf = hdfs.client(GREEDY);
    ReadCounts reads = UserFiles.writeAndRead(hdfs, user, file, conf).orElseThrow();
    boolean onFast = UserFiles.storageTypes(hdfs, file).contains(StorageType.SSD);
    assertThat(reads.bytesOf("fast"))
        .as("greedy reads the fast tier")
        .isEqualTo(onFast ? UserFiles.CONTENT.length : 0);
    as(
        user,
        () -> {
          try (InputStream in = FileContext.getFileContext(hdfs.uri(), conf).open(file)) {
            assertThat(in.readAllBytes()).isEqualTo(UserFiles.CONTENT);
          }
          return null;
        });
  }
}
