/**
 * The meters of a run: task rates, bytes by tier and distance, utilisation, joules.
 *
 * <p>Not here: how results are shown (see {@code report}). Start reading at {@link
 * io.tierwise.simulator.measure.Meters}.
 */
package io.tierwise.simulator.measure;
