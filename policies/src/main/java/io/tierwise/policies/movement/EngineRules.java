package io.tierwise.policies.movement;

/**
 * The moves that the engine that holds the block allows. Asked about volumes that a policy would
 * choose.
 */
public interface EngineRules {
  /** An engine that makes every move that it is told. */
  class Obedient implements EngineRules {
    @Override
    public boolean movesInside(int from, int to) {
      return true;
    }

    @Override
    public boolean keepsCopy(int from, int to) {
      return true;
    }
  }

  /** Whether a replica can change from one volume of a node to another one of it. */
  boolean movesInside(int from, int to);

  /**
   * Whether the engine, after a copy came to {@code to} on another node, drops the replica on
   * {@code from} and not the copy.
   */
  boolean keepsCopy(int from, int to);

  /** Whether a copy can be read from the replica there. */
  default boolean canRead(int volume) {
    return true;
  }

  /**
   * The bytes that a volume must have free before the engine copies a block there from another
   * node.
   */
  default long roomForCopyBytes(long blockBytes) {
    return blockBytes;
  }
}
