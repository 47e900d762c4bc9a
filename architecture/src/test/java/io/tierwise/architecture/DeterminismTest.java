package io.tierwise.architecture;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.Dependency;
import com.tngtech.archunit.core.domain.JavaCall;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.lang.ArchCondition;
import com.tngtech.archunit.lang.ArchRule;
import com.tngtech.archunit.lang.ConditionEvents;
import com.tngtech.archunit.lang.SimpleConditionEvent;
import io.tierwise.architecture.planted.ForbiddenCalls;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Keeps invariant 2: the same view, request and seed give the same decision, and the same scenario
 * and seed the same simulated run, on any machine and at any time. They ask no clock, draw no
 * unseeded number, start no thread, read no file, and meet no collection whose order changes from
 * run to run.
 */
class DeterminismTest {
  private static final Set<String> FORBIDDEN_TYPES =
      Set.of(
          "java.lang.Thread",
          "java.lang.Process",
          "java.util.Timer",
          "java.util.concurrent.ThreadLocalRandom",
          "java.security.SecureRandom",
          "java.util.HashMap",
          "java.util.HashSet",
          "java.util.IdentityHashMap",
          "java.util.WeakHashMap",
          "java.time.Clock",
          "java.util.concurrent.CompletableFuture");

  private static final Set<String> FORBIDDEN_PACKAGES =
      Set.of("java.nio.file", "java.nio.channels", "java.net", "java.sql");

  private static final Set<String> FORBIDDEN_METHODS =
      Set.of(
          "java.lang.System.currentTimeMillis",
          "java.lang.System.nanoTime",
          "java.lang.Math.random",
          "java.lang.StrictMath.random",
          "java.util.UUID.randomUUID",
          "java.lang.System.identityHashCode",
          // Unmodifiable maps and sets iterate in an order that is drawn anew for every JVM.
          "java.util.Map.of",
          "java.util.Map.ofEntries",
          "java.util.Map.copyOf",
          "java.util.Set.of",
          "java.util.Set.copyOf",
          "java.util.stream.Collectors.toSet",
          "java.util.stream.Collectors.toUnmodifiableSet",
          "java.util.stream.Collectors.toUnmodifiableMap",
          "java.util.stream.BaseStream.parallel",
          "java.util.Collection.parallelStream");

  private static final ArchRule DECIDES_REPEATABLY =
      noClasses()
          .that()
          .resideInAnyPackage(
              ProjectClasses.CORE,
              ProjectClasses.POLICIES,
              ProjectClasses.SIMULATOR_ENGINE,
              ProjectClasses.SIMULATOR_NETWORK,
              ForbiddenCalls.class.getPackageName())
          .should(dependOnWhatChangesFromRunToRun());

  @Test
  void decisionsAndSimulatedTimeAskNoClockDrawUnseededNumbersStartThreadsOrUseHashOrder() {
    DECIDES_REPEATABLY.check(ProjectClasses.main());
  }

  static Stream<Class<?>> plantedClasses() {
    return Stream.of(ForbiddenCalls.class.getDeclaredClasses());
  }

  @ParameterizedTest
  @MethodSource("plantedClasses")
  void eachForbiddenThingIsNoticed(Class<?> planted) {
    JavaClasses classes = new ClassFileImporter().importClasses(planted);

    assertThat(DECIDES_REPEATABLY.evaluate(classes).hasViolation()).isTrue();
  }

  private static ArchCondition<JavaClass> dependOnWhatChangesFromRunToRun() {
    return new ArchCondition<>("depend on a clock, chance, threads, files or hash order") {
      @Override
      public void check(JavaClass owner, ConditionEvents events) {
        for (Dependency dependency : owner.getDirectDependenciesFromSelf()) {
          if (isForbidden(dependency.getTargetClass())) {
            events.add(SimpleConditionEvent.satisfied(dependency, dependency.getDescription()));
          }
        }
        Stream.concat(
                owner.getMethodCallsFromSelf().stream(),
                owner.getConstructorCallsFromSelf().stream())
            .filter(FORBIDDEN_CALL)
            .forEach(
                call -> events.add(SimpleConditionEvent.satisfied(call, call.getDescription())));
      }
    };
  }

  private static boolean isForbidden(JavaClass target) {
    return FORBIDDEN_TYPES.contains(target.getName())
        // An exception names a file, and opens none.
        || (FORBIDDEN_PACKAGES.contains(target.getPackageName())
            && !target.isAssignableTo(Throwable.class))
        || target.isAssignableTo("java.util.concurrent.Executor")
        || (target.getPackageName().equals("java.io")
            && (target.isAssignableTo("java.io.Closeable")
                || target.getName().equals("java.io.File")));
  }

  private static final DescribedPredicate<JavaCall<?>> FORBIDDEN_CALL =
      new DescribedPredicate<>("not repeatable") {
        @Override
        public boolean test(JavaCall<?> call) {
          String owner = call.getTargetOwner().getName();
          int argumentCount = call.getTarget().getRawParameterTypes().size();
          return switch (call.getName()) {
            case "<init>" ->
                argumentCount == 0
                    && (owner.equals("java.util.Random")
                        || owner.equals("java.util.SplittableRandom")
                        || owner.equals("java.util.Date"));
            case "now" -> owner.startsWith("java.time.");
            case "shuffle" -> owner.equals("java.util.Collections") && argumentCount == 1;
            default -> FORBIDDEN_METHODS.contains(owner + "." + call.getName());
          };
        }
      };
}
