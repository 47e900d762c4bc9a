package io.tierwise.hadoop.conformance;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The command: see {@link Options#HELP}. Started by {@code hadoop/conformance/run}. */
public final class Conformance {

  private static final int REGRESSION = 1;

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
    Suite suite = Suite.load(home);
    List<TestClass> classes = suite.select(options.patterns());
    if (options.list()) {
      classes.forEach(
          c -> System.out.printf("%-22s %-50s %s%n", c.area(), c.simpleName(), c.why()));
      return 0;
    }
    Optional<Path> plugins =
        options.sides().contains(Side.OURS)
            ? Optional.of(pluginJar(options, root))
            : Optional.empty();
    Path build = Files.createDirectories(root.resolve("build/conformance"));
    Workspace workspace = Workspace.prepare(home, build, plugins);

    long startNanos = System.nanoTime();
    Progress progress = new Progress(System.err, Boolean.getBoolean(TERMINAL_PROPERTY));
    List<Comparison> comparisons = new Campaign(suite, options, workspace, progress).run(classes);
    progress.clear();
    double seconds = (System.nanoTime() - startNanos) / 1e9;

    Report report = new Report(classes, comparisons, options.jobs(), seconds);
    report.write(build);
    System.out.print(report.toText());
    System.out.println("written: " + build.resolve("results.json") + " and results.md");
    return exitCode(report, options, workspace.pluginClasses());
  }

  private static int exitCode(Report report, Options options, List<String> configured) {
    int exitCode = 0;
    if (report.count(Verdict.NOTHING_RAN) > 0) {
      System.err.println("conformance: a class passed no test on stock, so nothing was checked");
      exitCode = UsageException.BAD_STATE;
    }
    // A part of the suite need not reach each plug-in; all of it must.
    if (options.sides().contains(Side.OURS) && options.patterns().isEmpty()) {
      for (Map.Entry<String, Long> plugin : report.loadedPlugins(configured).entrySet()) {
        System.out.println(plugin.getKey() + ": loaded by " + plugin.getValue() + " classes");
        if (plugin.getValue() == 0) {
          System.err.println("conformance: no test loaded " + plugin.getKey());
          exitCode = UsageException.BAD_STATE;
        }
      }
    }
    if (report.count(Verdict.REGRESSION) + report.count(Verdict.NOT_COMPARED) > 0) {
      exitCode = REGRESSION;
    }
    return exitCode;
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
