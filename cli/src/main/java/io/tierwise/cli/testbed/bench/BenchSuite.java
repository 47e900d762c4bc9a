package io.tierwise.cli.testbed.bench;

import java.util.List;

/** What a bench measures. */
public enum BenchSuite {
  ALL,
  /** Without a restart of daemons. */
  QUICK,
  /** One order of replicas beside all others. */
  READS;

  List<BenchPhase> phases(long blockBytes) {
    return switch (this) {
      case ALL -> BenchPhase.all();
      case QUICK -> BenchPhase.quick();
      case READS -> BenchPhase.reads(blockBytes);
    };
  }
}
