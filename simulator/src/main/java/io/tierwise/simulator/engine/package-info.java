/**
 * Simulated time: a deterministic discrete-event core on primitive arrays. Events are triples of a
 * tick, a handler and one number; ties go to the event that was scheduled first. Time is a whole
 * number of picoseconds, so that no sum of delays depends on the order of its terms.
 *
 * <p>Knows nothing of clusters, files or networks, starts no thread, and reads no clock. Start
 * reading at {@link io.tierwise.simulator.engine.Engine}.
 */
package io.tierwise.simulator.engine;
