/**
 * {@code tierwise reproduce} and its table. Not here: the reproductions, which are {@code
 * experiments}' own. Start reading at {@link io.tierwise.cli.reproduce.ReproduceCommand}.
 */
package io.tierwise.cli.reproduce;
