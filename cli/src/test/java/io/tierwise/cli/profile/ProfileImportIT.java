package io.tierwise.cli.profile;

import static org.assertj.core.api.Assertions.assertThat;

import io.tierwise.cli.CommandRun;
import java.security.PrivilegedExceptionAction;
import java.util.List;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.HdfsConfiguration;
import org.apache.hadoop.hdfs.MiniDFSCluster;
import org.apache.hadoop.security.UserGroupInformation;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** History in HDFS, where each user's folder is that user's own. */
class ProfileImportIT {
  private static final java.nio.file.Path SAMPLE =
      java.nio.file.Path.of(System.getProperty("tierwise.root"), "examples", "profiles");

  @TempDir private java.nio.file.Path folder;

  @Test
  void aFolderThatMayNotBeReadIsSaidAndAllOthersAreImported() throws Exception {
    try (MiniDFSCluster hdfs =
        new MiniDFSCluster.Builder(new HdfsConfiguration(), folder.resolve("hdfs").toFile())
            .build()) {
      DistributedFileSystem fs = hdfs.getFileSystem();
      List<String> users = List.of("ann", "bob", "cid");
      for (int user = 0; user < users.size(); user++) {
        Path own = new Path("/history/" + users.get(user));
        fs.mkdirs(own);
        String job = "job_1794000000000_000" + (user + 1) + ".jhist.gz";
        fs.copyFromLocalFile(new Path(SAMPLE.resolve(job).toUri()), own);
      }
      fs.setPermission(new Path("/history/bob"), new FsPermission((short) 0700));
      String catalog = folder.resolve("runs.db").toString();
      CommandRun run =
          UserGroupInformation.createUserForTesting("ann", new String[0])
              .doAs(
                  (PrivilegedExceptionAction<CommandRun>)
                      () ->
                          CommandRun.of(
                              "profile",
                              "import",
                              hdfs.getURI() + "/history",
                              "--catalog",
                              catalog));

      assertThat(run.exitCode()).as(run.err()).isEqualTo(1);
      assertThat(run.err()).contains("/history/bob: may not be looked into").hasLineCount(1);
      assertThat(run.out()).startsWith("added 2 runs; ");
    }
  }
}
