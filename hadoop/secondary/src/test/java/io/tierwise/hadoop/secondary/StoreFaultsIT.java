package io.tierwise.hadoop.secondary;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tierwise.core.message.OperatorException;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.net.URI;
import java.nio.file.Files;
import java.security.PrivilegedExceptionAction;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.hdfs.protocol.HdfsConstants;
import org.apache.hadoop.security.UserGroupInformation;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Stores that fail, and files that others change meanwhile: nothing is lost. */
@ExtendWith(Clusters.Both.class)
class StoreFaultsIT {
  private static final int BYTES = 2 * Clusters.BLOCK_BYTES + 77;

  private final Clusters clusters;

  StoreFaultsIT(Clusters clusters) {
    this.clusters = clusters;
  }

  private static List<java.nio.file.Path> copies(String store) throws IOException {
    try (Stream<java.nio.file.Path> files = Files.walk(java.nio.file.Path.of(URI.create(store)))) {
      return files
          .filter(Files::isRegularFile)
          .filter(file -> file.getFileName().toString().matches("\\d+"))
          .toList();
    }
  }

  /** Nothing but the file is in its directory, and nothing is in the store. */
  private void assertUntouched(String path, byte[] data, String store) throws IOException {
    assertThat(Clusters.read(clusters.stock(), path)).isEqualTo(data);
    assertThat(clusters.stock().listStatus(new Path(path).getParent())).hasSize(1);
    assertThat(Clusters.filesIn(store)).isZero();
  }

  @Test
  void bytesThatChangedInTheStoreAreNeverHandedOut() throws IOException {
    String store = clusters.store("file");
    byte[] data = clusters.write("/rotten/file", BYTES);
    clusters.run(store, SecondaryRun.Kind.OFFLOAD, "/rotten");
    java.nio.file.Path copy = copies(store).get(0);
    try (RandomAccessFile file = new RandomAccessFile(copy.toFile(), "rw")) {
      file.seek(Clusters.BLOCK_BYTES + 5);
      int was = file.read();
      file.seek(Clusters.BLOCK_BYTES + 5);
      file.write(was ^ 1);
    }

    try (FileSystem ours = clusters.ours(store);
        FSDataInputStream in = ours.open(new Path("/rotten/file"))) {
      byte[] first = new byte[1000];
      in.readFully(0, first);
      assertThat(data).startsWith(first);
      assertThatThrownBy(() -> in.readFully(Clusters.BLOCK_BYTES, first))
          .isInstanceOf(IOException.class)
          .hasMessageContaining("/rotten/file is in the secondary store")
          .hasMessageContaining("does not match its checksum");
    }
    SecondaryReport verified = clusters.run(store, SecondaryRun.Kind.VERIFY, "/rotten");
    assertThat(verified.complete()).isFalse();
    assertThat(verified.left().get(0).reason()).contains(store, "does not give back");
    SecondaryReport recalled = clusters.run(store, SecondaryRun.Kind.RECALL, "/rotten");
    assertThat(recalled.complete()).isFalse();
    assertThat(clusters.stock().listStatus(new Path("/rotten"))).hasSize(1);
    // A copy that is put right is read again.
    try (RandomAccessFile file = new RandomAccessFile(copy.toFile(), "rw")) {
      file.write(data);
    }
    assertThat(clusters.run(store, SecondaryRun.Kind.RECALL, "/rotten").left()).isEmpty();
    assertThat(Clusters.read(clusters.stock(), "/rotten/file")).isEqualTo(data);
  }

  @Test
  void aCopyThatIsCutOrGoneIsToldInOneLine() throws IOException {
    String store = clusters.store("file");
    clusters.write("/cut/file", BYTES);
    clusters.run(store, SecondaryRun.Kind.OFFLOAD, "/cut");
    java.nio.file.Path copy = copies(store).get(0);
    try (RandomAccessFile file = new RandomAccessFile(copy.toFile(), "rw")) {
      file.setLength(BYTES - 1);
    }
    try (FileSystem ours = clusters.ours(store)) {
      assertThatThrownBy(() -> Clusters.read(ours, "/cut/file"))
          .hasMessageContaining("is shorter than it was");
      Files.delete(copy.resolveSibling(copy.getFileName() + ".meta"));
      assertThatThrownBy(() -> Clusters.read(ours, "/cut/file"))
          .hasMessageContaining("none of those that tierwise.secondary.stores names has its copy")
          .hasMessageContaining(store);
      // What is listed comes from HDFS.
      assertThat(ours.getFileStatus(new Path("/cut/file")).getLen()).isEqualTo(BYTES);
    }
  }

