package io.tierwise.cli.process;

import java.io.EOFException;
import java.io.File;
import java.io.IOException;
import java.io.Reader;
import java.net.ConnectException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.hdfs.DFSTestUtil;
import org.apache.hadoop.ipc.RemoteException;

/**
 * A NameNode and DataNodes, each a process of its own on loopback with a configuration directory of
 * its own. All keys but addresses and directories have HDFS's defaults.
 */
public final class HdfsProcesses implements AutoCloseable {
  public static final String NAME_NODE = "namenode";

  private static final String SERVER = "org.apache.hadoop.hdfs.server.";
  private static final Duration PATIENCE = Duration.ofMinutes(3);
  private static final int STARTS_MAX = 5;

  /** In a text inside the page's JSON: its quotation marks are escaped. */
  private static final Pattern WEB_ADDRESS = Pattern.compile("infoAddr\\W+127\\.0\\.0\\.1:(\\d+)");

  private static final HttpClient HTTP =
      HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

  private final Path folder;
  private final String classPath;
  private int rpcPort;
  private final Map<String, Process> processes = new LinkedHashMap<>();
  private final Map<String, Integer> httpPorts = new LinkedHashMap<>();

  /**
   * Nothing is started yet.
   *
   * @param jars that stand on the class path of the daemons beside ours
   */
  public HdfsProcesses(Path folder, Path... jars) throws IOException {
    this.folder = folder;
    List<String> all = new ArrayList<>(List.of(System.getProperty("java.class.path")));
    Stream.of(jars).forEach(jar -> all.add(jar.toString()));
    this.classPath = String.join(File.pathSeparator, all);
    takePorts();
  }

  /** Ports that were free a moment ago: clients have to know them before the NameNode starts. */
  private void takePorts() throws IOException {
    rpcPort = FreePort.any();
    httpPorts.put(NAME_NODE, FreePort.any());
  }

  /** Formats and starts the NameNode, and returns when its web server answers. */
  public void startNameNode(Map<String, String> keys, String tiersYaml) throws IOException {
    Map<String, String> site = new LinkedHashMap<>();
    site.put("dfs.namenode.name.dir", folder.resolve("name").toUri().toString());
    site.putAll(keys);
    Configuration format = new Configuration();
    format.set("fs.defaultFS", uri().toString());
    format.set("dfs.namenode.name.dir", folder.resolve("name").toUri().toString());
    DFSTestUtil.formatNameNode(format);
    for (int left = STARTS_MAX; ; left--) {
      start(NAME_NODE, configure(NAME_NODE, site, tiersYaml), SERVER + "namenode.NameNode");
      try {
        await("the NameNode's web server", this::isOurs);
        await("the NameNode to answer", this::answers);
        return;
      } catch (IllegalStateException e) {
        // Another process has taken a port in between.
        if (left == 1 || !logOf(NAME_NODE).contains("java.net.BindException")) {
          throw e;
        }
        stop(NAME_NODE);
        takePorts();
      }
    }
  }

  /** Another NameNode may answer at a port that ours did not get. */
  private boolean isOurs() throws IOException {
    Properties version = new Properties();
    try (Reader in = Files.newBufferedReader(folder.resolve("name/current/VERSION"))) {
      version.load(in);
    }
    String info = get(NAME_NODE, "/jmx?qry=Hadoop:service=NameNode,name=NameNodeInfo");
    return info != null && info.contains(version.getProperty("clusterID"));
  }

  private boolean answers() throws IOException {
    try (FileSystem fs = FileSystem.newInstance(uri(), new Configuration())) {
      return fs.exists(new org.apache.hadoop.fs.Path("/"));
    } catch (ConnectException | EOFException | RemoteException e) {
      // EOF: the connection is to a NameNode that has died.
      return false;
    }
  }

  /** Kills the NameNode, as a machine does that loses its power. */
  public void killNameNode() {
    processes.remove(NAME_NODE).destroyForcibly().onExit().join();
  }

