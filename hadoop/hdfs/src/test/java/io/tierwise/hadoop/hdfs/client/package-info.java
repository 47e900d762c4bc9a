/** Tests of {@code io.tierwise.hadoop.hdfs.client}, on real mini clusters where HDFS takes part. */
package io.tierwise.hadoop.hdfs.client;
