package io.tierwise.simulator.network;

import static org.assertj.core.api.Assertions.assertThat;

import io.tierwise.simulator.engine.Engine;
import java.lang.reflect.Array;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.util.Arrays;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.Set;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The memory of a flow that shares its path with no other, with all that dividing for all flows at
 * once needs. Counted, not measured: every array that the network reaches, with the part that is
 * not in use, so that one bad moment after an array grew would show.
 */
class FlowMemoryTest {
  private static final int BYTES_PER_FLOW_MAX = 200;
  private static final int FLOWS_MIN = 10_000;
  private static final int FLOWS = 50_000;
  private static final int FLOWS_MAX = 200_000;

  /** Sizes are a 64th apart, arrays grow by twice as much. */
  private static final int STEPS = 64;

  private static final int NODES = 2000;
  private static final int RACK_NODES = FlowsScenario.RACK_NODES;
  private static final int PATH = FlowsScenario.PATH_MAX;

  private static final int ARRAY_HEADER_BYTES = 16;
  private static final int REFERENCE_BYTES = 8;

  private final Engine engine = new Engine();
  private final FlowNetwork network = new FlowNetwork(engine, (flow, tag) -> {});
  private final int[] path = new int[PATH];
  private final double[] unitsPerByte = new double[PATH];
  private int started;

  @ParameterizedTest
  @ValueSource(doubles = {Double.POSITIVE_INFINITY, 1e9})
  void aFlowAloneOnFiveResourcesTakesAtMost200BytesHoweverManyThereAre(double bytesPerSecondMax) {
    assertAtMost200Bytes(bytesPerSecondMax, FLOWS_MIN, FLOWS);
  }

  /** Long: make test has fewer flows. */
  @Tag("long")
  @ParameterizedTest
  @ValueSource(doubles = {Double.POSITIVE_INFINITY, 1e9})
  void soItDoesAmongMore(double bytesPerSecondMax) {
    assertAtMost200Bytes(bytesPerSecondMax, FLOWS, FLOWS_MAX);
  }

  private void assertAtMost200Bytes(double bytesPerSecondMax, int flowsMin, int flowsMax) {
    Arrays.fill(unitsPerByte, 1);
    for (int i = 0; i < 3 * NODES + 2 * NODES / RACK_NODES; i++) {
      network.addResource(100e6);
    }
    divideForAll();
    long bytesOfResources = reachableBytes(network, newSet());
    double most = 0;
    int flowsOfMost = 0;
    for (int flows = flowsMin; flows <= flowsMax; flows += flows / STEPS) {
      while (started < flows) {
        start(bytesPerSecondMax);
      }
      divideForAll();
      double bytes = (reachableBytes(network, newSet()) - bytesOfResources) / (double) flows;
      if (bytes > most) {
        most = bytes;
        flowsOfMost = flows;
      }
    }
    assertThat(network.rate(started - 1)).isPositive();
    assertThat(most).as("with %d flows", flowsOfMost).isLessThanOrEqualTo(BYTES_PER_FLOW_MAX);
  }

  /** Starts a flow between two nodes of two racks, between which there is none yet. */
  private void start(double bytesPerSecondMax) {
    int source = started % NODES;
    int target = (source + RACK_NODES + started / NODES) % NODES;
    path[0] = 3 * source;
    path[1] = 3 * source + 1;
    path[2] = 3 * NODES + 2 * (source / RACK_NODES);
    path[3] = 3 * NODES + 2 * (target / RACK_NODES) + 1;
    path[4] = 3 * target + 2;
    network.start(path, unitsPerByte, PATH, 64e6, bytesPerSecondMax, started++);
  }

  private void divideForAll() {
    for (int i = 0; i < 3 * NODES + 2 * NODES / RACK_NODES; i++) {
      network.setCapacity(i, 100e6);
    }
    engine.runUntil(engine.now());
  }

  private static Set<Object> newSet() {
    return Collections.newSetFromMap(new IdentityHashMap<>());
  }

  /** Bytes of the arrays that the network's own objects refer to. */
  private static long reachableBytes(Object object, Set<Object> seen) {
    if (object == null || !seen.add(object)) {
      return 0;
    }
    Class<?> type = object.getClass();
    long bytes = 0;
    if (type.isArray()) {
      int length = Array.getLength(object);
      long content = (long) length * elementBytes(type.getComponentType());
      bytes = ARRAY_HEADER_BYTES + (content + Long.BYTES - 1) / Long.BYTES * Long.BYTES;
      for (int i = 0; i < length && !type.getComponentType().isPrimitive(); i++) {
        bytes += reachableBytes(Array.get(object, i), seen);
      }
    } else if (type.getPackage().equals(FlowNetwork.class.getPackage())) {
      for (Field field : type.getDeclaredFields()) {
        if (!Modifier.isStatic(field.getModifiers()) && !field.getType().isPrimitive()) {
          bytes += reachableBytes(valueOf(field, object), seen);
        }
      }
    }
    return bytes;
  }

  private static Object valueOf(Field field, Object object) {
    try {
      field.setAccessible(true);
      return field.get(object);
    } catch (IllegalAccessException e) {
      throw new AssertionError(e);
    }
  }

  private static int elementBytes(Class<?> type) {
    if (type == double.class || type == long.class) {
      return Long.BYTES;
    }
    if (type == int.class) {
      return Integer.BYTES;
    }
    if (type == char.class) {
      return Character.BYTES;
    }
    assertThat(type.isPrimitive() && type != byte.class && type != boolean.class)
        .as("elements of %s have another size", type)
        .isFalse();
    return type.isPrimitive() ? 1 : REFERENCE_BYTES;
  }
}
