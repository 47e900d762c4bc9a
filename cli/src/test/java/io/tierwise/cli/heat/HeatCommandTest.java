package io.tierwise.cli.heat;

import static org.assertj.core.api.Assertions.assertThat;

import io.tierwise.cli.CommandRun;
import io.tierwise.cli.TierwiseCommand;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

class HeatCommandTest {
  private static final String SALES = "/user/hive/warehouse/shop.db/sales";

  @TempDir private Path folder;

  @BeforeEach
  void aLogOfTwoFiles() throws IOException {
    Files.writeString(
        folder.resolve("hdfs-audit.log"),
        line(4, 0, SALES + "/day=2/part-0") + "no line of a log\n" + line(4, 30, "/logs/a"));
    try (OutputStream out =
        new GZIPOutputStream(Files.newOutputStream(folder.resolve("hdfs-audit.log.1.gz")))) {
      out.write(
          (line(2, 0, SALES + "/day=1/part-0")
                  + line(2, 10, SALES + "/day=1/part-0")
                  + line(3, 0, SALES + "/day=1/part-0"))
              .getBytes(StandardCharsets.UTF_8));
    }
  }

  /** Each line is another reader's. */
  private static String line(int hour, int minute, String path) {
    return String.format(
        "2026-03-24 %02d:%02d:00,000 INFO FSNamesystem.audit: allowed=true\tugi=ann"
            + " (auth:SIMPLE)\tip=/10.0.%d.%d\tcmd=open\tsrc=%s\tdst=null\tperm=null\tproto=rpc%n",
        hour, minute, hour, minute, path);
  }

  private static String path(String row) {
    return row.split(" ")[0];
  }

  private CommandRun heat(String... words) {
    List<String> all = new ArrayList<>(List.of("heat"));
    all.addAll(List.of(words));
    all.add("--audit-log");
    all.add(folder.resolve("hdfs-audit.log").toString());
    all.add(folder.resolve("hdfs-audit.log.1.gz").toString());
    return CommandRun.of(all.toArray(String[]::new));
  }

  /** As {@code | head -1}, which a log that grows would keep waiting for ever. */
  @Test
  @Timeout(60)
  void followingEndsWhenNobodyReads() {
    PrintStream stdout = System.out;
    System.setOut(new PrintStream(new BrokenPipe(), true, StandardCharsets.UTF_8));
    try {
      String[] words = {
        "heat", "top", "--follow", "--audit-log", folder.resolve("hdfs-audit.log").toString()
      };
      StringWriter err = new StringWriter();
      CommandLine line = TierwiseCommand.commandLine().setErr(new PrintWriter(err, true));
      assertThat(line.execute(words)).isEqualTo(141);
      assertThat(err.toString()).doesNotContain("tierwise heat top: ReaderGone");
    } finally {
      System.setOut(stdout);
    }
  }

  private static final class BrokenPipe extends OutputStream {
    @Override
    public void write(int b) throws IOException {
      throw new IOException("Broken pipe");
    }
  }

  @Test
  void anOptionThatIsWrongIsNamed() {
    assertThat(heat("top", "--files", "0").err()).contains("--files 0: give 1 to");
    assertThat(heat("top", "--window", "-1h").err())
        .contains("--window \"-1h\" is too little: give 1 s or more");
    assertThat(heat("top", "--window", "1e300h").err()).contains("--window is too long");
    assertThat(heat("top", "--below", "logs").err()).contains("--below \"logs\" is no path");
    assertThat(heat("file", "logs/a").err()).contains("PATH \"logs/a\" is no path");
  }

  @Test
  void filesDirectoriesAndTablesComeHottestFirst() {
    CommandRun top = heat("top");
    assertThat(top.exitCode()).as(top.err()).isZero();
    // Long paths are cut in the middle.
    assertThat(top.out().lines().filter(line -> line.startsWith("/")).map(HeatCommandTest::path))
        .hasSize(3)
        .satisfies(
            paths -> {
              assertThat(paths.get(0)).endsWith("/day=1/part-0");
              assertThat(paths.get(1)).isEqualTo("/logs/a");
              assertThat(paths.get(2)).endsWith("/day=2/part-0");
            });
    assertThat(top.err()).contains("1 corrupt line left out").contains("hdfs-audit.log");
    assertThat(heat("dir").out()).containsSubsequence("/user", "4", "/logs", "1");
    assertThat(heat("table").out()).contains("shop.db/sales").doesNotContain("/logs");
  }

  @Test
  void readsAreToldWindowByWindow() {
    CommandRun file = heat("file", SALES + "/day=1/part-0", "--json");
    assertThat(file.exitCode()).as(file.err()).isZero();
    assertThat(file.out())
        .contains("\"reads\" : 3", "\"before_last_window\" : 2", "\"last_window\" : 1");
    assertThat(heat("file", "/never/read", "--json").out()).contains("\"reads\" : 0");
  }

  @Test
  void onlyWhatWasAskedForIsCounted() {
    assertThat(heat("top", "--below", "/logs").out()).contains("/logs/a").doesNotContain("/day=");
    // As shells complete a directory.
    assertThat(heat("top", "--below", "/logs/").out())
        .isEqualTo(heat("top", "--below", "/logs").out());
    assertThat(heat("dir", "--below", "/user/").out())
        .isEqualTo(heat("dir", "--below", "/user").out());
    assertThat(heat("top", "--since", "2026-03-24T04:15:00Z").out())
        .contains("/logs/a")
        .doesNotContain("/day=");
    assertThat(heat("top", "--count", "1").out()).contains("day=1").doesNotContain("/logs/a");
  }

  @Test
  void badInputIsNamed() {
    assertBad(heat("top", "--window", "soon"), "--window \"soon\"");
    assertBad(heat("top", "--count", "0"), "--count 0 is too little");
    assertBad(heat("dir", "--depth", "0"), "--depth 0 is too little");
    assertBad(heat("top", "--since", "yesterday"), "--since yesterday is no time");
    assertBad(heat("table", "--pattern", "shop"), "--pattern: table pattern \"shop\"");
    assertBad(heat("top", "--follow"), "one file is followed at a time");
    String absent = folder.resolve("absent").toString();
    assertBad(CommandRun.of("heat", "top", "--audit-log", absent), absent + " is not there");
    assertBad(
        CommandRun.of("heat", "top", "--audit-log", folder.toString()), folder + " is a directory");
  }

  @Test
  @Timeout(60)
  void aPackedLogIsNotFollowed() {
    String packed = folder.resolve("hdfs-audit.log.1.gz").toString();
    assertBad(
        CommandRun.of("heat", "top", "--follow", "--audit-log", packed),
        packed + " is packed with gzip: a log that grows is plain");
  }

  private static void assertBad(CommandRun run, String text) {
    assertThat(run.exitCode()).as(run.err()).isEqualTo(2);
    assertThat(run.err()).contains(text);
    assertThat(run.out()).isEmpty();
  }
}
