package io.tierwise.lab.dfsio;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.PropertyNamingStrategies;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.tierwise.core.message.FileReason;
import io.tierwise.core.message.OperatorException;
import io.tierwise.hadoop.hdfs.tiers.TierConfiguration;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;

/** One worker process of a bench: reads a {@link WorkerPlan}, runs it, makes a report. */
public final class DfsioWorker {
  private static final JsonMapper MAPPER =
      JsonMapper.builder().propertyNamingStrategy(PropertyNamingStrategies.SNAKE_CASE).build();

  private DfsioWorker() {}

  /** Says when the tasks begin; asked once all clients are connected. */
  public interface Start {
    /** Milliseconds since the epoch; what is over is at once. */
    long epochMillis() throws IOException;
  }

  /** Reads a plan, names in snake_case. */
  public static WorkerPlan plan(Path file) {
    try {
      return MAPPER.readValue(Files.readString(file), WorkerPlan.class);
    } catch (JsonProcessingException e) {
      throw OperatorException.badInput(
          "--worker " + file + " is no worker's plan: " + e.getOriginalMessage());
    } catch (IOException e) {
      throw OperatorException.badInput("--worker cannot be read: " + FileReason.of(e));
    }
  }

  /** Writes a plan or a report as one line of JSON. */
  public static String toJson(Object planOrReport) throws IOException {
    return MAPPER.writeValueAsString(planOrReport);
  }

  /** Reads what a worker printed. */
  public static WorkerReport report(String json) throws IOException {
    return MAPPER.readValue(json, WorkerReport.class);
  }

  /** Runs the plan's tasks at the plan's time. */
  public static WorkerReport run(WorkerPlan plan, Configuration base) throws IOException {
    return run(plan, base, plan::startEpochMillis);
  }

  /** Runs the plan's tasks. */
  public static WorkerReport run(WorkerPlan plan, Configuration base, Start start)
      throws IOException {
    FileSystem.setDefaultUri(base, plan.fs());
    plan.keys().forEach(base::set);
    try (ClientSet clients = new ClientSet(place -> new Configuration(base), plan.keys())) {
      for (DfsioTask task : plan.tasks()) {
        clients.at(task.place()).exists(new org.apache.hadoop.fs.Path("/"));
      }
      DfsioRun run = new DfsioRun(clients, TierConfiguration.load(base), bytes -> {});
      awaitStart(start.epochMillis());
      Instant started = Instant.now();
      long processorBefore = DfsioRun.processorNanos();
      long startNanos = System.nanoTime();
      DfsioRun.Result result =
          plan.phase() == WorkerPlan.Phase.WRITE
              ? run.write(plan.tasks(), plan.replication(), plan.blockBytes())
              : run.read(plan.tasks());
      return new WorkerReport(
          result.tasks(),
          TimeUnit.SECONDS.toNanos(started.getEpochSecond()) + started.getNano(),
          System.nanoTime() - startNanos,
          result.figures().refusals(),
          DfsioRun.processorNanos() - processorBefore);
    }
  }

  private static void awaitStart(long epochMillis) throws IOException {
    long millis = epochMillis - System.currentTimeMillis();
    if (millis > 0) {
      try {
        TimeUnit.MILLISECONDS.sleep(millis);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new InterruptedIOException("interrupted before the start");
      }
    }
  }
}
