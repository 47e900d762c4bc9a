package io.tierwise.cli.simulate;

import static org.assertj.core.api.Assertions.assertThat;

import io.tierwise.cli.CommandRun;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FitCommandTest {
  @TempDir private Path folder;

  private String trace() throws IOException {
    StringBuilder rows = new StringBuilder();
    for (int job = 0; job < 2_000; job++) {
      int file = job % 7 * (job / 100 % 2);
      rows.append("job" + job + "\t" + job + "\t1\t1000\t0\t0\t/f" + file + "\n");
    }
    return Files.writeString(folder.resolve("trace.tsv"), rows).toString();
  }

  private String auditLog() throws IOException {
    DateTimeFormatter time =
        DateTimeFormatter.ofPattern("yyyy-MM-dd HH:mm:ss,SSS").withZone(ZoneOffset.UTC);
    StringBuilder lines = new StringBuilder();
    for (int minute = 0; minute < 600; minute++) {
      int file = minute % 7 * (minute / 60 % 2);
      lines
          .append(time.format(Instant.parse("2026-03-24T00:00:00Z").plusSeconds(60L * minute)))
          .append(" INFO FSNamesystem.audit: allowed=true\tugi=u (auth:SIMPLE)\tip=/10.0.0.1")
          .append("\tcmd=open\tsrc=/f" + file + "\tdst=null\tperm=null\tproto=rpc\n");
    }
    return Files.writeString(folder.resolve("hdfs-audit.log"), lines).toString();
  }

  private String trees() {
    return folder.resolve("m.trees").toString();
  }

  @Test
  void theTreesOfATraceAreAPredictor() throws IOException {
    CommandRun fit =
        CommandRun.of("fit", "-o", trees(), "--trace", trace(), "--window", "100 s", "--json");
    assertThat(fit.err()).isEmpty();
    assertThat(fit.exitCode()).isZero();
    assertThat(fit.out()).contains("\"windows\" : 20", "\"window_seconds\" : 100.0");

    String predictor = "trees:model=" + trees();
    CommandRun rank = CommandRun.of("rank", trace(), "--window", "100 s", "--predictor", predictor);
    assertThat(rank.err()).isEmpty();
    assertThat(rank.exitCode()).isZero();
    // A table cuts what is too wide for it.
    assertThat(rank.out()).containsPattern("(?m)^100 s +trees:mo");
  }

  @Test
  void anAuditLogTeachesAsWell() throws IOException {
    CommandRun fit = CommandRun.of("fit", "-o", trees(), "--audit-log", auditLog());
    assertThat(fit.err()).isEmpty();
    assertThat(fit.exitCode()).isZero();
    assertThat(fit.out()).contains("9 windows of 1 h", "trees:model=");
    assertThat(Path.of(trees())).content().startsWith("tierwise-trees 1\nwindow-seconds 3600.0\n");
  }

  @Test
  void whereNothingCanBeWrittenIsToldBeforeTheLogIsRead() {
    String noLog = folder.resolve("none").toString();
    String file = folder.resolve("no/m.trees").toString();
    CommandRun fit = CommandRun.of("fit", "-o", file, "--audit-log", noLog);
    assertThat(fit.err()).contains("--output " + file + " cannot be written: there is no folder ");
    assertThat(fit.exitCode()).isEqualTo(2);
    assertThat(CommandRun.of("fit", "-o", folder.toString(), "--audit-log", noLog).err())
        .contains("it is a folder");
  }

  @Test
  void whatIsLearnedFromIsNotReplaced() throws IOException {
    Path log = Path.of(auditLog());
    Path link = Files.createSymbolicLink(folder.resolve("link"), log);
    String before = Files.readString(log);
    for (String file : new String[] {log.toString(), link.toString()}) {
      CommandRun fit = CommandRun.of("fit", "-o", file, "--audit-log", log.toString());
      assertThat(fit.err())
          .contains("--output " + file + " is what --audit-log names: name another file");
      assertThat(fit.exitCode()).isEqualTo(2);
    }
    assertThat(CommandRun.of("fit", "-o", trace(), "--trace", trace()).err())
        .contains(" is what --trace names: name another file");
    assertThat(log).hasContent(before);
  }

  @Test
  void whatIsWrongIsOneLine() throws IOException {
    CommandRun.of("fit", "-o", trees(), "--trace", trace(), "--window", "100 s");
    String text = Files.readString(Path.of(trees()));
    Files.writeString(Path.of(trees()), text.substring(0, text.length() / 2));
    for (String[] arguments :
        new String[][] {
          {"rank", trace(), "--predictor", "trees:model=" + trees()},
          {"fit", "-o", trees(), "--trace", trace(), "--window", "soon"},
          {"fit", "-o", trees(), "--audit-log", auditLog(), "--window", "1 ms"},
          {"fit", "-o", trees(), "--audit-log", folder.resolve("none").toString()},
          {"fit", "-o", trees(), "--audit-log", trace()},
        }) {
      CommandRun run = CommandRun.of(arguments);
      assertThat(run.exitCode()).as(String.join(" ", arguments)).isEqualTo(2);
      assertThat(run.err().lines()).as(run.err()).hasSize(1);
    }
  }

  @Test
  void oneSourceAndAFileAreAskedFor() throws IOException {
    for (String[] arguments :
        new String[][] {
          {"fit", "-o", trees()},
          {"fit", "--trace", trace()},
          {"fit", "-o", trees(), "--trace", trace(), "--audit-log", auditLog()},
        }) {
      CommandRun run = CommandRun.of(arguments);
      assertThat(run.exitCode()).as(String.join(" ", arguments)).isEqualTo(2);
      assertThat(run.err()).startsWith("tierwise fit: ");
    }
  }
}
