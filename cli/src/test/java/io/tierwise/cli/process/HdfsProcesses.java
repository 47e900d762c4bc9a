package io.tierwise.cli.process;

import java.io.EOFException;
import java.io.IOException;
import java.io.Reader;
import java.net.ConnectException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Properties;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
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
  private static final int STARTS_MAX = 5;

  /**
   * Of a DataNode that has told of its volumes: one that only registered gets no blocks. In a text
   * inside the page's JSON: its quotation marks are escaped.
   */
  private static final Pattern WEB_ADDRESS =
      Pattern.compile("infoAddr\\W+127\\.0\\.0\\.1:(\\d+)[^{}]*\\bcapacity\\W+[1-9]");

  private static final HttpClient HTTP =
      HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

  private final Path folder;
  private final JavaProcesses processes;
  private int rpcPort;
  private Map<String, String> nameNodeSite = Map.of();
  private final Map<String, Integer> httpPorts = new LinkedHashMap<>();

  /**
   * Nothing is started yet.
   *
   * @param jars that stand on the class path of the daemons beside ours
   */
  public HdfsProcesses(Path folder, Path... jars) throws IOException {
    this.folder = folder;
    this.processes = new JavaProcesses(folder, jars);
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
    nameNodeSite = Map.copyOf(site);
    Configuration format = new Configuration();
    format.set("fs.defaultFS", uri().toString());
    format.set("dfs.namenode.name.dir", folder.resolve("name").toUri().toString());
    DFSTestUtil.formatNameNode(format);
    for (int left = STARTS_MAX; ; left--) {
      configure(NAME_NODE, site, tiersYaml);
      processes.start(NAME_NODE, SERVER + "namenode.NameNode");
      try {
        processes.await("the NameNode's web server", this::isOurs);
        processes.await("the NameNode to answer", this::answers);
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
    processes.kill(NAME_NODE);
  }

  /** Starts the NameNode that was killed, with what it had; returns when it knows the blocks. */
  public void startNameNodeAgain() throws IOException {
    processes.start(NAME_NODE, SERVER + "namenode.NameNode");
    processes.await("the NameNode to leave safe mode", this::isOutOfSafeMode);
    processes.await("the NameNode to answer", this::answers);
  }

  private boolean isOutOfSafeMode() throws IOException {
    String info = get(NAME_NODE, "/jmx?qry=Hadoop:service=NameNode,name=NameNodeInfo");
    return info != null && info.replace(" ", "").contains("\"Safemode\":\"\"");
  }

  /** Starts the NameNode that was killed or stopped, with these keys on top of what it had. */
  public void startNameNodeAgain(Map<String, String> keys) throws IOException {
    Map<String, String> site = new LinkedHashMap<>(nameNodeSite);
    site.putAll(keys);
    configure(NAME_NODE, site, Files.readString(conf(NAME_NODE).resolve("tiers.yaml")));
    startNameNodeAgain();
  }

  /** Starts a DataNode with two SSDs and a DISK, and returns when the NameNode knows its room. */
  public void startDataNode(String name, Map<String, String> keys, String tiersYaml)
      throws IOException {
    startDataNode(name, keys, tiersYaml, SERVER + "datanode.DataNode");
  }

  /** The same, with another main class that is a DataNode. */
  void startDataNode(
      String name, Map<String, String> keys, String tiersYaml, String... mainAndArguments)
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
    configure(name, site, tiersYaml);
    processes.start(name, mainAndArguments);
    processes.await(
        name + " to tell of its volumes", () -> !before.containsAll(webPortsOfDataNodes()));
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
    return processes.conf(name);
  }

  private void configure(String name, Map<String, String> hdfsSite, String tiersYaml)
      throws IOException {
    Map<String, String> site = new LinkedHashMap<>();
    site.put("dfs.namenode.http-address", "127.0.0.1:" + httpPorts.get(NAME_NODE));
    site.putAll(hdfsSite);
    processes.configure(name, Map.of("fs.defaultFS", uri().toString()), site, tiersYaml);
  }

  /**
   * Runs a client to its end, with the configuration of the NameNode and these keys.
   *
   * @param of the client's class path
   * @return all that it printed
   */
  public String client(String name, Map<String, String> keys, String of, String... mainAndArguments)
      throws IOException {
    configure(name, keys, Files.readString(conf(NAME_NODE).resolve("tiers.yaml")));
    return processes.run(name, of, mainAndArguments);
  }

  /** The class path of the daemons. */
  public String classPath() {
    return processes.classPath();
  }

  /** All that a process has logged so far. */
  public String logOf(String name) throws IOException {
    return processes.logOf(name);
  }

  /** Where a process's web server listens. */
  int httpPort(String name) {
    return httpPorts.get(name);
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
      throw JavaProcesses.interrupted(e);
    }
  }

  /** Ends one process, as an administrator would. */
  public void stop(String name) {
    processes.stop(name);
  }

  /** The processes themselves, for what is done to them from outside. */
  JavaProcesses processes() {
    return processes;
  }

  /** A condition that may fail to be looked at. */
  @FunctionalInterface
  public interface Condition {
    boolean holds() throws IOException;
  }

  @Override
  public void close() {
    processes.close();
  }
}
