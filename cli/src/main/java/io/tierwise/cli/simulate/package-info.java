/**
 * {@code tierwise simulate} and {@code tierwise sweep}: options in, tables and files out.
 *
 * <p>Not here: the runs, which {@code experiments} makes, and how a scenario is read. Start reading
 * at {@link io.tierwise.cli.simulate.SimulateCommand}.
 */
package io.tierwise.cli.simulate;
