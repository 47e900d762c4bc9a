package io.tierwise.simulator.bound;

import java.util.Random;

/** Small clusters: a fast and a slow device on each node, links between them, two racks. */
final class RandomReads {
  private static final int NODES = 4;

  private RandomReads() {}

  static ReadProblem of(Random random, int readers, int blocks, int replicas) {
    ReadProblem problem = new ReadProblem();
    int[][] devices = new int[NODES][2];
    int[] up = new int[NODES];
    int[] down = new int[NODES];
    for (int node = 0; node < NODES; node++) {
      double fast = 20 + 80 * random.nextDouble();
      devices[node][0] = problem.addResource(count -> Math.min(count, 3) * fast / 3);
      double slow = 5 + 10 * random.nextDouble();
      devices[node][1] = problem.addResource(count -> slow / Math.sqrt(count));
      up[node] = problem.addResource(10 + 50 * random.nextDouble());
      down[node] = problem.addResource(10 + 50 * random.nextDouble());
    }
    int[] uplinks = {problem.addResource(15), problem.addResource(40)};
    for (int reader = 0; reader < readers; reader++) {
      problem.addReader();
      int at = random.nextInt(NODES);
      for (int block = 0; block < blocks; block++) {
        problem.addBlock(5 + 20 * random.nextDouble());
        int first = random.nextInt(NODES);
        for (int replica = 0; replica < replicas; replica++) {
          int from = (first + replica) % NODES;
          int device = devices[from][random.nextInt(2)];
          if (from == at) {
            problem.addReplica(device);
          } else if (from % 2 == at % 2) {
            problem.addReplica(device, up[from], down[at]);
          } else {
            problem.addReplica(device, up[from], uplinks[from % 2], down[at]);
          }
        }
      }
    }
    return problem;
  }

  /** A choice between two replicas of every block, from the bits of a number. */
  static int[][] choice(int code, int readers, int blocks) {
    int[][] choice = new int[readers][blocks];
    for (int i = 0; i < readers * blocks; i++) {
      choice[i / blocks][i % blocks] = code >> i & 1;
    }
    return choice;
  }
}
