package io.tierwise.simulator.jobs;

/**
 * When tasks start where nodes are given work as they send heartbeats: with the first heartbeat of
 * their node that still has a task to give.
 *
 * <p>Node i of n sends its heartbeats at (i / n + k) h for k = 0, 1, ...: seconds; h the interval.
 * A slot is idle from the end of a task to the next heartbeat, h / 2 in the mean.
 *
 * <p>Source: Hadoop's NodeManagers ({@code
 * yarn.resourcemanager.nodemanagers.heartbeat-interval-ms}, 1 s) and TaskTrackers (3 s): the
 * scheduler answers a heartbeat with tasks. Own: nodes are spread evenly over the interval.
 * Deviation: which task a slot gets is decided when it is free and not at the heartbeat, so that a
 * job that arrives in between is too late for it; and a heartbeat gives maps and reducers out of
 * one count.
 */
final class TaskTurns {
  private final long intervalTicks;
  private final int tasksATurn;
  private final int nodeCount;

  /** By node: its last heartbeat that gave a task, and how many that gave. */
  private final long[] lastTick;

  private final int[] given;

  /**
   * Turns of nodes.
   *
   * @param intervalTicks from one heartbeat of a node to its next; 0: tasks start at once
   * @param tasksATurn that a heartbeat gives at most
   */
  TaskTurns(long intervalTicks, int tasksATurn, int nodeCount) {
    this.intervalTicks = intervalTicks;
    this.tasksATurn = tasksATurn;
    this.nodeCount = nodeCount;
    boolean isOff = intervalTicks == 0;
    this.lastTick = new long[isOff ? 0 : nodeCount];
    this.given = new int[isOff ? 0 : nodeCount];
  }

  /** Takes a turn of the node, now or later; answers when that is. */
  long take(int node, long now) {
    if (intervalTicks == 0) {
      return now;
    }
    long offset = Math.round((double) intervalTicks * node / nodeCount);
    long passed = Math.max(0, now - offset);
    long next = offset + (passed + intervalTicks - 1) / intervalTicks * intervalTicks;
    if (given[node] == 0 || next > lastTick[node]) {
      lastTick[node] = next;
      given[node] = 0;
    } else if (given[node] == tasksATurn) {
      lastTick[node] += intervalTicks;
      given[node] = 0;
    }
    given[node]++;
    return lastTick[node];
  }
}
