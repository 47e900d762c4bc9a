package io.tierwise.simulator.movement;

import io.tierwise.policies.movement.MoveTurns;
import io.tierwise.simulator.engine.Ticks;
import java.util.List;
import java.util.stream.IntStream;

/** Tells the turns of moves how busy nodes are, as often as nodes report it by heartbeats. */
final class LoadReports {
  private final MoveTurns<ReplicaMove, Integer> turns;
  private final MovementRun.Surroundings host;
  private final boolean yields;
  private final List<Integer> nodes;
  private final long heartbeatTicks;

  /** When nodes report next. */
  private long reportTick;

  LoadReports(
      MoveTurns<ReplicaMove, Integer> turns,
      MovementRun.Surroundings host,
      MovementRun.Order order,
      int nodeCount) {
    this.turns = turns;
    this.host = host;
    this.yields = order.limits().yieldAbove() > 0;
    this.nodes = IntStream.range(0, nodeCount).boxed().toList();
    this.heartbeatTicks = Math.max(1, Ticks.ofSeconds(order.heartbeatSeconds()));
  }

  /** Tells it when it is time. */
  void tell(long nowNanos) {
    if (yields && host.nowTick() >= reportTick) {
      reportTick = host.nowTick() + heartbeatTicks;
      turns.know(nowNanos, nodes, host.load());
    }
  }

  /** Has the run go on with the next report, if a move waits. */
  void wake() {
    if (yields && turns.isWaiting()) {
      host.wakeAt(reportTick);
    }
  }
}
