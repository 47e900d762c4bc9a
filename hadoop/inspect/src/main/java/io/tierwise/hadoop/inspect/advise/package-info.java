/**
 * Advice from a NameNode's audit log and image, without asking it: which stored bytes are read
 * often, seldom or never, and which of them lie on the wrong tier or have the wrong number of
 * replicas.
 *
 * <p>Not here: what a change would bring in seconds and money, which needs the simulator. Start
 * reading at {@link io.tierwise.hadoop.inspect.advise.Advisor}.
 */
package io.tierwise.hadoop.inspect.advise;
