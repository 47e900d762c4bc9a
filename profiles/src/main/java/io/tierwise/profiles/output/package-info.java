/**
 * Files of this machine that a person names for an answer: what is written there is whole or the
 * old one, and nothing that a command reads is replaced by its answer.
 *
 * <p>Not here: what stands in such a file, and files that a program names for itself. Start reading
 * at {@link io.tierwise.profiles.output.OutputFile}.
 */
package io.tierwise.profiles.output;
