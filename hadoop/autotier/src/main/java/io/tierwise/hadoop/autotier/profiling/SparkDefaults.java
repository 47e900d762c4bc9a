package io.tierwise.hadoop.autotier.profiling;

import java.io.IOException;
import java.io.OutputStreamWriter;
import java.io.Reader;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Properties;

/**
 * The settings of a directory of Spark's configuration, in a copy of which others are added.
 *
 * <p>Source: Apache Spark 4.2.0, {@code SparkSubmitArguments}: without {@code --properties-file} it
 * reads {@code spark-defaults.conf} of {@code SPARK_CONF_DIR}.
 */
final class SparkDefaults {
  static final String NAME = "spark-defaults.conf";

  private SparkDefaults() {}

  /** The user's own; none where there is no such file. */
  static Properties read(Path directory) {
    return FolderCopy.read(
        directory,
        NAME,
        new Properties(),
        file -> {
          Properties settings = new Properties();
          try (Reader in = Files.newBufferedReader(file)) {
            settings.load(in);
          }
          return settings;
        });
  }

  /** Has executors ask for a tier where a plug-in of ours hears them. */
  static void askFor(Properties settings, String tier) {
    settings.setProperty("spark.executorEnv." + ClientFolder.VARIABLE, tier);
    settings.setProperty("spark.yarn.appMasterEnv." + ClientFolder.VARIABLE, tier);
  }

  static void write(FolderCopy copy, Properties settings) throws IOException {
    copy.write(
        NAME,
        out -> {
          Writer writer = new OutputStreamWriter(out, StandardCharsets.UTF_8);
          settings.store(writer, null);
        });
  }
}
