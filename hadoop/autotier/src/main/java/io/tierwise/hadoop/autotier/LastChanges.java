package io.tierwise.hadoop.autotier;

import io.tierwise.core.message.OperatorException;
import io.tierwise.hadoop.inspect.cluster.ClusterUri;
import io.tierwise.hadoop.mover.ReplicaMark;
import io.tierwise.hadoop.mover.journal.Journal;
import io.tierwise.hadoop.mover.journal.JournalEntry;
import io.tierwise.hadoop.mover.journal.PastRun;
import io.tierwise.policies.movement.AdaptivePlacement;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;
import org.apache.hadoop.hdfs.protocol.HdfsFileStatus;

/**
 * The last number of replicas that a daemon gave each file: by the mark on the file, which every
 * daemon of the cluster finds, else by this one's journal, as earlier versions left it. What {@code
 * undo} took back counts as a change, too, so that it is held.
 */
final class LastChanges {
  /** The end of what a run of the journal goes to, when it prefetches. */
  private static final String PREFETCHED = " by " + AdaptivePlacement.NAME;

  /** Of runs before this daemon's: earlier versions left no marks. */
  private final Map<Long, ReplicaMark> byFile = new HashMap<>();

  /**
   * By file, the last change that HDFS refused after the file was marked, as where a quota is full,
   * or of which nobody wrote down whether it was made.
   */
  private final Map<Long, Begun> begun = new HashMap<>();

  private final Map<Long, Placed> placed = new HashMap<>();

  /**
   * By file and tier, where replicas may be after moves that failed, or of which nobody wrote the
   * result: a DataNode goes on with a copy that nobody waits for any more, or never heard of it.
   */
  private final Map<Long, Map<String, Placed>> doubtful = new HashMap<>();

  /** Of files that a daemon gave another storage policy, what they had before. */
  private final Map<Long, Policy> storagePolicies = new HashMap<>();

  /** Files that a daemon gave back what they had, or may have, by id. */
  private final Map<Long, String> givenBack = new HashMap<>();

  /** Files of which the last run that gave them a storage policy, or took one back, prefetched. */
  private final Set<Long> policiesOfPrefetches = new HashSet<>();

  private final SentFiles sent = new SentFiles();

  /** The time of the last step that was read, in seconds since 1970. */
  private double latestSeconds;

  /** Whether the runs that were there at the beginning have been read. */
  private boolean isOpen;

  private record Begun(JournalEntry.Replicas change, double seconds) {}

  private record Policy(String path, String before) {}

  /**
   * A file of which a replica was moved, or may have been.
   *
   * @param bytes of it that are there: all, until the NameNode {@linkplain #saw said} otherwise
   * @param tier where to, the last time
   * @param prefetched for a job that waited
   */
  record Placed(String path, long bytes, String tier, double seconds, boolean prefetched) {
    private Placed under(String now) {
      return new Placed(now, bytes, tier, seconds, prefetched);
    }

    private Placed with(long there) {
      return new Placed(path, there, tier, seconds, prefetched);
    }

    private Placed popular() {
      return new Placed(path, bytes, tier, seconds, false);
    }
  }

  /** The same where somebody else has told of runs that cannot be read. */
  static LastChanges of(Journal journal, ClusterUri cluster) {
    return of(journal, cluster, line -> {});
  }

  /**
   * Reads the runs of this cluster's daemons, and of others their first lines alone.
   *
   * @param say is told a line for people about each run that cannot be read: it is left out, since
   *     a damaged file is no reason to have no daemon
   */
  static LastChanges of(Journal journal, ClusterUri cluster, Consumer<String> say) {
    LastChanges changes = new LastChanges();
    Set<String> ours = new HashSet<>();
    for (String id : journal.runs()) {
      try {
        JournalEntry.Begin begin = journal.beginOf(id);
        boolean undoes = ours.contains(String.valueOf(begin.undoes()));
        if (cluster.is(begin.cluster())
            && (begin.command().equals(ReplicaMark.COMMAND) || undoes)) {
          ours.add(id);
          changes.add(PastRun.read(journal, id));
        }
      } catch (OperatorException e) {
        say.accept(
            e.getMessage()
                + ": autotier goes on without it, and leaves alone what that run brought to the"
                + " fast tier");
      }
    }
    changes.isOpen = true;
    return changes;
  }

