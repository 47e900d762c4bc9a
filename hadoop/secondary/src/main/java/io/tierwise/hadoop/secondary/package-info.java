/**
 * Moves whole files between HDFS and a secondary store (another HDFS, or any Hadoop file system),
 * as AptStore does with files that nobody reads.
 *
 * <p>A file is in HDFS, in the store, or in both, and readers by Tierwise's client see the same
 * file all the time. Bytes are read back and compared before others go. Not here: what readers need
 * ({@code io.tierwise.hadoop.hdfs.secondary}), and which files should go. Start reading at {@link
 * io.tierwise.hadoop.secondary.SecondaryRun}, then {@link io.tierwise.hadoop.secondary.Offload}.
 */
package io.tierwise.hadoop.secondary;
