/**
 * The words in which every host and command speaks to people: an error that an operator can mend,
 * counts, bytes and names in a sentence, and the listener that long work tells how far it is.
 *
 * <p>Not here: where the words go. Nothing prints, and no class knows a terminal, an exit code or a
 * log; whoever runs the work hands in a {@link io.tierwise.core.message.Listener}. Start reading at
 * {@link io.tierwise.core.message.OperatorException}.
 */
package io.tierwise.core.message;
