package io.tierwise.policies.text;

import java.io.File;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import java.util.stream.Stream;
import javax.tools.ToolProvider;

/** Makes a jar of policies as a user would, compiled against our jars and packed, and runs it. */
public final class PolicyJar {
  private PolicyJar() {}

  /**
   * Compiles the Java sources below {@code sources} and packs them with the other files there.
   *
   * @param classPath what they are compiled against; {@code FOLDER/*} is all jars in the folder
   * @param folder for what is made; must not exist
   * @return the jar
   * @throws IllegalStateException when they do not compile; the compiler has said why
   */
  public static Path make(Path sources, String classPath, Path folder) throws IOException {
    Path classes = Files.createDirectories(folder.resolve("classes"));
    List<Path> all = files(sources);
    List<String> command =
        new ArrayList<>(
            List.of("-d", classes.toString(), "-cp", expanded(classPath), "-Xlint:all"));
    all.stream().filter(PolicyJar::isJava).forEach(source -> command.add(source.toString()));
    int failed =
        ToolProvider.getSystemJavaCompiler().run(null, null, null, command.toArray(String[]::new));
    if (failed != 0) {
      throw new IllegalStateException(sources + " does not compile");
    }
    Path jar = folder.resolve("policies.jar");
    try (OutputStream file = Files.newOutputStream(jar);
        JarOutputStream packed = new JarOutputStream(file)) {
      for (Path made : files(classes)) {
        add(packed, classes.relativize(made), made);
      }
      for (Path other : all.stream().filter(each -> !isJava(each)).toList()) {
        add(packed, sources.relativize(other), other);
      }
    }
    return jar;
  }

  /** The command {@code javac} does this before the compiler is called. */
  private static String expanded(String classPath) throws IOException {
    List<String> parts = new ArrayList<>();
    for (String part : classPath.split(File.pathSeparator)) {
      if (part.endsWith("/*")) {
        files(Path.of(part).getParent()).stream()
            .map(Path::toString)
            .filter(file -> file.endsWith(".jar"))
            .forEach(parts::add);
      } else {
        parts.add(part);
      }
    }
    return String.join(File.pathSeparator, parts);
  }

  private static boolean isJava(Path file) {
    return file.toString().endsWith(".java");
  }

  private static void add(JarOutputStream packed, Path name, Path file) throws IOException {
    packed.putNextEntry(new JarEntry(name.toString().replace(File.separatorChar, '/')));
    Files.copy(file, packed);
    packed.closeEntry();
  }

  /** All files below a folder, sorted. */
  public static List<Path> files(Path root) throws IOException {
    try (Stream<Path> walk = Files.walk(root)) {
      return walk.filter(Files::isRegularFile).sorted().toList();
    }
  }

  /**
   * Runs a program that has jars of policies on its class path, in a process of its own.
   *
   * @param jars beside the class path of the caller
   * @param folder for its output
   * @return all that it printed
   */
  public static String run(List<Path> jars, Path folder, Class<?> main, String... arguments)
      throws IOException, InterruptedException {
    List<String> classPath = new ArrayList<>(List.of(System.getProperty("java.class.path")));
    jars.forEach(jar -> classPath.add(jar.toString()));
    List<String> command = new ArrayList<>();
    command.add(System.getProperty("java.home") + "/bin/java");
    command.addAll(List.of("-cp", String.join(File.pathSeparator, classPath), main.getName()));
    command.addAll(List.of(arguments));
    Path output = folder.resolve("output");
    Process process =
        new ProcessBuilder(command)
            .redirectErrorStream(true)
            .redirectOutput(output.toFile())
            .start();
    if (!process.waitFor(180, TimeUnit.SECONDS)) {
      process.destroyForcibly();
      throw new AssertionError("the run did not end: " + Files.readString(output));
    }
    return Files.readString(output).strip();
  }
}
