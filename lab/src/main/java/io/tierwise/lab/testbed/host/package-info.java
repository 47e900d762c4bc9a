/**
 * The machine's services for a testbed: network namespaces and shaped links, loop devices and file
 * systems, I/O limits, processes. Each class makes one kind of thing, reports it and removes it
 * again, also when the process that made it was killed half-way.
 *
 * <p>Nothing here knows Hadoop. Linux and root only; every name starts with the testbed's. Start
 * reading at {@link io.tierwise.lab.testbed.host.Host}.
 */
package io.tierwise.lab.testbed.host;
