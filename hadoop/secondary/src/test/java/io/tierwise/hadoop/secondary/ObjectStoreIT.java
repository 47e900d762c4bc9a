package io.tierwise.hadoop.secondary;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tierwise.core.message.Listener;
import io.tierwise.core.message.OperatorException;
import java.io.IOException;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.LocatedFileStatus;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.RemoteIterator;
import org.apache.hadoop.fs.permission.FsPermission;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A store in a bucket, by S3A, on an object server that is a process. */
@ExtendWith(Clusters.Both.class)
@Tag("long")
class ObjectStoreIT {
  /** Three parts of an upload. */
  private static final int BYTES = 12 * Clusters.BLOCK_BYTES + 345;

  private static ObjectServer server;

  private final Clusters clusters;

  ObjectStoreIT(Clusters clusters) {
    this.clusters = clusters;
  }

  @BeforeAll
  static void start() throws IOException {
    server = new ObjectServer();
  }

  @AfterAll
  static void end() throws IOException {
    server.close();
  }

  private Configuration conf(String name) {
    Configuration conf = clusters.conf(server.store(name));
    server.configure(conf);
    return conf;
  }

  private Configuration make(String name) throws IOException {
    Configuration conf = conf(name);
    try (FileSystem fs = FileSystem.newInstance(URI.create(server.store(name)), conf)) {
      fs.mkdirs(new Path(server.store(name)));
    }
    return conf;
  }

  private SecondaryReport run(
      Configuration conf, String name, SecondaryRun.Kind kind, Steps steps, String path)
      throws IOException {
    return clusters.run(
        new Configuration(conf), server.store(name), kind, steps, Listener.SILENT, path);
  }

  private SecondaryReport run(Configuration conf, String name, SecondaryRun.Kind kind, String path)
      throws IOException {
    return run(conf, name, kind, Steps.NONE, path);
  }

  /** The objects of a store that are no directories. */
  private List<Path> objects(String name) throws IOException {
    List<Path> found = new ArrayList<>();
    try (FileSystem fs = FileSystem.newInstance(URI.create(server.store(name)), conf(name))) {
      RemoteIterator<LocatedFileStatus> files = fs.listFiles(new Path(server.store(name)), true);
      while (files.hasNext()) {
        found.add(files.next().getPath());
      }
    }
    return found;
  }

  /** The object of a store with a file's bytes. */
  private Path copy(String name) throws IOException {
    return objects(name).stream()
        .filter(object -> object.getName().matches("\\d+"))
        .findFirst()
        .orElseThrow();
  }

  private byte[] bytesOf(Path object, String name) throws IOException {
    try (FileSystem fs = FileSystem.newInstance(object.toUri(), conf(name))) {
      return Clusters.read(fs, object.toString());
    }
  }

  /** Puts an object with one other bit in the place of a copy. */
  private void turnByteAt(String name, int offset) throws IOException {
    turnByteAt(copy(name), name, offset);
  }

  private void turnByteAt(Path object, String name, int offset) throws IOException {
    byte[] bytes = bytesOf(object, name);
    bytes[offset] ^= 1;
    try (FileSystem fs = FileSystem.newInstance(object.toUri(), conf(name));
        FSDataOutputStream out = fs.create(object, true)) {
      out.write(bytes);
    }
  }

  private void assertInHdfs(String path, byte[] data) throws IOException {
    assertThat(Clusters.read(clusters.stock(), path)).isEqualTo(data);
    assertThat(clusters.stock().listStatus(new Path(path).getParent())).hasSize(1);
  }

  private byte[] readByOurs(Configuration conf, String path) throws IOException {
    try (FileSystem ours = FileSystem.newInstance(clusters.primary().getURI(), conf)) {
      return Clusters.read(ours, path);
    }
  }

  @Test
  void aFileIsReadFromTheBucketAndComesBack() throws IOException {
    Configuration conf = make("whole");
    byte[] data = clusters.write("/objects-whole/file", BYTES);
    FileStatus before = clusters.stock().getFileStatus(new Path("/objects-whole/file"));

    SecondaryReport offloaded =
        run(conf, "whole", SecondaryRun.Kind.OFFLOAD, "/objects-whole/file");

    assertThat(offloaded.left()).isEmpty();
    assertThat(bytesOf(copy("whole"), "whole")).isEqualTo(data);
    assertThat(objects("whole")).hasSize(2);
    assertThat(
            clusters.stock().getContentSummary(new Path("/objects-whole/file")).getSpaceConsumed())
        .isLessThan(4096);
    assertThat(readByOurs(conf, "/objects-whole/file")).isEqualTo(data);
    assertThat(run(conf, "whole", SecondaryRun.Kind.VERIFY, "/objects-whole").left()).isEmpty();

    SecondaryReport recalled = run(conf, "whole", SecondaryRun.Kind.RECALL, "/objects-whole");

    assertThat(recalled.left()).isEmpty();
    assertInHdfs("/objects-whole/file", data);
    FileStatus after = clusters.stock().getFileStatus(new Path("/objects-whole/file"));
    assertThat(after.getModificationTime()).isEqualTo(before.getModificationTime());
    assertThat(after.getPermission()).isEqualTo(before.getPermission());
    assertThat(after.getOwner()).isEqualTo(before.getOwner());
    // The copy stayed under the file's new number, until it is cleaned away.
    assertThat(objects("whole")).hasSize(2);
    clusters.clean(new Configuration(conf), server.store("whole"), 0, "/objects-whole");
    assertThat(objects("whole")).isEmpty();
  }

