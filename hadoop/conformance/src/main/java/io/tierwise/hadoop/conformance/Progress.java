package io.tierwise.hadoop.conformance;

import java.io.PrintStream;
import java.util.List;

/** Says on stderr what has ended and how long the rest may take. Safe for several threads. */
final class Progress {

  private final PrintStream out;
  private final boolean inPlace;
  private int jobsDone;
  private int jobsAll;
  private double typicalSecondsDone;
  private double typicalSecondsAll;
  private int parallel;
  private long startNanos;

  /**
   * @param inPlace whether {@code out} is a terminal, where a line can be rewritten
   */
  Progress(PrintStream out, boolean inPlace) {
    this.out = out;
    this.inPlace = inPlace;
  }

  /** Begins a round of jobs. */
  synchronized void expect(List<TestClass> jobs, int jobsAtATime) {
    jobsDone = 0;
    jobsAll = jobs.size();
    typicalSecondsDone = 0;
    typicalSecondsAll = jobs.stream().mapToDouble(TestClass::typicalSeconds).sum();
    parallel = jobsAtATime;
    startNanos = System.nanoTime();
    line("[0/" + jobsAll + "] " + leftText());
  }

  /** A job has ended, or was taken from an earlier run. */
  synchronized void finished(TestClass testClass, ClassRun run, boolean reused) {
    jobsDone++;
    typicalSecondsDone += testClass.typicalSeconds();
    String text =
        String.format(
            "[%d/%d] %-5s %s: %d passed, %d failed, %d skipped, %.0f s%s%s",
            jobsDone,
            jobsAll,
            run.side().label(),
            testClass.simpleName(),
            run.count(Outcome.PASSED),
            run.count(Outcome.FAILED),
            run.count(Outcome.SKIPPED),
            run.seconds(),
            run.end() == ClassRun.End.FINISHED ? "" : " " + run.end(),
            reused ? " (earlier run)" : "");
    line(text + "; " + leftText());
  }

  synchronized void say(String text) {
    clear();
    out.println(text);
  }

  /** Ends the line that was rewritten. */
  synchronized void clear() {
    if (inPlace) {
      out.print("\r\033[K");
      out.flush();
    }
  }

  private void line(String text) {
    if (inPlace) {
      clear();
      out.print(text);
      out.flush();
    } else {
      out.println(text);
    }
  }

  /** Assumes that this machine is as much faster or slower for the rest as it was until now. */
  private String leftText() {
    double elapsed = (System.nanoTime() - startNanos) / 1e9;
    double pace = jobsDone < 2 ? 1.0 / parallel : elapsed / typicalSecondsDone;
    long minutes = Math.round((typicalSecondsAll - typicalSecondsDone) * pace / 60);
    return jobsDone == jobsAll ? "done" : "about " + minutes + " min left";
  }
}
