package io.tierwise.cli.secure;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.tierwise.cli.secure.SecureHdfs.Ended;
import java.util.HashMap;
import java.util.Map;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.StorageType;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Moves between nodes under Kerberos, where DataNodes encrypt what they send. Long: SecureClusterIT
 * moves inside nodes, with encrypted transfer, in make test.
 */
@Tag("long")
class SecureMovesIT {
  @TempDir private java.nio.file.Path folder;

  /** By SASL's privacy, and by HDFS's own keys. */
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void aReplicaIsCopiedToAnotherNode(boolean encrypted) throws Exception {
    Map<String, String> protection = new HashMap<>();
    protection.put("dfs.data.transfer.protection", "privacy");
    if (encrypted) {
      protection.put("dfs.encrypt.data.transfer", "true");
    }
    try (SecureHdfs hdfs = SecureHdfs.startApart(folder, protection)) {
      Path file = new Path("/stored/file");
      try (FileSystem superuser = FileSystem.newInstance(hdfs.uri(), hdfs.client())) {
        superuser.mkdirs(file.getParent());
        try (FSDataOutputStream out = superuser.create(file, (short) 1)) {
          out.write(UserFiles.CONTENT);
        }
        assertThat(UserFiles.storageTypes(hdfs, file)).containsExactly(StorageType.DISK);
        superuser.setXAttr(
            file.getParent(), "user.tierwise.placement", "layout:1 x fast".getBytes(UTF_8));
      }

      Ended moved = command(hdfs, "file", "move", "/stored", "--to", "policy");

      assertThat(moved.exitCode()).as(moved.err() + moved.out()).isZero();
      assertThat(moved.out()).contains("moved 1 replica");
      assertThat(UserFiles.storageTypes(hdfs, file)).containsExactly(StorageType.SSD);
      assertThat(UserFiles.read(hdfs, hdfs.alice(), file)).isEqualTo(UserFiles.CONTENT);
    }
  }

  private static Ended command(SecureHdfs hdfs, String... words) throws Exception {
    return hdfs.command(hdfs.realm(), hdfs.tickets("hdfs/localhost"), hdfs.conf(), words);
  }
}
