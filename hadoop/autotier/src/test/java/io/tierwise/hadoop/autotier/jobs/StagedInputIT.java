package io.tierwise.hadoop.autotier.jobs;

import static org.assertj.core.api.Assertions.assertThat;

import io.tierwise.hadoop.autotier.jobs.StagedInput.InputFile;
import java.io.IOException;
import java.io.OutputStream;
import java.security.PrivilegedExceptionAction;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.hdfs.DFSTestUtil;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.HdfsConfiguration;
import org.apache.hadoop.hdfs.MiniDFSCluster;
import org.apache.hadoop.mapreduce.InputSplit;
import org.apache.hadoop.mapreduce.lib.input.FileSplit;
import org.apache.hadoop.mapreduce.split.JobSplitWriter;
import org.apache.hadoop.security.UserGroupInformation;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Jobs of people who do not trust each other, on a real HDFS that knows who may read what. */
class StagedInputIT {
  private static final String ID = "1700000000000_0001";
  private static final String HIS = "/data/his";
  private static final String SECRET = "/data/secret";

  @TempDir private java.nio.file.Path folder;
  private MiniDFSCluster hdfs;
  private DistributedFileSystem fs;
  private StagedInput input;

  @BeforeEach
  void start() throws IOException {
    Configuration conf = new HdfsConfiguration();
    hdfs = new MiniDFSCluster.Builder(conf, folder.toFile()).numDataNodes(1).build();
    hdfs.waitActive();
    fs = hdfs.getFileSystem();
    conf.set("yarn.app.mapreduce.am.staging-dir", "/staging");
    input = new StagedInput(fs.getUri(), conf);
    file(HIS, "bob", 0600);
    file(SECRET, "alice", 0600);
  }

  @AfterEach
  void stop() {
    hdfs.shutdown();
  }

  private void file(String path, String owner, int mode) throws IOException {
    DFSTestUtil.createFile(fs, new Path(path), 1_000, (short) 1, 1);
    fs.setOwner(new Path(path), owner, owner);
    fs.setPermission(new Path(path), new FsPermission((short) mode));
  }

  private static WaitingJob job(String user) {
    return new WaitingJob("application_" + ID, user, "any", 0);
  }

  private static Path staging(String user) {
    return new Path("/staging/" + user + "/.staging/job_" + ID);
  }

  /** As a client of his does it. */
  private void stage(String user, String... paths) throws Exception {
    Path directory = staging(user);
    fs.mkdirs(directory);
    for (Path each = directory; each.depth() > 1; each = each.getParent()) {
      fs.setOwner(each, user, user);
      fs.setPermission(each, new FsPermission((short) 0700));
    }
    InputSplit[] splits = new InputSplit[paths.length];
    for (int i = 0; i < paths.length; i++) {
      splits[i] = new FileSplit(new Path(paths[i]), 0, 1, new String[0]);
    }
    UserGroupInformation.createRemoteUser(user)
        .doAs(
            (PrivilegedExceptionAction<Void>)
                () -> {
                  try (FileSystem theirs = FileSystem.newInstance(fs.getUri(), fs.getConf())) {
                    JobSplitWriter.createSplitFiles(directory, fs.getConf(), theirs, splits);
                  }
                  return null;
                });
  }

  @Test
  void filesThatTheJobsUserMayNotReadAreNoneOfItsInput() throws Exception {
    stage("bob", fs.getUri() + HIS, fs.getUri() + SECRET, SECRET, "/data/../data/secret");

    assertThat(input.of(job("bob")).files()).extracting(InputFile::path).containsExactly(HIS);
    assertThat(input.of(job("bob")).files().get(0).status().getLen()).isEqualTo(1_000);
  }

  @Test
  void whatIsElsewhereGoneOrNoFileIsLeftOut() throws Exception {
    stage("bob", "hdfs://elsewhere:1" + HIS, "file:/etc/passwd", "/data", "/data/gone", HIS);

    assertThat(input.of(job("bob")).files()).extracting(InputFile::path).containsExactly(HIS);

    stage("bob", "/data/gone");
    assertThat(input.of(job("bob")).reason())
        .isEqualTo("none of the files that it would read is there for its user");
  }

  @Test
  void aListThatIsNotThereOrNotHisIsAReason() throws Exception {
    assertThat(input.of(job("bob")).reason())
        .isEqualTo(
            "it left no list of splits at /staging/bob/.staging/job_"
                + ID
                + "/job.split (yarn.app.mapreduce.am.staging-dir)");

    stage("alice", SECRET);
    fs.rename(new Path("/staging/alice"), new Path("/staging/bob"));
    assertThat(input.of(job("bob")).reason())
        .isEqualTo("HDFS does not let this daemon look with the rights of its user");

    for (String user : new String[] {"", "..", "../alice", "."}) {
      assertThat(input.of(job(user)).reason()).isEqualTo("its user's name is none");
    }
  }

  @Test
  void aListThatNobodyReadsIsNotReadWhole() throws Exception {
    stage("bob", HIS);
    Path list = new Path(staging("bob"), "job.split");
    byte[] block = new byte[1 << 20];
    try (OutputStream out = fs.create(list, true)) {
      for (int i = 0; i <= StagedSplits.BYTES_MAX / block.length; i++) {
        out.write(block);
      }
    }
    fs.setOwner(list, "bob", "bob");

    assertThat(input.of(job("bob")).reason())
        .isEqualTo("its list of splits is larger than anybody reads");
  }
}
