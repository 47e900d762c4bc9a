package io.tierwise.cli.secure;

import static org.assertj.core.api.Assertions.assertThat;

import io.tierwise.cli.CommandRun;
import io.tierwise.cli.secure.SecureHdfs.Ended;
import java.io.IOException;
import java.net.HttpURLConnection;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.net.URL;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.hdfs.web.URLConnectionFactory;
import org.apache.hadoop.net.NetUtils;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The doctor where pages are served by HTTPS alone and ask for Kerberos. */
class SecureDoctorIT {
  @TempDir static Path folder;

  private static SecureHdfs hdfs;

  @BeforeAll
  static void start() throws Exception {
    hdfs = SecureHdfs.start(folder);
  }

  @AfterAll
  static void stop() throws IOException {
    hdfs.close();
  }

  private static Ended doctor(Path realm, String user) throws Exception {
    List<String> arguments = new ArrayList<>(List.of("doctor"));
    arguments.add("-D");
    arguments.add(
        "dfs.namenode.https-address="
            + NetUtils.getHostPortString(hdfs.mini().getNameNode().getHttpsAddress()));
    return hdfs.command(realm, hdfs.tickets(user), hdfs.conf(), arguments.toArray(String[]::new));
  }

  @Test
  void pagesAskForALogin() throws IOException {
    URL page =
        URI.create(
                "https://"
                    + NetUtils.getHostPortString(hdfs.mini().getNameNode().getHttpsAddress())
                    + "/jmx?qry=a:b=c")
            .toURL();
    URLConnectionFactory connections =
        URLConnectionFactory.newDefaultURLConnectionFactory(hdfs.client());
    HttpURLConnection anonymous = (HttpURLConnection) connections.openConnection(page);
    assertThat(anonymous.getResponseCode()).isEqualTo(HttpURLConnection.HTTP_UNAUTHORIZED);
    connections.destroy();
  }

  @Test
  void pagesAreReadByHttpsWithKerberos() throws Exception {
    Ended ended = doctor(hdfs.realm(), "hdfs/localhost");
    assertThat(CommandRun.unfolded(ended.out()))
        .contains("the plug-in runs and publishes its counters")
        .contains("asked 2 of 2 nodes")
        .contains(" 0 not checked");
    assertThat(ended.err()).isEmpty();
    assertThat(ended.exitCode()).as(ended.out()).isZero();
  }

  @Test
  void whoMayNotListVolumesIsToldSo() throws Exception {
    Ended ended = doctor(hdfs.realm(), "alice");
    assertThat(CommandRun.unfolded(ended.out()))
        .contains("the plug-in runs and publishes its counters")
        .containsPattern("not checked +datanode: nodes, volumes.*Superuser")
        .containsPattern("ok +paths: ");
    assertThat(ended.exitCode()).isEqualTo(3);
  }

  @Test
  void aKeyDistributionCenterThatIsAwayIsNotOk() throws Exception {
    int port;
    try (ServerSocket free = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      port = free.getLocalPort();
    }
    Ended ended = doctor(hdfs.realmServedBy(port), "hdfs/localhost");
    assertThat(ended.exitCode()).isEqualTo(3);
    assertThat(CommandRun.unfolded(ended.out()))
        .containsPattern("not checked +namenode localhost:\\d+: state of .*KDC")
        .doesNotContain("the plug-in runs")
        .doesNotContain("ok namenode");
    assertThat(ended.err()).isEmpty();
  }
}
