package io.tierwise.history;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.github.luben.zstd.Zstd;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Spark applications, whole and in parts. */
class SparkHistoryTest {
  private static final String START =
      """
      {"Event":"SparkListenerLogStart","Spark Version":"4.2.0"}
      {"Event":"SparkListenerApplicationStart","App Name":"report","App ID":"app-1",\
      "Timestamp":1000,"User":"u","App Attempt ID":"2"}
      {"Event":"SparkListenerJobStart","Job ID":0,"Submission Time":1500,"Stage Infos":[\
      {"Stage ID":0,"Number of Tasks":2,"Parent IDs":[]},\
      {"Stage ID":1,"Number of Tasks":1,"Parent IDs":[0]}],"Properties":{}}
      """;

  private static final String TASKS =
      task(0, "n1", 2000, 3000, "Success", 500, 0)
          + task(0, "n2", 2100, 3300, "ExceptionFailure", 999, 0)
          + task(0, "n3", 3400, 5000, "Success", 300, 0)
          + task(1, "n1", 5000, 5600, "Success", 0, 70);

  private static final String END =
      """
      {"Event":"SparkListenerJobEnd","Job ID":0,"Job Result":{"Result":"JobSucceeded"}}
      {"Event":"SparkListenerApplicationEnd","Timestamp":6000}
      """;

  private static String task(
      int stage, String host, long from, long to, String reason, long read, long written) {
    return """
    {"Event":"SparkListenerTaskEnd","Stage ID":%d,"Task End Reason":{"Reason":"%s"},\
    "Task Info":{"Task ID":1,"Host":"%s","Launch Time":%d,"Finish Time":%d},\
    "Task Metrics":{"Executor CPU Time":1000,"Disk Bytes Spilled":7,\
    "Shuffle Read Metrics":{"Remote Bytes Read":4,"Local Bytes Read":5},\
    "Shuffle Write Metrics":{"Shuffle Bytes Written":20},\
    "Input Metrics":{"Bytes Read":%d},"Output Metrics":{"Bytes Written":%d}}}
    """
        .formatted(stage, reason, host, from, to, read, written);
  }

  private static RunRecord read(HistoryLog log) throws IOException {
    return RunReader.read(log).orElseThrow();
  }

  private static RunRecord read(String text) throws IOException {
    return read(MemoryFile.log("app-1", text));
  }

  @Test
  void stagesMakeTwoPhases() throws IOException {
    RunRecord run = read(START + TASKS + END);

    assertThat(run.engine()).isEqualTo(RunRecord.Engine.SPARK);
    assertThat(run.id()).isEqualTo("app-1_2");
    assertThat(run.application()).isEqualTo("report");
    assertThat(run.startMillis()).isEqualTo(2000);
    assertThat(run.endMillis()).isEqualTo(6000);
    assertThat(run.succeeded()).isTrue();
    assertThat(run.phases())
        .containsExactly(
            new Phase("map", 2, 2000, 5000, 2600, 2000, 800, 0, 54, 18, Map.of("n1", 1L, "n3", 1L)),
            new Phase("reduce", 1, 5000, 5600, 600, 1000, 0, 70, 27, 9, Map.of("n1", 1L)));
  }

  /**
   * Written by Spark 4.2.0 for a query that counts words of a file; of its events about tasks and
   * jobs nothing but paths and settings were taken out.
   */
  @Test
  void readsWhatSparkWrites() throws IOException {
    byte[] log;
    try (InputStream in = SparkHistoryTest.class.getResourceAsStream("spark-4.2.gz")) {
      log = in.readAllBytes();
    }
    RunRecord run = read(HistoryLog.named(new MemoryFile("spark-4.2.gz", log)));

    assertThat(run.application()).isEqualTo("daily report 2026-11-29");
    assertThat(run.succeeded()).isTrue();
    assertThat(run.endMillis() - run.startMillis()).isEqualTo(4359);
    Phase map = run.phase(0);
    assertThat(map.taskCount()).isEqualTo(2);
    assertThat(map.taskMillis()).isEqualTo(5916);
    assertThat(map.readBytes()).isEqualTo(9_502_716);
    assertThat(map.spilledBytes()).isEqualTo(440);
    assertThat(map.tasksByHost()).isEqualTo(Map.of("localhost", 2L));
    Phase reduce = run.phase(1);
    assertThat(reduce.taskCount()).isEqualTo(1);
    assertThat(reduce.shuffledBytes()).isEqualTo(440);
    assertThat(reduce.writtenBytes()).isEqualTo(33);
  }

