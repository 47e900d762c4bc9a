package io.tierwise.hadoop.secondary;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.tierwise.core.message.Listener;
import io.tierwise.core.message.OperatorException;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.permission.FsPermission;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Stores that keep no rights, those that do not say that they do, and renames that copy wrongly.
 */
@ExtendWith(Clusters.Both.class)
class StoresWithoutRightsIT {
  private static final int BYTES = Clusters.BLOCK_BYTES + 99;

  private final Clusters clusters;

  StoresWithoutRightsIT(Clusters clusters) {
    this.clusters = clusters;
  }

  private Configuration conf(String store, Class<? extends FileSystem> type) {
    Configuration conf = clusters.conf(store);
    conf.set("fs.file.impl", type.getName());
    return conf;
  }

  private SecondaryReport run(
      Configuration conf, String store, SecondaryRun.Kind kind, String directory)
      throws IOException {
    return clusters.run(
        new Configuration(conf), store, kind, Steps.NONE, Listener.SILENT, directory);
  }

  private void permit(String path, String octal) throws IOException {
    clusters.stock().setPermission(new Path(path), new FsPermission(octal));
  }

  private void assertInHdfs(String path, byte[] data) throws IOException {
    assertThat(Clusters.read(clusters.stock(), path)).isEqualTo(data);
    assertThat(clusters.stock().listStatus(new Path(path).getParent())).hasSize(1);
  }

  @ParameterizedTest
  @CsvSource({"0755, 0640", "0755, 0604", "0755, 0244", "0705, 0644", "0750, 0644", "0655, 0644"})
  void aFileThatNotEverybodyMayReadStaysOutOfAShareWithoutRights(String above, String rights)
      throws IOException {
    String store = clusters.store("file");
    String directory = "/no-rights-" + above + rights;
    byte[] data = clusters.write(directory + "/file", BYTES);
    permit(directory + "/file", rights);
    permit(directory, above);

    SecondaryReport report =
        run(conf(store, RightslessFileSystem.class), store, SecondaryRun.Kind.OFFLOAD, directory);

    assertThat(report.files()).isZero();
    assertThat(report.stopped()).isFalse();
    assertThat(report.left().get(0).reason())
        .contains("not everybody may read it", store + " keeps no rights");
    assertInHdfs(directory + "/file", data);
    assertThat(Clusters.filesIn(store)).isZero();
  }

  @Test
  void aFileThatEverybodyMayReadGoesToAShareWithoutRights() throws IOException {
    String store = clusters.store("file");
    byte[] data = clusters.write("/for-all/file", BYTES);
    Configuration conf = conf(store, RightslessFileSystem.class);

    assertThat(run(conf, store, SecondaryRun.Kind.OFFLOAD, "/for-all").left()).isEmpty();
    assertThat(Files.readAllBytes(clusters.copyOf(store, "/for-all/file"))).isEqualTo(data);
    assertThat(Clusters.filesIn(store)).isEqualTo(2);
  }

  /** Directories and files are refused rights when they are made, too. */
  @Test
  void aShareThatRefusesRightsTakesFilesThatEverybodyMayReadAndNoOthers() throws IOException {
    String store = clusters.store("file");
    assertThatNoRightsAreNeeded(store, conf(store, RefusingFileSystem.class), "/refused-rights");
  }

  /** The same on a real mount. */
  @Test
  void aMountThatRefusesRightsTakesFilesThatEverybodyMayReadAndNoOthers() throws Exception {
    java.nio.file.Path below = Files.createTempDirectory("tierwise-below");
    java.nio.file.Path mount = Files.createTempDirectory("tierwise-mount");
    assumeTrue(
        isRun("bindfs", "--chmod-deny", below.toString(), mount.toString()),
        "bindfs is not installed, or nobody may mount here");
    try {
      Files.createDirectory(mount.resolve("store"));
      String store = mount.resolve("store").toUri().toString().replaceFirst("/$", "");
      assertThatThrownBy(
              () ->
                  Files.setPosixFilePermissions(
                      mount.resolve("store"), PosixFilePermissions.fromString("rwx------")))
          .isInstanceOf(IOException.class);
      assertThatNoRightsAreNeeded(store, clusters.conf(store), "/refused-by-mount");
    } finally {
      assertThat(isRun("umount", mount.toString())).isTrue();
    }
  }

  private static boolean isRun(String... words) throws InterruptedException {
    try {
      return new ProcessBuilder(words).inheritIO().start().waitFor() == 0;
    } catch (IOException e) {
      return false;
    }
  }

