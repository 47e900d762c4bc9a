/**
 * {@code tierwise explain}: where every replica of a file is, which rule put it there, and what
 * would be read from where.
 *
 * <p>Not here: the answer, which {@code hadoop/inspect} gives. Start reading at {@link
 * io.tierwise.cli.explain.ExplainCommand}.
 */
package io.tierwise.cli.explain;
