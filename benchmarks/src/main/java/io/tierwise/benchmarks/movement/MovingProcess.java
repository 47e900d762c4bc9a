package io.tierwise.benchmarks.movement;

import io.tierwise.core.message.Listener;
import io.tierwise.hadoop.mover.MoverSettings;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.StorageType;

/**
 * A process that makes moves on request. Users' movers are processes of their own too, so that the
 * start and the garbage of one are no part of what a reader meets. It has the options that {@code
 * bin/tierwise} gives a mover.
 */
final class MovingProcess implements AutoCloseable {
  private static final String DONE = "done";
  private static final List<String> OPTIONS = List.of("-XX:TieredStopAtLevel=1", "-Xmx512m");
  private static final int THREADS = 36;

  private final Process process;
  private final PrintStream orders;
  private final BufferedReader answers;

  private MovingProcess(Process process) {
    this.process = process;
    this.orders = new PrintStream(process.getOutputStream(), true, StandardCharsets.UTF_8);
    this.answers = process.inputReader(StandardCharsets.UTF_8);
  }

  static MovingProcess start(BenchHdfs hdfs) throws IOException {
    return new MovingProcess(
        ClientJvm.of(hdfs, "mover", OPTIONS, MovingProcess.class)
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .start());
  }

  /** By the mover, at the rates of the settings. */
  CompletableFuture<Void> move(Path path, String layout, MoverSettings settings) {
    return order(
        String.format(
            Locale.ROOT,
            "move\t%s\t%s\t%d\t%d\t%d",
            path,
            layout,
            settings.limits().nodeBytesPerSecond(),
            settings.limits().allBytesPerSecond(),
            settings.limits().nodeMovesPerSecond()));
  }

  /** {@linkplain BareMoves Without a mover}, evenly over so many seconds. */
  CompletableFuture<Void> bareMoves(Path path, StorageType to, double seconds) {
    return order(String.format(Locale.ROOT, "bare\t%s\t%s\t%f", path, to, seconds));
  }

  private CompletableFuture<Void> order(String text) {
    orders.println(text);
    return CompletableFuture.runAsync(
        () -> {
          try {
            String answer = answers.readLine();
            if (!DONE.equals(answer)) {
              throw new IOException("the process that moves: " + answer);
            }
          } catch (IOException e) {
            throw new CompletionException(e);
          }
        });
  }

  double processorSeconds() {
    return ProcessorTime.of(process);
  }

  /** It ends with its input. */
  @Override
  public void close() {
    orders.close();
    ClientJvm.end(process);
  }

  public static void main(String[] arguments) throws IOException {
    PrintStream answers = System.out;
    System.setOut(System.err);
    try (BenchHdfs hdfs = BenchHdfs.configured()) {
      BufferedReader orders =
          new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
      for (String order = orders.readLine(); order != null; order = orders.readLine()) {
        carryOut(hdfs, order.split("\t"));
        answers.println(DONE);
      }
    }
    System.exit(0);
  }

  private static void carryOut(BenchHdfs hdfs, String[] order) throws IOException {
    Path path = new Path(order[1]);
    if (order[0].equals("move")) {
      MoverSettings settings =
          MoverSettings.DEFAULT
              .atRates(Long.parseLong(order[3]), Long.parseLong(order[4]))
              .atMovesPerSecond(Integer.parseInt(order[5]));
      hdfs.move(path, order[2], settings, Listener.Step.SILENT);
      return;
    }
    BareMoves moves = new BareMoves(hdfs, path, StorageType.valueOf(order[2]));
    double every = Double.parseDouble(order[3]) / moves.count();
    SteadyWork.begin(THREADS, moves.count(), every, moves).join();
  }
}
