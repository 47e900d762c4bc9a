/**
 * {@code tierwise capture}: a running cluster as a scenario. Not here: reading the cluster, and the
 * scenario made of it. Start reading at {@link io.tierwise.cli.capture.CaptureCommand}.
 */
package io.tierwise.cli.capture;
