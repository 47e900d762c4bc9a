/**
 * {@code tierwise simulate}, {@code what-if}, {@code rank} and the commands about many runs: {@code
 * sweep}, {@code halve}, {@code search}, {@code reproduce}. Options in, tables and files out.
 *
 * <p>Not here: the runs, which {@code experiments} makes, and how a scenario is read. Start reading
 * at {@link io.tierwise.cli.simulate.SimulateCommand}.
 */
package io.tierwise.cli.simulate;
