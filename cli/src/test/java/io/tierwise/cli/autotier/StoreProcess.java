package io.tierwise.cli.autotier;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.tierwise.hadoop.secondary.ObjectServer;
import io.tierwise.lab.testbed.JavaCommand;
import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.RemoteIterator;
import org.apache.hadoop.hdfs.HdfsConfiguration;
import org.apache.hadoop.hdfs.MiniDFSCluster;
import org.apache.hadoop.hdfs.server.datanode.DataNode;
import org.opentest4j.TestAbortedException;

/**
 * A secondary store that may be made to hang.
 *
 * @param hanging has it hang
 * @param keys of the configuration, by which it is reached
 * @param server ends it
 */
record StoreProcess(String uri, Hanging hanging, Map<String, String> keys, AutoCloseable server)
    implements AutoCloseable {
  private static final String READY = "serves ";

  /** Why a mount was left out; {@code scripts/skipped-tests.sh} fails where root reads it. */
  private static final String MOUNTS = "mounts with bindfs, as root only";

  /** What kind of store. */
  enum Kind {
    HDFS,
    /** An HDFS whose NameNode always answers. */
    DATANODE,
    OBJECTS,
    /** A mounted directory, as of an NFS server. */
    MOUNT,
    /** One whose client hangs before it asks anything. */
    UNOPENED
  }

  /** Has a store hang, or go on. */
  @FunctionalInterface
  interface Hanging {
    void set(boolean hangs) throws IOException, InterruptedException;

    /** The same of a process. */
    static Hanging process(long pid) {
      return hangs -> {
        if (hangs) {
          Signals.stop(pid);
        } else {
          Signals.goOn(pid);
        }
      };
    }
  }

  static StoreProcess start(Kind kind, Path folder) throws Exception {
    StoreProcess store =
        switch (kind) {
          case HDFS -> hdfs(folder);
          case DATANODE -> dataNode(folder);
          case OBJECTS -> objects();
          case MOUNT -> mount(folder);
          case UNOPENED -> unopened(folder);
        };
    try (FileSystem fs = store.open()) {
      fs.mkdirs(AuditedHdfs.hadoop(store.uri()));
    }
    return store;
  }

  /** A bucket, with S3A's own patience. */
  private static StoreProcess objects() throws IOException {
    ObjectServer server = new ObjectServer();
    Configuration given = new Configuration(false);
    server.configure(given);
    Map<String, String> keys = new TreeMap<>();
    given.forEach(key -> keys.put(key.getKey(), key.getValue()));
    keys.keySet().removeIf(key -> key.contains(".attempts.") || key.contains(".retry."));
    return new StoreProcess(server.store("tierwise"), Hanging.process(server.pid()), keys, server);
  }

  /** A NameNode and a DataNode in one process. */
  private static StoreProcess hdfs(Path folder) throws IOException {
    Started both = Started.of(folder.resolve("store"), "1");
    return new StoreProcess(
        both.uri() + "/tierwise", Hanging.process(both.process().pid()), Map.of(), both);
  }

  private static StoreProcess dataNode(Path folder) throws IOException {
    Started nameNode = Started.of(folder.resolve("store"), "0");
    Started dataNode = Started.of(folder.resolve("node"), nameNode.uri());
    return new StoreProcess(
        nameNode.uri() + "/tierwise",
        Hanging.process(dataNode.process().pid()),
        Map.of(),
        () -> {
          dataNode.close();
          nameNode.close();
        });
  }

  /** By a server in this machine: its readers wait in the kernel, as those of NFS do. */
  private static StoreProcess mount(Path folder) throws Exception {
    Path mount = Files.createDirectory(folder.resolve("mount"));
    Path below = Files.createDirectory(folder.resolve("below"));
    Process server;
    try {
      server =
          new ProcessBuilder("bindfs", "-f", below.toString(), mount.toString())
              .redirectErrorStream(true)
              .redirectOutput(ProcessBuilder.Redirect.DISCARD)
              .start();
    } catch (IOException e) {
      throw new TestAbortedException(MOUNTS, e);
    }
    DaemonThread.await(
        "it is mounted, or nobody may mount here",
        () -> {
          assumeTrue(server.isAlive(), MOUNTS);
          return Files.readString(Path.of("/proc/mounts")).contains(" " + mount + " ");
        });
    return new StoreProcess(
        "file://" + mount.resolve("tierwise"),
        Hanging.process(server.pid()),
        Map.of(),
        () -> {
          // Somebody may use it until his last question is answered.
          DaemonThread.await(
              "nobody uses it",
              () -> new ProcessBuilder("umount", mount.toString()).start().waitFor() == 0);
          server.waitFor();
        });
  }

  private static StoreProcess unopened(Path folder) {
    Path closed = folder.resolve("closed");
    return new StoreProcess(
        "file://" + folder.resolve("tierwise"),
        hangs -> {
          if (hangs) {
            Files.createFile(closed);
          } else {
            Files.deleteIfExists(closed);
          }
        },
        Map.of(
            "fs.file.impl",
            UnopenedFileSystem.class.getName(),
            UnopenedFileSystem.CLOSED,
            closed.toString()),
        () -> {});
  }

  /** A part of an HDFS, which ends with this process. */
  private record Started(Process process, String uri) implements AutoCloseable {
    /**
     * Starts one, and waits until it serves.
     *
     * @param what the number of DataNodes beside a NameNode, or the NameNode of a DataNode
     */
    private static Started of(Path folder, String what) throws IOException {
      Path log = Path.of(folder + ".log");
      Process process =
          new ProcessBuilder(
                  JavaCommand.outside(
                      List.of(StoreProcess.class.getName(), folder.toString(), what)))
              .redirectError(log.toFile())
              .start();
      BufferedReader out =
          new BufferedReader(
              new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
      String line = out.readLine();
      while (line != null && !line.startsWith(READY)) {
        line = out.readLine();
      }
      if (line == null) {
        throw new IOException("the store did not start: see " + log);
      }
      return new Started(process, line.substring(READY.length()));
    }

    @Override
    public void close() throws InterruptedException {
      process.destroyForcibly().waitFor();
    }
  }

  /** Serves until nobody holds its input any more. */
  public static void main(String[] arguments) throws Exception {
    String folder = arguments[0];
    if (arguments[1].contains(":")) {
      serveBlocks(folder, arguments[1]);
    } else {
      MiniDFSCluster cluster =
          new MiniDFSCluster.Builder(new HdfsConfiguration(), new File(folder))
              .numDataNodes(Integer.parseInt(arguments[1]))
              .build();
      cluster.waitActive();
      System.out.println(READY + cluster.getURI());
    }
    System.in.transferTo(OutputStream.nullOutputStream());
    System.exit(0);
  }

  private static void serveBlocks(String folder, String nameNode) throws Exception {
    Configuration conf = new HdfsConfiguration();
    FileSystem.setDefaultUri(conf, nameNode);
    conf.set("dfs.datanode.data.dir", folder);
    for (String address : List.of("address", "http.address", "ipc.address")) {
      conf.set("dfs.datanode." + address, "127.0.0.1:0");
    }
    DataNode node = DataNode.createDataNode(new String[0], conf);
    DaemonThread.await("the NameNode knows it", node::isDatanodeFullyStarted);
    System.out.println(READY + nameNode);
  }

  /** Has it take what it is asked, and answer nothing. */
  void stop() throws IOException, InterruptedException {
    hanging.set(true);
  }

  void goOn() throws IOException, InterruptedException {
    hanging.set(false);
  }

  Configuration with(Configuration conf) {
    keys.forEach(conf::set);
    conf.set("tierwise.secondary.stores", uri);
    return conf;
  }

  /** Of a command. */
  List<String> options() {
    List<String> words = new ArrayList<>();
    with(new Configuration(false))
        .forEach(key -> words.addAll(List.of("-D", key.getKey() + "=" + key.getValue())));
    return words;
  }

  private FileSystem open() throws IOException {
    return FileSystem.newInstance(URI.create(uri), with(new HdfsConfiguration()));
  }

  /** The names of all files in it. */
  List<String> names() throws IOException {
    List<String> names = new ArrayList<>();
    try (FileSystem fs = open()) {
      RemoteIterator<? extends org.apache.hadoop.fs.FileStatus> files =
          fs.listFiles(AuditedHdfs.hadoop(uri), true);
      while (files.hasNext()) {
        names.add(files.next().getPath().getName());
      }
    }
    return names;
  }

  @Override
  public void close() throws IOException {
    try {
      goOn();
      server.close();
    } catch (Exception e) {
      throw new IOException(e);
    }
  }
}
