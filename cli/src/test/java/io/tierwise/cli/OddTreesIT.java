package io.tierwise.cli;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.tierwise.hadoop.inspect.cluster.NamespaceWalk;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.Trash;
import org.apache.hadoop.hdfs.DFSConfigKeys;
import org.apache.hadoop.hdfs.DFSTestUtil;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.protocol.HdfsFileStatus;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Walks through trees with symbolic links and snapshots, and trees that change meanwhile. */
class OddTreesIT {
  private static final int PAGE_ENTRIES = 3;

  @TempDir static java.nio.file.Path folder;
  private static ManagedHdfs hdfs;
  private static DistributedFileSystem fs;

  @BeforeAll
  static void start() throws IOException {
    FileSystem.enableSymlinks();
    Configuration conf = ManagedHdfs.configuration();
    conf.setInt(DFSConfigKeys.DFS_LIST_LIMIT, PAGE_ENTRIES);
    hdfs = ManagedHdfs.start(folder, null, conf, nodes -> nodes.numDataNodes(1));
    fs = hdfs.fs();
  }

  @AfterAll
  static void stop() {
    hdfs.cluster().shutdown();
  }

  @AfterEach
  void remove() throws IOException {
    fs.delete(new Path("/t"), true);
  }

  private static void write(String path) throws IOException {
    DFSTestUtil.createFile(fs, new Path(path), 10, (short) 1, 7);
  }

  private static CommandRun run(String... arguments) {
    return hdfs.run(arguments);
  }

  private static void manage(String path) {
    CommandRun set = run("policy", "set", path, "--placement", "layout:1 x disk");
    assertThat(set.exitCode()).as(set.err()).isZero();
  }

  private static JsonNode total(String path) throws IOException {
    CommandRun find = run("policy", "find", path, "--json");
    assertThat(find.exitCode()).as(find.err()).isZero();
    List<String> lines = find.out().lines().toList();
    return new ObjectMapper().readTree(lines.get(lines.size() - 1));
  }

  @Test
  void linksAreNotFollowedAndAPathThatIsOneIsRefusedWithWhereItLeads() throws IOException {
    write("/t/hot/file");
    manage("/t/hot");
    fs.createSymlink(new Path("/t/hot"), new Path("/t/link"), false);
    fs.createSymlink(new Path("/t"), new Path("/t/hot/circle"), false);
    fs.createSymlink(new Path("/nowhere"), new Path("/t/broken"), false);
    assertThat(total("/t").path("files").asInt()).isEqualTo(1);
    assertThat(run("policy", "purge", "/t").out()).contains("2 attributes of 1 path;");
    for (String link : List.of("/t/link", "/t/link/file")) {
      CommandRun find = run("policy", "find", link);
      assertThat(find.exitCode()).isEqualTo(ExitCode.BAD_INPUT);
      assertThat(find.err())
          .contains(link, "symbolic link", link.replace("/t/link", "/t/hot"))
          .hasLineCount(1);
      assertThat(run("policy", "purge", link).exitCode()).isEqualTo(ExitCode.BAD_INPUT);
    }
  }

  @Test
  void snapshotsCountOnlyWhereOneIsNamed() throws IOException {
    write("/t/hot/old");
    manage("/t/hot");
    fs.allowSnapshot(new Path("/t"));
    fs.createSnapshot(new Path("/t"), "first");
    try {
      write("/t/hot/new");
      fs.delete(new Path("/t/hot/old"), false);
      assertThat(total("/t").path("files").asInt()).isEqualTo(1);
      JsonNode first = total("/t/.snapshot/first");
      assertThat(first.path("files").asInt()).isEqualTo(1);
      assertThat(first.path("compliance").path("blocks_on_tier").asInt()).isEqualTo(1);
      assertThat(total("/t/.snapshot").path("files").asInt()).isEqualTo(1);
      assertThat(run("policy", "find", "/t/.snapshot/second").exitCode())
          .isEqualTo(ExitCode.BAD_INPUT);
    } finally {
      fs.deleteSnapshot(new Path("/t"), "first");
      fs.disallowSnapshot(new Path("/t"));
    }
  }

