package io.tierwise.hadoop.secondary;

import static org.assertj.core.api.Assertions.assertThat;

import io.tierwise.core.message.Listener;
import java.io.IOException;
import java.net.URI;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.StandardOpenOption;
import java.security.PrivilegedExceptionAction;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.permission.AclEntry;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.security.UserGroupInformation;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** What others do to a file while it moves is not lost: changes, other runs, readers. */
@ExtendWith(Clusters.Both.class)
class MeanwhileIT {
  private static final int BYTES = 2 * Clusters.BLOCK_BYTES + 55;

  private final Clusters clusters;

  MeanwhileIT(Clusters clusters) {
    this.clusters = clusters;
  }

  /** A change of something beside the bytes, and the word that a report has for it. */
  private record Change(String what, Clusters.Doing doing) {}

  private List<Change> changes(Path file) throws IOException {
    DistributedFileSystem stock = clusters.stock();
    return List.of(
        new Change("rights", () -> stock.setPermission(file, new FsPermission((short) 0640))),
        new Change("owner", () -> stock.setOwner(file, "bob", null)),
        new Change("group", () -> stock.setOwner(file, null, "crew")),
        new Change("replication", () -> stock.setReplication(file, (short) 1)),
        new Change("attributes", () -> stock.setXAttr(file, "user.new", new byte[] {1})),
        new Change("attributes", () -> stock.setXAttr(file, "trusted.new", new byte[] {2})),
        new Change("storage policy", () -> stock.setStoragePolicy(file, "WARM")),
        new Change("it was changed", () -> stock.setTimes(file, 1_000_000L, 2_000_000L)));
  }

  /** The folder that a run has for a moment is closed to all but its user. */
  @Test
  void anotherUsersRunBesideOneIsNoFailure() throws IOException {
    String store = clusters.store("hdfs");
    clusters.write("/two-runs/file", BYTES);
    UserGroupInformation other = UserGroupInformation.createUserForTesting("bob", new String[0]);
    List<SecondaryReport> beside = new ArrayList<>();

    SecondaryReport report =
        clusters.runAndAt(
            "placeholder enclosed",
            store,
            SecondaryRun.Kind.OFFLOAD,
            "/two-runs",
            () -> beside.add(planOf(other, store, "/two-runs")));

    assertThat(report.complete()).as("%s", report.left()).isTrue();
    assertThat(beside).hasSize(1);
    assertThat(beside.get(0).complete()).as("%s", beside.get(0).left()).isTrue();
    assertThat(beside.get(0).left()).anyMatch(left -> left.reason().contains("a run made it"));
  }

  private SecondaryReport planOf(UserGroupInformation user, String store, String path)
      throws IOException {
    PrivilegedExceptionAction<SecondaryReport> plan =
        () -> clusters.plan(store, SecondaryRun.Kind.VERIFY, path);
    try {
      return user.doAs(plan);
    } catch (InterruptedException e) {
      throw new IOException(e);
    }
  }

  @Test
  void changesBesideTheBytesAreNoticedInTheLastMoment() throws IOException {
    String store = clusters.store("hdfs");
    byte[] data = clusters.write("/changed/file", BYTES);
    Path file = new Path("/changed/file");
    DistributedFileSystem stock = clusters.stock();
    for (Change change : changes(file)) {
      SecondaryReport report =
          clusters.runAndAt("held", store, SecondaryRun.Kind.OFFLOAD, "/changed", change.doing());
      assertThat(report.complete()).as(change.what()).isFalse();
      assertThat(report.left().get(0).reason())
          .contains(change.what(), "while it was copied", "run again");
    }
    assertThat(stock.listStatus(file.getParent())).hasSize(1);
    assertThat(Clusters.filesIn(store)).isZero();

    assertThat(clusters.run(store, SecondaryRun.Kind.OFFLOAD, "/changed").files()).isOne();
    assertThat(clusters.run(store, SecondaryRun.Kind.RECALL, "/changed").files()).isOne();

    FileStatus back = stock.getFileStatus(file);
    assertThat(back.getPermission()).isEqualTo(new FsPermission((short) 0640));
    assertThat(back.getOwner()).isEqualTo("bob");
    assertThat(back.getGroup()).isEqualTo("crew");
    assertThat(back.getReplication()).isEqualTo((short) 1);
    assertThat(back.getModificationTime()).isEqualTo(1_000_000L);
    assertThat(back.getAccessTime()).isEqualTo(2_000_000L);
    assertThat(stock.getXAttr(file, "user.new")).containsExactly(1);
    assertThat(stock.getXAttr(file, "trusted.new")).containsExactly(2);
    assertThat(stock.getStoragePolicy(file).getName()).isEqualTo("WARM");
    assertThat(Clusters.read(stock, "/changed/file")).isEqualTo(data);
  }

