package io.tierwise.hadoop.secondary;

import io.tierwise.core.message.Listener;
import io.tierwise.core.message.OperatorException;
import io.tierwise.core.message.Words;
import io.tierwise.hadoop.mover.JobRun;
import io.tierwise.hadoop.mover.journal.JournalEntry;
import io.tierwise.hadoop.mover.journal.JournalRun;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.LongUnaryOperator;
import org.apache.hadoop.fs.FsStatus;
import org.apache.hadoop.security.AccessControlException;

/**
 * Offloads or recalls the files at paths and below, one after the other. Each is written down
 * before it is moved. A run that is ended anywhere leaves every file readable, and another one does
 * the rest.
 */
public final class SecondaryRun {
  /** The purpose of a run. */
  public enum Kind {
    /** To the store; HDFS keeps a placeholder. */
    OFFLOAD,
    /** A copy in the store; HDFS keeps its replicas until they are offloaded. */
    COPY,
    /** Back to HDFS; the store keeps its copy until it is cleaned. */
    RECALL,
    /** Reads copies and compares them with their checksums; changes nothing. */
    VERIFY
  }

  private final SecondaryTier tier;
  private final SecondarySettings settings;
  private final Kind kind;
  private final Steps steps;
  private final LeftFiles left = new LeftFiles();
  private Rule meant = file -> Optional.empty();
  private long files;
  private long bytes;
  private long storeBytes;

  /** What a file's copy takes in the store; null where that is not known. */
  private LongUnaryOperator inStore;

  /** What the file of the moment will take there; nothing where its copy is there already. */
  private long takes;

  /** Then no further copy goes there, and nobody need ask. */
  private boolean isFull;

  private Transfer transfer;

  public SecondaryRun(SecondaryTier tier, SecondarySettings settings, Kind kind) {
    this(tier, settings, kind, Steps.NONE);
  }

  SecondaryRun(SecondaryTier tier, SecondarySettings settings, Kind kind, Steps steps) {
    this.tier = tier;
    this.settings = settings;
    this.kind = kind;
    this.steps = steps;
  }

  private FileVerb verb(Transfer through, Consumer<String> remarks) {
    return switch (kind) {
      case OFFLOAD -> new Offload(tier, through, false, remarks, steps);
      case COPY -> new Offload(tier, through, true, remarks, steps);
      case RECALL -> new Recall(tier.fs(), tier.stores(), through, remarks, steps);
      case VERIFY -> new Verification(tier, through, remarks);
    };
  }

  /**
   * Tells what a run would do; nothing is changed. The store is asked what copies take there, and
   * may be away.
   */
  public SecondaryReport plan(List<String> paths) throws IOException {
    try {
      askStore();
    } catch (IOException e) {
      // The run itself refuses to begin then.
      inStore = null;
    }
    return foresee(paths);
  }

  /** The same by what HDFS knows: no store is asked, and so none can hold the caller up. */
  public SecondaryReport foresee(List<String> paths) throws IOException {
    FileVerb verb = verb(transfer(Listener.Step.SILENT, () -> false), remark -> {});
    walk(
        paths,
        file -> {
          if (isWanted(file, this::isACopy, false)
              && isWanted(file, verb::seemsToStay, false)
              && isWanted(file, each -> sized(verb, each, false), true)) {
            count(file);
          }
          return !transfer.isStopped();
        });
    return report(null, null);
  }

  /**
   * Leaves all files but these as they are: by now a path may name another file, or a directory.
   *
   * @param fileIds by path; empty for whatever is there
   */
  public SecondaryRun only(Map<String, Long> fileIds) {
    Map<String, Long> ids = Map.copyOf(fileIds);
    meant =
        file ->
            ids.isEmpty() || ids.getOrDefault(file.path(), -1L).longValue() == file.fileId()
                ? Optional.empty()
                : Optional.of("it took the place of a file that was meant");
    return this;
  }

  /** Leaves the files of these that a rule keeps, which is asked right before each. */
  public SecondaryRun unless(Rule rule) {
    Rule others = meant;
    meant = file -> others.stays(file).isPresent() ? others.stays(file) : rule.stays(file);
    return this;
  }

