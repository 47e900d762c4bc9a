package io.tierwise.cli.secure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.stream.IntStream;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** DataNodes without SASL, on ports that root alone may open; skipped where we are not root. */
@Tag("long")
class PrivilegedPortsIT {
  @TempDir static java.nio.file.Path folder;

  @Test
  void theyTakeReplicasByPolicyAndServeReadsByStrategy() throws Exception {
    int[] ports =
        IntStream.iterate(1023, port -> port > 600, port -> port - 1)
            .filter(PrivilegedPortsIT::isFree)
            .limit(2)
            .toArray();
    assumeTrue(ports.length == 2, "only root may open ports below 1024");
    Path file = new Path("/data/placed");
    try (SecureHdfs hdfs = SecureHdfs.startOnPrivilegedPorts(folder, ports)) {
      UserFiles.giveToAlice(hdfs, file.getParent());
      assertThat(
              hdfs.command(
                  hdfs.realm(),
                  hdfs.tickets("alice"),
                  hdfs.conf(),
                  "policy",
                  "set",
                  "/data",
                  "--placement",
                  "layout:1 x fast + 1 x slow"))
          .extracting(SecureHdfs.Ended::exitCode, SecureHdfs.Ended::err)
          .containsExactly(0, "");
      assertThat(
              UserFiles.writeAndRead(
                      hdfs, hdfs.alice(), file, hdfs.client("tierwise.access.strategy", "greedy"))
                  .orElseThrow()
                  .bytesOf("fast"))
          .isEqualTo(UserFiles.CONTENT.length);
      assertThat(UserFiles.storageTypes(hdfs, file))
          .containsExactlyInAnyOrder(StorageType.SSD, StorageType.DISK);
      assertThat(hdfs.mini().getFileSystem().getDataNodeStats())
          .extracting(DatanodeInfo::getXferPort)
          .containsExactlyInAnyOrder(ports[0], ports[1]);
    }
  }

  private static boolean isFree(int port) {
    try (ServerSocket socket = new ServerSocket(port, 1, InetAddress.getLoopbackAddress())) {
      return socket.isBound();
    } catch (IOException takenOrNotAllowed) {
      return false;
    }
  }
}
