package io.tierwise.lab.testbed.bench;

import io.tierwise.lab.dfsio.DfsioWorker;
import io.tierwise.lab.dfsio.WorkerPlan;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import org.apache.hadoop.hdfs.HdfsConfiguration;

/**
 * The JVM of a node's tasks: takes the name of a plan's file a line, says that its clients are
 * connected, takes the time at which all begin, runs the plan, and answers with a line of JSON. One
 * JVM for all runs, so that no run pays for its start.
 */
public final class NodeWorker {
  /** Begins the answer to a plan that failed. */
  static final String FAILED = "failed: ";

  /** All clients of the plan are connected. */
  static final String READY = "ready";

  private NodeWorker() {}

  public static void main(String[] arguments) throws IOException {
    // Answers alone go to the standard output; whatever else prints there goes to the log.
    PrintStream answers = System.out;
    System.setOut(System.err);
    BufferedReader requests =
        new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
    for (String line = requests.readLine(); line != null; line = requests.readLine()) {
      say(answers, answer(Path.of(line), answers, requests));
    }
  }

  private static void say(PrintStream answers, String line) {
    answers.println(line);
    answers.flush();
  }

  private static String answer(Path file, PrintStream answers, BufferedReader requests) {
    try {
      WorkerPlan plan = DfsioWorker.plan(file);
      DfsioWorker.Start start =
          () -> {
            say(answers, READY);
            return Long.parseLong(requests.readLine());
          };
      return DfsioWorker.toJson(DfsioWorker.run(plan, new HdfsConfiguration(), start));
    } catch (IOException | RuntimeException e) {
      return FAILED + String.valueOf(e).replaceAll("\\s+", " ");
    }
  }
}
