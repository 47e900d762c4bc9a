package io.tierwise.hadoop.secondary;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import io.tierwise.core.message.Listener;
import java.io.IOException;
import java.nio.file.Files;
import java.security.PrivilegedExceptionAction;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.RawLocalFileSystem;
import org.apache.hadoop.security.UserGroupInformation;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Copies that are there already: for their own bytes only, and never lost by a run that fails. */
@ExtendWith(Clusters.Both.class)
class CopiesThereIT {
  private static final int BYTES = 2 * Clusters.BLOCK_BYTES + 99;

  private final Clusters clusters;

  CopiesThereIT(Clusters clusters) {
    this.clusters = clusters;
  }

  private void append(String path, int... bytes) throws IOException {
    try (FSDataOutputStream out = clusters.stock().append(new Path(path))) {
      for (int one : bytes) {
        out.write(one);
      }
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"file", "hdfs"})
  void aCopyIsThereAgainWhenTheMoveFails(String kind) throws IOException {
    String store = clusters.store(kind);
    String directory = "/given-back-" + kind;
    String path = directory + "/file";
    byte[] data = clusters.write(path, BYTES);
    clusters.run(store, SecondaryRun.Kind.COPY, directory);
    Map<String, String> before = Clusters.contentsOf(store);

    SecondaryReport failed =
        clusters.runAndAt(
            "held",
            store,
            SecondaryRun.Kind.OFFLOAD,
            directory,
            () -> clusters.stock().setXAttr(new Path(path), "user.new", new byte[] {1}));

    assertThat(failed.left().get(0).reason()).contains("somebody changed its attributes");
    assertThat(Clusters.contentsOf(store).equals(before)).isTrue();
    assertThat(clusters.copiesOf(store, SecondaryRun.Kind.OFFLOAD, directory)).isZero();
    try (FileSystem ours = clusters.ours(store)) {
      assertThat(Clusters.read(ours, path)).isEqualTo(data);
    }
    assertThat(Clusters.filesIn(store)).isEqualTo(2);
  }

  /** A HDFS that is rolled back may need it: cleaning says when it may go. */
  @Test
  void aCopyOfAFileThatIsDeletedMeanwhileIsLeftToCleaning() throws IOException {
    String store = clusters.store("file");
    clusters.write("/deleted-meanwhile/file", BYTES);
    clusters.run(store, SecondaryRun.Kind.COPY, "/deleted-meanwhile");

    clusters.runAndAt(
        "held",
        store,
        SecondaryRun.Kind.OFFLOAD,
        "/deleted-meanwhile",
        () -> clusters.stock().delete(new Path("/deleted-meanwhile/file"), false));

    assertThat(Clusters.filesIn(store)).isEqualTo(2);
    assertThat(clusters.clean(store).files()).isEqualTo(2);
  }

  @ParameterizedTest
  @ValueSource(strings = {"file", "hdfs"})
  void anOlderCopyOfOtherBytesIsLeftToCleaning(String kind) throws IOException {
    String store = clusters.store(kind);
    String directory = "/copied-anew-" + kind;
    String path = directory + "/file";
    byte[] data = clusters.write(path, BYTES);
    clusters.run(store, SecondaryRun.Kind.COPY, directory);
    clusters.stock().setTimes(new Path(path), 1_000_000L, -1);
    assertThat(clusters.copiesOf(store, SecondaryRun.Kind.COPY, directory)).isOne();
    assertThat(Clusters.filesIn(store)).isEqualTo(2);
    append(path, 7);

    assertThat(clusters.copiesOf(store, SecondaryRun.Kind.COPY, directory)).isOne();

    Map<String, String> after = Clusters.contentsOf(store);
    assertThat(after).hasSize(4);
    assertThat(after.containsValue(new String(data, ISO_8859_1))).isTrue();
    assertThat(clusters.run(store, SecondaryRun.Kind.VERIFY, directory).complete()).isTrue();
    assertThat(clusters.clean(clusters.conf(store), store, 24).files()).isZero();
    assertThat(clusters.clean(store).files()).isEqualTo(2);
    assertThat(clusters.copiesOf(store, SecondaryRun.Kind.OFFLOAD, directory)).isZero();
  }

  @Test
  void anOlderCopyIsThereAgainWhenTheNewOneGetsNoName() throws IOException {
    String store = clusters.store("file");
    clusters.write("/nameless/file", BYTES);
    clusters.run(store, SecondaryRun.Kind.COPY, "/nameless");
    Map<String, String> before = Clusters.contentsOf(store);
    append("/nameless/file", 7);
    Configuration conf = clusters.conf(store);
    conf.set("fs.file.impl", NamelessFileSystem.class.getName());

    SecondaryReport report =
        clusters.run(conf, store, SecondaryRun.Kind.COPY, Steps.NONE, Listener.SILENT, "/nameless");

    assertThat(report.files()).isZero();
    assertThat(report.left().get(0).reason()).contains("cannot be written");
    assertThat(Clusters.contentsOf(store).equals(before)).isTrue();
  }