  private void assertThatNoRightsAreNeeded(String store, Configuration conf, String directory)
      throws IOException {
    byte[] open = clusters.write(directory + "/open", BYTES);
    byte[] closed = clusters.write(directory + "/closed", BYTES);
    permit(directory + "/closed", "0640");

    SecondaryReport report = run(conf, store, SecondaryRun.Kind.OFFLOAD, directory);

    assertThat(report.stopped()).as(report.left().toString()).isFalse();
    assertThat(report.files()).isOne();
    assertThat(report.left())
        .singleElement()
        .satisfies(
            left -> {
              assertThat(left.fault()).isFalse();
              assertThat(left.example()).isEqualTo(directory + "/closed");
              assertThat(left.reason()).contains("not everybody may read it", "keeps no rights");
            });
    assertThat(Clusters.read(clusters.stock(), directory + "/closed")).isEqualTo(closed);
    assertThat(Files.readAllBytes(clusters.copyOf(store, directory + "/open"))).isEqualTo(open);
    assertThat(Clusters.filesIn(store)).isEqualTo(2);
    assertThat(run(conf, store, SecondaryRun.Kind.VERIFY, directory + "/open").left()).isEmpty();
    assertThat(run(conf, store, SecondaryRun.Kind.RECALL, directory + "/open").left()).isEmpty();
    assertThat(Clusters.read(clusters.stock(), directory + "/open")).isEqualTo(open);
  }

  @Test
  void aFileThatEverybodyMayReadStaysOutOfAShareThatShowsItToOneUser() throws IOException {
    String store = clusters.store("file");
    byte[] data = clusters.write("/shown-to-one/file", BYTES);
    Configuration conf = conf(store, ClosedShareFileSystem.class);

    assertThat(run(conf, store, SecondaryRun.Kind.OFFLOAD, "/shown-to-one").left())
        .singleElement()
        .extracting(left -> left.reason())
        .asString()
        .contains("everybody may read it", "its copy would be rw-------", store);
    assertInHdfs("/shown-to-one/file", data);
    assertThat(Clusters.filesIn(store)).isZero();
  }

  @ParameterizedTest
  @CsvSource({"0644, r--r--r--", "0600, r--------"})
  void aFileSystemThatKeepsRightsWithoutSayingSoIsGivenThem(String rights, String given)
      throws IOException {
    String store = clusters.store("file");
    String directory = "/unsaid-" + rights;
    clusters.write(directory + "/file", BYTES);
    permit(directory + "/file", rights);
    Configuration conf = conf(store, BucketLikeFileSystem.class);

    assertThat(run(conf, store, SecondaryRun.Kind.OFFLOAD, directory).left()).isEmpty();

    java.nio.file.Path copy = clusters.copyOf(store, directory + "/file");
    for (java.nio.file.Path file : new java.nio.file.Path[] {copy, Clusters.metaOf(copy)}) {
      assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
          .isEqualTo(given);
    }
    assertThat(Clusters.filesIn(store)).isEqualTo(2);
  }

  @Test
  void aFileSystemThatKeepsRightsWithoutSayingSoMustNotBeOpen() throws IOException {
    String store = clusters.store("file");
    byte[] data = clusters.write("/unsaid-open/file", BYTES);
    Files.setPosixFilePermissions(
        java.nio.file.Path.of(URI.create(store)), PosixFilePermissions.fromString("rwxrwxrwx"));
    Configuration conf = conf(store, BucketLikeFileSystem.class);

    assertThatThrownBy(() -> run(conf, store, SecondaryRun.Kind.OFFLOAD, "/unsaid-open"))
        .isInstanceOf(OperatorException.class)
        .hasMessageContaining("everybody may write to the secondary store " + store);
    assertInHdfs("/unsaid-open/file", data);
    assertThat(Clusters.filesIn(store)).isZero();
  }

  @ParameterizedTest
  @ValueSource(strings = {"\\d+", "\\d+\\.meta"})
  void whatARenameCopiedWronglyIsSeenBeforeReplicasGo(String miscopied) throws IOException {
    String store = clusters.store("file");
    String directory = "/miscopied-" + miscopied.length();
    byte[] data = clusters.write(directory + "/file", BYTES);
    Configuration conf = conf(store, BucketLikeFileSystem.class);
    conf.set(BucketLikeFileSystem.MISCOPIED, miscopied);

    SecondaryReport report = run(conf, store, SecondaryRun.Kind.OFFLOAD, directory);

    assertThat(report.files()).isZero();
    assertThat(report.left().get(0).reason()).contains("does not give back what was written");
    assertInHdfs(directory + "/file", data);
    assertThat(Clusters.filesIn(store)).isZero();
  }