  /** A path that has nothing any more does not stop the others. */
  private void walk(List<String> paths, FilesOf.Visitor visitor) throws IOException {
    for (String path : paths) {
      try {
        FilesOf.walk(
            tier.fs(),
            path,
            file -> !isWanted(file, meant, false) || visitor.file(file),
            this::trouble);
      } catch (FileNotFoundException e) {
        left.add("it was deleted or renamed meanwhile", true, 0, path);
      }
      if (transfer.isStopped()) {
        return;
      }
    }
  }

  private void trouble(String directory, IOException e) {
    if (WorkName.isFolder(directory) && e instanceof AccessControlException) {
      // Nobody else's file is in there, and its run is done with it in a moment.
      left.add(WorkName.LEFT_BY_A_RUN, false, 0, directory);
    } else {
      left.add(FaultLine.of(e), true, 0, directory);
    }
  }

  /** A copy that went to the store would leave a placeholder there, which nobody could read. */
  private Optional<String> isACopy(PrimaryFile file) {
    return writesToStore() && tier.holds(file.path())
        ? Optional.of("it is in the directory of a secondary store, and no file of HDFS")
        : Optional.empty();
  }

  /** Why a file stays; empty when it does not. */
  public interface Rule {
    Optional<String> stays(PrimaryFile file) throws IOException;
  }

  /**
   * Whether the run goes on with the file; else it is noted why not.
   *
   * @param fault whether something is wrong where the rule keeps a file
   */
  private boolean isWanted(PrimaryFile file, Rule rule, boolean fault) {
    try {
      Optional<String> reason = rule.stays(file);
      reason.ifPresent(why -> leave(why, fault, file));
      return reason.isEmpty();
    } catch (StoreException e) {
      leave(FaultLine.of(e), true, file);
      transfer.stop();
    } catch (IOException | RuntimeException e) {
      leave(FaultLine.of(e), true, file);
    }
    return false;
  }

  private Transfer transfer(Listener.Step progress, BooleanSupplier ended) {
    transfer = new Transfer(settings.bytesPerSecondMax(), progress, ended);
    return transfer;
  }

  /**
   * Makes the run. May be called once.
   *
   * @param plan of another run of the same kind: says how much is to come
   * @param ended whether it should end, asked all the time
   */
  public SecondaryReport run(
      List<String> paths,
      SecondaryReport plan,
      JobRun.Start start,
      Listener listener,
      BooleanSupplier ended)
      throws IOException {
    tier.requireReachable();
    if (writesToStore()) {
      tier.requireClosed();
    }
    try {
      askStore();
    } catch (StoreException e) {
      throw OperatorException.cluster(e.getMessage(), e);
    }
    long begun = System.nanoTime();
    Listener.Step progress =
        listener.begin(kind.name().toLowerCase(Locale.ROOT), passes() * plan.bytes());
    Set<String> said = new HashSet<>();
    FileVerb verb =
        verb(
            transfer(progress, ended),
            line -> {
              if (said.add(line)) {
                listener.say(line);
              }
            });
    SecondaryReport report;
    if (kind == Kind.VERIFY) {
      walk(paths, file -> one(verb, file, null));
      report = report(null, (System.nanoTime() - begun) / 1e9);
    } else {
      try (JournalRun journal = start.begin()) {
        walk(paths, file -> one(verb, file, journal));
        report = report(journal.id(), (System.nanoTime() - begun) / 1e9);
        journal.append(report.journalEnd());
      }
    }
    progress.finish(
        Words.count(report.files(), "file") + " in " + Words.duration(report.seconds()));
    return report;
  }

  /** The number of times that the bytes of a file pass: a copy to the store is read back, too. */
  private int passes() {
    return writesToStore() ? 2 : 1;
  }

  private void askStore() throws IOException {
    try {
      inStore = writesToStore() ? StoreBytes.of(tier.target()) : null;
    } catch (IOException e) {
      throw new StoreException(tier.target(), "cannot be reached", e);
    }
  }

  private boolean writesToStore() {
    return kind == Kind.OFFLOAD || kind == Kind.COPY;
  }

