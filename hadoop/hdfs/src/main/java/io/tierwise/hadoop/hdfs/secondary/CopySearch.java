package io.tierwise.hadoop.hdfs.secondary;

import io.tierwise.hadoop.hdfs.secondary.SoughtCopy.Likeness;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/**
 * Looks for the copy of a placeholder in all stores. More than one may have its number: an HDFS
 * that was rolled back gives out numbers again. The description tells whose copy it is.
 */
final class CopySearch {
  private final SoughtCopy sought;
  private SecondaryStores.Found best;
  private Likeness likeness = Likeness.NONE;
  private boolean doubtful;
  private final List<SecondaryStore> without = new ArrayList<>();
  private IOException unreadable;
  private IOException another;

  CopySearch(SoughtCopy sought) {
    this.sought = sought;
  }

  /**
   * Finds the copy that fits best.
   *
   * @throws IOException one line: no store has it, or it cannot be told which store
   */
  SecondaryStores.Found in(List<SecondaryStore> stores) throws IOException {
    for (SecondaryStore store : stores) {
      look(store);
      if (likeness == Likeness.WHOLE || isCertain()) {
        return best;
      }
    }
    if (unreadable != null) {
      throw unreadable;
    }
    if (doubtful) {
      throw new IOException(
          sought.path()
              + " is in a secondary store, and more than one has a copy under its number "
              + sought.fileId()
              + " that may be its own ("
              + stores
              + "): see by the .meta files which one is not, and move that away");
    }
    if (best != null) {
      requireThere(without);
      return best;
    }
    throw another == null ? nowhere(stores) : another;
  }

  /** Whether no other store can have a copy that is more likely its own. */
  private boolean isCertain() {
    return likeness == Likeness.TIME && sought.tellsByTime(best.checked().description());
  }

  /** Refuses when a store is not mounted, which may have the placeholder's own copy. */
  private void requireThere(List<SecondaryStore> others) throws IOException {
    for (SecondaryStore store : others) {
      try {
        store.fs().getFileStatus(store.root());
      } catch (IOException e) {
        throw SecondaryStores.unreadable(sought.path(), store, e);
      }
    }
  }

  private void look(SecondaryStore store) {
    StoredCopy copy = store.copy(sought.pool(), sought.fileId());
    try {
      CopyDescription.Checked checked = copy.describe();
      take(new SecondaryStores.Found(copy, checked), sought.likenessOf(checked.description()));
    } catch (FileNotFoundException e) {
      without.add(store);
    } catch (IOException e) {
      unreadable = SecondaryStores.unreadable(sought.path(), store, e);
    }
  }

  private void take(SecondaryStores.Found found, Likeness its) {
    if (its == Likeness.NONE) {
      another =
          SecondaryStores.unreadable(
              sought.path(),
              found.copy().store(),
              new IOException(found.copy().data() + " is of another file"));
    } else if (its.compareTo(likeness) > 0) {
      best = found;
      likeness = its;
      doubtful = false;
    } else if (its == likeness) {
      // Two stores may have the same copy: either will do.
      doubtful |= !best.checked().description().hasBytesOf(found.checked().description());
    }
  }

  private FileNotFoundException nowhere(List<SecondaryStore> stores) {
    return new FileNotFoundException(
        sought.path()
            + " is in a secondary store, and none of those that "
            + SecondaryKeys.STORES
            + " names has its copy "
            + sought.fileId()
            + " ("
            + stores
            + "): name its store there, or mount it");
  }
}
