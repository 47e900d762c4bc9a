package io.tierwise.cli.autotier;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.tierwise.cli.CommandRun;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * From the command line to the files that a plan brings to the fast tier, because it is sure that
 * they pay, or by {@code --on-average}: ten files that are read each day, one that was read on the
 * first day alone, and one that is read today for the first time, just as often as the ten.
 */
class SurePromotionsIT {
  private static final int STEADY = 10;
  private static final int DAYS = 5;
  private static final int READS = 5;
  private static final long DAY_MILLIS = TimeUnit.DAYS.toMillis(1);
  private static final DateTimeFormatter TIME =
      DateTimeFormatter.ofPattern("yyyy-MM-dd HH:mm:ss,SSS").withZone(ZoneId.systemDefault());

  @TempDir static Path folder;
  private static AuditedHdfs hdfs;
  private static Path earlier;

  @BeforeAll
  static void writeAndRead() throws IOException {
    hdfs = new AuditedHdfs(folder);
    for (String path : all()) {
      hdfs.write(path, 3);
    }
    long today = Math.floorDiv(System.currentTimeMillis(), DAY_MILLIS) * DAY_MILLIS;
    StringBuilder log = new StringBuilder();
    for (int day = DAYS; day >= 0; day--) {
      List<String> read = new ArrayList<>(steady());
      if (day == DAYS) {
        read.add("/data/first");
      } else if (day == 0) {
        read.add("/data/today");
      }
      for (String path : read) {
        for (int i = 0; i < READS; i++) {
          log.append(TIME.format(Instant.ofEpochMilli(today - day * DAY_MILLIS + i)));
          log.append(" INFO FSNamesystem.audit: allowed=true\tugi=ann (auth:SIMPLE)");
          // One reader who opens a file again and again would count as one read.
          log.append("\tip=/10.0.0.").append(i + 1).append("\tcmd=open\tsrc=").append(path);
          log.append("\tdst=null\tperm=null\tproto=rpc\n");
        }
      }
    }
    earlier = Files.writeString(folder.resolve("hdfs-audit.log.1"), log);
  }

  @AfterAll
  static void stop() {
    hdfs.close();
  }

  private static List<String> steady() {
    List<String> paths = new ArrayList<>();
    for (int file = 0; file < STEADY; file++) {
      paths.add("/data/steady" + file);
    }
    return paths;
  }

  private static List<String> all() {
    List<String> paths = new ArrayList<>(steady());
    paths.addAll(List.of("/data/first", "/data/today"));
    return paths;
  }

  /** A plan of windows of a day. */
  private static CommandRun plan(String... more) throws IOException {
    Path tiers = Files.writeString(folder.resolve("tiers.yaml"), AuditedHdfs.MEASURED_TIERS);
    List<String> words = new ArrayList<>(List.of("plan", "--below", "/data"));
    words.addAll(List.of("--rotated", earlier.toString(), "--predictor", "lfu", "--hold", "1"));
    words.addAll(List.of("--fast-tier", "ssd", "-D", "tierwise.tiers.file=" + tiers));
    words.addAll(List.of(more));
    CommandRun run = hdfs.autotier(words.toArray(String[]::new));
    assertThat(run.exitCode()).as(run.err()).isZero();
    return run;
  }

  /** The files that it brings to the SSDs. */
  private static Set<String> brought(String... more) throws IOException {
    List<String> words = new ArrayList<>(List.of("--json"));
    words.addAll(List.of(more));
    CommandRun run = plan(words.toArray(String[]::new));
    Set<String> paths = new TreeSet<>();
    for (JsonNode move : new ObjectMapper().readTree(run.out()).path("moves")) {
      assertThat(move.path("tier").asText()).isEqualTo("ssd");
      move.path("paths").forEach(path -> paths.add(path.asText()));
    }
    return paths;
  }

  @Test
  void whatWasReadDayAfterDayComes() throws IOException {
    assertThat(brought()).containsExactlyInAnyOrderElementsOf(steady());
  }

  @Test
  void onAverageAFileOfTodayComesThatIsReadAsOftenAsTheOthers() throws IOException {
    List<String> wanted = steady();
    wanted.add("/data/today");

    assertThat(brought("--on-average")).containsExactlyInAnyOrderElementsOf(wanted);
  }

  @Test
  void whatIsNotSureIsExplained() throws IOException {
    assertThat(plan("--explain").unfolded())
        .contains("1 file: it is not sure that it pays in the fast tier: too few files that were")
        .contains("/data/today");
  }
}