  @Test
  void anAccessControlListThatIsGivenMeanwhileKeepsTheFile() throws IOException {
    String store = clusters.store("file");
    clusters.write("/listed/file", BYTES);
    Path file = new Path("/listed/file");
    List<AclEntry> list = AclEntry.parseAclSpec("user:alice:r--", true);

    SecondaryReport report =
        clusters.runAndAt(
            "held",
            store,
            SecondaryRun.Kind.OFFLOAD,
            "/listed",
            () -> clusters.stock().modifyAclEntries(file, list));

    assertThat(report.left().get(0).reason()).contains("access control list");
    assertThat(clusters.stock().getAclStatus(file).getEntries()).isNotEmpty();
  }

  @Test
  void whatItsPlaceholderGotComesBackWithTheFile() throws IOException {
    String store = clusters.store("file");
    byte[] data = clusters.write("/newer/file", BYTES);
    Path file = new Path("/newer/file");
    DistributedFileSystem stock = clusters.stock();
    clusters.run(store, SecondaryRun.Kind.OFFLOAD, "/newer");
    stock.setTimes(file, 3_000_000L, 4_000_000L);
    stock.setXAttr(file, "user.later", new byte[] {3});

    SecondaryReport changed =
        clusters.runAndAt(
            "held",
            store,
            SecondaryRun.Kind.RECALL,
            "/newer",
            () -> stock.setOwner(file, "bob", null));
    assertThat(changed.left().get(0).reason()).contains("owner");
    SecondaryReport recalled =
        clusters.runAndAt(
            "written",
            store,
            SecondaryRun.Kind.RECALL,
            "/newer",
            () -> stock.setReplication(file, (short) 1));

    assertThat(recalled.left()).isEmpty();
    FileStatus back = stock.getFileStatus(file);
    assertThat(back.getOwner()).isEqualTo("bob");
    assertThat(back.getReplication()).isEqualTo((short) 1);
    assertThat(back.getModificationTime()).isEqualTo(3_000_000L);
    assertThat(stock.getXAttr(file, "user.later")).containsExactly(3);
    assertThat(Clusters.read(stock, "/newer/file")).isEqualTo(data);
    // Its copy is known by what it holds, whatever time the file has.
    assertThat(clusters.clean(store, "/newer").files()).isOne();
    assertThat(Clusters.filesIn(store)).isZero();
  }

  @Test
  void aKeptCopyIsDescribedAnewWhenItsFileGoes() throws IOException {
    String store = clusters.store("file");
    clusters.write("/kept-copy/file", BYTES);
    Path file = new Path("/kept-copy/file");
    DistributedFileSystem stock = clusters.stock();
    clusters.run(store, SecondaryRun.Kind.COPY, "/kept-copy");
    stock.setPermission(file, new FsPermission((short) 0600));
    stock.setXAttr(file, "user.later", new byte[] {4});

    clusters.run(store, SecondaryRun.Kind.OFFLOAD, "/kept-copy");
    assertThat(Clusters.filesIn(store)).isEqualTo(2);
    clusters.run(store, SecondaryRun.Kind.RECALL, "/kept-copy");

    assertThat(stock.getFileStatus(file).getPermission()).isEqualTo(new FsPermission((short) 0600));
    assertThat(stock.getXAttr(file, "user.later")).containsExactly(4);
  }

