package io.tierwise.simulator.cluster;

import io.tierwise.simulator.engine.Engine;
import io.tierwise.simulator.network.FlowListener;
import io.tierwise.simulator.network.FlowNetwork;

/**
 * The one network of a run, shared by all who transfer: each owner gets back what it started.
 *
 * <p>A flow's tag is the owner's number in its upper bits and the owner's own payload in the lower
 * ones.
 */
public final class Transfers {
  private static final int OWNERS_MAX = 16;
  private static final int PAYLOAD_BITS = 56;

  /** The largest payload. */
  public static final long PAYLOAD_MAX = (1L << PAYLOAD_BITS) - 1;

  /** Is told when a transfer that it started is over. */
  @FunctionalInterface
  public interface Owner {
    void transferred(int flow, long payload);
  }

  private final Owner[] owners = new Owner[OWNERS_MAX];
  private final FlowNetwork network;
  private int ownerCount;

  public Transfers(Engine engine) {
    FlowListener listener =
        (flow, tag) -> owners[(int) (tag >>> PAYLOAD_BITS)].transferred(flow, tag & PAYLOAD_MAX);
    this.network = new FlowNetwork(engine, listener);
  }

  public FlowNetwork network() {
    return network;
  }

  /** Adds an owner and returns its number. */
  public int addOwner(Owner owner) {
    owners[ownerCount] = owner;
    return ownerCount++;
  }

  /**
   * Starts a transfer, no faster than its path's threads.
   *
   * @param bytesPerSecondMax of what else there is; infinite for none
   * @return the flow's id, valid until it is over or cancelled
   */
  public int start(
      int owner, PathBuffer path, double bytes, double bytesPerSecondMax, long payload) {
    return network.start(
        path.resources(),
        path.unitsPerByte(),
        path.length(),
        bytes,
        Math.min(bytesPerSecondMax, path.bytesPerSecondMax()),
        ((long) owner << PAYLOAD_BITS) | payload);
  }
}
