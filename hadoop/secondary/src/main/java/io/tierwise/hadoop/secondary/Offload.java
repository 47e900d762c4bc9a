package io.tierwise.hadoop.secondary;

import io.tierwise.hadoop.hdfs.secondary.SecondaryStore;
import io.tierwise.hadoop.hdfs.secondary.SecondaryStores;
import io.tierwise.hadoop.hdfs.secondary.StoredCopy;
import io.tierwise.hadoop.mover.journal.JournalEntry;
import java.io.IOException;
import java.util.Optional;
import java.util.function.Consumer;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.protocol.HdfsConstants;
import org.apache.hadoop.hdfs.protocol.HdfsFileStatus;

/**
 * Moves a file to the secondary store: a verified copy first, then a placeholder takes the file's
 * place in one step. Ended at any moment before that step the file is as it was; after it, readers
 * by our client read the copy.
 */
final class Offload implements FileVerb {
  /** A placeholder of as many replicas takes more. */
  static final long BYTES_MIN = 4096;

  private static final String LAZY_PERSIST =
      "its storage policy is LAZY_PERSIST, under which HDFS lets nobody hold a file for replacing";

  private final DistributedFileSystem fs;
  private final SecondaryStore target;
  private final boolean keepsPrimary;
  private final Transfer transfer;
  private final LazyCopies lazy;
  private final CopyMaker copies;
  private final Steps steps;
  private final FullQuotas quotas;

  /**
   * @param keepsPrimary whether the file's replicas stay, until another run lets them go
   * @param remarks hears what people should know of the store
   */
  Offload(
      SecondaryTier tier,
      Transfer transfer,
      boolean keepsPrimary,
      Consumer<String> remarks,
      Steps steps) {
    this.fs = tier.fs();
    this.target = tier.target();
    this.keepsPrimary = keepsPrimary;
    this.transfer = transfer;
    this.lazy = new LazyCopies(fs, tier.stores());
    this.copies = new CopyMaker(fs, lazy, transfer, remarks, steps);
    this.steps = steps;
    this.quotas = tier.quotas();
  }

  @Override
  public Optional<String> stays(PrimaryFile file) throws IOException {
    return stays(file, true);
  }

  @Override
  public Optional<String> seemsToStay(PrimaryFile file) throws IOException {
    return stays(file, false);
  }

  private Optional<String> stays(PrimaryFile file, boolean asksStore) throws IOException {
    if (file.isWork()) {
      return Optional.of(WorkName.LEFT_BY_A_RUN);
    }
    if (file.isPlaceholder()) {
      return Optional.of("it is in a secondary store already");
    }
    if (file.status().getFileEncryptionInfo() != null) {
      return Optional.of("it is in an encryption zone, and its copy would stand in clear");
    }
    if (file.status().hasAcl()) {
      return Optional.of("it has an access control list, which the copy could not keep");
    }
    if (isLazyPersist(file.status())) {
      return Optional.of(LAZY_PERSIST);
    }
    if (file.status().getLocatedBlocks().isUnderConstruction()) {
      return Optional.of("it is being written");
    }
    if (file.status().getLen() < BYTES_MIN) {
      return Optional.of("it is so small that nothing would be gained");
    }
    if (keepsPrimary && hasCopy(file, asksStore)) {
      return Optional.of("it has a copy in the store already");
    }
    return SnapshotGuard.why(fs, file.hdfsPath());
  }

  private boolean hasCopy(PrimaryFile file, boolean asksStore) throws IOException {
    return lazy.isMarked(file) && (!asksStore || lazy.isThere(file));
  }

  @Override
  public boolean writes(PrimaryFile file, boolean asksStore) throws IOException {
    return keepsPrimary || !hasCopy(file, asksStore);
  }

  private static boolean isLazyPersist(HdfsFileStatus status) {
    return status.getStoragePolicy() == HdfsConstants.StoragePolicy.LAZY_PERSIST.value();
  }

  @Override
  public void apply(PrimaryFile listed) throws IOException, StaysException {
    Metadata before = Metadata.now(fs, listed.fileId());
    PrimaryFile file = FilesOf.again(fs, listed);
    // Listings tell policies to the superuser only.
    Optional<String> reason =
        isLazyPersist(before.status()) ? Optional.of(LAZY_PERSIST) : stays(file);
    if (reason.isPresent()) {
      throw new StaysException(reason.get());
    }
    Attempt attempt = Attempt.begin();
    if (keepsPrimary) {
      copy(file, attempt, before);
    } else {
      move(file, attempt, before);
    }
  }

  private void copy(PrimaryFile file, Attempt attempt, Metadata before)
      throws IOException, StaysException {
    StoreChange made = copies.make(file, target.copy(file.pool(), file.fileId()), attempt, before);
    try {
      lazy.mark(file.idPath(), made.description(), made.description().mtime());
    } catch (IOException e) {
      // No file names this copy, so 'clean' would never find it.
      made.undo();
      throw e;
    }
    made.settle();
  }

  private void move(PrimaryFile file, Attempt attempt, Metadata before)
      throws IOException, StaysException {
    quotas.requireRoom(fs, file);
    PlaceholderMaker maker = new PlaceholderMaker(fs, file, attempt, steps);
    long placeholder = maker.begin();
    steps.made("placeholder begun");
    StoreChange copy = null;
    try {
      copy = copyFor(file, placeholder, attempt, before);
      maker.finish(before);
      steps.made("placeholder finished");
      // The run may have been given up while the store hung.
      transfer.requireGoingOn();
      new Swap(fs, steps).replaceLeased(file, placeholder, before);
    } catch (IOException | RuntimeException | StaysException e) {
      undo(maker, copy);
      quotas.note(fs, file, e);
      throw e;
    }
    steps.made("replaced");
    maker.settle();
    copy.settle();
  }

  /** A copy named after the placeholder: the one that there is, if it is whole, or a new one. */
  private StoreChange copyFor(PrimaryFile file, long placeholder, Attempt attempt, Metadata before)
      throws IOException, StaysException {
    Optional<SecondaryStores.Found> found = lazy.find(file);
    Optional<Adoption.Candidate> there =
        found.isPresent() ? copies.compare(file, found.get()) : Optional.empty();
    if (there.isEmpty()) {
      return copies.make(file, target.copy(file.pool(), placeholder), attempt, before);
    }
    StoredCopy named = found.get().copy().store().copy(file.pool(), placeholder);
    StoreChange adopted = copies.adopt(there.get(), named, file, attempt, before);
    steps.made("passed");
    return adopted;
  }

  /**
   * The answer of the step that replaces the file may have been lost: only when the placeholder
   * could be deleted where it was made is the copy of no use there.
   */
  private static void undo(PlaceholderMaker maker, StoreChange copy) {
    if (maker.discard() && copy != null) {
      copy.undo();
    }
  }

  @Override
  public JournalEntry.Store journaled(PrimaryFile file) {
    return new JournalEntry.Store(
        file.path(),
        file.fileId(),
        file.status().getLen(),
        "hdfs",
        keepsPrimary ? "both" : "secondary",
        target.toString());
  }
}