  /** The copy of a file that has its bytes in HDFS is taken up, by renames. */
  @ParameterizedTest
  @ValueSource(strings = {"\\d+", "\\d+\\.meta"})
  void aCopyThatARenameSpoilsIsNotTakenUp(String miscopied) throws IOException {
    String store = clusters.store("file");
    String directory = "/spoiled-" + miscopied.length();
    byte[] data = clusters.write(directory + "/file", BYTES);
    Configuration conf = conf(store, BucketLikeFileSystem.class);
    assertThat(run(conf, store, SecondaryRun.Kind.COPY, directory).left()).isEmpty();
    conf.set(BucketLikeFileSystem.MISCOPIED, miscopied);

    SecondaryReport report = run(conf, store, SecondaryRun.Kind.OFFLOAD, directory);

    assertThat(report.files()).isZero();
    assertThat(report.left().get(0).reason()).contains("does not give back what was written");
    assertInHdfs(directory + "/file", data);
    conf.unset(BucketLikeFileSystem.MISCOPIED);
    assertThat(run(conf, store, SecondaryRun.Kind.OFFLOAD, directory).left()).isEmpty();
    assertThat(Files.readAllBytes(clusters.copyOf(store, directory + "/file"))).isEqualTo(data);
    assertThat(run(conf, store, SecondaryRun.Kind.VERIFY, directory).left()).isEmpty();
  }

  /** The older copy of other bytes may be needed by a HDFS that is rolled back. */
  @Test
  void anOlderCopyHasItsNameAgainWhenTheNewDescriptionIsSpoiled() throws IOException {
    String store = clusters.store("file");
    clusters.write("/spoiled-anew/file", BYTES);
    Configuration conf = conf(store, BucketLikeFileSystem.class);
    run(conf, store, SecondaryRun.Kind.COPY, "/spoiled-anew");
    Map<String, String> before = Clusters.contentsOf(store);
    try (FSDataOutputStream out = clusters.stock().append(new Path("/spoiled-anew/file"))) {
      out.write(7);
    }
    conf.set(BucketLikeFileSystem.MISCOPIED, "\\d+\\.meta");

    SecondaryReport report = run(conf, store, SecondaryRun.Kind.COPY, "/spoiled-anew");

    assertThat(report.left().get(0).reason()).contains("does not give back what was written");
    assertThat(Clusters.contentsOf(store).equals(before)).isTrue();
  }

  /** A copy of other bytes, with the file in the state that another copy will be made of. */
  private Map<String, String> copiedBefore(Configuration conf, String store, String directory)
      throws IOException {
    clusters.write(directory + "/file", BYTES);
    run(conf, store, SecondaryRun.Kind.COPY, directory);
    Map<String, String> before = Clusters.contentsOf(store);
    try (FSDataOutputStream out = clusters.stock().append(new Path(directory + "/file"))) {
      out.write(7);
    }
    return before;
  }

  /** A HDFS that is rolled back has no other copy. */
  @ParameterizedTest
  @ValueSource(strings = {"older", "older\\.meta"})
  void anOlderCopyIsNotLeftToARenameThatCopiesWrongly(String miscopied) throws IOException {
    String store = clusters.store("file");
    String directory = "/older-" + miscopied.length();
    Configuration conf = conf(store, BucketLikeFileSystem.class);
    Map<String, String> before = copiedBefore(conf, store, directory);
    conf.set(BucketLikeFileSystem.MISCOPIED, "\\d+\\..*\\." + miscopied);

    assertThat(run(conf, store, SecondaryRun.Kind.COPY, directory).left()).isEmpty();

    assertThat(Clusters.contentsOf(store).values()).hasSize(4).containsAll(before.values());
  }

  @ParameterizedTest
  @ValueSource(strings = {"older", "older\\.meta"})
  void anOlderCopyKeepsItsNameWhereTheStoreDoesNotGiveBackASecondOne(String spoiled)
      throws IOException {
    String store = clusters.store("file");
    String directory = "/older-spoiled-" + spoiled.length();
    Configuration conf = conf(store, BucketLikeFileSystem.class);
    Map<String, String> before = copiedBefore(conf, store, directory);
    conf.set(BucketLikeFileSystem.SPOILED, "\\d+\\..*\\." + spoiled);

    SecondaryReport report = run(conf, store, SecondaryRun.Kind.COPY, directory);

    assertThat(report.left().get(0).reason()).contains("does not give back what was written");
    assertThat(Clusters.contentsOf(store).equals(before)).isTrue();
  }
}
