/**
 * {@code tierwise testbed}: a heterogeneous HDFS of real processes on this machine.
 *
 * <p>Not here: the testbed itself, which is {@code lab}'s. Start reading at {@link
 * io.tierwise.cli.testbed.TestbedCommand}; {@link io.tierwise.cli.testbed.BenchProcess} is the
 * program that a bench runs inside a node.
 */
package io.tierwise.cli.testbed;
