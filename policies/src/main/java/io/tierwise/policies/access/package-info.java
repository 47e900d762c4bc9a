/**
 * Which replica serves a read.
 *
 * <p>A strategy orders the replicas of one block; the host asks them in that order. What a strategy
 * remembers stands in a state object that the host keeps. Start reading at {@link
 * io.tierwise.policies.access.AccessStrategy}.
 */
package io.tierwise.policies.access;
