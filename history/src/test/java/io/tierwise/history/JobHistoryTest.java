package io.tierwise.history;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Phases, times and hosts of MapReduce jobs; the simulator's tests read the rest of such files. */
class JobHistoryTest {
  private static final String EVENT = "{\"type\":\"X\",\"event\":{\"%s\":{%s}}}\n";

  private static String event(String type, String fields) {
    return EVENT.formatted(
        "org.apache.hadoop.mapreduce.jobhistory." + type, fields.replace('\'', '"'));
  }

  private static String task(String type, String... counters) {
    StringBuilder counts = new StringBuilder();
    for (int i = 0; i < counters.length; i += 2) {
      counts
          .append(i == 0 ? "" : ",")
          .append("{'name':'" + counters[i] + "','displayName':'d','value':" + counters[i + 1])
          .append('}');
    }
    return event(
        "TaskFinished",
        "'taskid':'t','taskType':'"
            + type
            + "','finishTime':5,'counters':{'name':'C','groups':[{'name':'g','counts':["
            + counts
            + "]}]}");
  }

  private static String started(String attempt, long millis) {
    return event("TaskAttemptStarted", "'attemptId':'" + attempt + "','startTime':" + millis);
  }

  private static String mapEnded(String attempt, String host, long millis) {
    return event(
        "MapAttemptFinished",
        "'attemptId':'" + attempt + "','finishTime':" + millis + ",'hostname':'" + host + "'");
  }

  private static final String HEAD =
      "Avro-Json\n{}\n"
          + event("JobSubmitted", "'jobid':'job_7','jobName':'sort','submitTime':1000")
          + event("JobInited", "'totalMaps':2,'totalReduces':1");

  private static final String TASKS =
      started("m0", 2000)
          + started("m1", 2500)
          + started("m1b", 2600)
          + mapEnded("m0", "n1", 6000)
          + task("MAP", "HDFS_BYTES_READ", "100", "FILE_BYTES_WRITTEN", "40")
          + event("TaskAttemptUnsuccessfulCompletion", "'attemptId':'m1','hostname':'n3'")
          + mapEnded("m1b", "n2", 7600)
          + task("MAP", "HDFS_BYTES_READ", "60", "CPU_MILLISECONDS", "3")
          + started("r0", 7000)
          + event(
              "ReduceAttemptFinished",
              "'attemptId':'r0','shuffleFinishTime':8000,'sortFinishTime':8100,"
                  + "'finishTime':9500,'hostname':'n1'")
          + task("REDUCE", "REDUCE_SHUFFLE_BYTES", "44", "HDFS_BYTES_WRITTEN", "30");

  private static final String END = event("JobFinished", "'jobid':'job_7','finishTime':10000");

  private static RunRecord read(String text) throws IOException {
    return RunReader.read(MemoryFile.log("job.jhist", text)).orElseThrow();
  }

  @Test
  void eachPhaseHasItsTimesBytesAndHosts() throws IOException {
    RunRecord run = read(HEAD + TASKS + END);

    assertThat(run.engine()).isEqualTo(RunRecord.Engine.MAPREDUCE);
    assertThat(run.id()).isEqualTo("job_7");
    assertThat(run.application()).isEqualTo("sort");
    assertThat(run.submitMillis()).isEqualTo(1000);
    assertThat(run.startMillis()).isEqualTo(2000);
    assertThat(run.endMillis()).isEqualTo(10_000);
    assertThat(run.succeeded()).isTrue();
    assertThat(run.phases())
        .containsExactly(
            new Phase(
                "map", 2, 2000, 7600, 9000, 3_000_000, 160, 0, 40, 0, Map.of("n1", 1L, "n2", 1L)),
            new Phase("shuffle", 1, 7000, 8000, 1000, 0, 0, 0, 0, 44, Map.of("n1", 1L)),
            new Phase("reduce", 1, 8000, 9500, 1500, 0, 0, 30, 0, 0, Map.of("n1", 1L)));
  }

  @Test
  void aJobThatFailedCountsWithWhatItDid() throws IOException {
    RunRecord run = read(HEAD + TASKS + event("JobUnsuccessfulCompletion", "'finishTime':9000"));

    assertThat(run.succeeded()).isFalse();
    assertThat(run.endMillis()).isEqualTo(9000);
    assertThat(run.phase(0).readBytes()).isEqualTo(160);
  }

  @Test
  void timesThatGoBackCountAsNoTime() throws IOException {
    RunRecord run = read(HEAD + started("m0", 9000) + mapEnded("m0", "n1", 4000) + END);

    assertThat(run.phase(0).taskMillis()).isZero();
    assertThat(run.phase(0).tasksByHost()).isEqualTo(Map.of("n1", 1L));
    assertThat(run.startMillis()).as("as submitted: no attempt says more").isEqualTo(1000);
  }

  @Test
  void namesOfHostsAreFitForATerminal() throws IOException {
    RunRecord run = read(HEAD + started("m0", 2) + mapEnded("m0", "n\\n1\\u001b", 4) + END);

    assertThat(run.phase(0).tasksByHost()).isEqualTo(Map.of("n?1?", 1L));
  }

  @Test
  void sumsBeyondWhatAJobCanDoAreDamage() {
    String huge = "1" + "0".repeat(18);
    String twice =
        task("MAP", "HDFS_BYTES_READ", huge) + task("MAP", "HDFS_BYTES_READ", huge) + END;

    assertThatThrownBy(() -> read(HEAD + twice))
        .isInstanceOf(TraceException.class)
        .hasMessageContaining("job.jhist: phase map has more than 1152921504606846976 bytes")
        .message()
        .doesNotContain("\n");
    assertThatThrownBy(() -> read(HEAD + task("MAP", "HDFS_BYTES_READ", "9" + huge) + END))
        .isInstanceOf(TraceException.class)
        .hasMessageContaining("job.jhist:5: HDFS_BYTES_READ is '91000000000000000000', must be");
  }

  @Test
  void aFileThatIsCutIsRefusedWhereverItEnds() {
    String whole = HEAD + TASKS + END;
    for (int length = 1; length < whole.length() - 2; length += 7) {
      String cut = whole.substring(0, length);
      assertThatThrownBy(
              () ->
                  RunReader.read(MemoryFile.log("job.jhist", cut))
                      .orElseThrow(() -> new TraceException("no history")))
          .as(cut)
          .isInstanceOf(TraceException.class);
    }
  }

  @Test
  void whatIsNoHistoryIsNone() throws IOException {
    assertThat(RunReader.read(MemoryFile.log("job_conf.xml", "<?xml version=\"1.0\"?>"))).isEmpty();
    HistoryLog empty = HistoryLog.found(new MemoryFile("_SUCCESS", new byte[0]));
    assertThat(RunReader.read(empty)).isEmpty();
  }
}
