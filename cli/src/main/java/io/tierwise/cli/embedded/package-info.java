/**
 * {@code tierwise embedded}: a real HDFS in the foreground, to try the other commands on.
 *
 * <p>Not for data that matters: its devices are emulated, and it forgets everything when it ends.
 * Start reading at {@link io.tierwise.cli.embedded.EmbeddedCommand}.
 */
package io.tierwise.cli.embedded;
