package io.tierwise.core.work;

import java.util.Objects;

/**
 * A job as it was submitted. Made once, when it arrives; nothing in it changes.
 *
 * @param id counts the jobs of one host in order of submission, from 0
 * @param name for people
 * @param application which program it runs; empty when unknown
 * @param submittedNanos on the host's clock
 * @param demand the bytes that it moves
 */
public record Job(int id, String name, String application, long submittedNanos, Demand demand) {
  public Job {
    Objects.requireNonNull(name, "name");
    Objects.requireNonNull(application, "application");
    Objects.requireNonNull(demand, "demand");
  }
}
