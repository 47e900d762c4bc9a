package io.tierwise.hadoop.mover;

import static org.assertj.core.api.Assertions.assertThat;

import io.tierwise.hadoop.mover.journal.Journal;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.DFSConfigKeys;
import org.apache.hadoop.hdfs.MiniDFSCluster;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** Repairs, a mover each round, beside another name service that is down at first. */
@ExtendWith(MixedCluster.class)
class RepairsBesideAnotherIT {
  @TempDir private java.nio.file.Path folder;
  private final LiveCluster cluster;
  private final List<String> said = new CopyOnWriteArrayList<>();

  RepairsBesideAnotherIT(LiveCluster cluster) {
    this.cluster = cluster;
  }

  @Test
  void oneThatDoesNotAnswerIsNamedOnceAndWhenItAnswersAgain() throws Exception {
    Path file = cluster.write("/t/file", 2, 3);
    try (Socket held = heldPort()) {
      assertThatItIsNamedOnceAndWhenItAnswersAgain(file, held.getLocalPort());
    }
  }

  private void assertThatItIsNamedOnceAndWhenItAnswersAgain(Path file, int port) throws Exception {
    Repairs daemon = repairs(port);
    repair(daemon, file, "DISK", "disk");
    repair(daemon, file, "SSD", "ssd");
    repair(daemon, file, "DISK", "disk");
    assertThat(said).singleElement().asString().contains(":" + port, "did not say");

    try (MiniDFSCluster other =
        new MiniDFSCluster.Builder(LiveCluster.plain(), folder.resolve("other").toFile())
            .nameNodePort(port)
            .numDataNodes(1)
            .build()) {
      other.waitActive();
      LiveCluster.await(
          "a mover that hears of it",
          () -> {
            repair(daemon, file, "SSD", "ssd");
            repair(daemon, file, "DISK", "disk");
            return said.size() > 1;
          });
    }
    assertThat(said.get(1)).contains(":" + port + " says again whether a mover runs there");
    assertThat(said).hasSize(2);
  }

  /**
   * A mover ends before a question has failed by itself; it is connected to, and answers nothing.
   * Long: make test has one that does not answer.
   */
  @Tag("long")
  @Test
  void oneThatHangsIsNamedThoughEachMoverEndsSoon() throws Exception {
    Path file = cluster.write("/t/hung", 2, 3);
    try (ServerSocket hung = new ServerSocket(0, 50, InetAddress.getLoopbackAddress())) {
      Repairs daemon = repairs(hung.getLocalPort());
      repair(daemon, file, "DISK", "disk");
      repair(daemon, file, "SSD", "ssd");
      repair(daemon, file, "DISK", "disk");
      assertThat(said)
          .singleElement()
          .asString()
          .contains(":" + hung.getLocalPort(), "no answer within");
    }
  }

  /**
   * Nobody else gets its port, which refuses connections until a server that may share it listens
   * there.
   */
  private static Socket heldPort() throws IOException {
    Socket held = new Socket();
    held.setReuseAddress(true);
    held.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
    return held;
  }

  private Repairs repairs(int otherPort) throws IOException {
    Configuration conf = cluster.clientConf();
    conf.set(DFSConfigKeys.DFS_NAMESERVICES, "own,other");
    conf.set("dfs.namenode.rpc-address.own", "localhost:" + cluster.mini().getNameNodePort());
    conf.set("dfs.namenode.rpc-address.other", "localhost:" + otherPort);
    Journal journal = new Journal(folder.resolve("journal"));
    return new Repairs(
        cluster.fs(),
        conf,
        LiveCluster.quick(),
        () -> journal.begin("monitor run", "me", "here", List.of(), "policies", null),
        said::add);
  }

  private void repair(Repairs daemon, Path file, String type, String tier) throws IOException {
    cluster.setPolicy("/t", "layout:3 x " + tier);
    SeenMonitor monitor = new SeenMonitor(cluster);
    String types = String.join(" ", type, type, type);
    LiveCluster.await(
        "repairs to " + tier,
        () -> {
          monitor.walk();
          Repairs.Round unused = daemon.round();
          return cluster.typesOf(file).stream().allMatch(types::equals);
        });
  }
}
