/**
 * Faults as data: what breaks when, carried out on the virtual cluster.
 *
 * <p>Not here: how tasks and replicas recover. Start reading at {@link
 * io.tierwise.simulator.fault.FaultInjector}.
 */
package io.tierwise.simulator.fault;
