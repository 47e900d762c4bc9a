import ch.qos.logback.classic.Level;
import java.lang.management.ManagementFactory;
import java.util.Random;
import org.cloudsimplus.core.CloudSimEntity;
import org.cloudsimplus.core.CloudSimPlus;
import org.cloudsimplus.core.events.SimEvent;
import org.cloudsimplus.util.Log;

/**
 * The hold model on CloudSim Plus, to be measured beside the simulator's own event loop: one entity
 * with PENDING events to itself, each of which schedules its successor after an exponential delay of
 * one second in the mean.
 *
 * <p>Usage: Hold PENDING EVENTS. Prints the seconds of processor time for EVENTS events; random
 * numbers are drawn beforehand. A program of its own: nothing of the product uses CloudSim Plus.
 */
final class Hold extends CloudSimEntity {
  private static final int DELAYS = 1 << 16;

  private final CloudSimPlus simulation;
  private final int pending;
  private final int events;
  private final double[] delays = new double[DELAYS];
  private int handled;
  private long startNanos;

  private Hold(CloudSimPlus simulation, int pending, int events) {
    super(simulation);
    this.simulation = simulation;
    this.pending = pending;
    this.events = events;
    Random random = new Random(42);
    for (int i = 0; i < DELAYS; i++) {
      delays[i] = -Math.log(1 - random.nextDouble());
    }
  }

  public static void main(String[] args) {
    Log.setLevel(Level.OFF);
    CloudSimPlus simulation = new CloudSimPlus(1e-9);
    new Hold(simulation, Integer.parseInt(args[0]), Integer.parseInt(args[1]));
    simulation.start();
  }

  @Override
  protected void startInternal() {
    for (int i = 0; i < pending; i++) {
      schedule(delays[i & (DELAYS - 1)], 0);
    }
  }

  @Override
  public void processEvent(SimEvent event) {
    // One round warms up, the next one counts.
    if (handled == events) {
      startNanos = cpuNanos();
    }
    if (handled == 2 * events) {
      System.out.printf("%.6f%n", (cpuNanos() - startNanos) / 1e9);
      System.out.flush();
      Runtime.getRuntime().halt(0);
    }
    schedule(delays[handled++ & (DELAYS - 1)], 0);
  }

  private static long cpuNanos() {
    return ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
  }
}
