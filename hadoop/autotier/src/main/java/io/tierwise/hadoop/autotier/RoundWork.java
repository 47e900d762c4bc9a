package io.tierwise.hadoop.autotier;

import io.tierwise.core.message.OperatorException;
import io.tierwise.hadoop.mover.JournaledChanges;
import io.tierwise.hadoop.mover.MoverCluster;
import io.tierwise.hadoop.mover.MoverReport;
import io.tierwise.hadoop.mover.PathRefusal;
import io.tierwise.hadoop.mover.ReplicaMark;
import io.tierwise.hadoop.mover.journal.Journal;
import io.tierwise.hadoop.mover.journal.JournalEntry;
import io.tierwise.hadoop.mover.journal.JournalRun;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import org.apache.hadoop.hdfs.protocol.HdfsFileStatus;
import org.apache.hadoop.ipc.RemoteException;
import org.apache.hadoop.security.AccessControlException;

/**
 * Makes the changes of a plan in a thread of its own, so that the log is read meanwhile: first
 * numbers of replicas, then moves. Each is written down before it is made.
 */
final class RoundWork {
  /**
   * Own: so many files are written down with one sync, and a pause waits for no more than these.
   */
  private static final int FILES_AT_ONCE = 64;

  private final RoundPlan plan;
  private final MoverCluster cluster;
  private final AutotierSettings settings;
  private final Journal journal;
  private final Autotier.Gate gate;
  private final InstantSource clock = InstantSource.system();
  private final Thread thread = new Thread(this::work, "autotier-round");
  private final LeftFiles left = new LeftFiles();
  private final List<RoundPlan.Change> made = new ArrayList<>();
  private final Set<String> refused = new HashSet<>();

  /** Also of a thread that was given up. */
  private final List<String> ids = new CopyOnWriteArrayList<>();

  private long movedReplicas;
  private long movedBytes;
  private final List<ShareChoice> shares = new ArrayList<>();

  private Throwable failure;
  private volatile boolean stopped;
  private final TierMoveRuns runs;
  private final StoreWork stores;

  /**
   * Nothing is changed before {@link #start}.
   *
   * @param mover of all that move for this daemon
   */
  RoundWork(
      RoundPlan plan,
      MoverCluster cluster,
      AutotierSettings settings,
      Journal journal,
      DaemonMover mover,
      Autotier.Gate gate) {
    this.plan = plan;
    this.cluster = cluster;
    this.settings = settings;
    this.journal = journal;
    this.gate = gate;
    this.runs = new TierMoveRuns(cluster, settings.moving(), mover, this::begin, () -> !stopped);
    this.stores =
        new StoreWork(
            new StoreWork.Cluster(cluster, settings, journal),
            mover.stores(),
            this::begin,
            left,
            new StoreWork.Ends() {
              @Override
              public boolean isStopped() {
                return stopped;
              }

              @Override
              public boolean holdsLease() {
                return RoundWork.this.holdsLease();
              }
            });
    thread.setDaemon(true);
  }

  RoundWork start() {
    thread.start();
    return this;
  }

  /** Ends it within seconds; from any thread. */
  void stop() {
    stopped = true;
    runs.stop();
  }

  /** An unpopular file is needed for that reason, and stays; from any thread. */
  void needs(String path, String why) {
    stores.needs(path, why);
  }

  boolean isDone() {
    return !thread.isAlive();
  }

  /** Runs of the journal that it began, when it is done. */
  List<String> ids() {
    return ids;
  }

  /** Changes of numbers that were made, when it is done. */
  List<RoundPlan.Change> made() {
    return made;
  }

  /**
   * The round, when it is done.
   *
   * @throws IOException when the NameNode went away in the middle of it
   */
  Round result() throws IOException {
    ThreadFailure.raise(failure);
    return new Round(
        ids,
        plan.until(),
        made.size(),
        made.stream().mapToLong(change -> Math.max(0, change.storedBytes())).sum(),
        made.stream().mapToLong(change -> Math.max(0, -change.storedBytes())).sum(),
        movedReplicas,
        movedBytes,
        stores.offloadedFiles(),
        stores.offloadedBytes(),
        stores.recalledFiles(),
        stores.recalledBytes(),
        shares,
        allLeft(),
        stopped);
  }

  /** Refused rules, and shares that could not be chosen, are no part of what the journal has. */
  private List<RoundPlan.Left> allLeft() {
    List<RoundPlan.Left> all = new ArrayList<>(plan.refused());
    plan.left().stream().filter(one -> one.files() == 0).forEach(all::add);
    all.addAll(left.list());
    return all;
  }

  private void work() {
    try {
      if (!plan.changes().isEmpty() && !stopped) {
        changeReplicas();
      }
      for (ShareChoice share : plan.shares()) {
        if (!share.changes()) {
          shares.add(share);
        } else if (!stopped) {
          changeShare(share);
        }
      }
      for (RoundPlan.TierMove move : plan.moves()) {
        if (!stopped) {
          move(move);
        }
      }
      // Somebody waits for those that are read.
      for (StoreMove recall : plan.recalls()) {
        if (!stopped) {
          store(recall);
        }
      }
      for (StoreMove offload : plan.offloads()) {
        if (!stopped) {
          store(offload);
        }
      }
    } catch (IOException | RuntimeException | Error e) {
      failure = e;
    }
  }

  /** Known by its id from now on, however it ends: what it moved has to be found again. */
  private JournalRun begin(List<String> paths, String to) throws IOException {
    JournalRun run = journal.begin(ReplicaMark.COMMAND, cluster.fs(), paths, to, null);
    ids.add(run.id());
    return run;
  }

