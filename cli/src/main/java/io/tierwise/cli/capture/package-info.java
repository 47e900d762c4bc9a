/**
 * {@code tierwise capture}: a running cluster as a scenario.
 *
 * <p>Not here: reading the cluster, and the form of a scenario. Start reading at {@link
 * io.tierwise.cli.capture.CaptureCommand}; what is assumed where HDFS does not tell is in {@link
 * io.tierwise.cli.capture.Twin}.
 */
package io.tierwise.cli.capture;
