package io.tierwise.hadoop.mover;

import io.tierwise.core.action.Move;
import io.tierwise.core.cluster.TierTable;
import io.tierwise.hadoop.hdfs.namenode.RegionNames;
import io.tierwise.hadoop.mover.journal.JournalEntry;
import io.tierwise.hadoop.mover.journal.JournalRun;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;

/** Writes moves into a journal. */
final class JournaledMoves implements MoveLog {
  private final Supplier<JournalRun> journal;
  private final TierTable tiers;
  private final RegionNames regions;
  private final Map<PlannedMove, Long> begun = new ConcurrentHashMap<>();

  JournaledMoves(JournalRun journal, TierTable tiers, RegionNames regions) {
    this(() -> journal, tiers, regions);
  }

  /**
   * @param journal asked for when it is to be written
   */
  JournaledMoves(Supplier<JournalRun> journal, TierTable tiers, RegionNames regions) {
    this.journal = journal;
    this.tiers = tiers;
    this.regions = regions;
  }

  @Override
  public void begin(PlannedMove move) {
    // The mover begins a move again that a busy node refused: one line is enough.
    if (!begun.containsKey(move)) {
      begun.put(move, journal.get().append(entry(move)));
    }
    journal.get().sync();
  }

  @Override
  public void end(PlannedMove move, String why) {
    Long number = begun.remove(move);
    if (number != null) {
      journal.get().append(new JournalEntry.Result(number, why));
    }
  }

  /** Its line stays open, as of a mover that was killed: an undo looks where the replica is. */
  @Override
  public void lost(PlannedMove move) {
    begun.remove(move);
  }

  private JournalEntry.Moving entry(PlannedMove move) {
    FileToMove file = move.work().file();
    Move decision = move.decision();
    double seconds = decision.cost().seconds();
    return new JournalEntry.Moving(
        file.path(),
        file.status().getFileId(),
        file.status().getLen(),
        file.inForce(),
        move.work().index(),
        move.work().block().getBlockId(),
        move.bytes(),
        place(move.from()),
        name(move.source()),
        place(move.to()),
        decision.policy(),
        decision.rule(),
        decision.cost().networkBytes(),
        Double.isNaN(seconds) ? null : seconds);
  }

  private static String name(Endpoint endpoint) {
    return endpoint.node().getHostName() + ":" + endpoint.node().getXferPort();
  }

  private JournalEntry.Place place(Endpoint endpoint) {
    return new JournalEntry.Place(
        name(endpoint),
        endpoint.nodeId(),
        endpoint.storageId(),
        endpoint.type().name(),
        endpoint.tier() == TierTable.NONE ? null : tiers.tier(endpoint.tier()).name(),
        regions.regionOf(endpoint.node().getNetworkLocation()));
  }
}
