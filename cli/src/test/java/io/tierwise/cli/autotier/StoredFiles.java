package io.tierwise.cli.autotier;

import io.tierwise.hadoop.hdfs.client.TierwiseFileSystem;
import io.tierwise.hadoop.hdfs.secondary.Placeholder;
import java.io.IOException;
import java.security.PrivilegedExceptionAction;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.HdfsConfiguration;
import org.apache.hadoop.security.UserGroupInformation;

/**
 * Files of an HDFS, wherever their bytes are.
 *
 * @param stores the configuration that tells of its secondary store
 */
record StoredFiles(DistributedFileSystem fs, Configuration stores) {
  /**
   * Of a store that needs no more keys.
   *
   * @param store its URI
   */
  StoredFiles(AuditedHdfs hdfs, String store) throws IOException {
    this(hdfs.fs(), new HdfsConfiguration());
    stores.set("tierwise.secondary.stores", store);
  }

  /** Whether the file is in the store alone. */
  boolean isStored(String path) throws IOException {
    return Placeholder.is(fs.getClient().getFileInfo(path));
  }

  /** So many people read it by our client, which reads the store. */
  void read(String path, int readers) throws IOException, InterruptedException {
    for (int i = 0; i < readers; i++) {
      content("reader" + i, path);
    }
  }

  /** All that a person reads of it. */
  byte[] content(String person, String path) throws IOException, InterruptedException {
    Configuration conf = new Configuration(stores);
    conf.set("fs.hdfs.impl", TierwiseFileSystem.class.getName());
    return UserGroupInformation.createRemoteUser(person)
        .doAs(
            (PrivilegedExceptionAction<byte[]>)
                () -> {
                  try (FileSystem theirs = FileSystem.newInstance(fs.getUri(), conf);
                      FSDataInputStream in = theirs.open(AuditedHdfs.hadoop(path))) {
                    return in.readAllBytes();
                  }
                });
  }
}
