/**
 * How the plug-ins show their counters: one name for Hadoop's metrics system and for JMX, and
 * labels instead of numbered names. No path ever stands in a label. Not here: what is counted.
 *
 * <p>Start reading at {@link io.tierwise.hadoop.hdfs.metrics.ShownMetrics}.
 */
package io.tierwise.hadoop.hdfs.metrics;
