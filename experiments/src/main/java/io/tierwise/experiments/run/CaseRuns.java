package io.tierwise.experiments.run;

import io.tierwise.core.message.OperatorException;
import io.tierwise.simulator.Simulation;
import io.tierwise.simulator.measure.RunResult;
import io.tierwise.simulator.report.RunCase;
import io.tierwise.simulator.report.StoppingRule;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;

/**
 * Runs cases with several seeds on several threads. The results depend on the cases and the rule
 * alone: which seeds count is decided in the order of seeds, and runs that a thread began too early
 * are thrown away.
 */
public final class CaseRuns {
  private final List<CaseSpec> cases;
  private final StoppingRule rule;
  private final RunListener listener;
  private final BooleanSupplier stopped;
  private final RunResult[][] results;
  private final int[] begun;
  private final int[] enough;
  private CheckWindow check;
  private DecisionFile decisions;
  private Consumer<RunCase> settled = each -> {};
  private long checkedEvents;
  private Throwable failure;
  private String failedCase;

  public CaseRuns(
      List<CaseSpec> cases, StoppingRule rule, RunListener listener, BooleanSupplier stopped) {
    this.cases = cases;
    this.rule = rule;
    this.listener = listener;
    this.stopped = stopped;
    this.results = new RunResult[cases.size()][rule.countMax()];
    this.begun = new int[cases.size()];
    this.enough = new int[cases.size()];
  }

  /** Checks all invariants in that part of each run; null: in none. */
  public CaseRuns checking(CheckWindow window) {
    check = window;
    return this;
  }

  /** Writes the decisions of the first case's first run into a file; null: nowhere. */
  public CaseRuns recording(DecisionFile file) {
    decisions = file;
    return this;
  }

  /**
   * Somebody hears of each case that has run as often as the rule asks for, as soon as it has: also
   * where another one fails later. One case at a time, and no run may wait for it long.
   */
  public CaseRuns telling(Consumer<RunCase> listener) {
    settled = listener;
    return this;
  }

  /** Goes on from runs with the first seeds, a list a case. */
  public CaseRuns goingOnFrom(List<List<RunResult>> earlier) {
    for (int i = 0; i < earlier.size(); i++) {
      for (RunResult result : earlier.get(i)) {
        results[i][begun[i]++] = result;
      }
      enough[i] = rule.enough(inOrder(i));
    }
    return this;
  }

  /** Events after which the invariants were checked. */
  public long checkedEvents() {
    return checkedEvents;
  }

  /**
   * Runs all.
   *
   * @return the cases that ran at least once, in their order; all of them unless it was stopped
   * @throws OperatorException when a run cannot be done; one line
   */
  public List<RunCase> run(int threads) {
    for (int i = 0; i < begun.length; i++) {
      listener.expect(enough[i] > 0 ? 0 : Math.max(0, rule.countMin() - begun[i]));
    }
    List<Thread> workers = new ArrayList<>();
    for (int i = 1; i < threads; i++) {
      Thread worker = new Thread(this::work, "simulate-" + i);
      worker.start();
      workers.add(worker);
    }
    work();
    for (Thread worker : workers) {
      join(worker);
    }
    listener.close();
    if (failure != null) {
      throw asOperatorError();
    }
    List<RunCase> ran = new ArrayList<>();
    for (int i = 0; i < cases.size(); i++) {
      if (!inOrder(i).isEmpty()) {
        ran.add(ran(i));
      }
    }
    return ran;
  }

  private static void join(Thread worker) {
    boolean interrupted = false;
    while (worker.isAlive()) {
      try {
        worker.join();
      } catch (InterruptedException e) {
        interrupted = true;
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  private RuntimeException asOperatorError() {
    if (failure instanceof OperatorException operator) {
      return operator;
    }
    if (failure instanceof OutOfMemoryError) {
      return OperatorException.cluster(
          "the runs need more memory than the JVM may use: "
              + MemoryNeed.advice(2 * Runtime.getRuntime().maxMemory()),
          failure);
    }
    if (failure instanceof IOException) {
      return OperatorException.badInput(failure.getMessage());
    }
    return OperatorException.cluster(
        "a run of "
            + failedCase
            + " failed: "
            + failure.getClass().getSimpleName()
            + ": "
            + failure.getMessage(),
        failure);
  }

  private void work() {
    for (int index = next(); index >= 0; index = next()) {
      int seed = index % rule.countMax();
      int ofCase = index / rule.countMax();
      try {
        done(index, run(ofCase, seed, index));
      } catch (Throwable e) {
        // A policy of another jar fails in any way: the report may not just lack the run.
        fail(e, cases.get(ofCase).label());
      }
    }
  }

  private RunResult run(int ofCase, int seed, int id) throws IOException {
    CaseSpec spec = cases.get(ofCase);
    Simulation simulation = Simulation.of(spec.withSeed(seed)).expectWork(spec.work());
    if (check != null) {
      check.apply(simulation);
    }
    if (decisions != null && ofCase == 0 && seed == 0) {
      simulation.tell(decisions.listener());
    }
    RunResult result =
        simulation.run(
            (seconds, jobs, share) -> {
              listener.update(id, seconds, jobs, share);
              return !stopped.getAsBoolean() && !isSettled(ofCase);
            });
    checked(simulation.checkedEventCount());
    return result;
  }

  private synchronized void checked(long events) {
    checkedEvents += events;
  }

  /** The case with the fewest runs begun that needs more of them; -1 when there is none. */
  private synchronized int next() {
    int best = -1;
    for (int i = 0; i < begun.length; i++) {
      boolean open = enough[i] == 0 && begun[i] < rule.countMax();
      if (open && (best < 0 || begun[i] < begun[best])) {
        best = i;
      }
    }
    if (best < 0 || stopped.getAsBoolean() || failure != null) {
      return -1;
    }
    int seed = begun[best]++;
    if (seed >= rule.countMin()) {
      listener.expect(1);
    }
    return best * rule.countMax() + seed;
  }

  private synchronized void done(int index, RunResult result) {
    int ofCase = index / rule.countMax();
    listener.end(index);
    if (enough[ofCase] == 0) {
      results[ofCase][index % rule.countMax()] = result;
      enough[ofCase] = rule.enough(inOrder(ofCase));
      if (enough[ofCase] > 0) {
        settled.accept(ran(ofCase));
      }
    }
  }

  /** A case with the runs that count; there is one at least. */
  private RunCase ran(int ofCase) {
    List<RunResult> runs = inOrder(ofCase);
    List<RunResult> counted = enough[ofCase] > 0 ? runs.subList(0, enough[ofCase]) : runs;
    return new RunCase(cases.get(ofCase).label(), cases.get(ofCase).scenario(), counted);
  }

  /** The results until the first that is missing. */
  private List<RunResult> inOrder(int ofCase) {
    List<RunResult> all = Arrays.asList(results[ofCase]);
    int missing = all.indexOf(null);
    return missing < 0 ? all : all.subList(0, missing);
  }

  private synchronized boolean isSettled(int ofCase) {
    return enough[ofCase] > 0 || failure != null;
  }

  private synchronized void fail(Throwable thrown, String label) {
    if (failure == null) {
      failure = thrown;
      failedCase = label;
    }
  }
}
