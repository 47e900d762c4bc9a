package io.tierwise.hadoop.autotier.jobs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tierwise.hadoop.autotier.jobs.StagedInput.InputFile;
import io.tierwise.history.RunRecord;
import java.io.IOException;
import java.io.OutputStream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.hdfs.DFSTestUtil;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.HdfsConfiguration;
import org.apache.hadoop.hdfs.MiniDFSCluster;
import org.apache.hadoop.hdfs.server.namenode.NameNodeRpcServer;
import org.apache.hadoop.security.UserGroupInformation;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Jobs of people who do not trust each other, on a real HDFS that knows who may read what. */
class StagedInputIT {
  private static final String ID = "1700000000000_0001";
  private static final String DATA = "/data";
  private static final String HIS = "/data/his";
  private static final String SECRET = "/data/secret";

  @TempDir private static java.nio.file.Path folder;
  private static MiniDFSCluster hdfs;
  private static DistributedFileSystem fs;
  private static StagedInput input;

  @BeforeAll
  static void start() throws IOException {
    Configuration conf = new HdfsConfiguration();
    conf.setInt("dfs.client.retry.window.base", 1);
    hdfs = new MiniDFSCluster.Builder(conf, folder.toFile()).numDataNodes(1).build();
    hdfs.waitActive();
    fs = hdfs.getFileSystem();
    conf.set("yarn.app.mapreduce.am.staging-dir", StagedJobs.STAGING);
    input = new StagedInput(fs.getUri(), conf);
  }

  @AfterAll
  static void stop() {
    hdfs.shutdown();
  }

  @BeforeEach
  void write() throws IOException {
    file(HIS, "bob", 0600);
    file(SECRET, "alice", 0600);
  }

  @AfterEach
  void delete() throws IOException {
    for (String path : new String[] {DATA, StagedJobs.STAGING, "/user"}) {
      fs.delete(new Path(path), true);
    }
  }

  private static void file(String path, String owner, int mode) throws IOException {
    DFSTestUtil.createFile(fs, new Path(path), 1_000, (short) 1, 1);
    fs.setOwner(new Path(path), owner, owner);
    fs.setPermission(new Path(path), new FsPermission((short) mode));
  }

  private static SubmittedJob job(String user) {
    return new SubmittedJob(RunRecord.Engine.MAPREDUCE, "application_" + ID, user, "any", 0);
  }

  private static void stage(String user, String... paths) throws Exception {
    StagedJobs.stage(fs, UserGroupInformation.createRemoteUser(user), ID, paths);
  }

  @Test
  void aFileIsOneByHoweverManyTextsAndNeverByAPathThatIsNotItsOwn() throws Exception {
    fs.allowSnapshot(new Path(DATA));
    fs.createSnapshot(new Path(DATA), "s");
    long id = fs.getClient().getFileInfo(HIS).getFileId();
    String port = ":" + fs.getUri().getPort();
    stage(
        "bob",
        HIS,
        fs.getUri() + HIS,
        "/data//his",
        "hdfs:" + HIS,
        "HDFS://LOCALHOST" + port + HIS,
        "hdfs://127.0.0.1" + port + HIS);
    assertThat(input.of(job("bob")).files()).extracting(InputFile::path).containsExactly(HIS);

    stage("bob", "/.reserved/.inodes/" + id, "/.reserved/raw" + HIS, "/data/.snapshot/s/his");
    assertThat(input.of(job("bob")).files()).isEmpty();
    fs.deleteSnapshot(new Path(DATA), "s");
    fs.disallowSnapshot(new Path(DATA));
  }

