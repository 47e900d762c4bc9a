package io.tierwise.hadoop.secondary;

import io.tierwise.core.message.Listener;
import io.tierwise.core.message.Words;
import io.tierwise.hadoop.mover.JobRun;
import io.tierwise.hadoop.mover.journal.JournalEntry;
import io.tierwise.hadoop.mover.journal.JournalRun;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import org.apache.hadoop.fs.FsStatus;
import org.apache.hadoop.security.AccessControlException;

/**
 * Offloads or recalls the files at paths and below, one after the other. Each is written down
 * before it is moved. A run that is ended anywhere leaves every file readable, and another one does
 * the rest.
 */
public final class SecondaryRun {
  /** What a run is for. */
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
  private final Map<String, SecondaryReport.Left> left = new LinkedHashMap<>();
  private long files;
  private long bytes;
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

  private FileVerb verb(Transfer through) {
    return switch (kind) {
      case OFFLOAD -> new Offload(tier.fs(), tier.stores(), through, false, steps);
      case COPY -> new Offload(tier.fs(), tier.stores(), through, true, steps);
      case RECALL -> new Recall(tier.fs(), tier.stores(), through, steps);
      case VERIFY -> new Verification(tier, through);
    };
  }

  /** What a run would do; nothing is changed, and the store is not contacted. */
  public SecondaryReport plan(List<String> paths) throws IOException {
    FileVerb verb = verb(transfer(new Quiet(), () -> false));
    for (String path : paths) {
      FilesOf.walk(
          tier.fs(),
          path,
          file -> {
            Optional<String> reason = verb.stays(file);
            if (reason.isPresent()) {
              leave(reason.get(), false, file);
            } else {
              count(file);
            }
            return true;
          });
    }
    return report(null, null);
  }

  private Transfer transfer(Listener.Step progress, BooleanSupplier ended) {
    transfer = new Transfer(settings.bytesPerSecondMax(), progress, ended);
    return transfer;
  }

  private static final class Quiet implements Listener.Step {
    @Override
    public void add(long amount) {
      // Nobody listens to a plan.
    }

    @Override
    public void finish(String remark) {
      // Likewise.
    }
  }

  /**
   * Does it. Once only.
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
    long begun = System.nanoTime();
    Listener.Step progress =
        listener.begin(kind.name().toLowerCase(Locale.ROOT), passes() * plan.bytes());
    FileVerb verb = verb(transfer(progress, ended));
    SecondaryReport report;
    if (kind == Kind.VERIFY) {
      walk(paths, verb, null);
      report = report(null, (System.nanoTime() - begun) / 1e9);
    } else {
      try (JournalRun journal = start.begin()) {
        walk(paths, verb, journal);
        report = report(journal.id(), (System.nanoTime() - begun) / 1e9);
        journal.append(report.journalEnd());
      }
    }
    progress.finish(
        Words.count(report.files(), "file") + " in " + Words.duration(report.seconds()));
    return report;
  }

  /** How often the bytes of a file pass: what is copied to the store is read back, too. */
  private int passes() {
    return kind == Kind.OFFLOAD || kind == Kind.COPY ? 2 : 1;
  }

  private void walk(List<String> paths, FileVerb verb, JournalRun journal) throws IOException {
    for (String path : paths) {
      FilesOf.walk(tier.fs(), path, file -> one(verb, file, journal));
      if (transfer.isStopped()) {
        return;
      }
    }
  }

  /** Whether to go on. */
  private boolean one(FileVerb verb, PrimaryFile file, JournalRun journal) throws IOException {
    if (transfer.isStopped()) {
      return false;
    }
    Optional<String> reason = verb.stays(file);
    try {
      reason = reason.isPresent() ? reason : noRoom(file);
    } catch (IOException e) {
      leave(line(e), true, file);
      transfer.stop();
      return false;
    }
    if (reason.isPresent()) {
      leave(reason.get(), false, file);
      return true;
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

  /** Null when it was done, else why not. */
  private String apply(FileVerb verb, PrimaryFile file) {
    try {
      verb.apply(file);
      count(file);
      return null;
    } catch (StaysException e) {
      leave(e.getMessage(), false, file);
      return e.getMessage();
    } catch (InterruptedIOException e) {
      transfer.stop();
      return "ended while it went on";
    } catch (StoreException e) {
      // Each further file would run into the same.
      leave(e.getMessage(), true, file);
      if (kind != Kind.VERIFY) {
        transfer.stop();
      }
      return e.getMessage();
    } catch (IOException e) {
      String line = line(e);
      leave(line, true, file);
      return line;
    }
  }

  private static String line(IOException e) {
    String message =
        e.getMessage() == null ? "" : e.getMessage().lines().findFirst().orElse("").strip();
    if (e instanceof AccessControlException) {
      return "no permission: " + message;
    }
    if (e instanceof FileNotFoundException || e.getClass() == IOException.class) {
      return message;
    }
    return e.getClass().getSimpleName() + ": " + message;
  }

  /** Why there is no room for the file where it should go; empty when there is. */
  private Optional<String> noRoom(PrimaryFile file) throws IOException {
    return switch (kind) {
      case VERIFY -> Optional.empty();
      case RECALL ->
          noRoom("HDFS", tier.fs().getStatus(), file.knownBytes() * file.status().getReplication());
      case OFFLOAD, COPY ->
          noRoom("the secondary store " + tier.target(), roomOfStore(), file.knownBytes());
    };
  }

  private FsStatus roomOfStore() throws IOException {
    try {
      return tier.target().fs().getStatus(tier.target().root());
    } catch (IOException e) {
      throw new StoreException(tier.target(), "cannot be reached", e);
    }
  }

  private Optional<String> noRoom(String where, FsStatus room, long needed) {
    return room.getRemaining() - needed < settings.keepFree() * room.getCapacity()
        ? Optional.of(
            String.format(
                Locale.ROOT,
                "%s would have less than %.0f%% free: make room, or give a smaller --keep-free",
                where,
                100 * settings.keepFree()))
        : Optional.empty();
  }

  private void count(PrimaryFile file) {
    files++;
    bytes += file.knownBytes();
  }

  private void leave(String reason, boolean fault, PrimaryFile file) {
    SecondaryReport.Left before =
        left.getOrDefault(reason, new SecondaryReport.Left(reason, fault, 0, 0, file.path()));
    left.put(reason, before.plus(file.knownBytes()));
  }

  private SecondaryReport report(String id, Double seconds) {
    return new SecondaryReport(
        id,
        tier.target().toString(),
        files,
        bytes,
        List.copyOf(left.values()),
        seconds,
        transfer.isStopped());
  }
}
