package io.tierwise.cli.secure;

import static org.assertj.core.api.Assertions.assertThat;

import io.tierwise.cli.secure.SecureHdfs.Ended;
import io.tierwise.hadoop.hdfs.client.TierwiseFileSystem;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.security.PrivilegedExceptionAction;
import java.util.List;
import java.util.Random;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FileContext;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.security.Credentials;
import org.apache.hadoop.security.SaslRpcServer.AuthMethod;
import org.apache.hadoop.security.UserGroupInformation;
import org.apache.hadoop.security.token.Token;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.io.TempDir;

/** Kerberos, block tokens, encrypted transfer and HTTPS alone, as an administrator sets them. */
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class SecureClusterIT {
  private static final String[] GREEDY = {"tierwise.access.strategy", "greedy"};
  private static final byte[] CONTENT = new byte[300_000];

  @TempDir static java.nio.file.Path folder;

  private static SecureHdfs hdfs;

  @BeforeAll
  static void start() throws Exception {
    new Random(1).nextBytes(CONTENT);
    hdfs = SecureHdfs.start(folder);
    DistributedFileSystem superuser = hdfs.mini().getFileSystem();
    superuser.mkdirs(new Path("/data"), new FsPermission((short) 0777));
    superuser.setOwner(new Path("/data"), "alice", "alice");
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
    assertThat(storageTypes(new Path("/data/placed")))
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
  void aKeyDistributionCenterThatIsAwayIsNamedInOneLine() throws Exception {
    int port;
    try (ServerSocket free = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      port = free.getLocalPort();
    }
    assertNamesTheKdc(port);
  }

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

  private static boolean fastReplicas(Path file) throws IOException {
    return storageTypes(file).contains(StorageType.SSD);
  }

  private static List<StorageType> storageTypes(Path file) throws IOException {
    return List.of(
        hdfs.mini()
            .getFileSystem()
            .getClient()
            .getLocatedBlocks(file.toString(), 0)
            .get(0)
            .getStorageTypes());
  }

  private static <T> T as(UserGroupInformation user, PrivilegedExceptionAction<T> action)
      throws Exception {
    return user.doAs(action);
  }

  /** Writes a file by our client, and reads it back in both of Hadoop's ways. */
  private static void writeAs(UserGroupInformation user, Path file) throws Exception {
    Configuration conf = hdfs.client(GREEDY);
    as(
        user,
        () -> {
          try (FileSystem fs = FileSystem.newInstance(hdfs.uri(), conf)) {
            try (FSDataOutputStream out = fs.create(file, (short) 2)) {
              out.write(CONTENT);
            }
            try (InputStream in = fs.open(file)) {
              assertThat(in.readAllBytes()).isEqualTo(CONTENT);
            }
            assertThat(((TierwiseFileSystem) fs).readStatistics().orElseThrow().bytesOf("fast"))
                .as("greedy reads the fast tier")
                .isEqualTo(fastReplicas(file) ? CONTENT.length : 0);
          }
          try (InputStream in = FileContext.getFileContext(hdfs.uri(), conf).open(file)) {
            assertThat(in.readAllBytes()).isEqualTo(CONTENT);
          }
          return null;
        });
  }
}
