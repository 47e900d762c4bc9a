package io.tierwise.benchmarks.movement;

import com.sun.management.OperatingSystemMXBean;
import io.tierwise.lab.testbed.host.Machine;
import java.lang.management.ManagementFactory;
import java.util.List;

/** Processor time of a process, in seconds. */
final class ProcessorTime {
  private ProcessorTime() {}

  static double ofThisProcess() {
    return ((OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean())
            .getProcessCpuTime()
        / 1e9;
  }

  /** Of all processes since the machine began; Linux only. */
  static double ofTheMachine() {
    return Machine.processorTime(List.of()).busySeconds();
  }

  static double of(Process process) {
    return process.info().totalCpuDuration().map(time -> time.toNanos() / 1e9).orElse(0.0);
  }
}
