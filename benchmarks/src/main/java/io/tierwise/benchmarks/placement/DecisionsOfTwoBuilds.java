package io.tierwise.benchmarks.placement;

import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.reflect.Constructor;
import java.lang.reflect.Method;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * Placement decisions of two builds of this repository in one process, by turns of some
 * milliseconds, each with class loaders of its own: both then meet the same speed of the machine,
 * which on a virtual one changes twofold from second to second. The last line of output is one JSON
 * object: by policy the median of the turns' ratios, the first build's time by the second's. The
 * build that is loaded second is a few percent slower, also beside itself, so that two runs with
 * the builds exchanged make a figure.
 *
 * <p>The older build knows nothing of this class. So the benches' own classes are asked by name.
 */
public final class DecisionsOfTwoBuilds {
  private static final String PACKAGE = "io.tierwise.benchmarks.placement.";
  private static final int NODES = 100;
  private static final int TURNS = 600;

  /** Own: in the first ones classes are still being compiled. */
  private static final int WARM_UP_TURNS = TURNS / 4;

  /** Own: 5 ms or so, hundreds of times what a reading of the clock takes. */
  private static final int CALLS_OF_TURN = 4000;

  /** By name of the figure, the specification of the policy. */
  private static final Map<String, String> POLICIES =
      Map.of("hybrid", "hybrid", "network_aware", "network-aware:tiers=disk");

  private DecisionsOfTwoBuilds() {}

  /**
   * @param args the directories {@code benchmarks/target} of both builds
   */
  public static void main(String[] args) throws Throwable {
    requireBuilds(args);
    List<Map<String, MethodHandle>> builds = new ArrayList<>();
    for (String target : args) {
      builds.add(decisionsOf(Path.of(target)));
    }
    Map<String, Double> ratios = new LinkedHashMap<>();
    for (String figure : POLICIES.keySet().stream().sorted().toList()) {
      double ratio = ratio(builds.get(0).get(figure), builds.get(1).get(figure));
      ratios.put(figure + "_decision", ratio);
    }
    System.out.println(new ObjectMapper().writeValueAsString(ratios));
    // The clusters' own threads would keep the process.
    System.exit(0);
  }

  private static void requireBuilds(String[] args) {
    String wrong = args.length == 2 ? "" : "two arguments are needed, not " + args.length;
    for (String target : args) {
      if (wrong.isEmpty() && !Files.isDirectory(Path.of(target, "lib"))) {
        wrong = "'" + target + "' has no folder lib, so no build is there";
      }
    }
    if (!wrong.isEmpty()) {
      System.err.println(
          "decisions: " + wrong + ": give the directories benchmarks/target of two builds");
      System.exit(2);
    }
  }

  /** By figure, what places one block by the build's own classes. */
  private static Map<String, MethodHandle> decisionsOf(Path target) throws Exception {
    ClassLoader loader = new URLClassLoader(jarsOf(target), ClassLoader.getPlatformClassLoader());
    Thread.currentThread().setContextClassLoader(loader);
    Class<?> shapes = loader.loadClass(PACKAGE + "TreeShape");
    Class<?> clusters = loader.loadClass(PACKAGE + "BenchCluster");
    Class<?> contenders = loader.loadClass(PACKAGE + "Contender");
    Constructor<?> make = clusters.getDeclaredConstructor(shapes);
    make.setAccessible(true);
    Object cluster = make.newInstance(shapes.getEnumConstants()[0]);
    Map<String, String> paths = new LinkedHashMap<>();
    for (Map.Entry<String, String> policy : POLICIES.entrySet()) {
      Method managed = method(clusters, "managedFile", String.class, String.class);
      paths.put(
          policy.getKey(), (String) managed.invoke(cluster, policy.getKey(), policy.getValue()));
    }
    method(clusters, "growTo", int.class).invoke(cluster, NODES);
    method(clusters, "awaitView").invoke(cluster);
    Map<String, MethodHandle> decisions = new LinkedHashMap<>();
    for (Map.Entry<String, String> path : paths.entrySet()) {
      Method ours = method(contenders, "tierwise", clusters, String.class);
      Object contender = ours.invoke(null, cluster, path.getValue());
      MethodHandle place = MethodHandles.lookup().unreflect(method(contenders, "place"));
      decisions.put(path.getKey(), place.bindTo(contender));
    }
    return decisions;
  }

  private static Method method(Class<?> of, String name, Class<?>... parameters)
      throws NoSuchMethodException {
    Method method = of.getDeclaredMethod(name, parameters);
    method.setAccessible(true);
    return method;
  }

  private static URL[] jarsOf(Path target) throws IOException {
    List<URL> jars = new ArrayList<>();
    for (Path folder : List.of(target, target.resolve("lib"))) {
      try (Stream<Path> files = Files.list(folder)) {
        for (Path jar : files.filter(file -> file.toString().endsWith(".jar")).toList()) {
          jars.add(jar.toUri().toURL());
        }
      }
    }
    return jars.toArray(new URL[0]);
  }

  private static double ratio(MethodHandle one, MethodHandle other) throws Throwable {
    double[] ratios = new double[TURNS - WARM_UP_TURNS];
    for (int turn = 0; turn < TURNS; turn++) {
      boolean inOrder = turn % 2 == 0;
      double first = nanosOf(inOrder ? one : other);
      double second = nanosOf(inOrder ? other : one);
      if (turn >= WARM_UP_TURNS) {
        ratios[turn - WARM_UP_TURNS] = inOrder ? first / second : second / first;
      }
    }
    Arrays.sort(ratios);
    return ratios[ratios.length / 2];
  }

  private static double nanosOf(MethodHandle place) throws Throwable {
    long start = System.nanoTime();
    for (int call = 0; call < CALLS_OF_TURN; call++) {
      Object targets = place.invoke();
      if (targets == null) {
        throw new IllegalStateException("no targets");
      }
    }
    return System.nanoTime() - start;
  }
}
