/**
 * {@code tierwise simulate} and {@code tierwise sweep}: scenarios in, tables, files and charts out.
 *
 * <p>Not here: what happens in a run, and how a scenario is read. Start reading at {@link
 * io.tierwise.cli.simulate.SimulateCommand}; many runs at a time are in {@link
 * io.tierwise.cli.simulate.CaseRuns}.
 */
package io.tierwise.cli.simulate;
