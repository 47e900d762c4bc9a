package io.tierwise.cli.cluster;

import io.tierwise.core.message.OperatorException;
import io.tierwise.hadoop.inspect.cluster.ClusterConnection;
import io.tierwise.lab.embedded.EmbeddedPlace;
import java.io.IOException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import picocli.CommandLine.Option;

/**
 * Names the cluster: {@code HADOOP_CONF_DIR} (on the class path already), or {@code --conf}, or
 * {@code --fs}; mixed into every command that speaks to one.
 */
public final class ClusterOptions {
  @Option(
      names = "--fs",
      paramLabel = "URI",
      description = "The NameNode, for example hdfs://nn:8020 (default: fs.defaultFS).")
  private String fs;

  @Option(
      names = "--conf",
      paramLabel = "DIR",
      description = "Configuration directory to use instead of HADOOP_CONF_DIR.")
  private Path confDir;

  @Option(
      names = "--embedded",
      description = "Use the cluster that 'tierwise embedded' is running.")
  private boolean embedded;

  @Option(
      names = "-D",
      paramLabel = "KEY=VALUE",
      description = "Set a configuration key for this command.")
  private Map<String, String> overrides = new LinkedHashMap<>();

  /** The configuration that the options describe; nothing is contacted. */
  public Configuration configuration() {
    if (embedded && confDir != null) {
      throw OperatorException.badInput("--embedded and --conf exclude each other: give one");
    }
    if (embedded && !EmbeddedPlace.serves()) {
      throw OperatorException.badInput(
          "no embedded cluster serves here: start one with 'tierwise embedded --background'");
    }
    return ClusterConnection.configuration(embedded ? EmbeddedPlace.CONF : confDir, fs, overrides);
  }

  /**
   * The directory of the configuration, for who starts another client of the cluster.
   *
   * @throws OperatorException when nobody names one
   */
  public Path directory() {
    if (embedded) {
      return EmbeddedPlace.CONF;
    }
    String ofEnvironment = System.getenv("HADOOP_CONF_DIR");
    if (confDir == null && ofEnvironment == null) {
      throw OperatorException.badInput(
          "no configuration directory for the command: set HADOOP_CONF_DIR, or give --conf DIR");
    }
    return confDir != null ? confDir : Path.of(ofEnvironment);
  }

  /**
   * Connects to the cluster.
   *
   * @throws OperatorException when the file system is not HDFS
   */
  public DistributedFileSystem connect(Configuration conf) throws IOException {
    return ClusterConnection.connect(FileSystem.getDefaultUri(conf), conf);
  }

  /**
   * Connects to the cluster that the path is on, which its URI may name.
   *
   * @throws OperatorException when the path is on no HDFS
   */
  public ClusterConnection.Place connect(Configuration conf, String path) throws IOException {
    return ClusterConnection.connect(conf, path);
  }
}
