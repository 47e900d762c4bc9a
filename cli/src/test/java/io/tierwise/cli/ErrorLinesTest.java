package io.tierwise.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.concurrent.Callable;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
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

  @CommandLine.Command(name = "failing")
  static final class Failing implements Callable<Integer> {
    @Override
    public Integer call() {
      throw new NoSuchMethodError("gone");
    }
  }

  @CommandLine.Command(name = "greedy")
  static final class Greedy implements Callable<Integer> {
    @Override
    public Integer call() {
      throw new OutOfMemoryError("Java heap space");
    }
  }

  @Test
  void tooLittleMemoryNamesWhatToSet() {
    StringWriter err = new StringWriter();
    CommandLine command = TierwiseCommand.commandLine();
    command.addSubcommand(new Greedy()).setErr(new PrintWriter(err));

    assertThat(command.execute("greedy")).isEqualTo(ExitCode.CLUSTER);
    assertThat(err.toString())
        .startsWith("tierwise greedy: it needs more memory than the JVM may use, ")
        .contains("TIERWISE_JAVA_OPTS=-Xmx");
    Matcher more = Pattern.compile("-Xmx(\\d+)g").matcher(err.toString());
    assertThat(more.find()).isTrue();
    assertThat(Long.parseLong(more.group(1)) << 30)
        .as("bytes, of a JVM that has that much already")
        .isGreaterThan(Runtime.getRuntime().maxMemory());
  }

  /** So do policies of other jars that were made for another version. */
  @Test
  void anErrorIsOneLineToo() {
    StringWriter err = new StringWriter();
    CommandLine command = TierwiseCommand.commandLine();
    command.addSubcommand(new Failing()).setErr(new PrintWriter(err));

    assertThat(command.execute("failing")).isEqualTo(ExitCode.CLUSTER);
    assertThat(err.toString().strip()).isEqualTo("tierwise failing: NoSuchMethodError: gone");
  }

  /** As pages and tables write shares. */
  @Test
  void aNumberWithAPercentSignIsToldWithoutIt() {
    for (String[] words :
        new String[][] {
          {"rank", "trace", "--fast-percent", "12.5%"},
          {"autotier", "plan", "--audit-log", "log", "--extra", "12.5%"},
        }) {
      assertThat(CommandRun.of(words).err())
          .contains(": '12.5%' is no number: write 12.5")
          .contains("Usage: ");
    }
    assertThat(CommandRun.of("secondary", "offload", "/a", "--keep-free", "5%").err())
        .contains("'5%' is no number: write 5");
  }
}
