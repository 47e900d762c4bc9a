package io.tierwise.simulator.jobs;

import io.tierwise.core.work.SlotKind;
import io.tierwise.simulator.engine.Ticks;
import io.tierwise.simulator.scenario.StageSpec;
import io.tierwise.simulator.storage.StoredFile;
import io.tierwise.simulator.workload.JobSource;
import io.tierwise.simulator.workload.JobSpec;
import io.tierwise.simulator.workload.StageGraph;

/**
 * Makes a job that arrives ready to run: its stages, how many tasks each has, the files that it
 * reads and those that it will write.
 */
final class JobAdmission {
  private final TaskContext context;
  private final JobSource source;
  private final WarmInput warmInput;
  private int jobCount;

  JobAdmission(TaskContext context, JobSource source) {
    this.context = context;
    this.source = source;
    this.warmInput = new WarmInput(context);
  }

  /** The job; its input exists, or is laid out now, by the placement policy. */
  JobRun admit(JobSpec spec) {
    JobRun job = spec.stages().isEmpty() ? ofMapReduce(spec) : ofStages(spec);
    int replicas = context.namespace().slotCount();
    job.pendingMaps =
        new PendingMaps(job.taskCount(SlotKind.MAP), replicas, context.cluster().nodeCount());
    for (StageRun stage : job.stages) {
      if (stage.input != null) {
        stage.input.noteRead(nowMillis());
      }
    }
    return job;
  }

  private JobRun ofMapReduce(JobSpec spec) {
    StoredFile input =
        inputOf(
            spec.inputPath(), spec.inputBytes(), spec.inputFileBytes(), source.inputFiles(spec));
    int maps = spec.mapCount() > 0 ? spec.mapCount() : blocks(spec.inputBytes(), input);
    int reducers =
        spec.mapOutputBytes() == 0
            ? 0
            : spec.reduceCount() > 0 ? spec.reduceCount() : reducers(spec.mapOutputBytes());
    int parts = reducers > 0 ? reducers : maps;
    StoredFile output = outputOf(spec, spec.outputPath(), spec.outputBytes(), parts);
    long now = context.engine().now();
    return JobRun.ofMapReduce(jobCount++, spec, now, maps, reducers, input, output);
  }

  private JobRun ofStages(JobSpec spec) {
    JobRun job = new JobRun(jobCount++, spec, context.engine().now());
    for (StageSpec stage : spec.stages()) {
      StoredFile input = inputOf(stage.inputPath(), stage.inputBytes(), stage.inputBytes(), 1);
      int tasks = stage.taskCount() > 0 ? stage.taskCount() : taskCount(job, stage, input);
      // Only where one stage alone writes is it known what others mean by the job's output.
      String path = StageGraph.writers(spec.stages()) == 1 ? spec.outputPath() : "";
      job.add(stage, tasks, input, outputOf(spec, path, stage.outputBytes(), tasks));
    }
    return job;
  }

  private int taskCount(JobRun job, StageSpec stage, StoredFile input) {
    if (stage.takes().isEmpty()) {
      return blocks(stage.inputBytes(), input);
    }
    long bytes = 0;
    for (StageSpec.Edge edge : stage.takes()) {
      StageRun parent = job.stages.get(edge.stage());
      if (edge.oneToOne()) {
        return parent.taskCount;
      }
      bytes += parent.spec.betweenBytes();
    }
    return Math.max(1, reducers(bytes));
  }

  private static int blocks(long bytes, StoredFile input) {
    return input == null ? 1 : input.blockIndexAt(Math.min(bytes, input.bytes()) - 1) + 1;
  }

  private int reducers(long bytes) {
    long bytesEach = context.model().bytesPerReducer();
    long wanted = (bytes + bytesEach - 1) / bytesEach;
    return (int) Math.min(context.model().reducersPerJobMax(), wanted);
  }

  /**
   * Opens the file that is read, and lays it out where it is not there. Null when nothing is read.
   * No file of a job makes room for another one of it.
   *
   * @param files that what is laid out consists of
   */
  private StoredFile inputOf(String path, long readBytes, long fileBytes, int files) {
    if (readBytes == 0) {
      return null;
    }
    StoredFile file = context.namespace().find(path);
    if (file == null) {
      file = layOut(path, files, Math.max(readBytes, fileBytes) / files);
    } else {
      file.opened();
    }
    warmInput.opened(file);
    return file;
  }

  private StoredFile layOut(String path, int files, long bytesEach) {
    StoredFile file = context.namespace().create(path, files, bytesEach);
    // Before it is laid out: its own first blocks make no room for its last ones.
    file.opened();
    int nodes = context.cluster().nodeCount();
    for (int index = 0; index < file.blockCount(); index++) {
      context.placer().place(file, index, context.random().nextInt(nodes));
    }
    return file;
  }

  private StoredFile outputOf(JobSpec spec, String path, long bytes, int parts) {
    if (bytes == 0) {
      return null;
    }
    int replicas =
        spec.outputReplication() > 0 ? spec.outputReplication() : context.namespace().replication();
    StoredFile file =
        context.namespace().create(path, parts, (bytes + parts - 1) / parts, replicas);
    file.setBeingWritten(true);
    return file;
  }

  private long nowMillis() {
    return context.engine().now() / (Ticks.PER_SECOND / 1000);
  }
}
