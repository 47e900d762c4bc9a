/**
 * Tests of scheduling policies, and the contract suite that a policy of another project inherits:
 * {@link io.tierwise.policies.scheduling.SchedulingContract}. Published as a jar of tests.
 */
package io.tierwise.policies.scheduling;
