/**
 * Published figures of devices and servers, each with its source: a scenario takes them by the name
 * of the device or server.
 *
 * <p>Not here: the device classes of a scenario, which carry prices and curves, too. Start reading
 * at {@link io.tierwise.simulator.hardware.HardwareTable}.
 */
package io.tierwise.simulator.hardware;
