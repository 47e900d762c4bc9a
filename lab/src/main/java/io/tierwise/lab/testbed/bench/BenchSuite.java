package io.tierwise.lab.testbed.bench;

import java.util.List;
import java.util.Set;

/** The measurements of a bench. */
public enum BenchSuite {
  ALL,
  /** Without a restart of daemons. */
  QUICK,
  /** One order of replicas beside all others. */
  READS;

  List<BenchPhase> phases(Set<ReadsPart> parts, long blockBytes) {
    return switch (this) {
      case ALL -> BenchPhase.all();
      case QUICK -> BenchPhase.quick();
      case READS -> ReadsPhases.of(parts, blockBytes);
    };
  }
}