  /** Whether to go on. */
  private boolean one(FileVerb verb, PrimaryFile file, JournalRun journal) {
    if (transfer.isStopped()) {
      return false;
    }
    if (!isWanted(file, this::isACopy, false)
        || !isWanted(file, verb::stays, false)
        || !isWanted(file, each -> sized(verb, each, true), true)
        || !isWanted(file, this::noRoom, true)) {
      return !transfer.isStopped();
    }
    JournalEntry.Store step = verb.journaled(file);
    long number = step == null ? 0 : journal.append(step);
    if (step != null) {
      journal.sync();
    }
    String why = apply(verb, file);
    if (step != null) {
      journal.append(new JournalEntry.Result(number, why));
    }
    return !transfer.isStopped();
  }

  /** Null when it was done, else the reason. An error with one file concerns that file alone. */
  private String apply(FileVerb verb, PrimaryFile file) {
    try {
      verb.apply(file);
      count(file);
      return null;
    } catch (StaysException e) {
      leave(e.getMessage(), false, file);
      return e.getMessage();
    } catch (IOException | RuntimeException e) {
      // A timeout of a read has this type, too, so the stop is asked for.
      if (e instanceof InterruptedIOException && transfer.isStopped()) {
        transfer.stop();
        return "ended while it went on";
      }
      if (e instanceof StoreException && kind != Kind.VERIFY) {
        // Each further file would run into the same.
        transfer.stop();
      }
      String line = FaultLine.of(e);
      leave(line, true, file);
      return line;
    }
  }

  /** Notes what the file takes in the store. */
  private Optional<String> sized(FileVerb verb, PrimaryFile file, boolean asksStore)
      throws IOException {
    boolean isWritten = inStore != null && verb.writes(file, asksStore);
    takes = isWritten ? inStore.applyAsLong(file.knownBytes()) : 0;
    return Optional.empty();
  }

  /** Why there is no room for the file where it should go; empty when there is. */
  private Optional<String> noRoom(PrimaryFile file) throws IOException {
    return switch (kind) {
      case VERIFY -> Optional.empty();
      case RECALL -> noRoomInHdfs(file);
      case OFFLOAD, COPY -> noRoomInStore();
    };
  }

  /** A file under an erasure code needs less than its placeholder's replicas would. */
  private Optional<String> noRoomInHdfs(PrimaryFile file) throws IOException {
    FsStatus room = tier.fs().getStatus();
    long replicated = file.knownBytes() * file.status().getReplication();
    return noRoom("HDFS", room, replicated).isEmpty()
        ? Optional.empty()
        : noRoom("HDFS", room, StoreBytes.inHdfs(tier, file));
  }

  private Optional<String> noRoomInStore() throws IOException {
    String where = "the secondary store " + tier.target();
    if (takes == 0) {
      return Optional.empty();
    }
    return isFull ? Optional.of(full(where)) : noRoom(where, roomOfStore(), takes);
  }

  private FsStatus roomOfStore() throws IOException {
    try {
      return tier.target().fs().getStatus(tier.target().root());
    } catch (IOException e) {
      throw new StoreException(tier.target(), "cannot be reached", e);
    }
  }

  /** A smaller file may have room yet; where an empty one has none, no other file has. */
  private Optional<String> noRoom(String where, FsStatus room, long needed) {
    double kept = settings.keepFree() * room.getCapacity();
    if (room.getRemaining() - needed >= kept) {
      return Optional.empty();
    }
    if (room.getRemaining() < kept) {
      isFull = true;
      // Copies that are there already need no room: their files may go on.
      if (kind != Kind.OFFLOAD) {
        transfer.stop();
      }
    }
    return Optional.of(full(where));
  }

  private String full(String where) {
    return String.format(
        Locale.ROOT,
        "%s would have less than %.0f%% free: make room, or give a smaller --keep-free",
        where,
        100 * settings.keepFree());
  }

  private void count(PrimaryFile file) {
    files++;
    bytes += file.knownBytes();
    storeBytes += takes;
  }

  private void leave(String reason, boolean fault, PrimaryFile file) {
    left.add(reason, fault, file.knownBytes(), file.path());
  }

  private SecondaryReport report(String id, Double seconds) {
    return new SecondaryReport(
        id,
        tier.target().toString(),
        files,
        bytes,
        inStore == null ? null : storeBytes,
        left.list(),
        seconds,
        transfer.isStopped());
  }
}
