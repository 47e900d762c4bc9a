/**
 * How hot files, directories and tables were: reads counted in windows whose lengths double, from a
 * stream of accesses.
 *
 * <p>A {@link io.tierwise.policies.heat.HeatMap} is what a host keeps and hands to whoever predicts
 * or decides. It holds a row for each of the hottest files, exact since the row was made, and a
 * sketch for all others; no list of the namespace. Not here: how hot a file will be, and where
 * accesses come from. Start reading at {@link io.tierwise.policies.heat.HeatMap}.
 */
package io.tierwise.policies.heat;