  /** Takes in what a run did. */
  void add(PastRun run) {
    boolean prefetches = String.valueOf(run.begin().to()).endsWith(PREFETCHED);
    Set<Long> moved = new HashSet<>();
    Set<Long> doubted = new HashSet<>();
    Set<Long> returned = new HashSet<>();
    sent.add(run);
    run.read(
        step -> {
          add(step, prefetches);
          if (step.entry() instanceof JournalEntry.Moving move) {
            (step.done() ? moved : doubted).add(move.fileId());
          } else if (step.entry() instanceof JournalEntry.StoragePolicy policy) {
            returned.add(policy.fileId());
          }
        });
    // All of such a file is where this run moved it, whatever became of earlier ones.
    moved.removeAll(doubted);
    doubtful.keySet().removeAll(moved);
    returned.retainAll(moved);
    returned.removeAll(storagePolicies.keySet());
    // It has what it had before, and is where it was.
    returned.forEach(this::forgetStoragePolicy);
  }

  private void add(PastRun.Step step, boolean prefetches) {
    latestSeconds = Math.max(latestSeconds, step.time().toEpochMilli() / 1e3);
    if (step.entry() instanceof JournalEntry.Moving move) {
      moved(step, move, prefetches);
    } else if (step.entry() instanceof JournalEntry.Replicas entry) {
      if (step.mayBeMade() && !isOpen) {
        byFile.put(
            entry.fileId(),
            new ReplicaMark(entry.fileId(), 0, entry.after(), step.time().toEpochMilli(), false));
      }
      if (step.done()) {
        begun.remove(entry.fileId());
      } else {
        begun.put(entry.fileId(), new Begun(entry, step.time().toEpochMilli() / 1e3));
      }
    } else if (step.mayBeMade() && step.entry() instanceof JournalEntry.StoragePolicy policy) {
      policiesOfPrefetches.remove(policy.fileId());
      if (prefetches) {
        policiesOfPrefetches.add(policy.fileId());
      }
      if (policy.after().equals(TierMoves.KEEPING.name())) {
        storagePolicies.put(policy.fileId(), new Policy(policy.file(), policy.before()));
        givenBack.remove(policy.fileId());
      } else {
        givenBack.put(policy.fileId(), policy.file());
        if (step.done()) {
          storagePolicies.remove(policy.fileId());
        } // Else it may have been written down alone, and the file has what a daemon gave it.
      }
    }
  }

  /** The files that daemons, or people, moved to the secondary store and back. */
  SentFiles sent() {
    return sent;
  }

  private void moved(PastRun.Step step, JournalEntry.Moving move, boolean prefetches) {
    double seconds = (step.ended() == null ? step.time() : step.ended()).toEpochMilli() / 1e3;
    String tier = String.valueOf(move.to().tier());
    Placed now = new Placed(move.file(), move.fileBytes(), tier, seconds, prefetches);
    if (step.done()) {
      placed.put(move.fileId(), now);
      return;
    }
    Map<String, Placed> tiers = doubtful.computeIfAbsent(move.fileId(), id -> new HashMap<>());
    tiers.put(tier, now);
    Placed before = placed.get(move.fileId());
    if (before != null && before.tier().equals(move.from().tier())) {
      // Other blocks of the file may leave all the same.
      tiers.put(before.tier(), before);
    }
  }

  /**
   * The files that the last move brought to the tier, or one that failed may have, by id; but for
   * those that were prefetched.
   */
  Map<Long, Placed> placedIn(String tier) {
    return in(tier, false);
  }

  /** Those that were prefetched for jobs. */
  Map<Long, Placed> prefetchedIn(String tier) {
    return in(tier, true);
  }

  private Map<Long, Placed> in(String tier, boolean prefetched) {
    Map<Long, Placed> there = in(tier);
    there.values().removeIf(last -> last.prefetched() != prefetched);
    return there;
  }

  private Map<Long, Placed> in(String tier) {
    Map<Long, Placed> there = new TreeMap<>();
    doubtful.forEach(
        (file, tiers) -> {
          if (tiers.containsKey(tier)) {
            there.put(file, tiers.get(tier));
          }
        });
    placed.forEach(
        (file, last) -> {
          if (last.tier().equals(tier)) {
            there.put(file, last);
          }
        });
    return there;
  }

  /** HDFS's storage policy that a file had before a daemon gave it another one. */
  Optional<String> storagePolicyBefore(HdfsFileStatus file) {
    return file.getStoragePolicy() == TierMoves.KEEPING.value()
        ? Optional.ofNullable(storagePolicies.get(file.getFileId())).map(Policy::before)
        : Optional.empty();
  }