  private void changeReplicas() throws IOException {
    try (JournalRun run = begin(settings.paths(), plan.predictor())) {
      int size = plan.changes().size();
      int from = 0;
      while (from < size && !stopped) {
        int to = Math.min(size, from + FILES_AT_ONCE);
        some(plan.changes().subList(from, to), run);
        from = to;
      }
      run.append(
          new JournalEntry.End(
              made.size(),
              0,
              left.list().stream()
                  .map(
                      one ->
                          new JournalEntry.Left(one.reason(), true, one.files(), 0, one.example()))
                  .toList(),
              from < size));
    }
  }

  private void some(List<RoundPlan.Change> changes, JournalRun run) throws IOException {
    Map<Long, RoundPlan.Change> waiting = new LinkedHashMap<>();
    JournaledChanges asked =
        JournaledChanges.on(
            cluster,
            run,
            change -> mark(waiting.get(change.fileId())),
            (change, why) -> {
              refused(change, why);
              unmark(waiting.get(change.fileId()));
            });
    for (RoundPlan.Change change : changes) {
      HdfsFileStatus now = cluster.fs().getClient().getFileInfo(change.path());
      if (now == null || now.getFileId() != change.fileId()) {
        left.add("it was deleted or renamed since it was planned", change.path());
      } else if (now.getReplication() == change.before()) {
        waiting.put(change.fileId(), change);
        asked.replicas(change.path(), change.fileId(), change.before(), change.asked());
      } else if (now.getReplication() != change.after()) {
        // Else it is done: mostly by this round itself, which failed after that and is made again.
        left.add("its number of replicas was changed since it was planned", change.path());
      }
    }
    asked.flush();
    waiting.values().stream().filter(change -> !refused.contains(change.path())).forEach(made::add);
  }

  /** Right before the number changes: this process may have stood still for long. */
  private void mark(RoundPlan.Change change) throws IOException {
    gate.requireLease();
    change.mark(clock.millis()).write(cluster.fs());
  }

  /** Else the mark would hold the file, and claim the number for when somebody chooses it. */
  private void unmark(RoundPlan.Change change) throws IOException {
    gate.requireLease();
    try {
      change.unmade().write(cluster.fs());
    } catch (IOException e) {
      if (PathRefusal.of(e).isEmpty()) {
        throw e;
      } // Else who may not change the file could not mark it either.
    }
  }

  /** An error about one file becomes that file's reason; any other ends the round. */
  private void refused(JournalEntry.Replicas change, IOException why) throws IOException {
    String reason = PathRefusal.of(why).orElseThrow(() -> why);
    refused.add(change.file());
    left.add(reason, change.file());
  }

  private void changeShare(ShareChoice share) throws IOException {
    MoverCluster current;
    try {
      // Asked anew: the attribute says since when it holds, and another NameNode may be active.
      current = MoverCluster.of(cluster.fs(), cluster.conf());
    } catch (OperatorException e) {
      // Such as a tier table that somebody has just broken: the next round looks again.
      left.add(e.getMessage(), share.path());
      return;
    }
    try {
      HdfsFileStatus now = cluster.fs().getClient().getFileInfo(share.path());
      if (!current.pluginRuns()) {
        left.add(DirectoryShares.whyNotObeyed(current), share.path());
      } else if (now == null || now.getFileId() != share.fileId()) {
        left.add("it was deleted or renamed since it was planned", share.path());
      } else if (!share.before().equals(DirectoryShares.policyOn(cluster, share.path()))) {
        left.add("its policy was changed since it was planned", share.path());
      } else {
        gate.requireLease();
        writeShare(current, share);
      }
    } catch (AccessControlException | FileNotFoundException | RemoteException e) {
      left.add(PathRefusal.of(e).orElseThrow(() -> e), share.path());
    }
  }

  private void writeShare(MoverCluster current, ShareChoice share) throws IOException {
    try (JournalRun run = begin(List.of(share.path()), share.after())) {
      try {
        JournaledChanges.on(current, run, JournaledChanges.Before.NOTHING, this::refused)
            .policy(share.path(), share.after());
        shares.add(share);
        run.append(new JournalEntry.End(1, 0, List.of(), false));
      } catch (AccessControlException | FileNotFoundException | RemoteException e) {
        String why = PathRefusal.of(e).orElseThrow(() -> e);
        left.add(why, share.path());
        run.append(
            new JournalEntry.End(
                0, 0, List.of(new JournalEntry.Left(why, true, 1, 0, share.path())), false));
      }
    }
  }

  private void move(RoundPlan.TierMove move) throws IOException {
    try {
      Optional<MoverReport> report = runs.run(move, gate);
      if (report.isPresent()) {
        movedReplicas += report.get().moved().replicas();
        movedBytes += report.get().moved().bytes();
        for (MoverReport.Left one : report.get().left()) {
          // It counts replicas: nobody knows of how many files.
          left.note(move.by() + ": " + one.text(), one.example());
        }
      }
    } catch (OperatorException e) {
      // A person's own move has the lock: the next round tries again.
      List<String> paths = move.paths();
      left.add(move.by() + ": " + e.getMessage(), paths.size(), paths.get(0));
    }
  }

  private void store(StoreMove move) throws IOException {
    stores.make(move);
    gate.requireLease();
  }

  private boolean holdsLease() {
    try {
      gate.requireLease();
      return true;
    } catch (IOException | Autotier.Replaced e) {
      return false;
    }
  }
}
