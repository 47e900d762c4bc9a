package io.tierwise.hadoop.hdfs.tiers;

/** The tier table is missing or wrong; the message is one line that names place and value. */
public final class TierFileException extends IllegalArgumentException {
  private static final long serialVersionUID = 1L;

  public TierFileException(String message) {
    super(message);
  }

  public TierFileException(String message, Throwable cause) {
    super(message, cause);
  }
}
