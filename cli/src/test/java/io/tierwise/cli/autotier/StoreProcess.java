package io.tierwise.cli.autotier;

import io.tierwise.hadoop.secondary.ObjectServer;
import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.net.URI;
import java.nio.charset.StandardCharsets;
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

/**
 * A secondary store that is a process of its own, which may be stopped.
 *
 * @param pid for signals
 * @param keys of the configuration, by which it is reached
 * @param server ends it
 */
record StoreProcess(String uri, long pid, Map<String, String> keys, AutoCloseable server)
    implements AutoCloseable {
  private static final String READY = "serves ";

  /** What kind of store. */
  enum Kind {
    HDFS,
    OBJECTS
  }

  static StoreProcess start(Kind kind, Path folder) throws IOException {
    StoreProcess store = kind == Kind.HDFS ? hdfs(folder) : objects();
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
    return new StoreProcess(server.store("tierwise"), server.pid(), keys, server);
  }

  /** A NameNode and a DataNode, which end with this process. */
  private static StoreProcess hdfs(Path folder) throws IOException {
    Process process =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx256m",
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "-cp",
                System.getProperty("java.class.path"),
                StoreProcess.class.getName(),
                folder.resolve("store").toString())
            .redirectError(folder.resolve("store.log").toFile())
            .start();
    BufferedReader out =
        new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
    String line = out.readLine();
    while (line != null && !line.startsWith(READY)) {
      line = out.readLine();
    }
    if (line == null) {
      throw new IOException("the store did not start: see " + folder.resolve("store.log"));
    }
    return new StoreProcess(
        line.substring(READY.length()) + "/tierwise",
        process.pid(),
        Map.of(),
        () -> process.destroyForcibly().waitFor());
  }

  /** Serves until nobody holds its input any more. */
  public static void main(String[] arguments) throws IOException {
    MiniDFSCluster cluster =
        new MiniDFSCluster.Builder(new HdfsConfiguration(), new File(arguments[0]))
            .numDataNodes(1)
            .build();
    cluster.waitActive();
    System.out.println(READY + cluster.getURI());
    System.in.transferTo(OutputStream.nullOutputStream());
    cluster.shutdown();
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
      Signals.goOn(pid);
      server.close();
    } catch (Exception e) {
      throw new IOException(e);
    }
  }
}
