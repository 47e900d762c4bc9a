/**
 * Files, blocks, replicas and what their layout should be.
 *
 * <p>A {@link io.tierwise.core.data.Layout} is the wish; where the replicas are is the host's
 * knowledge. Start reading at {@link io.tierwise.core.data.Layout}.
 */
package io.tierwise.core.data;