  /** Tools set times back, and a file of the same length and time may have other bytes. */
  @Test
  void aCopyOfOtherBytesIsNotTakenUp() throws IOException {
    String store = clusters.store("file");
    String path = "/set-back/file";
    clusters.write(path, BYTES);
    long mtime = clusters.stock().getFileStatus(new Path(path)).getModificationTime();
    clusters.run(store, SecondaryRun.Kind.COPY, "/set-back");
    assertThat(clusters.stock().truncate(new Path(path), BYTES - 99)).isTrue();
    append(path, new int[99]);
    clusters.stock().setTimes(new Path(path), mtime, -1);
    byte[] data = Clusters.read(clusters.stock(), path);
    assertThat(data).hasSize(BYTES);

    SecondaryReport verified = clusters.run(store, SecondaryRun.Kind.VERIFY, "/set-back");
    SecondaryReport offloaded = clusters.run(store, SecondaryRun.Kind.OFFLOAD, "/set-back");

    assertThat(offloaded.left()).isEmpty();
    try (FileSystem ours = clusters.ours(store)) {
      assertThat(Clusters.read(ours, path)).isEqualTo(data);
    }
    assertThat(verified.left().get(0).reason()).contains("its copy is of other bytes");
  }

  /** Does something when so many bytes have passed. */
  private static Listener after(long bytes, Clusters.Doing doing) {
    long[] passed = new long[1];
    return new Listener() {
      @Override
      public Step begin(String label, long total) {
        return new Step() {
          @Override
          public void add(long amount) {
            passed[0] += amount;
            if (passed[0] == bytes) {
              Clusters.unchecked(doing);
            }
          }

          @Override
          public void finish(String remark) {
            // Nobody looks.
          }
        };
      }

      @Override
      public void say(String line) {
        // Nobody looks.
      }
    };
  }

  /** In a bucket, too, where the time of a copy is that of its rename. */
  @ParameterizedTest
  @ValueSource(classes = {RawLocalFileSystem.class, BucketLikeFileSystem.class})
  void aRunThatCopiesAnewMeanwhileIsNoticed(Class<?> type) throws IOException {
    String store = clusters.store("file");
    clusters.write("/in-between/file", BYTES);
    clusters.run(store, SecondaryRun.Kind.COPY, "/in-between");
    Configuration conf = clusters.conf(store);
    conf.set("fs.file.impl", type.getName());

    // The copy was read to its end, and is about to be renamed.
    SecondaryReport report =
        clusters.run(
            conf,
            store,
            SecondaryRun.Kind.OFFLOAD,
            Steps.NONE,
            after(
                BYTES,
                () -> {
                  append("/in-between/file", 7);
                  clusters.run(store, SecondaryRun.Kind.COPY, "/in-between");
                }),
            "/in-between");

    assertThat(report.complete()).isFalse();
    assertThat(report.stopped()).isFalse();
    SecondaryReport verified = clusters.run(store, SecondaryRun.Kind.VERIFY, "/in-between");
    assertThat(verified.left()).isEmpty();
    assertThat(verified.files()).isOne();
    assertThat(report.left().get(0).reason()).contains("another run copied it anew meanwhile");
    assertThat(clusters.copiesOf(store, SecondaryRun.Kind.OFFLOAD, "/in-between")).isZero();
  }

  /** A mark alone is no copy: a run that was killed, or an operator, may have left it so. */
  @ParameterizedTest
  @ValueSource(strings = {"", ".meta"})
  void aCopyThatTheStoreHasLostIsMadeAnew(String kept) throws IOException {
    String store = clusters.store("file");
    String directory = "/lost-copy" + kept;
    String path = directory + "/file";
    clusters.write(path, BYTES);
    clusters.run(store, SecondaryRun.Kind.COPY, directory);
    java.nio.file.Path copy = clusters.copyOf(store, path);
    Files.delete(copy);
    if (kept.isEmpty()) {
      Files.delete(Clusters.metaOf(copy));
    }

    assertThat(clusters.copiesOf(store, SecondaryRun.Kind.COPY, directory)).isOne();
    assertThat(clusters.copiesOf(store, SecondaryRun.Kind.COPY, directory)).isZero();
    assertThat(clusters.run(store, SecondaryRun.Kind.VERIFY, directory).complete()).isTrue();
  }

  @Test
  void aFileWhoseCopyCannotTakeItsNameSaysNothingOfOne() throws Exception {
    String store = clusters.store("hdfs");
    clusters.write("/not-passed/file", BYTES);
    clusters.run(store, SecondaryRun.Kind.OFFLOAD, "/not-passed");
    clusters.stock().setOwner(new Path("/not-passed"), "ann", "anns");
    clusters.stock().setOwner(new Path("/not-passed/file"), "ann", "anns");
    Path copy = new Path(Clusters.contentsOf(store).keySet().iterator().next());
    clusters.archive().getFileSystem().setOwner(copy, "ann", "anns");
    clusters.archive().getFileSystem().setOwner(copy.suffix(".meta"), "ann", "anns");

    // The store is the operator's alone, as it has to be.
    UserGroupInformation.createUserForTesting("ann", new String[] {"anns"})
        .doAs(
            (PrivilegedExceptionAction<Void>)
                () -> {
                  assertThat(clusters.run(store, SecondaryRun.Kind.RECALL, "/not-passed").files())
                      .isOne();
                  return null;
                });

    assertThat(clusters.stock().getXAttrs(new Path("/not-passed/file"))).isEmpty();
    assertThat(clusters.copiesOf(store, SecondaryRun.Kind.COPY, "/not-passed")).isOne();
  }
}
