/**
 * The cases to run when some keys of a scenario may have many values: all of a grid, few of it by
 * successive halving, or one key's best value by golden section.
 *
 * <p>Not here: the runs themselves. Start reading at {@link io.tierwise.experiments.sweep.Grid}.
 */
package io.tierwise.experiments.sweep;
