package io.tierwise.hadoop.conformance;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/**
 * Runs classes on the wanted sides, a few JVMs at a time: the longest first, a class's two sides
 * side by side so that both see the same load; then once more, on both sides, what differed.
 */
final class Campaign {

  private final Suite suite;
  private final Options options;
  private final Workspace workspace;
  private final Fork fork;
  private final Progress progress;

  Campaign(Suite suite, Options options, Workspace workspace, Progress progress) {
    this.suite = suite;
    this.options = options;
    this.workspace = workspace;
    this.fork = new Fork(workspace, options.timeoutSeconds(), options.keep());
    this.progress = progress;
  }

  /** One JVM to come. */
  private record Job(TestClass testClass, Side side, int attempt) {}

  /** Runs all; the comparisons come in the order of {@code classes}. */
  List<Comparison> run(List<TestClass> classes) throws IOException, InterruptedException {
    Map<Job, ClassRun> runs = new LinkedHashMap<>();
    runAll(classes, 1, runs);
    List<TestClass> again =
        classes.stream().filter(testClass -> compare(testClass, runs).needsRetry()).toList();
    if (!again.isEmpty()) {
      progress.say(again.size() + " classes differ or fail: running them once more");
      runAll(again, 2, runs);
    }
    return classes.stream().map(testClass -> compare(testClass, runs)).toList();
  }

  private void runAll(List<TestClass> classes, int attempt, Map<Job, ClassRun> runs)
      throws IOException, InterruptedException {
    List<Job> jobs = new ArrayList<>();
    classes.stream()
        .sorted(Comparator.comparingDouble(TestClass::typicalSeconds).reversed())
        .forEach(c -> options.sides().forEach(side -> jobs.add(new Job(c, side, attempt))));
    progress.expect(jobs.stream().map(Job::testClass).toList(), options.jobs());

    ExecutorService pool = Executors.newFixedThreadPool(options.jobs());
    try {
      Map<Job, Future<ClassRun>> futures = new LinkedHashMap<>();
      jobs.forEach(job -> futures.put(job, pool.submit(() -> runOne(job))));
      for (Map.Entry<Job, Future<ClassRun>> entry : futures.entrySet()) {
        runs.put(entry.getKey(), entry.getValue().get());
      }
    } catch (ExecutionException e) {
      throw new IOException("cannot run a test class: " + e.getCause(), e.getCause());
    } finally {
      pool.shutdownNow();
    }
  }

  private ClassRun runOne(Job job) throws IOException, InterruptedException {
    if (options.reuseStock() && job.side() == Side.STOCK && job.attempt() == 1) {
      Optional<ClassRun> earlier =
          RunFile.read(workspace.runFolder(Side.STOCK, job.testClass().simpleName(), 1))
              .filter(run -> run.end() == ClassRun.End.FINISHED);
      if (earlier.isPresent()) {
        progress.finished(job.testClass(), earlier.get(), true);
        return earlier.get();
      }
    }
    ClassRun run = fork.run(job.testClass(), job.side(), job.attempt());
    progress.finished(job.testClass(), run, false);
    return run;
  }

  private Comparison compare(TestClass testClass, Map<Job, ClassRun> runs) {
    return Comparison.of(
        testClass.name(),
        runsOf(testClass, Side.STOCK, runs),
        runsOf(testClass, Side.OURS, runs),
        suite.knownCausesOf(testClass.name()));
  }

  private static List<ClassRun> runsOf(TestClass testClass, Side side, Map<Job, ClassRun> runs) {
    return runs.entrySet().stream()
        .filter(e -> e.getKey().testClass().equals(testClass) && e.getKey().side() == side)
        .sorted(Comparator.comparingInt(e -> e.getKey().attempt()))
        .map(Map.Entry::getValue)
        .toList();
  }
}
