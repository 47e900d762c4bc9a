package io.tierwise.cli.doctor;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.tierwise.cli.CommandRun;
import io.tierwise.cli.ManagedHdfs;
import java.io.IOException;
import java.nio.file.Files;
import java.security.PrivilegedExceptionAction;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.hdfs.DFSTestUtil;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.security.UserGroupInformation;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Policies that nobody understands, far below where the doctor looks by itself. */
class DoctorMalformedPathsIT {
  private static final String ATTRIBUTE = "user.tierwise.placement";

  @TempDir static java.nio.file.Path folder;
  private static ManagedHdfs hdfs;
  private static DistributedFileSystem fs;

  @BeforeAll
  static void start() throws IOException {
    Configuration conf = ManagedHdfs.configuration();
    hdfs = ManagedHdfs.start(folder, null, conf, nodes -> nodes.numDataNodes(1));
    fs = hdfs.fs();
  }

  @AfterAll
  static void stop() {
    hdfs.cluster().shutdown();
  }

  private static CommandRun doctor(String... more) {
    List<String> words = new ArrayList<>(List.of("doctor", "-D", hdfs.webKey()));
    words.addAll(List.of(more));
    return hdfs.run(words.toArray(String[]::new));
  }

  private static Path directoryWith(String path, String policy) throws IOException {
    Path directory = new Path(path);
    fs.mkdirs(directory);
    fs.setXAttr(directory, ATTRIBUTE, policy.getBytes(UTF_8));
    DFSTestUtil.createFile(fs, new Path(directory, "below/file"), 10, (short) 1, 7);
    return directory;
  }

  @Test
  void deepOnesAreNamedWhereTheyStandUntilTheyAreCorrected() throws Exception {
    Path deep = directoryWith("/w/a/b/c/d/e", "hybird");
    directoryWith("/w/a/b/c/d/gone", "hybird");
    fs.delete(new Path("/w/a/b/c/d/gone"), true);
    String finding = "user.tierwise.placement cannot be understood: unknown placement policy";
    assertThat(doctor().unfolded())
        .contains("paths: " + deep + ": " + finding)
        .contains("decisions met a policy that cannot be understood")
        .doesNotContain("gone");
    assertThat(doctor().exitCode()).isEqualTo(3);

    Path moved = new Path("/w/a/b/c/d/f");
    fs.rename(deep, moved);
    assertThat(doctor().unfolded()).contains("paths: " + moved + ": " + finding);

    fs.setPermission(new Path("/w/a"), new FsPermission((short) 0700));
    CommandRun others =
        UserGroupInformation.createRemoteUser("eve")
            .doAs((PrivilegedExceptionAction<CommandRun>) () -> doctor());
    assertThat(others.out()).doesNotContain(moved.toString());

    fs.setXAttr(moved, ATTRIBUTE, "hybrid".getBytes(UTF_8));
    CommandRun corrected = doctor();
    assertThat(corrected.out()).doesNotContain(moved.toString());
    assertThat(corrected.exitCode()).as(corrected.out()).isZero();
  }

  @Test
  void oneThatMayNotBeReadIsNamedAndEndsNoOtherCheck() throws Exception {
    Path unreadable = directoryWith("/z/a/b/c/unreadable", "hybird");
    Path other = directoryWith("/z/a/b/c/other", "hybird");
    fs.setPermission(unreadable, new FsPermission((short) 0711));
    fs.setPermission(new Path("/z/a"), new FsPermission((short) 0711));
    try {
      CommandRun eve =
          UserGroupInformation.createRemoteUser("eve")
              .doAs((PrivilegedExceptionAction<CommandRun>) () -> doctor());
      assertThat(eve.unfolded())
          .contains("paths: " + unreadable + ": ")
          .contains("paths: " + other + ": user.tierwise.placement cannot be understood")
          .contains("paths: /z/a: no permission to read")
          .contains("directories that may be read");
    } finally {
      fs.delete(new Path("/z"), true);
    }
  }

  @Test
  void theTierTableOfTheNameNodeSaysWhatIsUnderstood() throws IOException {
    java.nio.file.Path tiers =
        Files.writeString(
            folder.resolve("tiers.yaml"), "tiers: [{name: gold, match: {storage-type: DISK}}]");
    Path deep = directoryWith("/x/a/b/c/d", "layout:1 x gold");
    fs.setXAttr(deep, "user.tierwise.access", "fastest".getBytes(UTF_8));
    Path understood = directoryWith("/understood", "layout:1 x disk");
    try {
      assertThat(doctor("-D", "tierwise.tiers.file=" + tiers).unfolded())
          .contains("another tier table")
          .contains(deep + ": user.tierwise.placement cannot be understood: unknown tier \"gold\"")
          .contains(deep + ": user.tierwise.access cannot be understood: ")
          .doesNotContain(understood + ": user.tierwise.placement");
    } finally {
      fs.delete(understood, true);
      fs.delete(new Path("/x"), true);
    }
  }
}
