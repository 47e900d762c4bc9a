package io.tierwise.cli.secure;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.tierwise.hadoop.hdfs.client.ReadCounts;
import io.tierwise.hadoop.hdfs.client.TierwiseFileSystem;
import java.io.IOException;
import java.io.InputStream;
import java.security.PrivilegedExceptionAction;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.security.UserGroupInformation;

/** Files of one user on a secured cluster. */
final class UserFiles {
  static final byte[] CONTENT = new byte[300_000];

  static {
    new Random(1).nextBytes(CONTENT);
  }

  private static final int POLLS_MAX = 1200;

  private UserFiles() {}

  /** A directory of alice's own. */
  static void giveToAlice(SecureHdfs hdfs, Path directory) throws IOException {
    try (FileSystem superuser = FileSystem.newInstance(hdfs.uri(), hdfs.client())) {
      superuser.mkdirs(directory, new FsPermission((short) 0777));
      superuser.setOwner(directory, "alice", "alice");
    }
  }

  /** Writes a file of two replicas by our client and reads it back; what the reads were. */
  static Optional<ReadCounts> writeAndRead(
      SecureHdfs hdfs, UserGroupInformation user, Path file, Configuration conf) throws Exception {
    return user.doAs(
        (PrivilegedExceptionAction<Optional<ReadCounts>>)
            () -> {
              try (FileSystem fs = FileSystem.newInstance(hdfs.uri(), conf)) {
                try (FSDataOutputStream out = fs.create(file, (short) 2)) {
                  out.write(CONTENT);
                }
                awaitBoth(fs, file);
                try (InputStream in = fs.open(file)) {
                  assertThat(in.readAllBytes()).isEqualTo(CONTENT);
                }
                return ((TierwiseFileSystem) fs).readStatistics();
              }
            });
  }

  /** A file may be closed before its second replica is reported. */
  private static void awaitBoth(FileSystem fs, Path file) throws Exception {
    for (int i = 0;
        i < POLLS_MAX && fs.getFileBlockLocations(file, 0, 1)[0].getHosts().length < 2;
        i++) {
      Thread.sleep(50);
    }
  }

  static byte[] read(SecureHdfs hdfs, UserGroupInformation user, Path file) throws Exception {
    return user.doAs(
        (PrivilegedExceptionAction<byte[]>)
            () -> {
              try (FileSystem fs = FileSystem.newInstance(hdfs.uri(), hdfs.client());
                  InputStream in = fs.open(file)) {
                return in.readAllBytes();
              }
            });
  }

  /** Where the first block's replicas are. */
  static List<StorageType> storageTypes(SecureHdfs hdfs, Path file) throws IOException {
    try (FileSystem superuser = FileSystem.newInstance(hdfs.uri(), hdfs.client())) {
      return List.of(
          ((DistributedFileSystem) superuser)
              .getClient()
              .getLocatedBlocks(file.toString(), 0)
              .get(0)
              .getStorageTypes());
    }
  }

  /** A file on disks, in a directory of its own, that is to be on the fast tier. */
  static Path misplaced(SecureHdfs hdfs, String directory) throws Exception {
    Path file = new Path(directory, "file");
    giveToAlice(hdfs, file.getParent());
    writeAndRead(hdfs, hdfs.alice(), file, hdfs.client());
    assertThat(storageTypes(hdfs, file)).containsOnly(StorageType.DISK);
    try (FileSystem superuser = FileSystem.newInstance(hdfs.uri(), hdfs.client())) {
      superuser.setXAttr(
          file.getParent(), "user.tierwise.placement", "layout:2 x fast".getBytes(UTF_8));
    }
    return file;
  }

  /** Whether none of its replicas is on a disk any more. */
  static boolean isRepaired(SecureHdfs hdfs, Path file) throws IOException {
    return !storageTypes(hdfs, file).contains(StorageType.DISK);
  }
}
