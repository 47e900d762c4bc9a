/**
 * Emulated network: every node has an address and a link of limited speed.
 *
 * <p>Sockets that a node opens are bound to its address; block data between two nodes waits its
 * turn at both nodes' links, within a node it does not. Start reading at {@link
 * io.tierwise.lab.embedded.network.EmulatedNetwork}.
 */
package io.tierwise.lab.embedded.network;
