package io.tierwise.benchmarks.movement;

import com.sun.management.OperatingSystemMXBean;
import java.lang.management.ManagementFactory;

/** Processor time of a process, in seconds. */
final class ProcessorTime {
  private ProcessorTime() {}

  static double ofThisProcess() {
    return ((OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean())
            .getProcessCpuTime()
        / 1e9;
  }

  static double of(Process process) {
    return process.info().totalCpuDuration().map(time -> time.toNanos() / 1e9).orElse(0.0);
  }
}
