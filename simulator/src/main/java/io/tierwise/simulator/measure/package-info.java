/**
 * What is counted while a run goes on: task rates, bytes by tier and distance, utilisation, joules.
 *
 * <p>Not here: how results are shown (see {@code report}). Start reading at {@link
 * io.tierwise.simulator.measure.Meters}.
 */
package io.tierwise.simulator.measure;
