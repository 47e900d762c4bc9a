package io.tierwise.lab.testbed;

import io.tierwise.lab.testbed.plan.HadoopConfiguration;
import io.tierwise.lab.testbed.plan.NodePlan;
import java.io.File;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * The command lines of the testbed's JVMs: small heaps, one collector thread, C1 only, so that a
 * score of them share two cores.
 */
public final class JavaCommand {
  private final HadoopConfiguration configuration;

  public JavaCommand(HadoopConfiguration configuration) {
    this.configuration = configuration;
  }

  /** Runs a main class inside a node. */
  public List<String> of(NodePlan node, int heapMegabytes, String mainClass, String... arguments) {
    List<String> command = new ArrayList<>();
    command.add(java());
    command.addAll(
        List.of(
            "-Xmx" + heapMegabytes + "m",
            "-XX:+UseSerialGC",
            "-XX:TieredStopAtLevel=1",
            "-XX:-UsePerfData",
            "-Djava.net.preferIPv4Stack=true",
            "-Djdk.net.hosts.file=" + configuration.hostsFile(),
            "-Dlog4j.configuration=file:" + configuration.logSettings(),
            "-cp",
            classPath(node),
            mainClass));
    command.addAll(List.of(arguments));
    return command;
  }

  private String classPath(NodePlan node) {
    List<String> entries = new ArrayList<>(jars());
    entries.add(configuration.of(node).toString());
    entries.add(configuration.webFolder().toString());
    return String.join(File.pathSeparator, entries);
  }

  /**
   * A program in a JVM like this one, outside all nodes.
   *
   * @param program main class and arguments
   */
  public static List<String> outside(List<String> program) {
    List<String> command =
        new ArrayList<>(
            List.of(
                java(),
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "-cp",
                System.getProperty("java.class.path")));
    command.addAll(program);
    return command;
  }

  private static String java() {
    return Path.of(System.getProperty("java.home"), "bin", "java").toString();
  }

  /**
   * The class path of this JVM without what no HDFS daemon needs: test jars, whose site files would
   * hide the node's, and YARN and MapReduce.
   */
  private static List<String> jars() {
    return Arrays.stream(System.getProperty("java.class.path").split(File.pathSeparator))
        .filter(entry -> !isConfigurationFolder(entry))
        .filter(entry -> !isUnwanted(Path.of(entry).getFileName().toString()))
        .toList();
  }

  private static boolean isConfigurationFolder(String entry) {
    return entry.isEmpty() || new File(entry, "core-site.xml").exists();
  }

  private static boolean isUnwanted(String file) {
    return file.endsWith("-tests.jar")
        || file.startsWith("hadoop-yarn-")
        || file.startsWith("hadoop-mapreduce-")
        || file.startsWith("hadoop-minicluster-")
        || file.equals("test-classes");
  }
}
