/**
 * Emulated devices: how long a read or a write of a volume takes.
 *
 * <p>The bytes are real and lie in the machine's page cache; what is emulated is the time. Every
 * stream that a DataNode opens on a block file waits its turn at the volume's device. Not here:
 * links between nodes. Start reading at {@link io.tierwise.lab.embedded.device.EmulatedDevice}.
 */
package io.tierwise.lab.embedded.device;
