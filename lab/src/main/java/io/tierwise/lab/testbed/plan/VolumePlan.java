package io.tierwise.lab.testbed.plan;

/**
 * One volume of a node.
 *
 * @param name unique in the testbed, for example {@code r1n1-pcie-ssd}
 * @param kind the device it stands for
 */
public record VolumePlan(String name, DeviceKind kind) {}
