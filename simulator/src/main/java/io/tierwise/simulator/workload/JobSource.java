package io.tierwise.simulator.workload;

import java.io.IOException;
import java.util.List;

/**
 * Jobs in order of arrival, one at a time: a trace of any length costs no memory.
 *
 * <p>Some sources are open (a trace: when a job arrives depends on nothing that happens in the
 * run), some are closed loops (a job arrives because another one is over). One rule serves both.
 * The host
 *
 * <ol>
 *   <li>calls {@link #next} at the start and again when the job that it got has arrived;
 *   <li>when {@code next} returns null, calls it again only after {@link #finished} said that it
 *       may have another job;
 *   <li>calls {@code finished} once for each job, at the time when it is over, in order of time. A
 *       job that ends without success counts as over, too;
 *   <li>is done when {@code next} returned null and every job that it got is over.
 * </ol>
 *
 * <p>Submit times never decrease from one job to the next, and a job that {@code next} returns
 * after {@code finished(.., t)} is never submitted before t. A trace that is not sorted ends with
 * an error that names the line. Not safe for several threads.
 */
public interface JobSource extends AutoCloseable {
  /**
   * The next job, or null when there is none now: after the last one, or until a job finishes.
   *
   * @throws IOException when the trace cannot be read on; the message names file and line
   */
  JobSpec next() throws IOException;

  /**
   * Tells a closed loop that a job is over.
   *
   * @param job one that {@link #next} returned
   * @param atSeconds when, since the start of the run; never before an earlier call's
   * @return whether {@code next}, should it have returned null before, is worth another call
   */
  default boolean finished(JobSpec job, double atSeconds) {
    return false;
  }

  /**
   * The node that each map's split names, instead of those that hold its data; empty when splits
   * name the latter, as they mostly do.
   */
  default List<Integer> mapNodes(JobSpec job) {
    return List.of();
  }

  /**
   * How many files the job's input is when no job wrote it: equal ones, one behind the other, of
   * which each begins with a block of its own.
   */
  default int inputFiles(JobSpec job) {
    return 1;
  }

  /** Share of the jobs that {@link #next} has returned, from 0 to 1; NaN when not known. */
  default double progress() {
    return Double.NaN;
  }

  /** Rows that were left out until now, because the scenario says that bad rows are skipped. */
  default BadRows badRows() {
    return BadRows.NONE;
  }

  /** Oddities of the workload until now that are no errors: one line, or empty. */
  default String warning() {
    return "";
  }

  @Override
  void close() throws IOException;
}
