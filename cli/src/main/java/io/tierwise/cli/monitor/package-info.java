/**
 * The commands about the monitor that compares stored blocks with their layouts.
 *
 * <p>Not here: the monitor, which is in the NameNode ({@code hadoop/hdfs}), and the repairs ({@link
 * io.tierwise.hadoop.mover.Repairs}). Start reading at {@link
 * io.tierwise.cli.monitor.MonitorCommand}.
 */
package io.tierwise.cli.monitor;
