/**
 * The same policies on a virtual cluster: what a policy, or a purchase, would bring.
 *
 * <p>Not here: decisions. They are taken by the classes of {@code policies}, which also run inside
 * the NameNode. Start reading at {@code engine} (time), {@code network} (who gets which share),
 * then {@code cluster}, {@code storage} and {@code jobs} (what happens), {@code scenario} (what a
 * user writes) and {@code report} (what a user reads).
 */
package io.tierwise.simulator;
