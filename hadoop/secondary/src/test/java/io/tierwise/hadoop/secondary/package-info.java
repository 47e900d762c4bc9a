/** Tests of the secondary store, on real HDFS clusters in this process. */
package io.tierwise.hadoop.secondary;
