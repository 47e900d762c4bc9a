/**
 * Tests of {@code io.tierwise.hadoop.hdfs.topology}, on real mini clusters where HDFS takes part.
 */
package io.tierwise.hadoop.hdfs.topology;
