package io.tierwise.hadoop.hdfs.secondary;

/** The configuration key and the extended attribute of secondary stores. */
public final class SecondaryKeys {
  /** URIs of the stores' directories. New copies go to the first. */
  public static final String STORES = "tierwise.secondary.stores";

  /** Of a file that has its bytes in HDFS and a copy in a store: what the copy was made of. */
  public static final String COPY_ATTRIBUTE = "user.tierwise.secondary.copy";

  private SecondaryKeys() {}
}
