package io.tierwise.policies.rules;

/** The facts that a host knows of a file. */
public interface FileFacts {
  /** Its length. */
  long bytes();

  /** How long ago it was written last. */
  double writtenSecondsAgo();

  /** Its replicas. */
  int replicas();

  /**
   * Its reads in a time that ends now.
   *
   * @param least that there were
   * @param most that there can have been
   */
  record Reads(long least, long most) {}

  /** How often it was read in so many seconds, or in a somewhat longer time. */
  Reads reads(double seconds);

  /**
   * The time that ends now in which each read was heard.
   *
   * @param why it is no longer, for people; empty when nobody asks
   */
  record Counted(double seconds, String why) {}

  /** For how long reads have been counted, without a gap. */
  Counted counted();
}
