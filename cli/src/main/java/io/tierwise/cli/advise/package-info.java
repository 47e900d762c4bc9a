/**
 * {@code tierwise advise}: advice from a log and an image, which touches no cluster. Not here: the
 * advice ({@link io.tierwise.hadoop.inspect.advise}). Start reading at {@link
 * io.tierwise.cli.advise.AdviseCommand}.
 */
package io.tierwise.cli.advise;
