package io.tierwise.cli.autotier;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.tierwise.cli.CommandRun;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A rule about few reads, and logs of two NameNodes of which one took over four days ago: only what
 * all logs tell is known.
 */
class HeardReadsIT {
  private static final String BUSY = "/logs/busy";
  private static final String QUIET = "/logs/quiet";
  private static final double FAILOVER_DAYS_AGO = 4;
  private static final DateTimeFormatter TIME =
      DateTimeFormatter.ofPattern("yyyy-MM-dd HH:mm:ss,SSS").withZone(ZoneOffset.UTC);

  @TempDir static Path folder;
  private static AuditedHdfs hdfs;
  private static Path rules;

  @TempDir private Path logs;
  private final Instant now = Instant.now();

  @BeforeAll
  static void files() throws IOException {
    hdfs = new AuditedHdfs(folder);
    hdfs.write(BUSY, 3);
    hdfs.write(QUIET, 3);
    rules =
        Files.writeString(
            folder.resolve("rules.txt"), "path matches /logs/** and reads(7d) < 3 -> replicas 2");
  }

  @AfterAll
  static void stop() {
    hdfs.close();
  }

  /** The one NameNode served until the failover, and all reads of the busy file came later. */
  @BeforeEach
  void failover() throws IOException {
    lines("nn1.log", 10, FAILOVER_DAYS_AGO, "/other");
    lines("nn2.log", FAILOVER_DAYS_AGO - 0.1, 0, BUSY);
  }

  /** A read twice a day. */
  private void lines(String log, double fromDaysAgo, double toDaysAgo, String path)
      throws IOException {
    for (double day = fromDaysAgo; day > toDaysAgo; day -= 0.5) {
      line(log, day, path);
    }
    line(log, toDaysAgo, "/other");
  }

  private void line(String log, double daysAgo, String path) throws IOException {
    Files.writeString(
        logs.resolve(log),
        String.format(
            "%s INFO FSNamesystem.audit: allowed=true\tugi=ann (auth:SIMPLE)\tip=/10.0.0.7"
                + "\tcmd=open\tsrc=%s\tdst=null\tperm=null\tproto=rpc%n",
            TIME.format(now.minus(Duration.ofSeconds(Math.round(daysAgo * 86_400)))), path),
        StandardOpenOption.CREATE,
        StandardOpenOption.APPEND);
  }

  private CommandRun plan(String... logsAndMore) throws IOException {
    List<String> words =
        new ArrayList<>(
            List.of(
                "autotier",
                "plan",
                "--below",
                "/logs",
                "--zone",
                "UTC",
                "--window",
                "1 d",
                "--rules",
                rules.toString()));
    for (String each : logsAndMore) {
      words.addAll(
          each.startsWith("--") ? List.of(each) : List.of("--audit-log", logs + "/" + each));
    }
    CommandRun run = hdfs.run(words.toArray(String[]::new));
    assertThat(run.exitCode()).as(run.err()).isZero();
    return run;
  }

  private static List<String> changed(CommandRun plan) throws IOException {
    List<String> paths = new ArrayList<>();
    for (JsonNode each : new ObjectMapper().readTree(plan.out()).path("changes")) {
      paths.add(each.path("path").asText());
    }
    return paths;
  }

  @Test
  void theGapAfterAFailoverIsNoTimeWithoutReads() throws IOException {
    line("nn1.log", 0, "/other"); // It serves again.

    assertThat(changed(plan("nn1.log", "--json"))).isEmpty();
    assertThat(plan("nn1.log", "--explain").unfolded())
        .contains("no log has a line of the day before")
        .contains(
            "2 files: reads(7d) < 3 is not known: reads have been counted for less than a minute");
  }

  @Test
  void whatOneLogTellsCountsAsFarBackAsTheOtherOneReaches() throws IOException {
    assertThat(plan("nn1.log", "nn2.log", "--explain").unfolded())
        .contains("all reads are known for 93.6 h", "nn2.log begins at")
        .contains("fires for 0 files of 2");

    lines("nn2.log.1", 9, 8.5, "/other");
    String rotated = "--rotated=" + logs.resolve("nn2.log.1");
    assertThat(changed(plan("nn1.log", "nn2.log", "--json", rotated)))
        .as("a file of nn2 may be missing")
        .isEmpty();
  }

  @Test
  void bothLogsTogetherTellWhatIsReadSeldom() throws IOException {
    Path second = logs.resolve("nn2.log");
    String after = Files.readString(second);
    Files.delete(second);
    line("nn2.log", 9, "/other"); // And on standby since.
    Files.writeString(second, after, StandardOpenOption.APPEND);

    CommandRun plan = plan("nn1.log", "nn2.log", "--json");

    assertThat(changed(plan)).containsExactly(QUIET);
    assertThat(plan("nn1.log", "nn2.log", "--explain").unfolded())
        .contains(
            "all reads are known for 216.0 h", "1 file: reads(7d) < 3 does not hold: 8 reads");
  }
}
