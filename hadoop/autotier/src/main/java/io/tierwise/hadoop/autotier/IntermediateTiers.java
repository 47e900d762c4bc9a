package io.tierwise.hadoop.autotier;

import io.tierwise.core.message.OperatorException;
import io.tierwise.hadoop.autotier.jobs.JobList;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.Options;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.security.AccessControlException;

/**
 * Tells NodeManagers on which tier an application's intermediate data goes: a file of the
 * application's id with the tier's name, in a directory of HDFS that all may read and only the
 * daemon may write.
 */
final class IntermediateTiers {
  private static final FsPermission DIRECTORY = new FsPermission((short) 0755);
  private static final FsPermission FILE = new FsPermission((short) 0644);

  private final DistributedFileSystem fs;
  private final Path directory;

  IntermediateTiers(DistributedFileSystem fs, Configuration conf) {
    this.fs = fs;
    directory = new Path(Control.directory(conf), "intermediate");
  }

  /** Tells, whole or not at all. */
  void tell(String application, String tier) throws IOException {
    try {
      fs.mkdirs(directory);
      fs.setPermission(directory, DIRECTORY);
      // NodeManagers ask for ids of applications alone, so that nobody reads half of a file.
      Path coming = new Path(directory, application + ".coming");
      try (OutputStream out = fs.create(coming, true)) {
        out.write(tier.getBytes(StandardCharsets.UTF_8));
      }
      fs.setPermission(coming, FILE);
      fs.rename(coming, new Path(directory, application), Options.Rename.OVERWRITE);
    } catch (AccessControlException e) {
      throw OperatorException.cluster(
          "no permission to write " + directory + ": NodeManagers are told nothing", e);
    }
  }

  /** Takes back what was told of applications that are over. */
  void keepOnly(JobList notOver) throws IOException {
    if (!fs.exists(directory)) {
      return;
    }
    for (FileStatus each : fs.listStatus(directory)) {
      if (!notOver.has(each.getPath().getName())) {
        fs.delete(each.getPath(), false);
      }
    }
  }
}
