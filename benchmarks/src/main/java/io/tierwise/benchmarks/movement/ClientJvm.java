package io.tierwise.benchmarks.movement;

import java.io.File;
import java.io.IOException;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.conf.Configuration;

/** A JVM of its own with this one's classes, whose configuration names the bench's cluster. */
final class ClientJvm {
  private static final int END_SECONDS_MAX = 10;

  private ClientJvm() {}

  /**
   * @param name of its folder in the bench's
   * @param options of the JVM, beside its collector
   */
  static ProcessBuilder of(BenchHdfs hdfs, String name, List<String> options, Class<?> main)
      throws IOException {
    return of(hdfs, hdfs.client(), name, options, main);
  }

  static ProcessBuilder of(
      BenchHdfs hdfs, Configuration site, String name, List<String> options, Class<?> main)
      throws IOException {
    Path folder = Files.createDirectories(hdfs.folder().resolve(name));
    for (String file : List.of("core-site.xml", "hdfs-site.xml")) {
      try (Writer out = Files.newBufferedWriter(folder.resolve(file))) {
        site.writeXml(out);
      }
    }
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(options);
    command.add("-XX:+UseSerialGC");
    command.add("-Dlog4j.configuration=" + System.getProperty("log4j.configuration"));
    command.add("-cp");
    command.add(folder + File.pathSeparator + System.getProperty("java.class.path"));
    command.add(main.getName());
    return new ProcessBuilder(command);
  }

  static void end(Process process) {
    process.destroy();
    try {
      if (!process.waitFor(END_SECONDS_MAX, TimeUnit.SECONDS)) {
        process.destroyForcibly();
      }
    } catch (InterruptedException e) {
      process.destroyForcibly();
      Thread.currentThread().interrupt();
    }
  }
}
