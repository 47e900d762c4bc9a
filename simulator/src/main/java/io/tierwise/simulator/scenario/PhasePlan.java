package io.tierwise.simulator.scenario;

/** How the phases of a job's tasks follow one another. */
public enum PhasePlan {
  /** As the model says of jobs that do not say. */
  MODEL,

  /** A task computes while it reads and writes: the slowest of them hides the others. */
  OVERLAPPED,

  /** A task reads, computes and writes one after the other. */
  SERIES
}
