package io.tierwise.hadoop.mover;

import io.tierwise.core.message.Listener;
import io.tierwise.hadoop.mover.journal.JournalRun;
import java.io.IOException;
import java.util.List;

/** Work for a mover: it says what it would do, and does it. {@link JobRun} runs one. */
public interface MoverJob {
  /** Plans what {@link #run} would move now; nothing is changed. */
  MoverReport plan(MoverSettings settings) throws IOException;

  /** Changes what it changes beside moves, and moves; each is written down before it is done. */
  MoverReport run(Mover mover, JournalRun journal, Listener.Step progress) throws IOException;

  /** The number of changes that it makes beside moves. */
  default long changes() {
    return 0;
  }

  /** The changes that it leaves out, by reason. */
  default List<MoverReport.Left> changesLeft() {
    return List.of();
  }

  /** Moves by an order; policies stay but for the storage policies that it names. */
  static MoverJob of(MoverCluster cluster, MoveOrder order) {
    return new MoverJob() {
      @Override
      public MoverReport plan(MoverSettings settings) throws IOException {
        return Mover.plan(cluster, settings, order);
      }

      @Override
      public MoverReport run(Mover mover, JournalRun journal, Listener.Step progress)
          throws IOException {
        new JournaledChanges(cluster.fs(), cluster.active(), journal)
            .storagePolicies(
                StoragePolicies.changes(cluster.fs(), order),
                JournaledChanges.PolicyRefusal.PASSED_OVER);
        return mover.run(order, progress);
      }

      @Override
      public long changes() {
        return order.storagePolicies().size();
      }
    };
  }
}
