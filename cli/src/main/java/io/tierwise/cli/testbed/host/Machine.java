package io.tierwise.cli.testbed.host;

import io.tierwise.cli.OperatorException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;

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
   * @param all processors times time
   */
  public record ProcessorTime(long busy, long all) {
    /** The part of the processors that was busy since then. */
    public double busyShareSince(ProcessorTime earlier) {
      return all == earlier.all ? 0 : (busy - earlier.busy) / (double) (all - earlier.all);
    }
  }

  public static ProcessorTime processorTime() {
    try {
      String[] fields =
          Files.readAllLines(Path.of("/proc/stat")).get(0).replaceFirst("cpu +", "").split(" ");
      // user nice system idle iowait irq softirq steal; guest times are counted in user already.
      long[] ticks = Arrays.stream(fields).limit(8).mapToLong(Long::parseLong).toArray();
      long all = Arrays.stream(ticks).sum();
      return new ProcessorTime(all - ticks[IDLE] - ticks[WAITING_FOR_DEVICES], all);
    } catch (IOException e) {
      throw OperatorException.cluster("cannot read /proc/stat: " + e.getMessage(), e);
    }
  }
}
