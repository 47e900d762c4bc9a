package io.tierwise.hadoop.conformance;

import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** Runs one test class in a JVM and a folder of its own and reads what became of its tests. */
final class Fork {

  /**
   * Packages that Hadoop's build opens for its tests, without those for its Kerberos tests alone.
   */
  private static final List<String> OPENED =
      List.of(
          "java.io",
          "java.lang",
          "java.lang.reflect",
          "java.math",
          "java.net",
          "java.text",
          "java.util",
          "java.util.concurrent",
          "java.util.zip",
          "sun.security.util",
          "sun.security.x509");

  /** A log line of ours at WARN or ERROR, by the pattern in sites/log4j.properties. */
  private static final Pattern WARNING =
      Pattern.compile("\\] (WARN|ERROR) +(\\S*(?:io\\.tierwise\\.|Tierwise)\\S*) - (.*)");

  private static final String DECISIONS = "decisions.tsv";
  private static final int WARNINGS_KEPT = 20;
  private static final int JUNIT_TESTS_FAILED = 1;
  private static final int JUNIT_NO_TESTS = 2;

  private final Workspace workspace;
  private final int timeoutSeconds;
  private final boolean keep;
  private final Set<Process> running = new LinkedHashSet<>();

  Fork(Workspace workspace, int timeoutSeconds, boolean keep) {
    this.workspace = workspace;
    this.timeoutSeconds = timeoutSeconds;
    this.keep = keep;
    Runtime.getRuntime().addShutdownHook(new Thread(this::killAll, "kill-test-jvms"));
  }

  /** Runs the class; ends with its JVM and all that it started gone. */
  ClassRun run(TestClass testClass, Side side, int attempt)
      throws IOException, InterruptedException {
    Path folder = workspace.runFolder(side, testClass.simpleName(), attempt);
    Workspace.delete(folder);
    Path work = Files.createDirectories(folder.resolve("work"));
    Files.createDirectories(work.resolve("tmp"));

    long startNanos = System.nanoTime();
    Process process = start(testClass, side, folder, work);
    ClassRun.End end;
    try {
      end = await(process, folder);
    } finally {
      kill(process);
    }
    double seconds = (System.nanoTime() - startNanos) / 1e9;

    ClassRun run =
        new ClassRun(
            side,
            attempt,
            end,
            seconds,
            readOutcomes(folder),
            side.hasPlugins() ? loadedPlugins(side, folder) : List.of(),
            DecisionCounter.read(folder.resolve(DECISIONS)),
            side.hasPlugins() ? warnings(folder) : List.of());
    RunFile.write(folder, run);
    tidy(folder, run);
    return run;
  }

  private Process start(TestClass testClass, Side side, Path folder, Path work) throws IOException {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(
        List.of("-Xmx2g", "-Xss4m", "-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-Xshare:auto"));
    OPENED.forEach(name -> command.add("--add-opens=java.base/" + name + "=ALL-UNNAMED"));
    command.add("-Dtest.build.dir=" + work.resolve("test"));
    command.add("-Dtest.build.data=" + work.resolve("test/data"));
    command.add("-Dtest.cache.data=" + work.resolve("test/cache"));
    command.add("-Dhadoop.tmp.dir=" + work.resolve("tmp"));
    command.add("-Dhadoop.log.dir=" + work.resolve("log"));
    command.add("-Djava.io.tmpdir=" + work.resolve("tmp"));
    command.add("-Djava.net.preferIPv4Stack=true");
    command.add("-Djava.security.egd=file:///dev/urandom");
    command.add("-Djava.security.krb5.conf=" + workspace.sites(side).resolve("krb5.conf"));
    command.add("-D" + OutcomeRecorder.FILE_PROPERTY + "=" + folder.resolve("outcomes.tsv"));
    command.add("-D" + DecisionCounter.FILE_PROPERTY + "=" + folder.resolve(DECISIONS));
    if (side.hasPlugins()) {
      command.add(
          "-Xlog:class+load=info:file=" + folder.resolve("loaded.txt") + ":none:filecount=0");
    }
    command.add("-cp");
    command.add(workspace.classPath(side, folder.resolve("test-classes")));
    command.addAll(
        List.of(
            "org.junit.platform.console.ConsoleLauncher",
            "execute",
            "--select-class=" + testClass.name(),
            "--fail-if-no-tests",
            "--details=none",
            "--disable-banner",
            "--disable-ansi-colors"));
    File log = folder.resolve("output.log").toFile();
    ProcessBuilder builder =
        new ProcessBuilder(command)
            .directory(work.toFile())
            .redirectErrorStream(true)
            .redirectOutput(log);
    // The caller's own Hadoop must not leak in.
    builder.environment().keySet().removeIf(name -> name.startsWith("HADOOP_"));
    // As in Hadoop's build: glibc's arenas would otherwise take gigabytes of address space.
    builder.environment().put("MALLOC_ARENA_MAX", "4");
    synchronized (running) {
      Process process = builder.start();
      running.add(process);
      return process;
    }
  }

