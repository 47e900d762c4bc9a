package io.tierwise.hadoop.conformance;

import java.io.File;
import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Enumeration;
import java.util.List;
import java.util.Optional;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;
import java.util.stream.Stream;

/**
 * The folders of a run and the class paths of both sides.
 *
 * <p>Jars that a NameNode's web server scans end to end are unpacked: a class that starts a dozen
 * clusters then takes a fraction of the time. Each run sees Hadoop's test classes through links of
 * its own, since SSL tests write {@code ssl-*.xml} beside their class, where later classes would
 * find them.
 */
final class Workspace {

  private static final List<String> UNPACKED = List.of("hadoop-hdfs", "hadoop-hdfs-client");

  private final Path home;
  private final Path build;
  private final List<Path> jars;
  private final List<Path> runnerClasses;
  private final Optional<Plugins> plugins;

  private Workspace(
      Path home, Path build, List<Path> jars, List<Path> runnerClasses, Optional<Plugins> plugins) {
    this.home = home;
    this.build = build;
    this.jars = jars;
    this.runnerClasses = runnerClasses;
    this.plugins = plugins;
  }

  /**
   * Prepares from what the build of this module has left.
   *
   * @param home this module's folder
   * @param build where all output goes
   * @param classPathName the file in {@code target} that holds the class path of Hadoop's tests
   * @param plugins needed for our side only
   */
  static Workspace prepare(Path home, Path build, String classPathName, Optional<Plugins> plugins)
      throws IOException, UsageException {
    Path classPathFile = home.resolve("target").resolve(classPathName);
    if (!Files.isRegularFile(classPathFile)) {
      throw UsageException.badState(
          classPathFile + " is missing: start with hadoop/conformance/run");
    }
    List<Path> jars = pathsIn(Files.readString(classPathFile).strip());
    return prepare(home, build, jars, List.of(home.resolve("target/classes")), plugins);
  }

  /**
   * Unpacks and writes what all runs share.
   *
   * @param jars what the tests run on, in order
   * @param runnerClasses class folders with {@link OutcomeRecorder} and tests of ours
   */
  static Workspace prepare(
      Path home, Path build, List<Path> jars, List<Path> runnerClasses, Optional<Plugins> plugins)
      throws IOException {
    Workspace workspace = new Workspace(home, build, jars, runnerClasses, plugins);
    Files.createDirectories(build.resolve("runs"));
    for (Path jar : jars) {
      if (workspace.isUnpacked(jar)) {
        unpack(jar, workspace.folderOf(jar));
      }
    }
    for (Side side : Side.values()) {
      SiteFiles.write(home.resolve("sites"), side, workspace.optIn(), workspace.sites(side));
    }
    return workspace;
  }

  /** Splits a class path. */
  static List<Path> pathsIn(String classPath) {
    return Arrays.stream(classPath.split(File.pathSeparator)).map(Path::of).toList();
  }

  /** Where this run of a class keeps its outcomes, log and working folder. */
  Path runFolder(Side side, String simpleName, int attempt) {
    return build
        .resolve("runs")
        .resolve(side.label())
        .resolve(simpleName + (attempt == 1 ? "" : "-" + attempt));
  }

  Path sites(Side side) {
    return build.resolve("sites").resolve(side.label());
  }

  List<String> pluginClasses(Side side) throws IOException {
    return SiteFiles.pluginClasses(home.resolve("sites"), side, optIn());
  }

  /** The class path of a run; links the test classes into {@code testClasses}. */
  String classPath(Side side, Path testClasses) throws IOException {
    List<Path> path = new ArrayList<>();
    path.add(sites(side));
    for (Path jar : jars) {
      if (isHdfsTests(jar)) {
        link(folderOf(jar), testClasses);
        path.add(testClasses);
      } else {
        path.add(isUnpacked(jar) ? folderOf(jar) : jar);
      }
    }
    path.addAll(runnerClasses);
    if (side.hasPlugins()) {
      path.add(plugins.orElseThrow().jar());
    }
    return String.join(File.pathSeparator, path.stream().map(Path::toString).toList());
  }

  private boolean optIn() {
    return plugins.map(Plugins::optIn).orElse(false);
  }

  private static boolean isHdfsTests(Path jar) {
    return jar.getFileName().toString().matches("hadoop-hdfs-[0-9.]+-tests\\.jar");
  }

  private boolean isUnpacked(Path jar) {
    String name = jar.getFileName().toString();
    return isHdfsTests(jar)
        || UNPACKED.stream().anyMatch(prefix -> name.matches(prefix + "-[0-9.]+\\.jar"));
  }

  private Path folderOf(Path jar) {
    return build.resolve("classes").resolve(jar.getFileName().toString().replace(".jar", ""));
  }

  private static void unpack(Path jar, Path folder) throws IOException {
    Path done = folder.resolveSibling(folder.getFileName() + ".unpacked");
    if (Files.exists(done)) {
      return;
    }
    delete(folder);
    try (JarFile file = new JarFile(jar.toFile())) {
      Enumeration<JarEntry> entries = file.entries();
      while (entries.hasMoreElements()) {
        JarEntry entry = entries.nextElement();
        Path target = folder.resolve(entry.getName()).normalize();
        if (!entry.isDirectory() && target.startsWith(folder)) {
          Files.createDirectories(target.getParent());
          Files.copy(file.getInputStream(entry), target);
        }
      }
    }
    Files.createFile(done);
  }

  private static void link(Path from, Path to) throws IOException {
    try (Stream<Path> tree = Files.walk(from)) {
      for (Path source : (Iterable<Path>) tree::iterator) {
        Path target = to.resolve(from.relativize(source));
        if (Files.isDirectory(source)) {
          Files.createDirectories(target);
        } else {
          Files.createLink(target, source);
        }
      }
    }
  }

  /** Deletes a tree, also what a volume-failure test has left unreadable. */
  static void delete(Path tree) throws IOException {
    if (!Files.exists(tree)) {
      return;
    }
    Files.walkFileTree(
        tree,
        new SimpleFileVisitor<>() {
          @Override
          public FileVisitResult preVisitDirectory(Path folder, BasicFileAttributes attributes) {
            File asFile = folder.toFile();
            boolean open =
                asFile.setReadable(true) && asFile.setWritable(true) && asFile.setExecutable(true);
            return open ? FileVisitResult.CONTINUE : FileVisitResult.SKIP_SUBTREE;
          }

          @Override
          public FileVisitResult visitFile(Path file, BasicFileAttributes attributes)
              throws IOException {
            Files.deleteIfExists(file);
            return FileVisitResult.CONTINUE;
          }

          @Override
          public FileVisitResult postVisitDirectory(Path folder, IOException failure)
              throws IOException {
            Files.deleteIfExists(folder);
            return FileVisitResult.CONTINUE;
          }
        });
  }
}
