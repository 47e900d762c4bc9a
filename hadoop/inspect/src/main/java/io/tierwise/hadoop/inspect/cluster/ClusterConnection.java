package io.tierwise.hadoop.inspect.cluster;

import io.tierwise.core.message.OperatorException;
import java.io.IOException;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.CommonConfigurationKeysPublic;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.HdfsConfiguration;
import org.apache.hadoop.hdfs.client.HdfsClientConfigKeys;
import org.apache.hadoop.security.UserGroupInformation;

/**
 * How a cluster is found and reached: by a configuration directory, a URI or a path, through mount
 * tables, without retrying for minutes.
 */
public final class ClusterConnection {
  private ClusterConnection() {}

  /**
   * The configuration of the class path, or of a directory in its place; nothing is contacted. What
   * this thread and its children configure later has the same files.
   *
   * @param directory of site files; null when the class path has them
   * @param uri of the NameNode; null for the configuration's own
   */
  public static Configuration configuration(
      Path directory, String uri, Map<String, String> overrides) {
    if (overrides.containsKey("")) {
      throw OperatorException.badInput("-D =" + overrides.get("") + " names no key: -D KEY=VALUE");
    }
    SiteFolder.use(directory);
    SiteFiles.requireReadable();
    Configuration conf = new HdfsConfiguration();
    if (directory != null) {
      addOtherEngines(conf, directory);
    }
    if (uri != null) {
      if (!new ClusterUri(FileSystem.getDefaultUri(conf), conf).is(uri)) {
        ResourceManagerKeys.forgetFiles(conf);
      }
      conf.set(CommonConfigurationKeysPublic.FS_DEFAULT_NAME_KEY, uri);
    }
    overrides.forEach(conf::set);
    // Logins go by a configuration of the whole process: without this, by that of the class path.
    UserGroupInformation.setConfiguration(conf);
    return conf;
  }

  /** The files that Hadoop adds only when the classes of YARN and MapReduce are loaded. */
  private static void addOtherEngines(Configuration conf, Path dir) {
    for (String name : List.of("yarn-site.xml", "mapred-site.xml")) {
      Path file = dir.resolve(name);
      if (Files.isRegularFile(file)) {
        conf.addResource(new org.apache.hadoop.fs.Path(file.toUri()));
      }
    }
  }

  /**
   * Refuses other file systems.
   *
   * @throws OperatorException naming the one that was given
   */
  public static void requireHdfs(URI uri) {
    if (!"hdfs".equals(uri.getScheme())) {
      throw OperatorException.badInput(
          uri
              + " is not HDFS: give --fs hdfs://HOST:PORT, or --embedded for the cluster of"
              + " 'tierwise embedded', or set fs.defaultFS in HADOOP_CONF_DIR");
    }
  }

  /** Connects to one of several file systems that a configuration names. */
  public static DistributedFileSystem connect(URI uri, Configuration conf) throws IOException {
    requireHdfs(uri);
    waitOnlyBriefly(conf);
    KeytabLogin.ifNamed(conf);
    MountTable.remove(conf);
    FileSystem connected = FileSystem.newInstance(uri, conf);
    if (connected instanceof DistributedFileSystem hdfs) {
      return hdfs;
    }
    connected.close();
    throw OperatorException.badInput(
        "fs.hdfs.impl is " + connected.getClass().getName() + ", which is not HDFS's client");
  }

  /** How long an answer may take: for people who want to wait longer. */
  static final String ANSWER = "ipc.client.rpc-timeout.ms";

  /**
   * A command that people wait for should say that nobody answers, not retry for minutes. A process
   * that hangs takes connections and never answers: Hadoop's clients wait two minutes for each
   * answer, and go from one NameNode to another fifteen times.
   */
  public static void waitOnlyBriefly(Configuration conf) {
    setUnlessUserDid(conf, "ipc.client.connect.max.retries", "2");
    setUnlessUserDid(conf, "ipc.client.connect.max.retries.on.timeouts", "1");
    setUnlessUserDid(conf, "ipc.client.connect.max.retries.on.sasl", "1");
    setUnlessUserDid(conf, ANSWER, "10000");
    // Half a minute of waits between the turns: as long as a failover takes.
    setUnlessUserDid(conf, HdfsClientConfigKeys.Failover.MAX_ATTEMPTS_KEY, "7");
  }

