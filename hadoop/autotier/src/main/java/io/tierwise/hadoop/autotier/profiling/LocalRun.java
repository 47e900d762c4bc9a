package io.tierwise.hadoop.autotier.profiling;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.Properties;

/**
 * Runs a command whose Spark puts intermediate data into chosen directories of this machine.
 *
 * <p>Source: Apache Spark 4.2.0, {@code Utils.getConfiguredLocalDirs}: outside YARN's containers it
 * takes SPARK_EXECUTOR_DIRS, which standalone Workers set, else SPARK_LOCAL_DIRS, else {@code
 * spark.local.dir}. A {@code spark-env.sh} may set SPARK_LOCAL_DIRS after we did, so the copy of it
 * that the command finds sets it last.
 */
public final class LocalRun {
  private static final String VARIABLE = "SPARK_LOCAL_DIRS";
  private static final String SCRIPT = "spark-env.sh";

  private final LocalChoice choice;
  private final Path sparkConfiguration;
  private final List<String> command;
  private final StopSign stop = new StopSign();

  /**
   * Nothing is begun before {@link #run}.
   *
   * @param sparkConfiguration directory of Spark's configuration; null when nobody names one
   */
  public LocalRun(LocalChoice choice, Path sparkConfiguration, List<String> command) {
    SparkClient.requireKnown(sparkConfiguration, command);
    this.choice = choice;
    this.sparkConfiguration = sparkConfiguration;
    this.command = List.copyOf(command);
  }

  /**
   * Runs it with this process's input and output.
   *
   * @return its exit code; empty when it was stopped
   */
  public OptionalInt run() throws IOException {
    try {
      if (choice.tier() == null) {
        return OptionalInt.of(ApplicationProcess.runHere(command, Map.of(), stop));
      }
      try (FolderCopy copy = FolderCopy.of(sparkConfiguration, any -> {})) {
        return OptionalInt.of(ApplicationProcess.runHere(command, environment(copy), stop));
      }
    } catch (StopSign.Stopped e) {
      return OptionalInt.empty();
    }
  }

  /** What the command finds in its environment, and in the copy that it names. */
  Map<String, String> environment(FolderCopy copy) throws IOException {
    String directories = LocalTiers.text(choice.directories());
    Map<String, String> environment = new HashMap<>();
    environment.put(VARIABLE, directories);
    if (sparkConfiguration == null) {
      return environment;
    }
    Properties settings = SparkDefaults.read(sparkConfiguration);
    SparkDefaults.askFor(settings, choice.tier());
    settings.setProperty("spark.local.dir", directories);
    SparkDefaults.write(copy, settings);
    Path script = copy.path().resolve(SCRIPT);
    if (Files.isRegularFile(script)) {
      String last = "\nexport " + VARIABLE + "=" + quoted(directories) + "\n";
      // As bytes: a comment of it may be in any encoding.
      byte[] own = Files.readAllBytes(script);
      copy.write(
          SCRIPT,
          out -> {
            out.write(own);
            out.write(last.getBytes(StandardCharsets.UTF_8));
          });
    }
    environment.put("SPARK_CONF_DIR", copy.path().toString());
    return environment;
  }

  /** One word for a shell, whatever is in it. */
  private static String quoted(String text) {
    return "'" + text.replace("'", "'\\''") + "'";
  }

  /** Ends the command; from any thread. */
  public void stop() {
    stop.set();
  }
}
