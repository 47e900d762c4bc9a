package io.tierwise.simulator.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.function.ToDoubleFunction;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;

/**
 * Queues with known answers, as models on the engine: one line, {@code k} servers, first come first
 * served. Times in the system and in line must be those of queueing theory.
 */
class QueueingTheoryTest {
  private static final int CUSTOMERS = 1_500_000;

  private static double exponential(RandomGenerator random) {
    return -Math.log(1 - random.nextDouble());
  }

  /** A line in front of servers; Poisson arrivals, service times drawn from any distribution. */
  private static final class Line {
    final BatchMeans timeInSystem = new BatchMeans(CUSTOMERS);
    final BatchMeans timeInLine = new BatchMeans(CUSTOMERS);
    final Engine engine = new Engine();
    private final RandomStreams streams = new RandomStreams(42);
    private final RandomGenerator arrivals = streams.stream("arrivals", 0);
    private final RandomGenerator services = streams.stream("services", 0);
    private final double arrivalsPerSecond;
    private final ToDoubleFunction<RandomGenerator> serviceSeconds;
    private final long[] arrivedTick = new long[CUSTOMERS];
    private final int arrival = engine.register(this::arrive);
    private final int departure = engine.register(this::depart);
    private int freeServers;
    private int nextInLine;
    private int arrived;
    private int present;
    private long lastTick;
    double customerSeconds;
    double sumOfTimes;

    Line(int servers, double arrivalsPerSecond, ToDoubleFunction<RandomGenerator> serviceSeconds) {
      this.freeServers = servers;
      this.arrivalsPerSecond = arrivalsPerSecond;
      this.serviceSeconds = serviceSeconds;
      scheduleArrival();
      engine.runUntil(Ticks.NEVER);
    }

    private void scheduleArrival() {
      double seconds = exponential(arrivals) / arrivalsPerSecond;
      engine.at(engine.now() + Ticks.ofSeconds(seconds), arrival, arrived);
    }

    private void arrive(long customer) {
      count(1);
      arrivedTick[arrived++] = engine.now();
      if (arrived < CUSTOMERS) {
        scheduleArrival();
      }
      if (freeServers > 0) {
        freeServers--;
        serveNext();
      }
    }

    private void serveNext() {
      int customer = nextInLine++;
      timeInLine.add(Ticks.toSeconds(engine.now() - arrivedTick[customer]));
      double seconds = serviceSeconds.applyAsDouble(services);
      engine.at(engine.now() + Ticks.ofSeconds(seconds), departure, customer);
    }

    private void depart(long customer) {
      count(-1);
      double seconds = Ticks.toSeconds(engine.now() - arrivedTick[(int) customer]);
      timeInSystem.add(seconds);
      sumOfTimes += seconds;
      if (nextInLine < arrived) {
        serveNext();
      } else {
        freeServers++;
      }
    }

    private void count(int difference) {
      customerSeconds += present * Ticks.toSeconds(engine.now() - lastTick);
      lastTick = engine.now();
      present += difference;
    }
  }

  /** T = 1 / (mu - lambda). */
  @Test
  void timeInAnMM1SystemIsThatOfTheory() {
    Line line = new Line(1, 0.5, QueueingTheoryTest::exponential);

    line.timeInSystem.assertMeanIs(2);
  }

  /** T = 1 / mu + C(k, a) / (k mu - lambda); C by Erlang, a = lambda / mu. */
  @Test
  void timeInAnMMkSystemIsThatOfErlangC() {
    Line line = new Line(4, 2.4, QueueingTheoryTest::exponential);

    line.timeInSystem.assertMeanIs(1 + erlangC(4, 2.4) / (4 - 2.4));
  }

  /** W = lambda E[S^2] / (2 (1 - rho)), by Pollaczek and Khinchine; E[S^2] = 1 for S = 1. */
  @Test
  void waitOfConstantServiceIsThatOfPollaczekAndKhinchine() {
    Line line = new Line(1, 0.5, random -> 1);

    line.timeInLine.assertMeanIs(0.5 / (2 * 0.5));
  }

  /** Uniform on 0..2: E[S] = 1, E[S^2] = 4/3. */
  @Test
  void waitOfUniformServiceIsThatOfPollaczekAndKhinchine() {
    Line line = new Line(1, 0.5, random -> 2 * random.nextDouble());

    line.timeInLine.assertMeanIs(0.5 * 4 / 3 / (2 * 0.5));
  }

  /** L = lambda W over a time that starts and ends empty, without any assumption. */
  @Test
  void littlesLawHoldsExactly() {
    Line line = new Line(2, 1.6, random -> 1.5 * random.nextDouble());
    double seconds = Ticks.toSeconds(line.engine.now());

    double present = line.customerSeconds / seconds;
    double arrivalsPerSecond = CUSTOMERS / seconds;
    double timeInSystem = line.sumOfTimes / CUSTOMERS;

    assertThat(present).isCloseTo(arrivalsPerSecond * timeInSystem, within(1e-9 * present));
  }

  private static double erlangC(int servers, double load) {
    double term = 1;
    double sum = 0;
    for (int k = 0; k < servers; k++) {
      sum += term;
      term *= load / (k + 1);
    }
    double last = term * servers / (servers - load);
    return last / (sum + last);
  }
}
