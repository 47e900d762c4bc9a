package io.tierwise.hadoop.mover;

import io.tierwise.hadoop.mover.shuffle.ShuffleWatch;
import io.tierwise.policies.movement.MovementLimits;
import java.io.Closeable;
import java.util.List;
import org.apache.hadoop.conf.Configuration;

/**
 * What a mover yields to beside the transfers of DataNodes: shuffles, and the movers of other name
 * services. Both are asked for all the time, from its begin to its close.
 */
final class Foreground implements Closeable {
  private final boolean yields;
  private final ShuffleWatch shuffles;
  private final OtherMovers movers;

  private Foreground(boolean yields, ShuffleWatch shuffles, OtherMovers movers) {
    this.yields = yields;
    this.shuffles = shuffles;
    this.movers = movers;
  }

  /**
   * @param connection to the name service whose data is moved
   * @param known of other name services by movers of this process
   */
  static Foreground start(
      Configuration conf,
      MovementLimits limits,
      MoverConnection connection,
      OtherMovers.Known known) {
    ShuffleWatch shuffles = new ShuffleWatch(conf);
    if (limits.yieldAboveShuffleBytesPerSecond() > 0) {
      shuffles.start();
    }
    OtherMovers movers =
        OtherMovers.of(conf, connection.blockPoolId(), connection::liveNodes, known);
    movers.start();
    return new Foreground(limits.yields(), shuffles, movers);
  }

  /** Whether there is anything to yield to. */
  boolean isWatched() {
    return yields || movers.mayBe();
  }

  ForegroundWatch watch(ForegroundWatch.Question nameNode, MoveQueue queue) {
    return new ForegroundWatch(nameNode, shuffles::bytesPerSecond, movers::part, queue);
  }

  /** A line for people; null when all were seen. */
  String unseenShuffle() {
    return shuffles.unseen();
  }

  /** Name services whose movers could not always be heeded. */
  List<OtherNameService.Silent> unseenMovers() {
    return movers.unseen();
  }

  @Override
  public void close() {
    shuffles.close();
    movers.close();
  }
}
