package io.tierwise.lab.dfsio;

import com.sun.management.OperatingSystemMXBean;
import io.tierwise.hadoop.hdfs.tiers.TierConfiguration;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.LongConsumer;

/**
 * Runs the tasks of a bench at the same time, a thread each, and takes TestDFSIO's figures.
 *
 * <p>All clients are connected before the first task starts, so that no task pays for it.
 */
public final class DfsioRun {
  /**
   * The result of a run.
   *
   * @param tasks a task each, in the order of the tasks
   * @param figures of all
   */
  public record Result(List<TaskFigures> tasks, DfsioFigures figures) {}

  private interface Step {
    TaskFigures run(DfsioFile file, DfsioTask task) throws IOException;
  }

  private final BenchClients clients;
  private final TierConfiguration tiers;
  private final LongConsumer progress;

  /**
   * @param progress is told bytes as they are written or read, from many threads
   */
  public DfsioRun(BenchClients clients, TierConfiguration tiers, LongConsumer progress) {
    this.clients = clients;
    this.tiers = tiers;
    this.progress = progress;
  }

  /** Writes all files. */
  public Result write(List<DfsioTask> tasks, short replication, long blockBytes)
      throws IOException {
    return run(tasks, (file, task) -> file.write(task, replication, blockBytes));
  }

  /**
   * Reads all files and compares their checksums.
   *
   * @throws IOException also when the content of one differs
   */
  public Result read(List<DfsioTask> tasks) throws IOException {
    return run(tasks, DfsioFile::read);
  }

  private Result run(List<DfsioTask> tasks, Step step) throws IOException {
    List<DfsioFile> files = new ArrayList<>();
    for (DfsioTask task : tasks) {
      files.add(new DfsioFile(clients.at(task.place()), tiers, progress));
    }
    long refusalsBefore = clients.refusals();
    CountDownLatch start = new CountDownLatch(1);
    ExecutorService threads = Executors.newFixedThreadPool(tasks.size());
    try {
      List<Future<TaskFigures>> running = new ArrayList<>();
      for (int i = 0; i < tasks.size(); i++) {
        DfsioFile file = files.get(i);
        DfsioTask task = tasks.get(i);
        running.add(
            threads.submit(
                () -> {
                  start.await();
                  return step.run(file, task);
                }));
      }
      long processorBefore = processorNanos();
      long startNanos = System.nanoTime();
      start.countDown();
      List<TaskFigures> figures = collect(running);
      long wallNanos = System.nanoTime() - startNanos;
      return new Result(
          figures,
          DfsioFigures.of(
              figures,
              wallNanos,
              clients.refusals() - refusalsBefore,
              processorNanos() - processorBefore));
    } finally {
      threads.shutdownNow();
    }
  }

  /** Processor time that this process has used, all threads. */
  static long processorNanos() {
    return ManagementFactory.getOperatingSystemMXBean() instanceof OperatingSystemMXBean system
        ? system.getProcessCpuTime()
        : 0;
  }

  private static List<TaskFigures> collect(List<Future<TaskFigures>> running) throws IOException {
    List<TaskFigures> figures = new ArrayList<>();
    for (Future<TaskFigures> task : running) {
      try {
        figures.add(task.get());
      } catch (ExecutionException e) {
        if (e.getCause() instanceof IOException failure) {
          throw failure;
        }
        throw new IOException("a task failed: " + e.getCause(), e.getCause());
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new InterruptedIOException("interrupted while tasks were running");
      }
    }
    return figures;
  }
}
