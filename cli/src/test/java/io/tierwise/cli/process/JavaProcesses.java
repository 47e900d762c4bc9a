package io.tierwise.cli.process;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/** JVMs that each have a configuration directory and a log, and end with this object. */
final class JavaProcesses implements AutoCloseable {
  static final Duration PATIENCE = Duration.ofMinutes(5);

  private final Path folder;
  private final String classPath;
  private final Map<String, Process> processes = new LinkedHashMap<>();
  private boolean audited;
  private final Map<String, Map<String, String>> environments = new LinkedHashMap<>();

  /**
   * @param jars that stand on the class path beside ours
   */
  JavaProcesses(Path folder, Path... jars) {
    this.folder = folder;
    List<String> all = new ArrayList<>(List.of(System.getProperty("java.class.path")));
    Stream.of(jars).forEach(jar -> all.add(jar.toString()));
    this.classPath = String.join(File.pathSeparator, all);
  }

  String classPath() {
    return classPath;
  }

  /** Has NameNodes that are started from now on write their audit logs. */
  void audit() {
    audited = true;
  }

  /** The configuration directory of a process. */
  Path conf(String name) {
    return folder.resolve("conf").resolve(name);
  }

  /** Writes the configuration directory of a process. */
  void configure(
      String name, Map<String, String> coreSite, Map<String, String> hdfsSite, String tiersYaml)
      throws IOException {
    Path conf = Files.createDirectories(conf(name));
    Map<String, String> core = new LinkedHashMap<>(coreSite);
    core.put("hadoop.tmp.dir", folder.resolve("tmp").resolve(name).toString());
    core.put("hadoop.prometheus.endpoint.enabled", "true");
    Files.writeString(conf.resolve("core-site.xml"), xml(core));
    Files.writeString(conf.resolve("hdfs-site.xml"), xml(hdfsSite));
    Files.writeString(conf.resolve("tiers.yaml"), tiersYaml);
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

  /** Sets variables for what is started under that name from now on. */
  void environment(String name, Map<String, String> variables) {
    environments.put(name, Map.copyOf(variables));
  }

  /** Starts a daemon, which {@link #close} ends. */
  void start(String name, String... mainAndArguments) throws IOException {
    processes.put(name, java(name, classPath, mainAndArguments));
  }

  /**
   * Runs a program to its end.
   *
   * @param of its class path
   * @return all that it printed
   */
  String run(String name, String of, String... mainAndArguments) throws IOException {
    Process process = java(name, of, mainAndArguments);
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

  private Process java(String name, String of, String... mainAndArguments) throws IOException {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(
        List.of(
            "-Xmx256m",
            "-XX:+UseSerialGC",
            "-XX:TieredStopAtLevel=1",
            "-Djava.net.preferIPv4Stack=true",
            "-Dlog4j.configuration=file:" + logSettings(),
            "-Dhdfs.audit.log=" + audits(name),
            "-cp",
            conf(name) + File.pathSeparator + of));
    command.addAll(List.of(mainAndArguments));
    Files.createDirectories(folder.resolve("logs"));
    ProcessBuilder builder =
        new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(log(name).toFile());
    builder.environment().putAll(environments.getOrDefault(name, Map.of()));
    return builder.start();
  }

  /** All that Hadoop warns of, metrics included: the tests' own settings leave that out. */
  private Path logSettings() throws IOException {
    return Files.writeString(
        folder.resolve("log4j.properties"),
        """
        log4j.rootLogger=WARN, out
        log4j.logger.io.tierwise=INFO
        log4j.logger.org.apache.hadoop.hdfs.server.namenode.FSNamesystem.audit=%s, audits
        log4j.additivity.org.apache.hadoop.hdfs.server.namenode.FSNamesystem.audit=false
        log4j.appender.audits=org.apache.log4j.FileAppender
        log4j.appender.audits.File=${hdfs.audit.log}
        log4j.appender.audits.layout=org.apache.log4j.PatternLayout
        log4j.appender.audits.layout.ConversionPattern=%%d{ISO8601} %%p %%c{2}: %%m%%n
        log4j.appender.out=org.apache.log4j.ConsoleAppender
        log4j.appender.out.layout=org.apache.log4j.PatternLayout
        log4j.appender.out.layout.ConversionPattern=%%d{ISO8601} %%-5p %%c{2}: %%m%%n
        """
            .formatted(audited ? "INFO" : "OFF"));
  }

  /** The audit log of a NameNode. */
  Path audits(String name) {
    return folder.resolve("logs").resolve(name + "-audit.log");
  }

  private Path log(String name) {
    return folder.resolve("logs").resolve(name + ".log");
  }

  /** All that a process has logged so far. */
  String logOf(String name) throws IOException {
    return Files.readString(log(name));
  }

  long pid(String name) {
    return processes.get(name).pid();
  }

  /** Stops a process where it stands, or lets it go on: STOP, CONT. */
  void signal(String name, String signal) throws IOException {
    try {
      int code = new ProcessBuilder("kill", "-" + signal, "" + pid(name)).start().waitFor();
      if (code != 0) {
        throw new IOException("kill -" + signal + " of " + name + " ended with " + code);
      }
    } catch (InterruptedException e) {
      throw interrupted(e);
    }
  }

  /** Kills a process, as a machine does that loses its power. */
  void kill(String name) {
    processes.remove(name).destroyForcibly().onExit().join();
  }

  /** Ends a process, as an administrator would. */
  void stop(String name) {
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

  /** Waits for a condition; fails at once when a process has ended. */
  void await(String what, HdfsProcesses.Condition condition) throws IOException {
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

  static IllegalStateException interrupted(InterruptedException e) {
    Thread.currentThread().interrupt();
    return new IllegalStateException("interrupted", e);
  }

  @Override
  public void close() {
    List.copyOf(processes.keySet()).forEach(this::stop);
  }
}
