package io.tierwise.hadoop.autotier.profiling;

import io.tierwise.core.message.OperatorException;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;

/**
 * A stand-in for the directory of Spark's configuration, in which applications ask for a tier, bear
 * a tag and write their event log where it is found. What a command sets itself stands above it.
 */
public final class SparkClient implements Closeable {
  /** The settings that put an event log where it is looked for. */
  static final String LOG_ENABLED = "spark.eventLog.enabled";

  static final String LOG_FOLDER = "spark.eventLog.dir";

  private static final String TAGS = "spark.yarn.tags";

  /** Those whose name tells that they start Spark. */
  private static final List<String> PROGRAMS =
      List.of("spark-submit", "spark-sql", "spark-shell", "pyspark", "sparkR");

  private final Path source;
  private final FolderCopy copy;
  private final EventLogs logs;

  private SparkClient(Path source, FolderCopy copy, EventLogs logs) {
    this.source = source;
    this.copy = copy;
    this.logs = logs;
  }

  /**
   * The directory of Spark's configuration, which need not exist unless it is named.
   *
   * @param named null where the environment says
   * @return null where nobody names one
   */
  public static Path configuration(Path named, Map<String, String> environment) {
    if (named != null) {
      if (!Files.isDirectory(named)) {
        throw OperatorException.badInput("--spark-conf " + named + " is no directory");
      }
      return named;
    }
    String folder = environment.get("SPARK_CONF_DIR");
    String home = environment.get("SPARK_HOME");
    if (folder != null) {
      return Path.of(folder);
    }
    return home == null ? null : Path.of(home, "conf");
  }

  /**
   * Refuses a command that would start Spark with settings that are not known here.
   *
   * @param source the directory of its configuration; null when nobody names one
   */
  static void requireKnown(Path source, List<String> command) {
    for (String word : command) {
      if (source == null && PROGRAMS.contains(word.substring(word.lastIndexOf('/') + 1))) {
        throw OperatorException.badInput(
            "the command has "
                + word
                + ", and nobody names the directory of its "
                + SparkDefaults.NAME
                + ": set SPARK_CONF_DIR or SPARK_HOME, or give --spark-conf DIR");
      }
    }
  }

  /**
   * Makes one; nothing is made where nobody names a directory.
   *
   * @param mark that no other profiling has
   * @param own hears of what is made
   */
  static SparkClient of(Path source, FileSystem fs, Configuration conf, String mark, OwnFolders own)
      throws IOException {
    if (source == null) {
      return new SparkClient(null, null, null);
    }
    require(source);
    // The home directory: nobody else's files are there.
    var top = new org.apache.hadoop.fs.Path(fs.getHomeDirectory(), "." + OwnFolders.MARK + mark);
    own.note(fs.makeQualified(top).toString());
    return of(source, EventLogs.make(fs, conf, top), own);
  }

  static SparkClient of(Path source, EventLogs logs, OwnFolders own) throws IOException {
    return new SparkClient(source, FolderCopy.of(source, own::note), logs);
  }

  /** Refuses a directory of which there can be no copy; null when nobody names one. */
  static void require(Path source) {
    if (source != null) {
      SparkDefaults.read(source);
    }
  }

  /** What a run's command finds in its environment. */
  Map<String, String> environment(String tier, String tag) throws IOException {
    if (source == null) {
      return Map.of();
    }
    Properties settings = SparkDefaults.read(source);
    SparkDefaults.askFor(settings, tier);
    settings.setProperty(TAGS, ClientFolder.allTags(settings.getProperty(TAGS, ""), tag));
    settings.setProperty(LOG_ENABLED, "true");
    settings.setProperty(LOG_FOLDER, logs.folder(tag).toString());
    // Logs in other codecs are not read; plain ones are.
    settings.setProperty("spark.eventLog.compression.codec", "zstd");
    SparkDefaults.write(copy, settings);
    return Map.of("SPARK_CONF_DIR", copy.path().toString());
  }

  /** What the applications of a run wrote down. */
  EventLogs.Found found(String tag, boolean succeeded, StopSign stop) throws IOException {
    return source == null ? EventLogs.Found.NOTHING : logs.await(tag, succeeded, stop);
  }

  @Override
  public void close() throws IOException {
    if (source != null) {
      try (EventLogs all = logs;
          FolderCopy folder = copy) {
        // Closing removes both.
      }
    }
  }
}
