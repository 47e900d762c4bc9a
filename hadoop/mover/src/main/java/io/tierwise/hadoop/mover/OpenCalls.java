package io.tierwise.hadoop.mover;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/** The calls of DataNodes that are under way, so that a stop ends them. Safe for many threads. */
final class OpenCalls {
  private final Supplier<DataNodeCall> calling;
  private final Set<DataNodeCall> calls = ConcurrentHashMap.newKeySet();

  OpenCalls(Supplier<DataNodeCall> calling) {
    this.calling = calling;
  }

  /** Has a move made; false when the run was stopped before anything was asked. */
  boolean make(PlannedMove move, MoveLog log, BooleanSupplier stopped) throws MoveFailure {
    try (DataNodeCall call = calling.get()) {
      calls.add(call);
      try {
        // Asked after the call can be seen, so that a stop ends either this or the call.
        if (stopped.getAsBoolean()) {
          return false;
        }
        log.begin(move);
        call.make(move);
        return true;
      } finally {
        calls.remove(call);
      }
    }
  }

  void close() {
    calls.forEach(DataNodeCall::close);
  }
}
