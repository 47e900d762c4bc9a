package io.tierwise.cli.process;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileUtil;
import org.apache.hadoop.hdfs.tools.DFSHAAdmin;

/**
 * Several NameNodes over a journal, and DataNodes, each a process of its own on loopback. The first
 * NameNode is active; the others are standbys until they are told otherwise.
 */
final class HaProcesses implements AutoCloseable {
  static final String SERVICE = "ns";

  private static final String SERVER = "org.apache.hadoop.hdfs.server.";
  private static final HttpClient HTTP = HttpClient.newHttpClient();

  private final Path folder;
  private final JavaProcesses processes;
  private final String tiersYaml;
  private final Map<String, String> site = new LinkedHashMap<>();
  private final List<Integer> webPorts = new ArrayList<>();
  private final int journal;
  private int dataNodes;

  /**
   * @param keys of all processes
   * @param jars that stand on the class path of the daemons beside ours
   */
  private HaProcesses(
      Path folder, int nameNodes, Map<String, String> keys, String tiersYaml, Path... jars)
      throws IOException {
    this.folder = folder;
    this.processes = new JavaProcesses(folder, jars);
    this.tiersYaml = tiersYaml;
    site.put("dfs.nameservices", SERVICE);
    journal = FreePort.any();
    site.put("dfs.journalnode.rpc-address", "127.0.0.1:" + journal);
    site.put("dfs.journalnode.http-address", "127.0.0.1:" + FreePort.any());
    site.put("dfs.journalnode.edits.dir", folder.resolve("journal").toString());
    site.put("dfs.namenode.shared.edits.dir", "qjournal://127.0.0.1:" + journal + "/" + SERVICE);
    // As HDFS's guide to observers has it.
    site.put("dfs.ha.tail-edits.in-progress", "true");
    site.put("dfs.ha.tail-edits.period", "0ms");
    site.put("dfs.namenode.state.context.enabled", "true");
    site.put(
        "dfs.client.failover.proxy.provider." + SERVICE,
        "org.apache.hadoop.hdfs.server.namenode.ha.ConfiguredFailoverProxyProvider");
    List<String> names = new ArrayList<>();
    for (int nameNode = 0; nameNode < nameNodes; nameNode++) {
      String name = name(nameNode);
      names.add(name);
      webPorts.add(FreePort.any());
      site.put("dfs.namenode.rpc-address.ns." + name, "127.0.0.1:" + FreePort.any());
      site.put("dfs.namenode.http-address.ns." + name, "127.0.0.1:" + webPorts.get(nameNode));
    }
    site.put("dfs.ha.namenodes." + SERVICE, String.join(",", names));
    site.putAll(keys);
  }

  static HaProcesses start(
      Path folder, int nameNodes, Map<String, String> keys, String tiersYaml, Path... jars)
      throws IOException {
    HaProcesses started = new HaProcesses(folder, nameNodes, keys, tiersYaml, jars);
    started.processes.audit();
    try {
      started.startAll(nameNodes);
      return started;
    } catch (IOException | RuntimeException e) {
      started.close();
      throw e;
    }
  }

  private void startAll(int nameNodes) throws IOException {
    configure("journal", Map.of());
    processes.start("journal", SERVER.replace("server.", "qjournal.server.") + "JournalNode");
    for (int nameNode = 0; nameNode < nameNodes; nameNode++) {
      Path directory = folder.resolve(name(nameNode));
      configure(
          name(nameNode),
          Map.of(
              "dfs.ha.namenode.id",
              name(nameNode),
              "dfs.namenode.name.dir",
              directory.toUri().toString()));
      if (nameNode == 0) {
        format(journal);
      } else {
        // Every NameNode begins with what the first one was formatted to.
        FileUtil.copy(
            folder.resolve(name(0)).toFile(),
            org.apache.hadoop.fs.FileSystem.getLocal(new Configuration()),
            new org.apache.hadoop.fs.Path(directory.toUri()),
            false,
            new Configuration());
      }
    }
    for (int nameNode = 0; nameNode < nameNodes; nameNode++) {
      startNameNode(nameNode);
    }
    for (int nameNode = 0; nameNode < nameNodes; nameNode++) {
      int web = nameNode;
      processes.await(name(nameNode) + " to answer", () -> bean(web, "NameNodeInfo") != null);
    }
    admin("-transitionToActive", name(0));
  }