  private ClassRun.End await(Process process, Path folder)
      throws IOException, InterruptedException {
    if (!process.waitFor(timeoutSeconds, TimeUnit.SECONDS)) {
      dumpThreads(process, folder.resolve("threads.txt"));
      return ClassRun.End.TIMED_OUT;
    }
    int exitCode = process.exitValue();
    return exitCode == 0 || exitCode == JUNIT_TESTS_FAILED || exitCode == JUNIT_NO_TESTS
        ? ClassRun.End.FINISHED
        : ClassRun.End.CRASHED;
  }

  private static void dumpThreads(Process process, Path file)
      throws IOException, InterruptedException {
    Path jcmd = Path.of(System.getProperty("java.home"), "bin", "jcmd");
    if (!Files.isExecutable(jcmd)) {
      return;
    }
    Process dump =
        new ProcessBuilder(jcmd.toString(), Long.toString(process.pid()), "Thread.print")
            .redirectErrorStream(true)
            .redirectOutput(file.toFile())
            .start();
    if (!dump.waitFor(30, TimeUnit.SECONDS)) {
      dump.destroyForcibly();
    }
  }

  private void kill(Process process) {
    synchronized (running) {
      running.remove(process);
    }
    process.descendants().forEach(ProcessHandle::destroyForcibly);
    process.destroyForcibly();
    try {
      process.waitFor(30, TimeUnit.SECONDS);
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  private void killAll() {
    List<Process> left;
    synchronized (running) {
      left = List.copyOf(running);
    }
    left.forEach(this::kill);
  }

  private static SortedMap<String, TestResult> readOutcomes(Path folder) throws IOException {
    Path file = folder.resolve("outcomes.tsv");
    SortedMap<String, TestResult> results = new TreeMap<>();
    if (Files.exists(file)) {
      for (String line : Files.readAllLines(file)) {
        TestResult result = TestResult.parse(line);
        results.put(result.test(), result);
      }
    }
    return results;
  }

  /** The class path is no proof: a test may set its own policy or file system. */
  private List<String> loadedPlugins(Side side, Path folder) throws IOException {
    Path file = folder.resolve("loaded.txt");
    if (!Files.exists(file)) {
      return List.of();
    }
    Set<String> wanted = new TreeSet<>(workspace.pluginClasses(side));
    try (Stream<String> lines = Files.lines(file)) {
      Set<String> loaded = new TreeSet<>();
      lines.map(line -> line.split(" ", 2)[0]).filter(wanted::contains).forEach(loaded::add);
      return List.copyOf(loaded);
    }
  }

  private static List<String> warnings(Path folder) throws IOException {
    Set<String> warnings = new LinkedHashSet<>();
    // ISO 8859-1 reads any bytes: tests log binary data, and only ASCII is looked for.
    try (Stream<String> lines =
        Files.lines(folder.resolve("output.log"), StandardCharsets.ISO_8859_1)) {
      lines
          .map(WARNING::matcher)
          .filter(Matcher::find)
          .map(match -> match.group(1) + " " + match.group(2) + ": " + match.group(3))
          .forEach(warnings::add);
    }
    return warnings.stream().limit(WARNINGS_KEPT).toList();
  }

  private void tidy(Path folder, ClassRun run) throws IOException {
    Workspace.delete(folder.resolve("test-classes"));
    Files.deleteIfExists(folder.resolve("loaded.txt"));
    if (keep) {
      return;
    }
    Workspace.delete(folder.resolve("work"));
    if (run.end() == ClassRun.End.FINISHED && run.count(Outcome.FAILED) == 0) {
      Files.deleteIfExists(folder.resolve("output.log"));
    }
  }
}