  /** Hadoop's defaults count as set for {@code setIfUnset}. */
  private static void setUnlessUserDid(Configuration conf, String key, String value) {
    String[] sources = conf.getPropertySources(key);
    if (sources == null || sources[sources.length - 1].endsWith("-default.xml")) {
      conf.set(key, value);
    }
  }

  /**
   * Has clients of this configuration list replicas as the NameNode does: they ask no strategy. To
   * be called before one connects.
   */
  public static void keepNameNodesOrder(Configuration conf) {
    // Below the view, where hdfs: is one: by its mount table paths are found.
    conf.set(MountTable.clientKey(conf), DistributedFileSystem.class.getName());
  }

  /**
   * A path and the cluster that it is on.
   *
   * @param path absolute and with its cluster's scheme and authority
   */
  public record Place(DistributedFileSystem fs, org.apache.hadoop.fs.Path path)
      implements AutoCloseable {
    @Override
    public void close() throws IOException {
      fs.close();
    }

    /** The path as the NameNode knows it. */
    public String plain() {
      return path.toUri().getPath();
    }
  }

  /**
   * Connects to the cluster that the path is on: the one that its URI names, else the one that the
   * configuration names; a path of a mount table ({@code viewfs:}) is followed to its cluster.
   *
   * @throws OperatorException when it is no path, or on no HDFS
   */
  public static Place connect(Configuration conf, String text) throws IOException {
    waitOnlyBriefly(conf);
    org.apache.hadoop.fs.Path path = pathOf(text);
    URI uri = path.toUri().getScheme() == null ? FileSystem.getDefaultUri(conf) : path.toUri();
    URI own = FileSystem.getDefaultUri(conf);
    boolean mounted = MountTable.covers(uri, conf);
    if (mounted) {
      path = throughMountTable(conf, uri, path);
      uri = path.toUri();
    }
    if (uri.getAuthority() != null && !new ClusterUri(own, conf).is(uri)) {
      if (!mounted) {
        ResourceManagerKeys.forgetFiles(conf);
      }
      conf.set(
          CommonConfigurationKeysPublic.FS_DEFAULT_NAME_KEY,
          uri.getScheme() + "://" + uri.getAuthority());
    }
    DistributedFileSystem connected = connect(FileSystem.getDefaultUri(conf), conf);
    return new Place(connected, connected.makeQualified(path));
  }

  /**
   * The path that somebody wrote.
   *
   * @throws OperatorException when it is none
   */
  public static org.apache.hadoop.fs.Path pathOf(String text) {
    try {
      return new org.apache.hadoop.fs.Path(text);
    } catch (IllegalArgumentException e) {
      String reason = whyNoPath(text, e);
      throw OperatorException.badInput("\"" + text + "\" is no path: " + reason);
    }
  }

  private static String whyNoPath(String text, IllegalArgumentException why) {
    if (text.isEmpty()) {
      return "it is empty";
    }
    if (text.matches("[A-Za-z][A-Za-z0-9+.-]*:")) {
      return "it names neither a host nor a path; write hdfs://HOST/PATH, or a path that begins"
          + " with /";
    }
    return why.getCause() instanceof URISyntaxException
        ? "Hadoop takes what stands before \":\" for a scheme; write hdfs://HOST/PATH,"
            + " or a path that begins with /"
        : why.getMessage();
  }

  /** Follows the part before the first wildcard; the rest stands below it. */
  private static org.apache.hadoop.fs.Path throughMountTable(
      Configuration conf, URI uri, org.apache.hadoop.fs.Path path) throws IOException {
    org.apache.hadoop.fs.Path fixed = path;
    StringBuilder rest = new StringBuilder();
    while (fixed.getParent() != null && fixed.toString().matches(".*[*?\\[{].*")) {
      rest.insert(0, "/" + fixed.getName());
      fixed = fixed.getParent();
    }
    try (FileSystem mounts = FileSystem.newInstance(uri, conf)) {
      // A directory of the table itself comes back as it went in: without a scheme, it is told
      // apart.
      org.apache.hadoop.fs.Path target =
          mounts.resolvePath(org.apache.hadoop.fs.Path.getPathWithoutSchemeAndAuthority(fixed));
      String scheme = target.toUri().getScheme();
      if (scheme == null || "viewfs".equals(scheme)) {
        throw OperatorException.badInput(
            path + " is a directory of the mount table, on no cluster: name a path below it");
      }
      return rest.isEmpty() ? target : new org.apache.hadoop.fs.Path(target, rest.substring(1));
    }
  }
}
