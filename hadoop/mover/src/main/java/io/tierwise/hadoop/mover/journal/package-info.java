/**
 * The mover's journal: what was decided, written before it is done and closed with its result.
 *
 * <p>A run has a file of its own, a JSON object a line. Not here: what is decided, and how it is
 * undone. Start reading at {@link io.tierwise.hadoop.mover.journal.Journal}.
 */
package io.tierwise.hadoop.mover.journal;
