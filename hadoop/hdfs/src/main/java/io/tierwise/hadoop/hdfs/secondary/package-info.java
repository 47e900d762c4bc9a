/**
 * Files whose bytes are in a secondary store: a second HDFS or any other Hadoop file system. HDFS
 * keeps a placeholder in their place, and the store a copy with a description and checksums.
 *
 * <p>Here is what readers need: how a placeholder is known, where its copy is, and a stream that
 * gives no byte before its checksum was right. Not here: how files get there and back ({@code
 * hadoop/secondary}). Start reading at {@link io.tierwise.hadoop.hdfs.secondary.Placeholder}.
 */
package io.tierwise.hadoop.hdfs.secondary;