  /** Starts the NameNode that was killed, with what it had; returns when it knows the blocks. */
  public void startNameNodeAgain() throws IOException {
    start(NAME_NODE, conf(NAME_NODE), SERVER + "namenode.NameNode");
    await("the NameNode to leave safe mode", this::isOutOfSafeMode);
    await("the NameNode to answer", this::answers);
  }

  private boolean isOutOfSafeMode() throws IOException {
    String info = get(NAME_NODE, "/jmx?qry=Hadoop:service=NameNode,name=NameNodeInfo");
    return info != null && info.replace(" ", "").contains("\"Safemode\":\"\"");
  }

  /** Starts a DataNode with two SSDs and a DISK, and returns when the NameNode knows it. */
  public void startDataNode(String name, Map<String, String> keys, String tiersYaml)
      throws IOException {
    Map<String, String> site = new LinkedHashMap<>();
    Path data = folder.resolve(name);
    site.put(
        "dfs.datanode.data.dir",
        String.join(
            ",",
            "[SSD]" + data.resolve("ssd0").toUri(),
            "[SSD]" + data.resolve("ssd1").toUri(),
            "[DISK]" + data.resolve("disk").toUri()));
    site.put("dfs.datanode.hostname", "127.0.0.1");
    site.put("dfs.datanode.address", "127.0.0.1:0");
    site.put("dfs.datanode.ipc.address", "127.0.0.1:0");
    site.put("dfs.datanode.http.address", "127.0.0.1:0");
    site.putAll(keys);
    Set<Integer> before = webPortsOfDataNodes();
    start(name, configure(name, site, tiersYaml), SERVER + "datanode.DataNode");
    await(name + " to register", () -> !before.containsAll(webPortsOfDataNodes()));
    Set<Integer> now = webPortsOfDataNodes();
    now.removeAll(before);
    httpPorts.put(name, now.iterator().next());
  }

  /** As the live DataNodes have told them to the NameNode. */
  private Set<Integer> webPortsOfDataNodes() throws IOException {
    String info = get(NAME_NODE, "/jmx?qry=Hadoop:service=NameNode,name=NameNodeInfo");
    Matcher address = WEB_ADDRESS.matcher(info == null ? "" : info);
    Set<Integer> ports = new HashSet<>();
    while (address.find()) {
      ports.add(Integer.parseInt(address.group(1)));
    }
    return ports;
  }

  /** Where clients find the NameNode. */
  public URI uri() {
    return URI.create("hdfs://127.0.0.1:" + rpcPort);
  }

  /** The configuration directory of a process, also good for clients. */
  public Path conf(String name) {
    return folder.resolve("conf").resolve(name);
  }

  private Path configure(String name, Map<String, String> hdfsSite, String tiersYaml)
      throws IOException {
    Path conf = Files.createDirectories(conf(name));
    Map<String, String> core = new LinkedHashMap<>();
    core.put("fs.defaultFS", uri().toString());
    core.put("hadoop.tmp.dir", folder.resolve("tmp").resolve(name).toString());
    core.put("hadoop.prometheus.endpoint.enabled", "true");
    Map<String, String> site = new LinkedHashMap<>();
    site.put("dfs.namenode.http-address", "127.0.0.1:" + httpPorts.get(NAME_NODE));
    site.putAll(hdfsSite);
    Files.writeString(conf.resolve("core-site.xml"), xml(core));
    Files.writeString(conf.resolve("hdfs-site.xml"), xml(site));
    Files.writeString(conf.resolve("tiers.yaml"), tiersYaml);
    return conf;
  }

  private static String xml(Map<String, String> properties) {
    StringBuilder xml = new StringBuilder("<configuration>\n");
    properties.forEach(
        (name, value) ->
            xml.append("<property><name>")
                .append(name)
                .append("</name><value>")
                .append(value)
                .append("</value></property>\n"));
    return xml.append("</configuration>\n").toString();
  }

  private void start(String name, Path conf, String mainClass) throws IOException {
    processes.put(name, java(name, conf, classPath, mainClass));
  }

