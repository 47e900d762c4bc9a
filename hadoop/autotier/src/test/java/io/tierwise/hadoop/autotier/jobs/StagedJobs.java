package io.tierwise.hadoop.autotier.jobs;

import java.net.URI;
import java.security.PrivilegedExceptionAction;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.mapreduce.InputSplit;
import org.apache.hadoop.mapreduce.lib.input.FileSplit;
import org.apache.hadoop.mapreduce.split.JobSplitWriter;
import org.apache.hadoop.security.UserGroupInformation;

/** Leaves lists of splits, as MapReduce's clients do. */
public final class StagedJobs {
  /** The staging directory of all users. */
  public static final String STAGING = "/staging";

  private StagedJobs() {}

  /** The directory of a job. */
  public static Path directory(String user, String id) {
    return new Path(STAGING + "/" + user + "/.staging/job_" + id);
  }

  /** As a client of that user. */
  public static void stage(
      DistributedFileSystem fs, UserGroupInformation user, String id, String... paths)
      throws Exception {
    Path directory = directory(user.getShortUserName(), id);
    fs.mkdirs(directory);
    for (Path each = directory; each.depth() > 1; each = each.getParent()) {
      fs.setOwner(each, user.getShortUserName(), user.getShortUserName());
      fs.setPermission(each, new FsPermission((short) 0700));
    }
    InputSplit[] splits = new InputSplit[paths.length];
    for (int i = 0; i < paths.length; i++) {
      splits[i] = new FileSplit(new Path(paths[i]), 0, 1, new String[0]);
    }
    URI nameNode = fs.getUri();
    Configuration conf = fs.getConf();
    user.doAs(
        (PrivilegedExceptionAction<Void>)
            () -> {
              try (FileSystem theirs = FileSystem.newInstance(nameNode, conf)) {
                JobSplitWriter.createSplitFiles(directory, conf, theirs, splits);
              }
              return null;
            });
  }
}