  /** The second run does all while the first stands at its last step. */
  @Test
  void twoRunsAtOnceDoNotHinderEachOther() throws IOException {
    String store = clusters.store("file");
    byte[] data = clusters.write("/twice/file", BYTES);
    String path = "/twice/file";
    DistributedFileSystem stock = clusters.stock();
    for (SecondaryRun.Kind kind :
        List.of(SecondaryRun.Kind.COPY, SecondaryRun.Kind.OFFLOAD, SecondaryRun.Kind.RECALL)) {
      String late =
          switch (kind) {
            case COPY -> "read back";
            case OFFLOAD -> "placeholder finished";
            default -> "dressed";
          };
      SecondaryReport[] second = new SecondaryReport[1];
      SecondaryReport first =
          clusters.runAndAt(
              late, store, kind, "/twice", () -> second[0] = clusters.run(store, kind, "/twice"));
      assertThat(second[0].files()).as("%s %s", kind, second[0].left()).isOne();
      if (kind != SecondaryRun.Kind.COPY) {
        assertThat(first.left().get(0).reason()).contains("deleted or replaced");
      }
      assertThat(stock.listStatus(new Path("/twice"))).as("%s", kind).hasSize(1);
      assertThat(Clusters.filesIn(store)).as("%s", kind).isEqualTo(2);
      try (FileSystem ours = clusters.ours(store)) {
        assertThat(Clusters.read(ours, path)).as("%s", kind).isEqualTo(data);
      }
    }
    assertThat(Clusters.read(stock, path)).isEqualTo(data);
  }

  @Test
  void aReaderInTheMiddleGoesOnWhenTheFileComesBack() throws IOException {
    String store = clusters.store("file");
    byte[] data = clusters.write("/reading/file", BYTES);
    clusters.run(store, SecondaryRun.Kind.OFFLOAD, "/reading");

    try (FileSystem ours = clusters.ours(store);
        FSDataInputStream in = ours.open(new Path("/reading/file"))) {
      byte[] first = in.readNBytes(1000);
      clusters.run(store, SecondaryRun.Kind.RECALL, "/reading");
      // The copy has another name now, and is cleaned away under the reader.
      try (var files = Files.walk(java.nio.file.Path.of(URI.create(store)))) {
        for (java.nio.file.Path file : files.filter(Files::isRegularFile).toList()) {
          try (FileChannel cut = FileChannel.open(file, StandardOpenOption.WRITE)) {
            cut.truncate(0);
          }
        }
      }

      assertThat(first).isEqualTo(Arrays.copyOf(data, 1000));
      byte[] rest = in.readAllBytes();
      assertThat(rest).isEqualTo(Arrays.copyOfRange(data, 1000, BYTES));
      byte[] part = new byte[100];
      in.readFully(BYTES - 100, part);
      assertThat(part).isEqualTo(Arrays.copyOfRange(data, BYTES - 100, BYTES));
    }
  }

  @Test
  void aPathThatIsGoneConcernsNoOtherOne() throws IOException {
    String store = clusters.store("hdfs");
    clusters.write("/gone/later", BYTES);
    clusters.write("/gone/there", BYTES);
    DistributedFileSystem stock = clusters.stock();

    SecondaryReport report =
        clusters.run(
            store,
            SecondaryRun.Kind.OFFLOAD,
            step -> Clusters.unchecked(() -> stock.delete(new Path("/gone/later"), false)),
            Listener.SILENT,
            "/gone/before",
            "/gone/there",
            "/gone/later");

    assertThat(report.files()).isOne();
    assertThat(report.complete()).isFalse();
    assertThat(report.left()).hasSize(1);
    assertThat(report.left().get(0).reason()).isEqualTo("it was deleted or renamed meanwhile");
    assertThat(report.left().get(0).files()).isEqualTo(2);
  }
}
