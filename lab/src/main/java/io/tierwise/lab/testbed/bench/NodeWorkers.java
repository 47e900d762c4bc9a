package io.tierwise.lab.testbed.bench;

import io.tierwise.lab.dfsio.BenchPlace;
import io.tierwise.lab.dfsio.ClientKeysFor;
import io.tierwise.lab.dfsio.DfsioRun;
import io.tierwise.lab.dfsio.DfsioTask;
import io.tierwise.lab.dfsio.DfsioWorker;
import io.tierwise.lab.dfsio.WorkerPlan;
import io.tierwise.lab.dfsio.WorkerReport;
import io.tierwise.lab.testbed.JavaCommand;
import io.tierwise.lab.testbed.host.NodeProcesses;
import io.tierwise.lab.testbed.plan.NodePlan;
import io.tierwise.lab.testbed.plan.TestbedPlan;
import java.io.BufferedReader;
import java.io.BufferedWriter;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStreamWriter;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** One worker JVM in each node; runs the tasks of a run at the same time, each on its node. */
final class NodeWorkers implements AutoCloseable {
  private static final int HEAP_MEGABYTES = 160;

  /**
   * From the end of a run to the first byte of the next one: each node has told the NameNode once
   * more, as it does each second, how many readers it has.
   */
  private static final long IDLE_MILLIS = 1_250;

  /** Own: all workers have heard by then when they begin. */
  private static final long LEAD_MILLIS = 100;

  private record Worker(Process process, BufferedReader answers, Writer requests) {}

  private final String fs;
  private final Path folder;
  private final Map<String, Worker> workers = new LinkedHashMap<>();
  private long endedMillis;

  NodeWorkers(TestbedPlan plan, String fs, Path folder, NodeProcesses processes, JavaCommand java)
      throws IOException {
    this.fs = fs;
    this.folder = folder;
    Files.createDirectories(folder);
    for (NodePlan node : plan.dataNodes()) {
      Process process =
          new ProcessBuilder(
                  processes.inside(
                      node.name(), java.of(node, HEAP_MEGABYTES, NodeWorker.class.getName())))
              .redirectError(folder.resolve(node.name() + ".log").toFile())
              .start();
      workers.put(
          node.name(),
          new Worker(
              process,
              new BufferedReader(
                  new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8)),
              new BufferedWriter(
                  new OutputStreamWriter(process.getOutputStream(), StandardCharsets.UTF_8))));
    }
  }

  /**
   * Runs the tasks, all at the same time.
   *
   * @throws IOException also when a task's data is not what was written
   */
  DfsioRun.Result run(
      WorkerPlan.Phase phase,
      String access,
      List<DfsioTask> tasks,
      short replication,
      long blockBytes)
      throws IOException {
    Map<String, List<DfsioTask>> byNode = new LinkedHashMap<>();
    for (DfsioTask task : tasks) {
      BenchPlace place = task.place();
      byNode.computeIfAbsent(place.hostName(), name -> new ArrayList<>()).add(task);
    }
    for (Map.Entry<String, List<DfsioTask>> entry : byNode.entrySet()) {
      Path file = folder.resolve(entry.getKey() + ".plan.json");
      Files.writeString(
          file,
          DfsioWorker.toJson(
              new WorkerPlan(
                  fs,
                  ClientKeysFor.access(access),
                  phase,
                  entry.getValue(),
                  replication,
                  blockBytes,
                  0)));
      tell(entry.getKey(), file.toString());
    }
    for (String node : byNode.keySet()) {
      awaitReady(node);
    }
    long start = Math.max(System.currentTimeMillis() + LEAD_MILLIS, endedMillis + IDLE_MILLIS);
    for (String node : byNode.keySet()) {
      tell(node, Long.toString(start));
    }
    List<WorkerReport> reports = new ArrayList<>();
    for (String node : byNode.keySet()) {
      reports.add(DfsioWorker.report(answer(node)));
    }
    endedMillis = System.currentTimeMillis();
    return WorkerReport.merge(reports);
  }

  private void tell(String node, String line) throws IOException {
    Writer requests = workers.get(node).requests();
    requests.write(line + "\n");
    requests.flush();
  }

  private void awaitReady(String node) throws IOException {
    String answer = answer(node);
    if (!answer.equals(NodeWorker.READY)) {
      throw new IOException(
          "the worker of " + node + " said " + answer + " before its tasks began");
    }
  }

  private String answer(String node) throws IOException {
    String answer = workers.get(node).answers().readLine();
    if (answer == null) {
      throw new IOException("the worker of " + node + " ended: see " + folder);
    }
    if (answer.startsWith(NodeWorker.FAILED)) {
      throw new IOException("on " + node + ": " + answer.substring(NodeWorker.FAILED.length()));
    }
    return answer;
  }

  @Override
  public void close() {
    workers.values().forEach(worker -> worker.process().destroyForcibly());
  }
}