  /** Starts one, also one that was killed; it is a standby then. */
  void startNameNode(int nameNode) throws IOException {
    processes.start(name(nameNode), SERVER + "namenode.NameNode");
  }

  private void format(int journal) throws IOException {
    processes.await("the journal to listen", () -> listens(journal));
    String said =
        processes.run(
            name(0),
            processes.classPath(),
            SERVER + "namenode.NameNode",
            "-format",
            "-nonInteractive");
    if (!Files.exists(folder.resolve(name(0)).resolve("current/VERSION"))) {
      throw new IOException("not formatted: " + said);
    }
  }

  private static boolean listens(int port) {
    try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
      return socket.isConnected();
    } catch (IOException e) {
      return false;
    }
  }

  static String name(int nameNode) {
    return "nn" + nameNode;
  }

  private void configure(String name, Map<String, String> keys) throws IOException {
    Map<String, String> all = new LinkedHashMap<>(site);
    all.putAll(keys);
    processes.configure(name, Map.of("fs.defaultFS", "hdfs://" + SERVICE), all, tiersYaml);
  }

  /** Starts a DataNode with a disk, and returns when all NameNodes that live know it. */
  void startDataNode() throws IOException {
    startDataNode("DISK");
  }

  /** Starts one with a volume of each of these storage types. */
  void startDataNode(String... storageTypes) throws IOException {
    String name = "datanode" + dataNodes++;
    configure(
        name,
        Map.of(
            "dfs.datanode.data.dir",
            Arrays.stream(storageTypes)
                .map(type -> "[" + type + "]" + folder.resolve(name).resolve(type).toUri())
                .collect(Collectors.joining(",")),
            "dfs.datanode.hostname",
            "127.0.0.1",
            "dfs.datanode.address",
            "127.0.0.1:0",
            "dfs.datanode.ipc.address",
            "127.0.0.1:0",
            "dfs.datanode.http.address",
            "127.0.0.1:0"));
    processes.start(name, SERVER + "datanode.DataNode");
    for (int nameNode = 0; nameNode < webPorts.size(); nameNode++) {
      int asked = nameNode;
      processes.await(
          name + " to register",
          () -> bean(asked, "FSNamesystemState").path("NumLiveDataNodes").asInt() == dataNodes);
    }
  }

  /** A client's configuration. */
  Configuration client(Map<String, String> keys) {
    Configuration conf = new Configuration();
    site.forEach(conf::set);
    conf.set("fs.defaultFS", "hdfs://" + SERVICE);
    keys.forEach(conf::set);
    return conf;
  }

  /** An administrator's command about one NameNode, such as {@code -transitionToActive nn1}. */
  void admin(String... command) throws IOException {
    DFSHAAdmin admin = new DFSHAAdmin();
    admin.setConf(client(Map.of()));
    try {
      int code = admin.run(command);
      if (code != 0) {
        throw new IOException(String.join(" ", command) + " ended with " + code);
      }
    } catch (IOException e) {
      throw e;
    } catch (Exception e) {
      throw new IOException(e);
    }
  }

  /** Something that a NameNode shows; null while it does not answer. */
  JsonNode bean(int nameNode, String name) throws IOException {
    URI page =
        URI.create(
            "http://127.0.0.1:"
                + webPorts.get(nameNode)
                + "/jmx?qry=Hadoop:service=NameNode,name="
                + name);
    try {
      HttpResponse<String> answer =
          HTTP.send(HttpRequest.newBuilder(page).build(), HttpResponse.BodyHandlers.ofString());
      JsonNode beans = new ObjectMapper().readTree(answer.body()).path("beans");
      return beans.isEmpty() ? null : beans.get(0);
    } catch (ConnectException e) {
      return null;
    } catch (InterruptedException e) {
      throw JavaProcesses.interrupted(e);
    }
  }

  JavaProcesses processes() {
    return processes;
  }

  @Override
  public void close() {
    processes.close();
  }
}
