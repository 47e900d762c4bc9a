package io.tierwise.cli.secure;

import static org.assertj.core.api.Assertions.assertThat;

import io.tierwise.hadoop.autotier.jobs.StagedInput;
import io.tierwise.hadoop.autotier.jobs.StagedInput.InputFile;
import io.tierwise.hadoop.autotier.jobs.SubmittedJob;
import io.tierwise.history.RunRecord;
import java.security.PrivilegedExceptionAction;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.mapreduce.InputSplit;
import org.apache.hadoop.mapreduce.lib.input.FileSplit;
import org.apache.hadoop.mapreduce.split.JobSplitWriter;
import org.apache.hadoop.security.UserGroupInformation;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The daemon looks for jobs of users for whom it has no tickets. */
class SecureStagedInputIT {
  private static final String ID = "1700000000000_0001";
  private static final String HERS = "/data/hers";
  private static final String SECRET = "/secret";

  @TempDir private java.nio.file.Path folder;

  private static SubmittedJob job(String user) {
    return new SubmittedJob(RunRecord.Engine.MAPREDUCE, "application_" + ID, user, "any", 0);
  }

  private static void stage(SecureHdfs hdfs, Configuration conf) throws Exception {
    InputSplit[] splits = {
      new FileSplit(new Path(HERS), 0, 1, new String[0]),
      new FileSplit(new Path(SECRET), 0, 1, new String[0])
    };
    hdfs.alice()
        .doAs(
            (PrivilegedExceptionAction<Void>)
                () -> {
                  try (FileSystem theirs = FileSystem.newInstance(hdfs.uri(), conf)) {
                    Path directory = new Path("/staging/alice/.staging/job_" + ID);
                    theirs.mkdirs(directory, new FsPermission((short) 0700));
                    JobSplitWriter.createSplitFiles(directory, conf, theirs, splits);
                  }
                  return null;
                });
  }

  @Test
  void itActsForThemByHadoopsProxiesAndSaysSoWhereItMayNot() throws Exception {
    try (SecureHdfs hdfs = SecureHdfs.startWithProxy(folder, "alice")) {
      Configuration conf = hdfs.client("yarn.app.mapreduce.am.staging-dir", "/staging");
      UserFiles.giveToAlice(hdfs, new Path("/data"));
      UserFiles.giveToAlice(hdfs, new Path("/staging/alice"));
      UserFiles.writeAndRead(hdfs, hdfs.alice(), new Path(HERS), conf);
      UserGroupInformation.loginUserFromKeytab(
          hdfs.principal("hdfs/localhost"), hdfs.keytab("hdfs").toString());
      try (FileSystem superuser = FileSystem.newInstance(hdfs.uri(), conf)) {
        superuser.create(new Path(SECRET)).close();
        superuser.setPermission(new Path(SECRET), new FsPermission((short) 0600));
      }
      stage(hdfs, conf);
      StagedInput input = new StagedInput(hdfs.uri(), conf);

      assertThat(input.of(job("alice")).files())
          .extracting(InputFile::path)
          .as("with her rights, and no more")
          .containsExactly(HERS);
      assertThat(input.of(job("bob")).reason())
          .startsWith("this daemon may not act for its user: hadoop.proxyuser");
    }
  }
}
