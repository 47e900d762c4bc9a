package io.tierwise.cli.autotier;

import static org.assertj.core.api.Assertions.assertThat;

import io.tierwise.cli.CommandRun;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.PrivilegedExceptionAction;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.security.UserGroupInformation;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Rules of a user whom HDFS lets into some directories and not into others. */
class RefusedWalkIT {
  private static final String USER = "alice";
  private static final String[] HERS = {"/mixed/a/part-1", "/mixed/z/part-1", "/open/part-1"};
  private static final String BELOW = "/passed/home/part-1";
  private static final String SECRET = "/mixed/m-secret/part-1";

  @TempDir static Path folder;
  private static AuditedHdfs hdfs;

  @BeforeAll
  static void files() throws IOException, InterruptedException {
    hdfs = new AuditedHdfs(folder);
    hdfs.fs().mkdirs(AuditedHdfs.hadoop("/public"));
    mode("/public", "777");
    for (String path : HERS) {
      hdfs.write(path, 3);
      hdfs.fs().setOwner(AuditedHdfs.hadoop(path), USER, USER);
    }
    // Without a read the log tells nothing.
    hdfs.read(HERS[2], 2);
    hdfs.write(SECRET, 3);
    mode("/mixed/m-secret", "700");
    hdfs.write("/hidden/inner/part-1", 3);
    mode("/hidden", "700");
    hdfs.write(BELOW, 3);
    hdfs.fs().setOwner(AuditedHdfs.hadoop(BELOW), USER, USER);
    mode("/passed", "711");
  }

  private static void mode(String path, String mode) throws IOException {
    hdfs.fs().setPermission(AuditedHdfs.hadoop(path), new FsPermission(mode));
  }

  @AfterAll
  static void stop() {
    hdfs.close();
  }

  private static CommandRun autotier(String verb, String rules, String... more) throws Exception {
    String file = Files.writeString(folder.resolve("rules.txt"), rules).toString();
    String[] words = new String[more.length + 7];
    String[] first = {
      verb, "--rules", file, "--replicas-max", "4", "-D", "tierwise.autotier.directory=/public/own"
    };
    System.arraycopy(first, 0, words, 0, first.length);
    System.arraycopy(more, 0, words, first.length, more.length);
    return UserGroupInformation.createRemoteUser(USER)
        .doAs((PrivilegedExceptionAction<CommandRun>) () -> hdfs.autotier(words));
  }

  /** In the middle of a walk whose pattern does not match the directory itself, and above one. */
  @Test
  void whatMayNotBeReadIsNamedAndAllElseGoesOn() throws Exception {
    String hidden = "path matches /hidden/inner/** -> replicas 2";
    String mixed = "path matches /mixed/*/part-* -> replicas 2";
    String open = "path matches /open/** -> replicas 2";

    CommandRun plan = autotier("plan", mixed);
    assertThat(plan.exitCode()).as(plan.err()).isEqualTo(1);
    assertThat(plan.unfolded())
        .contains("this user may not read 1 directory that rules are about, for example")
        .contains("/mixed/m-secret: nothing is changed there");
    CommandRun explained = autotier("plan", String.join("\n", hidden, open), "--explain");
    assertThat(explained.unfolded())
        .contains("this user may not read all directories that it is about")
        .contains("for example /hidden/inner:")
        .doesNotContain("no file matches its path");
    CommandRun readable = autotier("plan", open);
    assertThat(readable.unfolded()).doesNotContain("may not read");
    assertThat(readable.exitCode()).as(readable.err()).isZero();

    CommandRun run = autotier("run", String.join("\n", hidden, mixed, open), "--rounds", "1");
    assertThat(run.exitCode()).as(run.err()).isEqualTo(1);
    assertThat(run.unfolded())
        .contains(
            "this user may not read 2 directories that rules are about, for example /hidden/inner");
    for (String path : HERS) {
      assertThat(hdfs.replicas(path)).as(path).isEqualTo(2);
    }
    assertThat(hdfs.replicas(SECRET)).isEqualTo(3);
  }

  /** As /user often is: who may pass through a directory is not told its attributes. */
  @Test
  void aRuleBelowADirectoryThatMayOnlyBePassedThroughIsObeyed() throws Exception {
    CommandRun run = autotier("run", "path matches /passed/home/** -> replicas 2", "--rounds", "1");

    assertThat(hdfs.replicas(BELOW)).isEqualTo(2);
    assertThat(run.unfolded())
        .contains("this user may pass through /passed and not read it")
        .doesNotContain("nothing is changed there");
  }
}
