package io.tierwise.lab.testbed.host;

import io.tierwise.core.message.OperatorException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;

/** The machine as a whole: its page cache and how busy its processors are. */
public final class Machine {
  private static final int IDLE = 3;
  private static final int WAITING_FOR_DEVICES = 4;

  private Machine() {}

  /** Writes back what is dirty and empties the page cache, so that the next reads reach devices. */
  public static void dropPageCache() {
    HostCommand.run("sync");
    try {
      Files.writeString(Path.of("/proc/sys/vm/drop_caches"), "1");
    } catch (IOException e) {
      throw OperatorException.cluster("cannot empty the page cache: " + e.getMessage(), e);
    }
  }

  /**
   * Processor time since the machine started, in ticks.
   *
   * @param busy spent on anything but waiting
   * @param own spent by the testbed's processes
   * @param all processors times time
   */
  public record ProcessorTime(long busy, long own, long all) {
    /** Linux tells its ticks in hundredths of a second, whatever its clock. */
    public double busySeconds() {
      return busy / 100.0;
    }

    /** The share of the processors that was used since then. */
    public ProcessorShare since(ProcessorTime earlier) {
      double ticks = Math.max(1, all - earlier.all);
      return new ProcessorShare((busy - earlier.busy) / ticks, (own - earlier.own) / ticks);
    }
  }

  /**
   * Parts of the machine's processors, from 0 to 1.
   *
   * @param busy used by anybody; near 1 figures tell of processors, not of devices and links
   * @param own used by the testbed's processes; the rest was others' or the kernel's
   */
  public record ProcessorShare(double busy, double own) {}

  /** The time until now, with that of these processes told apart. */
  public static ProcessorTime processorTime(List<Long> ownProcesses) {
    try {
      String[] fields =
          Files.readAllLines(Path.of("/proc/stat")).get(0).replaceFirst("cpu +", "").split(" ");
      // user nice system idle iowait irq softirq steal; guest times are counted in user already.
      long[] ticks = Arrays.stream(fields).limit(8).mapToLong(Long::parseLong).toArray();
      long all = Arrays.stream(ticks).sum();
      long own = ownProcesses.stream().mapToLong(Machine::ticksOf).sum();
      return new ProcessorTime(all - ticks[IDLE] - ticks[WAITING_FOR_DEVICES], own, all);
    } catch (IOException e) {
      throw OperatorException.cluster("cannot read /proc/stat: " + e.getMessage(), e);
    }
  }

  /** User and system time of a process; 0 when it has ended. */
  private static long ticksOf(long pid) {
    try {
      String stat = Files.readString(Path.of("/proc", Long.toString(pid), "stat"));
      String[] fields = stat.substring(stat.lastIndexOf(')') + 2).split(" ");
      return Long.parseLong(fields[11]) + Long.parseLong(fields[12]);
    } catch (IOException e) {
      return 0;
    }
  }
}
