/**
 * {@code tierwise explain}: where every replica of a file is, which rule put it there, and what
 * would be read from where.
 *
 * <p>Start reading at {@link io.tierwise.cli.explain.ExplainCommand}.
 */
package io.tierwise.cli.explain;
