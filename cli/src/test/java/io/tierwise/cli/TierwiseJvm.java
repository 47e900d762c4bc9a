package io.tierwise.cli;

import java.io.File;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** The command line of {@code tierwise} as a process, with the classes of the test. */
public final class TierwiseJvm {
  private TierwiseJvm() {}

  /** For these arguments. */
  public static List<String> line(String... arguments) {
    return line(List.of(), List.of(), arguments);
  }

  /**
   * The same.
   *
   * @param options of the JVM
   * @param first directories that stand first on the class path, as HADOOP_CONF_DIR does
   */
  public static List<String> line(List<String> options, List<Path> first, String... arguments) {
    Path root = Path.of(System.getProperty("tierwise.root"));
    List<String> line = new ArrayList<>();
    line.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    line.addAll(List.of("-Xmx256m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1"));
    line.addAll(options);
    line.add("-Dlog4j.configuration=file:" + root.resolve("scripts/log/log4j.properties"));
    List<String> classPath = new ArrayList<>(first.stream().map(Path::toString).toList());
    classPath.add(System.getProperty("java.class.path"));
    line.addAll(List.of("-cp", String.join(File.pathSeparator, classPath)));
    line.add(TierwiseCommand.class.getName());
    line.addAll(List.of(arguments));
    return line;
  }
}