  /** Names go into files, which can hold whole characters only. */
  @Test
  void aNameHasNoHalfOfACharacter() throws IOException {
    String half = START.replace("\"report\"", "\"re\\ud800port \\ud83d\\ude80\"");
    assertThat(read(half + TASKS + END).application()).isEqualTo("re?port \ud83d\ude80");
    String cut = START.replace("\"report\"", "\"" + "x".repeat(4_095) + "\\ud83d\\ude80\"");
    assertThat(read(cut + TASKS + END).application()).endsWith("x?").hasSize(4_096);
  }

  /**
   * Written by Spark 4.2.0 for a file of 1,088,890 bytes in three parts that is kept, looked at
   * ({@code first()}, which makes one part), counted three times, let go and counted once more.
   * Details of calls were taken out. By the sum of its counters 7 MB were read.
   */
  @Test
  void whatIsTakenOfKeptDataIsNotReadAgain() throws IOException {
    byte[] log;
    try (InputStream in = SparkHistoryTest.class.getResourceAsStream("spark-4.2-kept.gz")) {
      log = in.readAllBytes();
    }
    RunRecord run = read(HistoryLog.named(new MemoryFile("spark-4.2-kept.gz", log)));
    long once = 458_752 + 458_752 + 362_964;

    assertThat(run.phase(0).taskCount()).isEqualTo(13);
    assertThat(run.phase(0).readBytes()).isEqualTo(2 * once);
    assertThat(run.phase(1).readBytes()).isZero();
  }

  @Test
  void aFailedJobOrAnExitCodeMakesAFailedRun() throws IOException {
    assertThat(read(START + TASKS + END.replace("JobSucceeded", "JobFailed")).succeeded())
        .isFalse();
    String killed = END.replace("\"Timestamp\":6000", "\"Timestamp\":6000,\"ExitCode\":137");
    assertThat(read(START + TASKS + killed).succeeded()).isFalse();
    // That of a driver whose main method threw.
    assertThat(read(START + TASKS + killed.replace("137", "1")).succeeded()).isFalse();
    assertThat(read(START + TASKS + killed.replace("137", "0")).succeeded()).isTrue();
  }

  @Test
  void aLogWithoutItsEndIsRefused() {
    assertThatThrownBy(() -> read(START + TASKS))
        .isInstanceOf(TraceException.class)
        .hasMessageContaining("app-1: ends before application 'app-1_2' does");
    assertThatThrownBy(() -> read(START + "{\"Event\":\"SparkListenerTaskE"))
        .isInstanceOf(TraceException.class)
        .hasMessageContaining("app-1:4: is not JSON");
  }

  private static final String FOLDER = "/logs/eventlog_v2_app-1/";

  private static HistoryLog rolled(String... names) {
    List<String> texts = List.of(START, TASKS, END);
    List<HistoryFile> files = new ArrayList<>();
    files.add(new MemoryFile(FOLDER + "appstatus_app-1", new byte[0]));
    for (int i = 0; i < names.length; i++) {
      byte[] packed = Zstd.compress(texts.get(i).getBytes(StandardCharsets.UTF_8));
      files.add(new MemoryFile(FOLDER + names[i], packed));
    }
    return HistoryLog.rolled(FOLDER, files);
  }

  @Test
  void partsOfARolledLogAreReadInTheirOrder() throws IOException {
    HistoryLog log = rolled("events_1_app-1.zstd", "events_2_app-1.zstd", "events_3_app-1.zstd");
    List<HistoryFile> shuffled = new ArrayList<>(log.parts());
    java.util.Collections.reverse(shuffled);

    assertThat(read(HistoryLog.rolled(FOLDER, shuffled))).isEqualTo(read(START + TASKS + END));
  }

  @Test
  void aRolledLogThatIsNotWholeIsRefused() {
    assertThatThrownBy(() -> read(rolled("events_1_app-1.zstd", "events_3_app-1.zstd")))
        .isInstanceOf(TraceException.class)
        .hasMessageContaining("lacks files of the log, it has 2");
    assertThatThrownBy(() -> read(rolled()))
        .isInstanceOf(TraceException.class)
        .hasMessageContaining("lacks files of the log, it has 0");
    assertThatThrownBy(() -> read(rolled("events_1_app-1.zstd.compact")))
        .isInstanceOf(TraceException.class)
        .hasMessageContaining("is compacted");
  }

  @Test
  void zstdThatIsCutIsRefused() {
    byte[] packed = Zstd.compress((START + TASKS + END).getBytes(StandardCharsets.UTF_8));
    for (int length = 10; length < packed.length; length += 5) {
      HistoryFile cut = new MemoryFile("app-1.zstd", Arrays.copyOf(packed, length));
      assertThatThrownBy(() -> read(HistoryLog.named(cut)))
          .isInstanceOf(TraceException.class)
          .hasMessageContaining("the zstd data is cut off or damaged");
    }
  }
}
