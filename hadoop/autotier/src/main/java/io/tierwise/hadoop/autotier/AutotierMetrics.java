package io.tierwise.hadoop.autotier;

import io.tierwise.core.message.FileReason;
import io.tierwise.core.message.OperatorException;
import io.tierwise.profiles.output.OutputFile;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Locale;

/**
 * Writes the daemon's figures as Prometheus's text. No label has a path, a job, a user or a host.
 */
public final class AutotierMetrics {
  private final StringBuilder text = new StringBuilder();

  private AutotierMetrics() {}

  /** The text; of a daemon that is stopped it has the state alone. */
  public static String text(Control.Status status) {
    AutotierMetrics metrics = new AutotierMetrics();
    metrics.states(status.state());
    // One that runs may never have been able to tell of itself.
    if (status.state() != Control.State.STOPPED && status.daemon() != null) {
      metrics.add("rounds_total", "rounds", status.daemon().rounds());
      if (status.daemon().jobs() != null) {
        metrics.jobs(status.daemon().jobs());
      }
    }
    return metrics.text.toString();
  }

  private void states(Control.State now) {
    begin("state", "1 for how it is with the daemon");
    for (Control.State each : Control.State.values()) {
      text.append("tierwise_autotier_state{state=\"")
          .append(each.name().toLowerCase(Locale.ROOT))
          .append("\"} ")
          .append(each == now ? 1 : 0)
          .append('\n');
    }
  }

  private void jobs(JobsTold jobs) {
    add("prefetch_waiting_jobs", "Jobs of MapReduce and Spark that wait on YARN", jobs.waiting());
    add("prefetch_looked_jobs_total", "jobs that were looked at", jobs.looked());
    add("prefetch_prefetched_jobs_total", "of them, whose input came", jobs.prefetched());
    add("prefetch_prefetched_bytes_total", "replicas that came", jobs.prefetchedBytes());
    add("prefetch_left_bytes_total", "replicas that made room", jobs.leftBytes());
    add(
        "prefetch_withdrawn_jobs_total",
        "jobs that waited too long to hold room",
        jobs.withdrawn());
    add("prefetch_region_bytes", "bytes that jobs may take of the fast tier", jobs.regionBytes());
    add("prefetch_taken_bytes", "bytes of them that are taken or promised", jobs.takenBytes());
    add(
        "prefetch_resource_manager_away",
        "1 while the ResourceManager does not answer",
        jobs.away() == null ? 0 : 1);
  }

  private void begin(String name, String help) {
    String kind = name.endsWith("_total") ? "counter" : "gauge";
    text.append("# HELP tierwise_autotier_").append(name).append(' ').append(help).append('\n');
    text.append("# TYPE tierwise_autotier_").append(name).append(' ').append(kind).append('\n');
  }

  private void add(String name, String help, long value) {
    begin(name, help);
    text.append("tierwise_autotier_").append(name).append(' ').append(value).append('\n');
  }

  /**
   * Replaces a file: whoever collects it never sees half of it.
   *
   * @throws OperatorException when the file cannot be written
   */
  public static void write(Control.Status status, Path file) {
    try {
      OutputFile.write(file, text(status));
    } catch (IOException e) {
      throw OperatorException.badInput(
          "--textfile " + file + " cannot be written: " + FileReason.alone(e));
    }
  }
}
