package io.tierwise.hadoop.conformance;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/** The command: see {@link Options#HELP}. Started by {@code hadoop/conformance/run}. */
public final class Conformance {

  /** Set by the start script when stderr is a terminal, which Java cannot tell. */
  private static final String TERMINAL_PROPERTY = "tierwise.conformance.terminal";

  private Conformance() {}

  /** Runs the command in the repository whose root is the working folder. */
  public static void main(String[] arguments) throws IOException, InterruptedException {
    int exitCode;
    try {
      exitCode = run(Options.parse(arguments), Path.of("").toAbsolutePath());
    } catch (UsageException e) {
      System.err.println("conformance: " + e.getMessage());
      exitCode = e.exitCode();
    }
    System.exit(exitCode);
  }

  private static int run(Options options, Path root)
      throws IOException, InterruptedException, UsageException {
    if (options.help()) {
      System.out.print(Options.HELP);
      return 0;
    }
    Path home = root.resolve("hadoop/conformance");
    Suite whole = Suite.load(home);
    Suite suite = options.hadoop().isPresent() ? whole.onLine(home, options.hadoop().get()) : whole;
    List<TestClass> classes = suite.select(options.patterns());
    if (options.list()) {
      classes.forEach(
          c -> System.out.printf("%-22s %-50s %s%n", c.area(), c.simpleName(), c.why()));
      return 0;
    }
    Optional<Plugins> plugins =
        options.sides().stream().anyMatch(Side::hasPlugins)
            ? Optional.of(new Plugins(pluginJar(options, root), options.optIn()))
            : Optional.empty();
    String suffix = options.hadoop().map(version -> "-" + version).orElse("");
    Path build = Files.createDirectories(root.resolve("build/conformance" + suffix));
    Workspace workspace =
        Workspace.prepare(home, build, "hadoop-tests" + suffix + ".classpath", plugins);

    long startNanos = System.nanoTime();
    Progress progress = new Progress(System.err, Boolean.getBoolean(TERMINAL_PROPERTY));
    List<SideResult> results = new Campaign(suite, options, workspace, progress).run(classes);
    progress.clear();
    double seconds = (System.nanoTime() - startNanos) / 1e9;

    int worst = 0;
    for (SideResult result : results) {
      Report report = new Report(result, suite.undecided(), options.jobs(), seconds);
      Path json = report.write(build);
      System.out.print(report.toText());
      System.out.println("written: " + json + " and .md");
      // A part of the suite need not reach each plug-in; all of it must.
      boolean all = options.patterns().isEmpty() && result.side().hasPlugins();
      List<String> wanted = all ? workspace.pluginClasses(result.side()) : List.of();
      report.problems(wanted).forEach(problem -> System.err.println("conformance: " + problem));
      int exitCode = report.exitCode(wanted);
      // A broken test says more than one that checked nothing.
      worst = worst == 1 || exitCode == 1 ? 1 : Math.max(worst, exitCode);
    }
    return worst;
  }

  private static Path pluginJar(Options options, Path root) throws IOException, UsageException {
    if (options.plugins().isPresent()) {
      Path jar = options.plugins().get().toAbsolutePath();
      if (!Files.isRegularFile(jar)) {
        throw UsageException.badInput("--plugins '" + jar + "': there is no such file");
      }
      return jar;
    }
    Path target = root.resolve("hadoop/hdfs/target");
    if (Files.isDirectory(target)) {
      try (DirectoryStream<Path> jars =
          Files.newDirectoryStream(target, "tierwise-hdfs-*-plugin.jar")) {
        for (Path jar : jars) {
          return jar;
        }
      }
    }
    throw UsageException.badState("no plug-in jar in " + target + ": run 'make build' first");
  }
}