  @Test
  void namesMayHaveAnyCharacterThatHdfsAllows() throws Exception {
    String odd = "/data/a\nb\t%20 {x,y}*?[z]";
    file(odd, "bob", 0600);
    stage("bob", odd);
    assertThat(input.of(job("bob")).files()).extracting(InputFile::path).containsExactly(odd);
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
    Path list = new Path(StagedJobs.directory("bob", ID), "job.split");
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

  /** As where several name services are one cluster, and jobs are staged in another one. */
  @Test
  void aListOnAnotherFileSystemIsAReason() throws Exception {
    Configuration conf = new Configuration(fs.getConf());
    conf.set("yarn.app.mapreduce.am.staging-dir", "hdfs://elsewhere:1/staging");

    assertThat(new StagedInput(fs.getUri(), conf).of(job("bob")).reason())
        .isEqualTo(
            "its list of splits is on another file system, at"
                + " hdfs://elsewhere:1/staging/bob/.staging/job_"
                + ID
                + "/job.split (yarn.app.mapreduce.am.staging-dir)");
  }

  @Test
  void aListWhoseBytesAreLostIsAReason() throws Exception {
    stage("bob", HIS);
    String list = new Path(StagedJobs.directory("bob", ID), "job.split").toString();
    hdfs.corruptBlockOnDataNodesByDeletingBlockFile(
        fs.getClient().getLocatedBlocks(list, 0).get(0).getBlock());

    assertThat(input.of(job("bob")).reason()).startsWith("its list of splits cannot be read: ");
  }

  private static SubmittedJob spark(String user) {
    return new SubmittedJob(RunRecord.Engine.SPARK, "application_" + ID, user, "any", 0);
  }

  private static void says(String user, String input) throws IOException {
    StagedJobs.stageSpark(fs, user, ID, "spark.tierwise.input=" + input + "\n");
  }

  @Test
  void sparksInputIsWhatItSaysAndItsUserMayRead() throws Exception {
    file("/data/day=1/part-0", "bob", 0600);
    file("/data/day=1/_SUCCESS", "bob", 0600);
    file("/data/day=1/_temporary/part-1", "bob", 0600);
    file("/data/_c=2/part-2", "bob", 0600);
    file("/data/closed/part-3", "bob", 0600);
    fs.setOwner(new Path("/data/closed"), "alice", "alice");
    fs.setPermission(new Path("/data/closed"), new FsPermission((short) 0700));
    fs.setPermission(new Path(DATA), new FsPermission((short) 0755));

    says("bob", "/data, /gone, file:/etc, hdfs://elsewhere:1/data, /data/*, " + HIS);
    assertThat(input.of(spark("bob")).files())
        .extracting(InputFile::path)
        .containsExactlyInAnyOrder(HIS, "/data/day=1/part-0", "/data/_c=2/part-2");

    says("bob", SECRET);
    assertThat(input.of(spark("bob")).reason())
        .isEqualTo("none of the files that it would read is there for its user");
  }

  @Test
  void sparksSettingsThatAreNotThereOrNotHisAreAReason() throws Exception {
    assertThat(input.of(spark("bob")).reason())
        .isEqualTo(
            "it left no archive of settings at "
                + fs.getUri()
                + "/user/bob/.sparkStaging/application_"
                + ID
                + "/__spark_conf__.zip (spark.yarn.stagingDir)");

    says("alice", SECRET);
    fs.rename(new Path("/user/alice"), new Path("/user/bob"));
    assertThat(input.of(spark("bob")).reason())
        .isEqualTo("HDFS does not let this daemon look with the rights of its user");
  }

  private static int connections() {
    return ((NameNodeRpcServer) hdfs.getNameNodeRpc()).getClientRpcServer().getNumOpenConnections();
  }

  /** Each of them has a thread, and ends when it was not used for ten seconds. */
  @Test
  void jobsOfOneUserTakeNoConnectionEach() throws Exception {
    says("bob", HIS);
    assertThat(input.of(spark("bob")).files()).hasSize(1);
    int before = connections();

    for (int job = 0; job < 20; job++) {
      assertThat(input.of(spark("bob")).files()).hasSize(1);
    }

    assertThat(connections()).isLessThanOrEqualTo(before);
  }

  /** Directories count, too: a tree of empty ones may be as large as anybody likes. */
  @Test
  void aTreeWithMoreThanIsAskedAboutIsNotWalked() throws Exception {
    for (int i = 0; i < 3; i++) {
      fs.mkdirs(new Path("/data/many/" + i + "/0"));
    }
    NamedFiles named = new NamedFiles(fs, 7);
    named.add("/data/many");
    assertThat(named.files()).isEmpty();

    assertThatThrownBy(() -> named.add(HIS))
        .hasMessage("it reads more than 7 files and directories");
    assertThatThrownBy(() -> new NamedFiles(fs, 6).add("/data/many"))
        .hasMessage("it reads more than 6 files and directories");
  }
}
