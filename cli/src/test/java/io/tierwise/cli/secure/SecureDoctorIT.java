package io.tierwise.cli.secure;

import static org.assertj.core.api.Assertions.assertThat;

import io.tierwise.cli.CommandRun;
import io.tierwise.cli.secure.SecureHdfs.Ended;
import java.io.IOException;
import java.io.InputStream;
import java.net.HttpURLConnection;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.net.URL;
import java.net.URLConnection;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.PrivilegedExceptionAction;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import org.apache.hadoop.hdfs.web.URLConnectionFactory;
import org.apache.hadoop.net.NetUtils;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

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

  private static URL page(String path) throws IOException {
    String address = NetUtils.getHostPortString(hdfs.mini().getNameNode().getHttpsAddress());
    return URI.create("https://" + address + path).toURL();
  }

  @ParameterizedTest
  @ValueSource(strings = {"/jmx?qry=a:b=c", "/prom"})
  void pagesAskForALogin(String path) throws IOException {
    URLConnectionFactory connections =
        URLConnectionFactory.newDefaultURLConnectionFactory(hdfs.client());
    HttpURLConnection anonymous = (HttpURLConnection) connections.openConnection(page(path));
    assertThat(anonymous.getResponseCode()).isEqualTo(HttpURLConnection.HTTP_UNAUTHORIZED);
    connections.destroy();
  }

  private static String prometheusPage() throws Exception {
    URLConnectionFactory connections =
        URLConnectionFactory.newDefaultURLConnectionFactory(hdfs.client());
    String shown =
        hdfs.alice()
            .doAs(
                (PrivilegedExceptionAction<String>)
                    () -> {
                      URLConnection logIn = connections.openConnection(page("/prom"), true);
                      try (InputStream in = logIn.getInputStream()) {
                        return new String(in.readAllBytes(), StandardCharsets.UTF_8);
                      }
                    });
    connections.destroy();
    return shown;
  }

  @Test
  void countersForPrometheusComeByHttpsToWhoLogsIn() throws Exception {
    Pattern wanted =
        Pattern.compile("tierwise_placement_remaining_bytes\\{.*tier=\"fast\".*\\} [1-9]");
    // Hadoop fills the page once in a period of its metrics, ten seconds by default.
    long end = System.nanoTime() + TimeUnit.MINUTES.toNanos(1);
    String shown = prometheusPage();
    while (!wanted.matcher(shown).find() && System.nanoTime() < end) {
      Thread.sleep(500);
      shown = prometheusPage();
    }
    assertThat(shown).containsPattern(wanted);
  }

  @Test
  void pagesAreReadByHttpsWithKerberos() throws Exception {
    Ended ended = doctor(hdfs.realm(), "hdfs/localhost");
    assertThat(CommandRun.unfolded(ended.out()))
        .contains("the plug-in runs and publishes its counters")
        .contains("asked 2 of 2 nodes")
        .contains(" 0 not checked");
    assertThat(ended.err().lines())
        .allMatch(line -> line.matches("asking 2 DataNodes +2 answered"));
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

  /** Long: SecureClusterIT has one that is away. */
  @Tag("long")
  @Test
  void aKeyDistributionCenterThatIsAwayIsNotOk() throws Exception {
    int port;
    try (ServerSocket free = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      port = free.getLocalPort();
    }
    Ended ended = doctor(hdfs.realmServedBy(port), "hdfs/localhost");
    assertThat(ended.exitCode()).isEqualTo(3);
    assertThat(CommandRun.unfolded(ended.out()))
        .containsPattern("not checked +namenode localhost:\\d+: its state: .*KDC")
        .doesNotContain("the plug-in runs")
        .doesNotContain("ok namenode");
    assertThat(ended.err()).isEmpty();
  }
}