  @Test
  void aStoreThatGivesBackOtherBytesGetsNothing() throws IOException {
    String store = clusters.store("file");
    byte[] data = clusters.write("/lied/file", BYTES);

    SecondaryReport report = clusters.runOnLiar(store, SecondaryRun.Kind.OFFLOAD, "/lied");

    assertThat(report.complete()).isFalse();
    assertThat(report.left().get(0).reason())
        .contains("the secondary store " + store, "does not give back what was written");
    assertUntouched("/lied/file", data, store);
  }

  @Test
  void aStoreThatIsFullEndsTheRun() throws IOException {
    String store = clusters.store("hdfs");
    Path root = new Path(URI.create(store).getPath());
    byte[] data = clusters.write("/full/file", BYTES);
    clusters.archive().getFileSystem().setQuota(root, HdfsConstants.QUOTA_DONT_SET, 1 << 20);

    SecondaryReport report = clusters.run(store, SecondaryRun.Kind.OFFLOAD, "/full");

    assertThat(report.stopped()).isTrue();
    assertThat(report.left().get(0).reason())
        .startsWith("the secondary store " + store + " cannot be written (DSQuotaExceeded")
        .doesNotContain("\n");
    assertUntouched("/full/file", data, store);
  }

  @Test
  void aStoreThatIsNotThereIsToldBeforeAnythingIsDone() throws IOException {
    byte[] data = clusters.write("/nowhere/file", BYTES);
    String file = "file:///tierwise-no-such-mount/store";
    assertThatThrownBy(() -> clusters.run(file, SecondaryRun.Kind.OFFLOAD, "/nowhere"))
        .isInstanceOf(OperatorException.class)
        .hasMessage(
            "the secondary store " + file + " is not there: mount it, or make the directory");
    String hdfs = "hdfs://127.0.0.1:1/store";
    assertThatThrownBy(() -> clusters.run(hdfs, SecondaryRun.Kind.OFFLOAD, "/nowhere"))
        .isInstanceOf(OperatorException.class)
        .hasMessageContaining("the secondary store " + hdfs + " cannot be reached");
    assertThatThrownBy(() -> clusters.run("nas", SecondaryRun.Kind.OFFLOAD, "/nowhere"))
        .isInstanceOf(OperatorException.class)
        .hasMessageContaining("tierwise.secondary.stores names \"nas\": give a directory");
    assertThat(Clusters.read(clusters.stock(), "/nowhere/file")).isEqualTo(data);
  }

  @Test
  void aStoreThatThisUserMayNotReadIsToldBeforeAnythingIsDone() throws Exception {
    String store = clusters.store("hdfs");
    Path root = new Path(URI.create(store).getPath());
    byte[] data = clusters.write("/closed-store/file", BYTES);
    clusters.archive().getFileSystem().setPermission(root, new FsPermission((short) 0700));

    UserGroupInformation.createUserForTesting("alice", new String[] {"staff"})
        .doAs(
            (PrivilegedExceptionAction<Void>)
                () -> {
                  assertThatThrownBy(
                          () -> clusters.run(store, SecondaryRun.Kind.OFFLOAD, "/closed-store"))
                      .isInstanceOf(OperatorException.class)
                      .hasMessageContaining("cannot be reached (AccessControlException: ")
                      .hasMessageContaining("see whether this user may read");
                  return null;
                });
    assertUntouched("/closed-store/file", data, store);
  }

  /** Does something when a step was made. */
  private SecondaryReport offloadAndAt(String step, String store, String path, Clusters.Doing doing)
      throws IOException {
    return clusters.runAndAt(step, store, SecondaryRun.Kind.OFFLOAD, path, doing);
  }

  @Test
  void aFileThatIsAppendedToMeanwhileStays() throws IOException {
    String store = clusters.store("file");
    clusters.write("/appended/file", BYTES);
    Path path = new Path("/appended/file");

    SecondaryReport report =
        offloadAndAt(
            "placeholder finished",
            store,
            "/appended",
            () -> {
              try (FSDataOutputStream out = clusters.stock().append(path)) {
                out.write(1);
              }
            });

    assertThat(report.left().get(0).reason()).contains("it was changed while it was copied");
    assertThat(clusters.stock().getFileStatus(path).getLen()).isEqualTo(BYTES + 1);
    assertThat(clusters.stock().listStatus(path.getParent())).hasSize(1);
    assertThat(Clusters.filesIn(store)).isZero();
  }