  /** As any rename: an attribute goes with what carries it, and with nothing else. */
  @Test
  void theTrashIsUnderTheAttributesThatWereMovedThere() throws IOException {
    write("/t/hot/file");
    write("/t/hot/other");
    manage("/t/hot");
    Configuration conf = new Configuration(fs.getConf());
    conf.set("fs.trash.interval", "60");
    Path trash = fs.getTrashRoot(new Path("/t/hot"));
    try {
      assertThat(Trash.moveToAppropriateTrash(fs, new Path("/t/hot/file"), conf)).isTrue();
      String file = trash.toUri().getPath() + "/Current/t/hot/file";
      assertThat(run("explain", file).out())
          .contains("new blocks placed by: stock HDFS (no policy on the path)");
      assertThat(total(trash.toUri().getPath()).path("compliance").path("files").asInt()).isZero();
      assertThat(Trash.moveToAppropriateTrash(fs, new Path("/t/hot"), conf)).isTrue();
      JsonNode inTrash = total(trash.toUri().getPath());
      assertThat(inTrash.path("compliance").path("files").asInt()).isEqualTo(1);
      assertThat(inTrash.path("files").asInt()).isEqualTo(2);
    } finally {
      fs.delete(trash, true);
    }
  }

  /** Deletes and makes entries while they are being walked over. */
  private static final class Meddler implements NamespaceWalk.Visitor {
    private final List<String> seen = new ArrayList<>();

    @Override
    public void enter(String path, Map<String, byte[]> attributes) throws IOException {
      seen.add(path);
      if (path.equals("/t/d1")) {
        // Itself; one of the same page, whose attributes may be known; one of a later page.
        for (String gone : List.of("/t/d1", "/t/d2", "/t/d6")) {
          fs.delete(new Path(gone), true);
        }
        fs.mkdirs(new Path("/t/d8/new"));
      } else if (path.equals("/t/d5")) {
        fs.delete(new Path("/t/d5"), true);
        write("/t/d5");
      }
    }

    @Override
    public void file(String path, HdfsFileStatus status, Map<String, byte[]> attributes)
        throws IOException {
      seen.add(path);
      if (path.equals("/t/d4/f2")) {
        fs.delete(new Path("/t/d4"), true);
      }
    }

    @Override
    public void leave(String path) {
      seen.add(path + "/");
    }

    @Override
    public void unreadable(String path, boolean directory) {
      throw new AssertionError(path);
    }
  }

  @Test
  void whatVanishesDuringTheWalkIsLeftOutAndTheRestIsSeen() throws IOException {
    for (int d = 0; d < 9; d++) {
      for (int f = 0; f < 2 * PAGE_ENTRIES; f++) {
        write("/t/d" + d + "/f" + f);
      }
    }
    Meddler meddler = new Meddler();
    try (NamespaceWalk walk = new NamespaceWalk(fs, true, meddler)) {
      walk.walk("/t");
    }
    assertThat(meddler.seen)
        .startsWith("/t", "/t/d0", "/t/d0/f0")
        .contains("/t/d0/f5", "/t/d3/f5", "/t/d4/f2", "/t/d4/", "/t/d7/f5", "/t/d8/new/")
        .doesNotContain("/t/d1/f0", "/t/d2/f0", "/t/d4/f3", "/t/d5/f0", "/t/d6")
        .endsWith("/t/d8/", "/t/")
        .doesNotHaveDuplicates();
  }

  @Test
  void storedNamesAndValuesSteerNoTerminal() throws IOException {
    String directory = "/t/a\u001b[2J\nb";
    write(directory + "/file");
    fs.setXAttr(
        new Path(directory), "user.tierwise.placement", "red\u001b[31m\n".getBytes(US_ASCII));
    for (List<String> words :
        List.of(
            List.of("policy", "find", "/t"),
            List.of("policy", "get", directory),
            List.of("policy", "purge", "/t", "--dry-run"),
            List.of("explain", directory + "/file"),
            List.of("doctor"))) {
      CommandRun done = run(words.toArray(String[]::new));
      String printed = done.out() + done.err();
      assertThat(printed).as("%s", words).doesNotContain("\u001b").contains("/t/a?[2J?b");
    }
  }
}
