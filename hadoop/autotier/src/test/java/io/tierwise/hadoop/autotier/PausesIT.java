package io.tierwise.hadoop.autotier;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.security.PrivilegedExceptionAction;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.HdfsConfiguration;
import org.apache.hadoop.hdfs.MiniDFSCluster;
import org.apache.hadoop.security.UserGroupInformation;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Several operators, who may all write to the daemon's directory, and none is HDFS's superuser. */
class PausesIT {
  @TempDir private Path folder;

  private interface Doing {
    void run(Control control) throws IOException;
  }

  private static void as(String user, MiniDFSCluster hdfs, Doing doing) throws Exception {
    PrivilegedExceptionAction<Void> action =
        () -> {
          try (DistributedFileSystem fs =
              (DistributedFileSystem) FileSystem.newInstance(hdfs.getURI(), new Configuration())) {
            doing.run(new Control(fs, new Configuration()));
          }
          return null;
        };
    UserGroupInformation.createRemoteUser(user).doAs(action);
  }

  @Test
  @Timeout(180)
  void whatOneHasPausedAnotherMayPauseAndResume() throws Exception {
    MiniDFSCluster hdfs =
        new MiniDFSCluster.Builder(new HdfsConfiguration(), folder.resolve("hdfs").toFile())
            .numDataNodes(0)
            .build();
    try {
      DistributedFileSystem fs = hdfs.getFileSystem();
      org.apache.hadoop.fs.Path directory = Control.directory(fs.getConf());
      fs.mkdirs(directory);
      fs.setPermission(directory, new FsPermission((short) 0777));
      Control control = new Control(fs, fs.getConf());

      as("bob", hdfs, Control::pause);
      as("ann", hdfs, Control::pause);
      assertThat(control.status().pausedBy()).isEqualTo("bob");

      as("ann", hdfs, Control::resume);
      assertThat(control.isPaused()).isFalse();
    } finally {
      hdfs.shutdown();
    }
  }
}
