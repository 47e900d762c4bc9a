package io.tierwise.core.use;

/** The kind of an access, as far as counting needs to know. */
public enum AccessKind {
  /** A reader asked where the blocks are. A large file is asked for more than once a read. */
  OPEN,
  /** Written anew; a file that was there is replaced. */
  CREATE,
  /** Written on. */
  APPEND,
  /** Deleted, with all that is below it. */
  DELETE,
  /** Given another path, with all that is below it. */
  RENAME,
  /** All else: listings, permissions, quotas. No file is used by it. */
  OTHER
}
