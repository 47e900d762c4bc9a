package io.tierwise.core.use;

/** The kind of an access, as far as counting needs to know. */
public enum AccessKind {
  /** A reader asked where the blocks are. A large file is asked for more than once a read. */
  OPEN,
  /** A reader asked where the blocks are, and was not let. */
  OPEN_REFUSED,
  /**
   * A reader asked whether he has a right to the file, and has. After a refused open he reads its
   * bytes somewhere else.
   */
  CHECK,
  /** Written anew; a file that was there is replaced. */
  CREATE,
  /** Written on. */
  APPEND,
  /** Deleted, with all that is below it. */
  DELETE,
  /** Given another path, with all that is below it. */
  RENAME,
  /** All else: listings, changes of permissions, quotas. No file is used by it. */
  OTHER
}