  private Process java(String name, Path conf, String of, String... mainAndArguments)
      throws IOException {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(
        List.of(
            "-Xmx256m",
            "-XX:+UseSerialGC",
            "-XX:TieredStopAtLevel=1",
            "-Djava.net.preferIPv4Stack=true",
            "-Dlog4j.configuration=file:" + logSettings(),
            "-cp",
            conf + File.pathSeparator + of));
    command.addAll(List.of(mainAndArguments));
    Files.createDirectories(folder.resolve("logs"));
    return new ProcessBuilder(command)
        .redirectErrorStream(true)
        .redirectOutput(log(name).toFile())
        .start();
  }

  /**
   * Runs a client to its end, with the configuration of the NameNode and these keys.
   *
   * @param of the client's class path
   * @return all that it printed
   */
  public String client(String name, Map<String, String> keys, String of, String... mainAndArguments)
      throws IOException {
    Map<String, String> site = new LinkedHashMap<>(keys);
    String tiers = Files.readString(conf(NAME_NODE).resolve("tiers.yaml"));
    Process process = java(name, configure(name, site, tiers), of, mainAndArguments);
    try {
      if (!process.waitFor(PATIENCE.toSeconds(), TimeUnit.SECONDS)) {
        process.destroyForcibly();
        throw new IllegalStateException(name + " did not end: " + logOf(name));
      }
    } catch (InterruptedException e) {
      throw interrupted(e);
    }
    return logOf(name);
  }

  /** The class path of the daemons. */
  public String classPath() {
    return classPath;
  }

  /** All that Hadoop warns of, metrics included: the tests' own settings leave that out. */
  private Path logSettings() throws IOException {
    return Files.writeString(
        folder.resolve("log4j.properties"),
        """
        log4j.rootLogger=WARN, out
        log4j.logger.io.tierwise=INFO
        log4j.appender.out=org.apache.log4j.ConsoleAppender
        log4j.appender.out.layout=org.apache.log4j.PatternLayout
        log4j.appender.out.layout.ConversionPattern=%d{ISO8601} %-5p %c{2}: %m%n
        """);
  }

  private Path log(String name) {
    return folder.resolve("logs").resolve(name + ".log");
  }

  /** All that a process has logged so far. */
  public String logOf(String name) throws IOException {
    return Files.readString(log(name));
  }

  /** A page of a process's web server; null while it does not answer, or not with 200. */
  public String get(String name, String pathAndQuery) throws IOException {
    URI page = URI.create("http://127.0.0.1:" + httpPorts.get(name) + pathAndQuery);
    try {
      HttpResponse<String> answer =
          HTTP.send(HttpRequest.newBuilder(page).build(), HttpResponse.BodyHandlers.ofString());
      return answer.statusCode() == 200 ? answer.body() : null;
    } catch (ConnectException e) {
      return null;
    } catch (InterruptedException e) {
      throw interrupted(e);
    }
  }

  /** Ends one process, as an administrator would. */
  public void stop(String name) {
    Process process = processes.remove(name);
    process.destroy();
    try {
      if (!process.waitFor(30, TimeUnit.SECONDS)) {
        process.destroyForcibly();
      }
    } catch (InterruptedException e) {
      process.destroyForcibly();
      throw interrupted(e);
    }
  }

  /** A condition that may fail to be looked at. */
  @FunctionalInterface
  public interface Condition {
    boolean holds() throws IOException;
  }

  private void await(String what, Condition condition) throws IOException {
    long deadline = System.nanoTime() + PATIENCE.toNanos();
    while (!condition.holds()) {
      for (Map.Entry<String, Process> process : processes.entrySet()) {
        if (!process.getValue().isAlive()) {
          throw new IllegalStateException(process.getKey() + " ended: " + logOf(process.getKey()));
        }
      }
      if (System.nanoTime() > deadline) {
        throw new IllegalStateException("waited " + PATIENCE.toSeconds() + " s for " + what);
      }
      try {
        Thread.sleep(100);
      } catch (InterruptedException e) {
        throw interrupted(e);
      }
    }
  }

  private static IllegalStateException interrupted(InterruptedException e) {
    Thread.currentThread().interrupt();
    return new IllegalStateException("interrupted", e);
  }

  @Override
  public void close() {
    List.copyOf(processes.keySet()).forEach(this::stop);
  }
}
