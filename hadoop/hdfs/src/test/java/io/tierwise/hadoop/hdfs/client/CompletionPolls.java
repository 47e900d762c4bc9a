package io.tierwise.hadoop.hdfs.client;

import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.client.HdfsClientConfigKeys.BlockWrite;

/**
 * How soon a client asks again for its next block, or whether its file is complete, when no
 * DataNode has told the NameNode of the block before yet. HDFS's 400 ms are nothing beside a block
 * of 128 MiB; beside the small ones of tests they were most of the time.
 */
public final class CompletionPolls {
  private static final int FIRST_MILLIS = 5;

  /** Each wait is twice the one before: 20 s in all, HDFS waits 12 s. */
  private static final int RETRIES = 12;

  private CompletionPolls() {}

  public static void shorten(Configuration conf) {
    conf.setInt(BlockWrite.LOCATEFOLLOWINGBLOCK_INITIAL_DELAY_MS_KEY, FIRST_MILLIS);
    conf.setInt(BlockWrite.LOCATEFOLLOWINGBLOCK_RETRIES_KEY, RETRIES);
  }
}