  @Test
  void aFileThatIsBeingWrittenStays() throws IOException {
    String store = clusters.store("file");
    Path path = new Path("/written/file");
    try (FSDataOutputStream out = clusters.stock().create(path)) {
      out.write(new byte[BYTES]);
      out.hflush();
      assertThat(clusters.run(store, SecondaryRun.Kind.OFFLOAD, "/written").left().get(0).reason())
          .isEqualTo("it is being written");
    }
  }

  @Test
  void aFileThatSomebodyOpensForAppendingMeanwhileStays() throws IOException {
    String store = clusters.store("file");
    byte[] data = clusters.write("/held-by-a-writer/file", BYTES);
    List<FSDataOutputStream> held = new ArrayList<>();

    SecondaryReport report =
        offloadAndAt(
            "placeholder finished",
            store,
            "/held-by-a-writer",
            () -> held.add(clusters.stock().append(new Path("/held-by-a-writer/file"))));

    assertThat(report.complete()).isFalse();
    held.get(0).close();
    assertUntouched("/held-by-a-writer/file", data, store);
  }

  @Test
  void aFileThatIsReplacedMeanwhileIsTheNewOne() throws IOException {
    String store = clusters.store("file");
    clusters.write("/replaced/file", BYTES);
    byte[][] other = new byte[1][];

    SecondaryReport report =
        offloadAndAt(
            "placeholder finished",
            store,
            "/replaced",
            () -> {
              clusters.stock().delete(new Path("/replaced/file"), false);
              other[0] = clusters.write("/replaced/file", new byte[5000]);
            });

    assertThat(report.complete()).isFalse();
    assertThat(Clusters.read(clusters.stock(), "/replaced/file")).isEqualTo(other[0]);
  }

  @Test
  void ourClientLeavesPlaceholdersAsTheyAre() throws IOException {
    String store = clusters.store("file");
    byte[] data = clusters.write("/kept/file", BYTES);
    Path path = new Path("/kept/file");
    clusters.run(store, SecondaryRun.Kind.OFFLOAD, "/kept");

    try (FileSystem ours = clusters.ours(store)) {
      List<ThrowingCallable> changes =
          List.of(
              () -> ours.append(path).close(),
              () -> ours.truncate(path, 1),
              () -> ours.setPermission(path, new FsPermission((short) 0600)),
              () -> ours.setOwner(path, "bob", null),
              () -> ours.setStoragePolicy(path, "WARM"),
              () -> ours.setAcl(path, List.of()),
              () -> ours.modifyAclEntries(path, List.of()));
      for (ThrowingCallable change : changes) {
        assertThatThrownBy(change)
            .isInstanceOf(IOException.class)
            .hasMessageContaining("/kept/file is in a secondary store and cannot be changed there");
      }
      assertThat(Clusters.read(ours, "/kept/file")).isEqualTo(data);
    }
    // What a stock client takes away stays away.
    clusters.stock().setPermission(path, new FsPermission((short) 0100));
    clusters.run(store, SecondaryRun.Kind.RECALL, "/kept");
    assertThat(clusters.stock().getFileStatus(path).getPermission())
        .isEqualTo(new FsPermission((short) 0600));
  }

  @Test
  void aPlaceholderThatSomebodyOpenedIsNoticedAndCannotBeAppendedTo() throws Exception {
    String store = clusters.store("file");
    byte[] data = clusters.write("/opened/file", BYTES);
    Path path = new Path("/opened/file");
    clusters.run(store, SecondaryRun.Kind.OFFLOAD, "/opened");
    clusters.stock().setPermission(path, new FsPermission((short) 0644));

    // The NameNode lets her open it, and our client looks what she got.
    UserGroupInformation.createUserForTesting("alice", new String[] {"staff"})
        .doAs(
            (PrivilegedExceptionAction<Void>)
                () -> {
                  try (FileSystem hers = clusters.ours(store)) {
                    assertThat(Clusters.read(hers, "/opened/file")).isEqualTo(data);
                    assertThat(hers.getFileStatus(path).getLen()).isEqualTo(BYTES);
                    assertThat(hers.getFileBlockLocations(path, 0, BYTES)).hasSize(3);
                  }
                  return null;
                });
    assertThat(clusters.run(store, SecondaryRun.Kind.VERIFY, "/opened").left().get(0).reason())
        .contains("somebody gave rights to read to its placeholder");
    // No DataNode has room for a block of that size, so that nobody can append to it.
    assertThatThrownBy(
            () -> {
              try (FSDataOutputStream out = clusters.stock().append(path)) {
                out.write(new byte[1000]);
              }
            })
        .isInstanceOf(IOException.class);
    try (FileSystem ours = clusters.ours(store)) {
      assertThat(Clusters.read(ours, "/opened/file")).isEqualTo(data);
    }
  }
}
