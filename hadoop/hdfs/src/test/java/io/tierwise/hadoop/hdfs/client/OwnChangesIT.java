package io.tierwise.hadoop.hdfs.client;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.tierwise.policies.access.AccessSession;
import java.io.IOException;
import java.util.EnumSet;
import java.util.Optional;
import java.util.function.Function;
import org.apache.hadoop.fs.FileContext;
import org.apache.hadoop.fs.Options.Rename;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.fs.XAttrSetFlag;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/**
 * A client knows its own changes at once, however long it remembers attributes. It learns of other
 * clients' changes only when its entries expire.
 */
class OwnChangesIT {
  private static final Path A = new Path("/a");
  private static final Path B = new Path("/b");

  private static MiniHdfs hdfs;

  @BeforeAll
  static void start() throws IOException {
    hdfs =
        MiniHdfs.start(
            MiniHdfs.configuration(), new StorageType[] {StorageType.DISK}, new String[] {"/rack"});
  }

  @AfterAll
  static void stop() {
    hdfs.close();
  }

  @AfterEach
  void removeDirectories() throws IOException {
    hdfs.stock().delete(A, true);
    hdfs.stock().delete(B, true);
  }

  private static String[] settings() {
    return new String[] {
      ClientKeys.FROM_ATTRIBUTE, "true", ClientKeys.ATTRIBUTE_SECONDS, "1000000"
    };
  }

  private static void assertStrategies(
      Function<String, Optional<AccessSession>> sessions, String ofA, String ofB) {
    assertThat(
            sessions
                .apply("/a/below/file")
                .map(session -> session.strategy().name())
                .orElse("stock"))
        .isEqualTo(ofA);
    assertThat(
            sessions
                .apply("/b/below/file")
                .map(session -> session.strategy().name())
                .orElse("stock"))
        .isEqualTo(ofB);
  }

  @Test
  void aFileSystemKnowsWhatItSetMovedAndDeleted() throws IOException {
    try (TierwiseFileSystem fs = hdfs.client(settings())) {
      fs.mkdirs(new Path(A, "below"));
      assertStrategies(fs::session, "stock", "stock");
      fs.setXAttr(A, ClientKeys.ATTRIBUTE, "greedy".getBytes(UTF_8));
      assertStrategies(fs::session, "greedy", "stock");
      fs.setWorkingDirectory(A);
      fs.setXAttr(new Path("below"), ClientKeys.ATTRIBUTE, "dld".getBytes(UTF_8));
      assertStrategies(fs::session, "dld", "stock");
      fs.removeXAttr(new Path("below"), ClientKeys.ATTRIBUTE);
      assertStrategies(fs::session, "greedy", "stock");
      fs.rename(A, B);
      assertStrategies(fs::session, "stock", "greedy");
      renameAsFileContextDoes(fs, B, A);
      assertStrategies(fs::session, "greedy", "stock");
      fs.delete(A, true);
      assertStrategies(fs::session, "stock", "stock");
    }
  }

  @SuppressWarnings("deprecation")
  private static void renameAsFileContextDoes(TierwiseFileSystem fs, Path from, Path to)
      throws IOException {
    fs.rename(from, to, Rename.NONE);
  }

  @Test
  void aFileContextKnowsItAsWell() throws IOException {
    FileContext files =
        FileContext.getFileContext(hdfs.uri(), hdfs.clientConfiguration(settings()));
    TierwiseFs fs = (TierwiseFs) files.getDefaultFileSystem();
    files.mkdir(new Path(A, "below"), null, true);
    assertStrategies(fs::session, "stock", "stock");
    files.setXAttr(A, ClientKeys.ATTRIBUTE, "greedy".getBytes(UTF_8));
    assertStrategies(fs::session, "greedy", "stock");
    files.setXAttr(
        A, ClientKeys.ATTRIBUTE, "dld".getBytes(UTF_8), EnumSet.of(XAttrSetFlag.REPLACE));
    assertStrategies(fs::session, "dld", "stock");
    files.rename(A, B);
    assertStrategies(fs::session, "stock", "dld");
    files.mkdir(A, null, true);
    files.rename(B, A, Rename.OVERWRITE);
    assertStrategies(fs::session, "dld", "stock");
    files.removeXAttr(A, ClientKeys.ATTRIBUTE);
    assertStrategies(fs::session, "stock", "stock");
    files.setXAttr(A, ClientKeys.ATTRIBUTE, "greedy".getBytes(UTF_8));
    assertStrategies(fs::session, "greedy", "stock");
    files.delete(A, true);
    assertStrategies(fs::session, "stock", "stock");
  }
}