  @Test
  void aCopyThatIsThereIsTakenUp() throws IOException {
    Configuration conf = make("there");
    byte[] data = clusters.write("/objects-there/file", BYTES);
    assertThat(run(conf, "there", SecondaryRun.Kind.COPY, "/objects-there").left()).isEmpty();
    int[] copied = new int[1];

    SecondaryReport report =
        run(
            conf,
            "there",
            SecondaryRun.Kind.OFFLOAD,
            step -> copied[0] += step.equals("copied") ? 1 : 0,
            "/objects-there");

    assertThat(report.left()).isEmpty();
    assertThat(copied[0]).isZero();
    assertThat(objects("there")).hasSize(2);
    assertThat(readByOurs(conf, "/objects-there/file")).isEqualTo(data);
  }

  /** A rename makes other bytes in the server, which nobody has read yet. */
  @ParameterizedTest
  @ValueSource(strings = {"", ".meta"})
  void whatTheRenameMadeIsReadBeforeReplicasGo(String suffix) throws IOException {
    String name = "renamed" + suffix.length();
    String directory = "/objects-" + name;
    Configuration conf = make(name);
    byte[] data = clusters.write(directory + "/file", BYTES);

    SecondaryReport report =
        run(
            conf,
            name,
            SecondaryRun.Kind.OFFLOAD,
            step -> {
              if (step.equals("published")) {
                Clusters.unchecked(() -> turnByteAt(copy(name).suffix(suffix), name, 99));
              }
            },
            directory);

    assertThat(report.complete()).isFalse();
    assertThat(report.left().get(0).reason())
        .contains("the secondary store " + server.store(name))
        .contains("does not give back what was written");
    assertInHdfs(directory + "/file", data);
    assertThat(objects(name)).isEmpty();
  }

  @Test
  void bytesThatChangedInTheBucketAreHandedToNobody() throws IOException {
    Configuration conf = make("rotten");
    byte[] data = clusters.write("/objects-rotten/file", BYTES);
    run(conf, "rotten", SecondaryRun.Kind.OFFLOAD, "/objects-rotten");
    turnByteAt("rotten", 7 * Clusters.BLOCK_BYTES);

    assertThatThrownBy(() -> readByOurs(conf, "/objects-rotten/file"))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("does not match its checksum");
    SecondaryReport verified = run(conf, "rotten", SecondaryRun.Kind.VERIFY, "/objects-rotten");
    assertThat(verified.left().get(0).reason()).contains("does not give back");
    SecondaryReport recalled = run(conf, "rotten", SecondaryRun.Kind.RECALL, "/objects-rotten");
    assertThat(recalled.complete()).isFalse();
    assertThat(recalled.left().get(0).reason()).doesNotContain("\n").contains("checksum");
    turnByteAt("rotten", 7 * Clusters.BLOCK_BYTES);
    assertThat(run(conf, "rotten", SecondaryRun.Kind.RECALL, "/objects-rotten").left()).isEmpty();
    assertInHdfs("/objects-rotten/file", data);
  }

  @Test
  void aServerThatDiesLeavesTheFileWholeAndTheNextRunDoesIt() throws IOException {
    Configuration conf = make("dead");
    byte[] data = clusters.write("/objects-dead/file", BYTES);

    SecondaryReport report;
    try {
      report =
          run(
              conf,
              "dead",
              SecondaryRun.Kind.OFFLOAD,
              step -> {
                if (step.equals("copied")) {
                  server.kill();
                }
              },
              "/objects-dead");
    } finally {
      server.kill();
      server.start();
      make("dead");
    }

    assertThat(report.stopped()).isTrue();
    assertThat(report.left().get(0).reason())
        .startsWith("the secondary store " + server.store("dead") + " cannot be written (")
        .doesNotContain("\n");
    assertInHdfs("/objects-dead/file", data);
    assertThat(run(conf, "dead", SecondaryRun.Kind.OFFLOAD, "/objects-dead").left()).isEmpty();
    assertThat(readByOurs(conf, "/objects-dead/file")).isEqualTo(data);
    assertThat(objects("dead")).hasSize(2);
  }

  @Test
  void wrongKeysAreToldInOneLineThatShowsNone() throws IOException {
    Configuration conf = make("keys");
    byte[] data = clusters.write("/objects-keys/file", BYTES);
    conf.set("fs.s3a.secret.key", "another-secret");

    assertThatThrownBy(() -> run(conf, "keys", SecondaryRun.Kind.OFFLOAD, "/objects-keys"))
        .isInstanceOf(OperatorException.class)
        .hasMessageContaining("the secondary store " + server.store("keys") + " cannot be reached")
        .hasMessageContaining("fs.s3a.secret.key")
        .hasMessageNotContaining("another-secret")
        .hasMessageNotContaining("\n");
    assertInHdfs("/objects-keys/file", data);
  }

  @ParameterizedTest
  @CsvSource({"0755, 0640", "0755, 0604", "0705, 0644"})
  void aFileThatNotEverybodyMayReadStays(String above, String rights) throws IOException {
    String name = "closed" + above + rights;
    String directory = "/objects-" + name;
    Configuration conf = make(name);
    byte[] data = clusters.write(directory + "/file", BYTES);
    clusters.stock().setPermission(new Path(directory + "/file"), new FsPermission(rights));
    clusters.stock().setPermission(new Path(directory), new FsPermission(above));

    SecondaryReport report = run(conf, name, SecondaryRun.Kind.OFFLOAD, directory);

    assertThat(report.left().get(0).reason())
        .contains("not everybody may read it")
        .contains(server.store(name));
    assertInHdfs(directory + "/file", data);
    assertThat(objects(name)).isEmpty();
  }
}