  /**
   * Paths of files, by id, that have the storage policy with which a replica stays in a tier, and
   * none came or will: a run ended in between.
   *
   * @param slow the tier where all replicas are otherwise
   */
  Map<Long, String> keptInVain(String slow) {
    Map<Long, String> files = new TreeMap<>();
    storagePolicies.forEach(
        (file, policy) -> {
          if (!mayBeOutside(file, slow)) {
            files.put(file, policy.path());
          }
        });
    return files;
  }

  private boolean mayBeOutside(long file, String tier) {
    Placed last = placed.get(file);
    return (last != null && !last.tier().equals(tier))
        || doubtful.getOrDefault(file, Map.of()).keySet().stream()
            .anyMatch(other -> !other.equals(tier));
  }

  /** The other way round: a replica is there, and does not stay by its storage policy. */
  Map<Long, String> unkept(String tier) {
    Map<Long, String> files = new TreeMap<>(givenBack);
    files.keySet().retainAll(in(tier).keySet());
    return files;
  }

  /** Whether a prefetch gave the file its storage policy, or gave it back, and no round did. */
  boolean hasPolicyOfPrefetch(long fileId) {
    return policiesOfPrefetches.contains(fileId);
  }

  /** The file has the storage policy with which its replica stays. */
  void keeps(long fileId) {
    givenBack.remove(fileId);
  }

  /** Somebody gave the file a storage policy of his own, or deleted it. */
  void forgetStoragePolicy(long fileId) {
    storagePolicies.remove(fileId);
    givenBack.remove(fileId);
    policiesOfPrefetches.remove(fileId);
  }

  /**
   * The NameNode has a file, if it is known, under that path and with so many bytes in the tier.
   */
  void saw(String tier, long fileId, String path, long bytes) {
    change(fileId, last -> last.tier().equals(tier) ? last.under(path).with(bytes) : last);
  }

  /** A file that was prefetched is kept for its readers from now on. */
  void popular(long fileId) {
    change(fileId, Placed::popular);
  }

  private void change(long fileId, UnaryOperator<Placed> how) {
    placed.computeIfPresent(fileId, (id, last) -> how.apply(last));
    Map<String, Placed> tiers = doubtful.get(fileId);
    if (tiers != null) {
      tiers.replaceAll((tier, last) -> how.apply(last));
    }
  }

  /** The file was deleted, somebody moved it, or it never came. */
  void forgetPlaced(long fileId) {
    placed.remove(fileId);
    doubtful.remove(fileId);
    if (!storagePolicies.containsKey(fileId)) {
      forgetStoragePolicy(fileId);
    }
  }

  /** The last change of a file with these attributes; empty for one that no daemon changed. */
  Optional<ReplicaMark> of(long fileId, Map<String, byte[]> attributes) {
    Optional<ReplicaMark> mark = ReplicaMark.of(fileId, attributes);
    if (mark.isPresent()) {
      byFile.remove(fileId);
    }
    return mark.or(() -> Optional.ofNullable(byFile.get(fileId)));
  }

  /**
   * Whether the change that a file is marked with was made: a daemon that is killed between both,
   * or that HDFS refuses the change, leaves the mark alone, which must not hold the file.
   *
   * @param replicas that the file has
   */
  boolean isMade(ReplicaMark mark, int replicas) {
    Begun last = begun.get(mark.fileId());
    return last == null
        || mark.after() != last.change().after()
        || replicas != last.change().before();
  }

  /**
   * Forgets what can change no answer any more: files that have left the fast tier with the storage
   * policy that they had, and changes that were refused so long ago that their marks hold nothing.
   * Memory grows with the files in the tier, and with those that earlier versions changed.
   *
   * @param fast the tier that answers are asked about; empty for none
   * @param heldSeconds for which a mark may hold a file
   */
  void forgetPast(Optional<String> fast, double heldSeconds) {
    begun.values().removeIf(one -> latestSeconds - one.seconds() > heldSeconds);
    Set<Long> there = fast.map(tier -> in(tier).keySet()).orElse(Set.of());
    givenBack.keySet().retainAll(there);
    policiesOfPrefetches.removeIf(
        file -> !storagePolicies.containsKey(file) && !givenBack.containsKey(file));
    Predicate<Long> isPast = file -> !there.contains(file) && !storagePolicies.containsKey(file);
    placed.keySet().removeIf(isPast);
    doubtful.keySet().removeIf(isPast);
  }

  /** The number of files of which something is remembered, but for those of the secondary store. */
  int files() {
    Set<Long> files = new HashSet<>(byFile.keySet());
    List.of(begun, placed, doubtful, storagePolicies, givenBack)
        .forEach(each -> files.addAll(each.keySet()));
    files.addAll(policiesOfPrefetches);
    return files.size();
  }
}
