package io.tierwise.cli.secure;

import static org.assertj.core.api.Assertions.assertThat;

import io.tierwise.cli.secure.SecureHdfs.Ended;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.security.PrivilegedExceptionAction;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hdfs.qjournal.MiniQJMHACluster;
import org.apache.hadoop.hdfs.server.namenode.ha.ObserverReadProxyProvider;
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

/** Kerberos by a logical name: active, standby and observer, on a quorum journal. */
@Tag("long")
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class SecureHighAvailabilityIT {
  private static final String LAYOUT = "layout:1 x fast + 1 x slow";

  @TempDir static java.nio.file.Path folder;

  private static SecureHdfs hdfs;

  @BeforeAll
  static void start() throws Exception {
    hdfs = SecureHdfs.startHighlyAvailable(folder);
    UserFiles.giveToAlice(hdfs, new Path("/data"));
  }

  @AfterAll
  static void stop() throws IOException {
    hdfs.close();
  }

  private static Ended command(String... arguments) throws Exception {
    return hdfs.command(hdfs.realm(), hdfs.tickets("alice"), hdfs.conf(), arguments);
  }

  private static String outputOf(String... arguments) throws Exception {
    Ended ended = command(arguments);
    assertThat(ended.err()).as(String.join(" ", arguments)).isEmpty();
    assertThat(ended.exitCode()).as(String.join(" ", arguments)).isZero();
    return ended.out();
  }

  @Test
  @Order(1)
  void everyCommandOnPathsWorksByTheLogicalName() throws Exception {
    outputOf("policy", "set", "/data", "--placement", LAYOUT);
    assertThat(outputOf("policy", "get", "/data")).contains(LAYOUT);
    UserFiles.writeAndRead(hdfs, hdfs.alice(), new Path("/data/placed"), hdfs.client());
    assertThat(outputOf("explain", "/data/placed")).contains("fast", "slow");
    assertThat(outputOf("policy", "find", "/data")).contains("/data", LAYOUT);
    outputOf("policy", "unset", "/data", "--placement");
    assertThat(outputOf("policy", "find", "/data")).doesNotContain(LAYOUT);
    outputOf("policy", "set", "/data", "--placement", LAYOUT);
    assertThat(outputOf("policy", "purge", "/data", "--yes")).contains("removed /data");
    assertThat(outputOf("policy", "find", "/data")).doesNotContain(LAYOUT);
    outputOf("policy", "set", "/data", "--placement", LAYOUT);
  }

  @Test
  @Order(2)
  void readsByTheObserverSeeWhatTheClientWrote() throws Exception {
    Configuration conf = hdfs.client("tierwise.access.strategy", "greedy");
    conf.set(
        "dfs.client.failover.proxy.provider." + MiniQJMHACluster.NAMESERVICE,
        ObserverReadProxyProvider.class.getName());
    UserFiles.writeAndRead(hdfs, hdfs.alice(), new Path("/data/observed"), conf);
    assertThat(UserFiles.storageTypes(hdfs, new Path("/data/observed")))
        .containsExactlyInAnyOrder(StorageType.SSD, StorageType.DISK);
  }

  @Test
  @Order(3)
  void aJobWithItsTokenGoesOnAfterAFailover() throws Exception {
    Credentials credentials = new Credentials();
    hdfs.alice()
        .doAs(
            (PrivilegedExceptionAction<Token<?>[]>)
                () -> {
                  try (FileSystem fs = FileSystem.newInstance(hdfs.uri(), hdfs.client())) {
                    return fs.addDelegationTokens("alice", credentials);
                  }
                });
    // An observer refuses a token that it has not read yet; it stands last in this order.
    Configuration conf = hdfs.client("dfs.client.failover.random.order", "false");
    UserGroupInformation job = UserGroupInformation.createRemoteUser("alice", AuthMethod.TOKEN);
    job.addCredentials(credentials);
    UserFiles.writeAndRead(hdfs, job, new Path("/data/before"), conf);
    hdfs.mini().transitionToStandby(0);
    hdfs.mini().transitionToActive(1);
    UserFiles.writeAndRead(hdfs, job, new Path("/data/after"), conf);
    assertThat(UserFiles.storageTypes(hdfs, new Path("/data/after")))
        .containsExactlyInAnyOrder(StorageType.SSD, StorageType.DISK);
    assertThat(outputOf("policy", "get", "/data")).contains(LAYOUT);
  }

  @Test
  @Order(4)
  void aTicketThatIsMissingOrOverIsSaidOnceNotForEachNameNode() throws Exception {
    for (java.nio.file.Path tickets :
        List.of(folder.resolve("none"), Kinit.over(hdfs, "alice", folder.resolve("over.ccache")))) {
      assertSays("kinit", hdfs.realm(), tickets);
    }
  }

  @Test
  @Order(5)
  void soIsAKeyDistributionCenterThatIsAway() throws Exception {
    int port;
    try (ServerSocket free = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      port = free.getLocalPort();
    }
    assertSays("KDC", hdfs.realmServedBy(port), hdfs.tickets("alice"));
  }

  private static void assertSays(String word, java.nio.file.Path realm, java.nio.file.Path tickets)
      throws Exception {
    Ended ended = hdfs.command(realm, tickets, hdfs.conf(), "policy", "get", "/data");
    assertThat(ended.exitCode()).isEqualTo(3);
    assertThat(ended.err().lines()).hasSize(1).first().asString().contains(word);
  }
}
