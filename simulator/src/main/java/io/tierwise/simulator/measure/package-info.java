/**
 * The meters of a run: task rates, bytes by tier and distance, utilisation, joules; and the result
 * that they and others make.
 *
 * <p>Not here: how results are shown (see {@code report}, which nobody in a run knows). Start
 * reading at {@link io.tierwise.simulator.measure.Meters}, or, for what comes out, at {@link
 * io.tierwise.simulator.measure.RunResult}.
 */
package io.tierwise.simulator.measure;
