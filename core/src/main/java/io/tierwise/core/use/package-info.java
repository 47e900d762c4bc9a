/**
 * How files were used: accesses as they happen, and what is left of them when they are counted.
 *
 * <p>An {@link io.tierwise.core.use.AccessEvent} is one access, from whatever source: a log, a
 * plug-in, a trace. A source that has millions a second hands them to an {@link
 * io.tierwise.core.use.AccessSink} as bytes instead. {@link io.tierwise.core.use.UseCounts} are
 * what a predictor reads of a file. Counting is not done here: see {@code policies/heat}. Size and
 * last use of a file are those of {@link io.tierwise.core.view.FileUse}.
 */
package io.tierwise.core.use;
