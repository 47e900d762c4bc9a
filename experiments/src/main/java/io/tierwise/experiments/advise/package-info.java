/**
 * The reads of a user's own log, replayed on a virtual cluster: what other places of the same files
 * would have brought in seconds, watts and money.
 *
 * <p>Not here: where the reads come from. {@code hadoop/inspect} reads them from an audit log.
 * Start reading at {@link io.tierwise.experiments.advise.LogReplay}.
 */
package io.tierwise.experiments.advise;
