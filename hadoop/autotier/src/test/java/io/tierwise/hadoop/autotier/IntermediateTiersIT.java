package io.tierwise.hadoop.autotier;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.security.PrivilegedExceptionAction;
import java.util.Optional;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.HdfsConfiguration;
import org.apache.hadoop.hdfs.MiniDFSCluster;
import org.apache.hadoop.security.AccessControlException;
import org.apache.hadoop.security.UserGroupInformation;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** NodeManagers run as a user of their own, and read what the daemon tells them. */
@Timeout(180)
class IntermediateTiersIT {
  private static final String APPLICATION = "application_1700000000000_0001";
  private static final UserGroupInformation NODE_MANAGER =
      UserGroupInformation.createUserForTesting("yarn", new String[] {"hadoop"});

  @TempDir private static java.nio.file.Path folder;
  private static MiniDFSCluster hdfs;

  @BeforeAll
  static void start() throws IOException {
    Configuration conf = new HdfsConfiguration();
    conf.set("fs.permissions.umask-mode", "077");
    hdfs = new MiniDFSCluster.Builder(conf, folder.resolve("hdfs").toFile()).build();
    hdfs.waitActive();
  }

  @AfterAll
  static void stop() {
    hdfs.shutdown();
  }

  private static Configuration below(String directory) {
    Configuration conf = new Configuration(hdfs.getConfiguration(0));
    conf.set(Control.DIRECTORY_KEY, directory);
    return conf;
  }

  /** As the daemon does: it takes its lease, and tells; what it says of those who may not read. */
  private static Optional<String> tell(String directory) throws IOException {
    DistributedFileSystem fs = hdfs.getFileSystem();
    Configuration conf = below(directory);
    try (Lease lease = new Control(fs, conf).tryLease().orElseThrow()) {
      assertThat(lease.holds()).isTrue();
      IntermediateTiers tiers = new IntermediateTiers(fs, conf);
      tiers.tell(APPLICATION, "ssd", 1);
      return tiers.closed();
    }
  }

  private static String readAsNodeManager(String directory) throws Exception {
    return NODE_MANAGER.doAs(
        (PrivilegedExceptionAction<String>)
            () -> {
              try (FileSystem theirs = FileSystem.newInstance(hdfs.getURI(), below(directory));
                  InputStream in =
                      theirs.open(new Path(directory + "/intermediate/" + APPLICATION))) {
                return new String(in.readAllBytes(), StandardCharsets.UTF_8);
              }
            });
  }

  /** Directories that a new file needs have the rights of the one above, whatever the umask. */
  @Test
  void aDaemonsUmaskHidesNothingFromThem() throws Exception {
    String directory = "/system/tierwise-autotier";
    assertThat(tell(directory)).isEmpty();
    assertThat(readAsNodeManager(directory)).isEqualTo("ssd");
  }

  @Test
  void aDirectoryThatOthersMayNotPassIsNamed() throws Exception {
    DistributedFileSystem fs = hdfs.getFileSystem();
    Path home = new Path("/user/hdfs");
    fs.mkdirs(home);
    fs.setOwner(home, "hdfs", "hadoop");
    fs.setPermission(home, new FsPermission((short) 0700));
    fs.setPermission(home.getParent(), new FsPermission((short) 0755));
    String directory = home + "/.autotier";

    assertThat(tell(directory).orElseThrow())
        .startsWith("NodeManagers hear of no tier for intermediate data unless they run as ")
        .contains("(rwx------)");
    assertThatThrownBy(() -> readAsNodeManager(directory))
        .isInstanceOf(AccessControlException.class);

    fs.setPermission(home, new FsPermission((short) 0750));
    openOwn(fs, home);
    assertThat(tell(directory).orElseThrow())
        .contains("unless they run as hdfs or in the group hadoop: others may not pass /user/hdfs");
    assertThat(readAsNodeManager(directory)).as("yarn is in the group").isEqualTo("ssd");

    fs.setPermission(home, new FsPermission((short) 0711));
    assertThat(tell(directory)).isEmpty();
    assertThat(readAsNodeManager(directory)).isEqualTo("ssd");
  }

  /** The daemon's own directory, which has the rights that the one above had at first. */
  private static void openOwn(DistributedFileSystem fs, Path home) throws IOException {
    fs.setPermission(new Path(home, ".autotier"), new FsPermission((short) 0711));
  }
}
