/**
 * The plan of a testbed, derived from a few numbers: nodes, addresses, volumes, link speeds, and
 * the Hadoop configuration that says the same to the daemons.
 *
 * <p>Nothing here touches the machine. Start reading at {@link
 * io.tierwise.lab.testbed.plan.TestbedPlan}.
 */
package io.tierwise.lab.testbed.plan;
