/**
 * Tests of {@code io.tierwise.hadoop.hdfs.datanode}, on real mini clusters where HDFS takes part.
 */
package io.tierwise.hadoop.hdfs.datanode;
