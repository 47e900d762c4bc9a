package io.tierwise.history;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import org.junit.jupiter.api.Test;

/** Paths that runs name as their input. */
class JobInputsTest {
  private static final String NAME = "/done/2026/11/job_179_0007_conf.xml";

  private static String configuration(String key, String value) {
    return "<?xml version=\"1.0\"?><configuration>\n"
        + "<property><name>mapreduce.job.name</name><value>/not/an/input</value></property>\n"
        + "<property><name>"
        + key
        + "</name><value>"
        + value
        + "</value><final>false</final><source>job.xml</source></property>\n"
        + "</configuration>\n";
  }

  private static MemoryFile file(String value) {
    return MemoryFile.of(NAME, configuration("mapreduce.input.fileinputformat.inputdir", value));
  }

  @Test
  void aFileIsOfTheJobThatItsNameSays() {
    assertThat(JobInputs.jobOf(file("/a"))).contains("job_179_0007");
    assertThat(JobInputs.jobOf(MemoryFile.of("job_1_2_conf.xml.gz", ""))).contains("job_1_2");
    assertThat(JobInputs.jobOf(MemoryFile.of("/done/job_1_2-17-ann.jhist", ""))).isEmpty();
    assertThat(JobInputs.jobOf(MemoryFile.of("/done/core-site.xml", ""))).isEmpty();
  }

  @Test
  void commasSeparatePathsUnlessTheyStandInBracesOrBehindABackslash() throws IOException {
    assertThat(JobInputs.read(file("hdfs://nn/a, /b/{c,d}/*,/e\\,f,/b/{c,d}/*")))
        .containsExactly("hdfs://nn/a", "/b/{c,d}/*", "/e,f");
    assertThat(JobInputs.read(MemoryFile.of(NAME, configuration("mapred.input.dir", "/old"))))
        .containsExactly("/old");
    assertThat(JobInputs.read(MemoryFile.of(NAME, configuration("other", "/old")))).isEmpty();
  }

  /** A hostile history costs no more memory than a large one. */
  @Test
  void keepsNoMoreThanAMegabyteOfPaths() throws IOException {
    String path = "/" + "x".repeat(99_999);
    StringBuilder list = new StringBuilder("/first");
    for (int i = 0; i < 20; i++) {
      list.append(',').append(path).append(i);
    }

    assertThat(JobInputs.read(file(list.toString()))).hasSize(1 + 10).contains("/first");
  }

  @Test
  void whatIsCutOffOrNoXmlIsNamedInALine() {
    String whole = configuration("mapred.input.dir", "/a");
    for (String text : new String[] {whole.substring(0, whole.length() - 20), "{}", "<a><b></a>"}) {
      assertThatThrownBy(() -> JobInputs.read(MemoryFile.of(NAME, text)))
          .isInstanceOf(TraceException.class)
          .hasMessageContaining(NAME)
          .hasMessageContaining("is no XML, or cut off")
          .message()
          .hasLineCount(1);
    }
  }

  /** An entity that names a file of this machine is not followed. */
  @Test
  void readsNoOtherFile() {
    String hostile =
        "<?xml version=\"1.0\"?><!DOCTYPE c [<!ENTITY x SYSTEM \"file:///etc/hostname\">]>"
            + "<c><name>mapred.input.dir</name><value>/&x;</value></c>";

    assertThatThrownBy(() -> JobInputs.read(MemoryFile.of(NAME, hostile)))
        .isInstanceOf(TraceException.class);
  }

  @Test
  void pathsOfASparkApplicationAreThoseOfItsDataAndItsPlans() throws IOException {
    String log =
        """
        {"Event":"SparkListenerApplicationStart","App Name":"r","App ID":"app-1","Timestamp":1000}
        {"Event":"org.apache.spark.sql.execution.ui.SparkListenerSQLExecutionStart",\
        "executionId":0,"sparkPlanInfo":{"nodeName":"a","metadata":{},"children":[{"nodeName":"b",\
        "children":[],"metadata":{"Location":"InMemoryFileIndex(3 paths)[hdfs://nn/t/d=1,\
         hdfs://nn/t/d=2, ...]"}}]}}
        {"Event":"SparkListenerJobStart","Job ID":0,"Submission Time":1500,"Properties":{},\
        "Stage Infos":[{"Stage ID":0,"Number of Tasks":1,"Parent IDs":[],"RDD Info":[\
        {"RDD ID":1,"Name":"hdfs://nn/logs/*.txt"},{"RDD ID":2,"Name":"MapPartitionsRDD"}]}]}
        {"Event":"SparkListenerApplicationEnd","Timestamp":6000}
        """;

    assertThat(RunReader.read(MemoryFile.log("app-1", log)).orElseThrow().inputs())
        .containsExactly("hdfs://nn/t/d=1", "hdfs://nn/t/d=2", "hdfs://nn/logs/*.txt");
  }
}
