/**
 * The figures of this machine's volumes, measured with a temporary file on each.
 *
 * <p>Not here: volumes of other machines, and the tier table that the figures are written to. Start
 * reading at {@link io.tierwise.hadoop.inspect.probe.VolumeProbe}.
 */
package io.tierwise.hadoop.inspect.probe;
