package io.tierwise.architecture;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaAccess;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.lang.ArchRule;
import io.tierwise.architecture.planted.WallClocks;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Code that orders replicas in HDFS, counts reads or times them asks the monotonic clock: the clock
 * of the machine may jump.
 */
class OrderClockTest {
  private static final Set<String> WALL_CLOCKS =
      Set.of(
          "java.lang.System.currentTimeMillis",
          "java.time.Clock.systemUTC",
          "java.time.Clock.systemDefaultZone",
          "java.time.Clock.system",
          "org.apache.hadoop.util.Time.now",
          // The time of a heartbeat, by the NameNode's clock.
          "org.apache.hadoop.hdfs.protocol.DatanodeInfo.getLastUpdate");

  private static final DescribedPredicate<JavaAccess<?>> READS_A_WALL_CLOCK =
      DescribedPredicate.describe("a clock that may jump", OrderClockTest::isWallClock);

  private static final ArchRule ORDERS_BY_THE_MONOTONIC_CLOCK =
      noClasses()
          .that()
          .resideInAnyPackage(
              "io.tierwise.hadoop.hdfs.topology..",
              "io.tierwise.hadoop.hdfs.client..",
              WallClocks.class.getPackageName())
          .should()
          .accessTargetWhere(READS_A_WALL_CLOCK);

  private static boolean isWallClock(JavaAccess<?> access) {
    String owner = access.getTargetOwner().getName();
    String name = access.getName();
    return WALL_CLOCKS.contains(owner + "." + name)
        || (owner.startsWith("java.time.") && name.equals("now"))
        || (owner.equals("java.util.Date") && name.equals("<init>"));
  }

  @Test
  void whatOrdersReplicasGoesByTheMonotonicClock() {
    ORDERS_BY_THE_MONOTONIC_CLOCK.check(ProjectClasses.main());
  }

  static Stream<Class<?>> plantedClasses() {
    return Stream.of(WallClocks.class.getDeclaredClasses());
  }

  @ParameterizedTest
  @MethodSource("plantedClasses")
  void eachClockThatMayJumpIsNoticed(Class<?> planted) {
    JavaClasses classes = new ClassFileImporter().importClasses(planted);

    assertThat(ORDERS_BY_THE_MONOTONIC_CLOCK.evaluate(classes).hasViolation()).isTrue();
  }
}
