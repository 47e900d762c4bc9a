package io.tierwise.hadoop.conformance;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/**
 * Runs classes on the wanted sides, a few JVMs at a time: the longest first, the sides of a class
 * beside each other so that they see the same load; then once more what differed. Stock may wait
 * until then: a test that passes with the plug-ins needs no comparison.
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

  /** Runs all; the results come by side, the classes of a side in the order of {@code classes}. */
  List<SideResult> run(List<TestClass> classes) throws IOException, InterruptedException {
    Map<Job, ClassRun> runs = new LinkedHashMap<>();
    Set<Job> first = new LinkedHashSet<>();
    for (TestClass testClass : classes) {
      options.sides().stream()
          .filter(side -> !(side == Side.STOCK && options.stockOnDemand()))
          .filter(side -> !suite.leavesOut(testClass.name(), side))
          .forEach(side -> first.add(new Job(testClass, side, 1)));
    }
    runAll(first, runs);
    Set<Job> again = new LinkedHashSet<>();
    for (SideResult result : results(classes, runs)) {
      for (int i = 0; i < result.classes().size(); i++) {
        addMissing(result.classes().get(i), result.side(), result.comparisons().get(i), again);
      }
    }
    again.removeAll(runs.keySet());
    if (!again.isEmpty()) {
      long concerned = again.stream().map(Job::testClass).distinct().count();
      progress.say(concerned + " classes differ, fail or skip: running what tells why");
      runAll(again, runs);
    }
    return results(classes, runs);
  }

  /** The runs without which nothing can be said of the class. */
  private void addMissing(TestClass testClass, Side side, Comparison comparison, Set<Job> jobs) {
    boolean withStock = options.sides().contains(Side.STOCK);
    if (withStock && (comparison.needsRetry() || !comparison.passesWithOurs())) {
      jobs.add(new Job(testClass, Side.STOCK, 1));
    }
    if (comparison.needsRetry()) {
      jobs.add(new Job(testClass, side, 2));
      if (withStock) {
        jobs.add(new Job(testClass, Side.STOCK, 2));
      }
    }
  }

  /** Without a side of ours stock alone is told. */
  private List<SideResult> results(List<TestClass> classes, Map<Job, ClassRun> runs) {
    List<Side> sides = options.sides().stream().filter(Side::hasPlugins).toList();
    List<SideResult> results = new ArrayList<>();
    for (Side side : sides.isEmpty() ? List.of(Side.STOCK) : sides) {
      List<TestClass> held =
          classes.stream().filter(c -> !suite.leavesOut(c.name(), side)).toList();
      List<Comparison> comparisons = held.stream().map(c -> compare(c, side, runs)).toList();
      results.add(new SideResult(side, held, comparisons));
    }
    return results;
  }

  private void runAll(Set<Job> wanted, Map<Job, ClassRun> runs)
      throws IOException, InterruptedException {
    List<Job> jobs =
        wanted.stream()
            .sorted(
                Comparator.comparingDouble((Job job) -> job.testClass().typicalSeconds())
                    .reversed())
            .toList();
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
    if (options.reuseStock() && job.side() == Side.STOCK) {
      Optional<ClassRun> earlier =
          RunFile.read(workspace.runFolder(Side.STOCK, job.testClass().simpleName(), job.attempt()))
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

  private Comparison compare(TestClass testClass, Side side, Map<Job, ClassRun> runs) {
    return Comparison.of(
        testClass.name(),
        runsOf(testClass, Side.STOCK, runs),
        side.hasPlugins() ? runsOf(testClass, side, runs) : List.of(),
        suite.knownCausesOf(testClass.name(), side));
  }

  private static List<ClassRun> runsOf(TestClass testClass, Side side, Map<Job, ClassRun> runs) {
    return runs.entrySet().stream()
        .filter(e -> e.getKey().testClass().equals(testClass) && e.getKey().side() == side)
        .sorted(Comparator.comparingInt(e -> e.getKey().attempt()))
        .map(Map.Entry::getValue)
        .toList();
  }
}
