/**
 * Runs Hadoop's own published HDFS tests twice, on stock HDFS and with Tierwise's plug-ins as the
 * cluster's defaults, and says what passes on stock but not with the plug-ins. Each test class runs
 * in a JVM and a folder of its own.
 *
 * <p>It holds no tests of Tierwise's own features: those are in {@code hadoop/hdfs}. Nor does it
 * judge whether a test of Hadoop is right: stock is the measure.
 *
 * <p>Start reading at {@link io.tierwise.hadoop.conformance.Conformance}; what counts as a
 * regression is decided in {@link io.tierwise.hadoop.conformance.Comparison} alone.
 */
package io.tierwise.hadoop.conformance;
