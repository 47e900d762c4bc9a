package io.tierwise.cli.profile;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import java.util.stream.Stream;
import javax.tools.ToolProvider;

/**
 * Spark as a user installs it, made of its published jars, and an application that is compiled
 * against them. It runs in processes of its own: its libraries are others than ours.
 */
public final class SparkHome {
  private static final Path SOURCES =
      Path.of(System.getProperty("tierwise.root"), "cli", "src", "test", "spark");
  private static final String APPLICATION = "SparkWords";

  private final Path home;

  /** Installs it. */
  public SparkHome(Path home) throws IOException, InterruptedException {
    this.home = home;
    Files.createDirectories(home.resolve("bin"));
    Files.createDirectories(conf());
    Files.copy(SOURCES.resolve("spark-submit"), submit(), StandardCopyOption.COPY_ATTRIBUTES);
    fetchJars();
    compile();
    Files.writeString(
        conf().resolve("spark-defaults.conf"),
        """
        # A user's own.
        spark.master            yarn
        spark.yarn.jars         local:%s/*
        spark.yarn.tags         ours
        spark.driver.memory     512m
        spark.yarn.am.memory    512m
        spark.executor.memory   512m
        spark.executor.instances 1
        spark.ui.enabled        false
        """
            .formatted(jars()));
  }

  /** Its directory of settings. */
  public Path conf() {
    return home.resolve("conf");
  }

  Path submit() {
    return home.resolve("bin").resolve("spark-submit");
  }

  private Path jars() {
    return home.resolve("jars");
  }

  /** The words that count the words of a file; options come before the application. */
  public List<String> words(String input, String output, String mode, String... options) {
    List<String> words = new ArrayList<>(List.of(submit().toString()));
    words.addAll(List.of(options));
    words.addAll(List.of("--class", APPLICATION, home.resolve("words.jar").toString()));
    words.addAll(List.of(input, output, mode));
    return words;
  }

  private void fetchJars() throws IOException, InterruptedException {
    Path log = home.resolve("maven.log");
    Process maven =
        new ProcessBuilder(
                Path.of(System.getProperty("tierwise.root"), "scripts", "mvn.sh").toString(),
                "-f",
                SOURCES.resolve("pom.xml").toString(),
                "dependency:copy-dependencies",
                "-DincludeScope=runtime",
                "-DoutputDirectory=" + jars())
            .redirectErrorStream(true)
            .redirectOutput(log.toFile())
            .start();
    assertThat(maven.waitFor()).as(Files.readString(log)).isZero();
  }

  private void compile() throws IOException {
    Path classes = Files.createDirectories(home.resolve("classes"));
    List<String> command = new ArrayList<>(List.of("-d", classes.toString(), "--release", "17"));
    try (Stream<Path> jars = Files.list(jars())) {
      command.add("-cp");
      command.add(String.join(":", jars.map(Path::toString).toList()));
    }
    command.add(SOURCES.resolve(APPLICATION + ".java").toString());
    int exitCode =
        ToolProvider.getSystemJavaCompiler().run(null, null, null, command.toArray(String[]::new));
    assertThat(exitCode).isZero();
    try (OutputStream file = Files.newOutputStream(home.resolve("words.jar"));
        JarOutputStream jar = new JarOutputStream(file);
        Stream<Path> all = Files.list(classes)) {
      for (Path each : all.toList()) {
        jar.putNextEntry(new JarEntry(each.getFileName().toString()));
        Files.copy(each, jar);
      }
    }
  }
}
