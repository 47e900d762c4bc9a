package io.tierwise.hadoop.autotier.jobs;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.security.PrivilegedExceptionAction;
import java.util.Map;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.mapreduce.InputSplit;
import org.apache.hadoop.mapreduce.lib.input.FileSplit;
import org.apache.hadoop.mapreduce.split.JobSplitWriter;
import org.apache.hadoop.security.UserGroupInformation;

/** Leaves lists of splits as MapReduce's clients do, and settings as Spark's. */
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

  /** Leaves settings as a client of Spark does, in that user's home directory. */
  public static Path stageSpark(DistributedFileSystem fs, String user, String id, String settings)
      throws IOException {
    Path home = new Path("/user/" + user);
    Path archive = new Path(home, ".sparkStaging/application_" + id + "/__spark_conf__.zip");
    try (OutputStream out = fs.create(archive, true)) {
      out.write(
          zip(Map.of("__hadoop_conf__/core-site.xml", "", "__spark_conf__.properties", settings)));
    }
    for (Path each = archive; each.depth() > 1; each = each.getParent()) {
      fs.setOwner(each, user, user);
      fs.setPermission(each, new FsPermission((short) 0700));
    }
    return archive;
  }

  /** An archive of files. */
  static byte[] zip(Map<String, String> files) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (ZipOutputStream zip = new ZipOutputStream(bytes)) {
      for (Map.Entry<String, String> file : files.entrySet()) {
        zip.putNextEntry(new ZipEntry(file.getKey()));
        zip.write(file.getValue().getBytes(StandardCharsets.UTF_8));
      }
    }
    return bytes.toByteArray();
  }
}
