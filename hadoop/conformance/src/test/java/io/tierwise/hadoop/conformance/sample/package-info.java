/**
 * Test classes that {@code ForkTest} runs in JVMs of their own. No tests of ours: their names keep
 * them from being picked up. Start reading at {@link
 * io.tierwise.hadoop.conformance.sample.MixedSample}.
 */
package io.tierwise.hadoop.conformance.sample;
