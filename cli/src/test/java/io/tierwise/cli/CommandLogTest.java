package io.tierwise.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.FileNotFoundException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import org.apache.log4j.Hierarchy;
import org.apache.log4j.Level;
import org.apache.log4j.PropertyConfigurator;
import org.apache.log4j.spi.RootLogger;
import org.junit.jupiter.api.Test;

/** The lines that Hadoop's log adds to a command's messages, as the launcher configures it. */
class CommandLogTest {
  private static String logged(String logger, Throwable thrown) {
    PrintStream standardError = System.err;
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    System.setErr(new PrintStream(bytes, true, StandardCharsets.UTF_8));
    try {
      Hierarchy own = new Hierarchy(new RootLogger(Level.INFO));
      Path file = Path.of(System.getProperty("tierwise.root"), "scripts/log/log4j.properties");
      new PropertyConfigurator().doConfigure(file.toString(), own);
      own.getLogger(logger).warn("it failed", thrown);
    } finally {
      System.setErr(standardError);
    }
    return bytes.toString(StandardCharsets.UTF_8);
  }

  @Test
  void anExceptionIsOneLineAndNoStackTrace() {
    assertThat(logged("org.apache.hadoop.hdfs.DataStreamer", new FileNotFoundException("/gone")))
        .contains("WARN  hdfs.DataStreamer: it failed", "FileNotFoundException: /gone")
        .doesNotContain("\tat ")
        .hasLineCount(2);
    assertThat(logged("org.apache.hadoop.hdfs.DataStreamer", null)).hasLineCount(1);
  }

  @Test
  void aHostThatIsNotKnownIsSaidByTheCommandAlone() {
    assertThat(logged("org.apache.hadoop.fs.FileSystem", null)).isEmpty();
  }

  /** Each second while a NameNode is away or in safe mode, of each process that holds a file. */
  @Test
  void aLeaseThatCannotBeRenewedNowIsSaidByTheCommandAlone() {
    assertThat(
            logged(
                "org.apache.hadoop.hdfs.client.impl.LeaseRenewer",
                new FileNotFoundException("in safe mode")))
        .isEmpty();
  }
}
