/**
 * Tests of the access strategies.
 *
 * <p>Every strategy inherits {@link io.tierwise.policies.access.AccessStrategyContract}; what is
 * particular to one stands in its own class. Not here: a cluster. Start reading at the contract.
 */
package io.tierwise.policies.access;
