/**
 * The division of resources among flows: flows over disks, network cards and links, each at its
 * max-min fair rate. A flow is a number of bytes and the resources that each byte costs something
 * of; a resource is a capacity per second, constant or a function of how many flows use it.
 *
 * <p>Not here: packets, latencies, and which resources a read or write uses. Start reading at
 * {@link io.tierwise.simulator.network.FlowNetwork}.
 */
package io.tierwise.simulator.network;
