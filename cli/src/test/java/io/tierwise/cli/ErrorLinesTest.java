package io.tierwise.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import org.apache.hadoop.ipc.RemoteException;
import org.apache.hadoop.ipc.StandbyException;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;

class ErrorLinesTest {
  /** Clients try for minutes to find an active NameNode, and then throw what the last one said. */
  @Test
  void namesTheWayOutWhenAllNameNodesAreStandby() {
    StringWriter err = new StringWriter();
    CommandLine command = new CommandLine(new TierwiseCommand()).setErr(new PrintWriter(err));
    RemoteException thrown =
        new RemoteException(
            StandbyException.class.getName(),
            "Operation category READ is not supported in state standby");
    assertThat(new ErrorLines().handleExecutionException(thrown, command, null))
        .isEqualTo(ExitCode.CLUSTER);
    assertThat(err.toString())
        .startsWith("tierwise: no NameNode is active (")
        .contains("state standby", "hdfs haadmin -getAllServiceState");
  }
}
