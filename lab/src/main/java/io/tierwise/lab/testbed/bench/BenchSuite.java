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

  /** The suite that options name. */
  public static BenchSuite of(boolean quick, boolean reads, boolean smoke) {
    if (quick && reads) {
      throw new IllegalArgumentException("--quick and --reads: one of them");
    }
    if (smoke && !reads) {
      throw new IllegalArgumentException("--smoke goes with --reads");
    }
    return quick ? QUICK : reads ? READS : ALL;
  }

  List<BenchPhase> phases(Set<ReadsPart> parts, long blockBytes) {
    return switch (this) {
      case ALL -> BenchPhase.all();
      case QUICK -> BenchPhase.quick();
      case READS -> ReadsPhases.of(parts, blockBytes);
    };
  }
}
