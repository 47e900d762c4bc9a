package io.tierwise.hadoop.secondary;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.server.namenode.SafeModeException;
import org.junit.jupiter.api.Test;

class FaultLineTest {
  private static String work(long fileId, WorkName.Kind kind) {
    return new Path("/data", new WorkName(fileId, Attempt.begin(), kind).toString()).toString();
  }

  private static String safeMode(long fileId) {
    return FaultLine.of(
        new SafeModeException(
            "Cannot create file" + work(fileId, WorkName.Kind.RECALL) + ". Name node is in safe"));
  }

  private static String noNodes(long fileId) {
    String body = work(fileId, WorkName.Kind.FOLDER) + "/" + WorkName.bodyOf(WorkName.draw());
    return FaultLine.of(
        new IOException("File " + body + " could only be written to 0 of the 1 minReplication"));
  }

  /** What stands in the way of all files is told once, not once for each. */
  @Test
  void namesNoFileThatTheRunItselfMakes() {
    assertThat(safeMode(1)).isEqualTo(safeMode(2)).contains("hdfs dfsadmin -safemode leave");
    assertThat(noNodes(1))
        .isEqualTo(noNodes(2))
        .isEqualTo(
            "File /data/.tierwise-....folder could only be written to 0 of the 1 minReplication");
  }

  @Test
  void leavesOtherNamesAsTheyAre() {
    assertThat(FaultLine.of(new IOException("no room for /data/.tierwise-mine")))
        .isEqualTo("no room for /data/.tierwise-mine");
  }
}
