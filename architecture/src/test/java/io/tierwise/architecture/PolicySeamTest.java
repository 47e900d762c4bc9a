package io.tierwise.architecture;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.Dependency;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaMethod;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.lang.ArchCondition;
import com.tngtech.archunit.lang.ArchRule;
import com.tngtech.archunit.lang.ConditionEvents;
import com.tngtech.archunit.lang.SimpleConditionEvent;
import io.tierwise.architecture.planted.host.PolicyClasses;
import io.tierwise.policies.access.AccessStrategy;
import io.tierwise.policies.placement.PlacementPolicy;
import io.tierwise.policies.popularity.PopularityPredictor;
import io.tierwise.policies.scheduling.SchedulingPolicy;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Keeps the seam: hosts use all policies of a kind by their interface. A host that names the class
 * of one, to check for it, to cast to it or to keep it, would serve a policy from another jar
 * differently.
 */
class PolicySeamTest {
  private static final Set<String> KINDS =
      Stream.of(
              PlacementPolicy.class,
              AccessStrategy.class,
              SchedulingPolicy.class,
              PopularityPredictor.class)
          .map(Class::getName)
          .collect(Collectors.toCollection(TreeSet::new));

  /** Policies that a method of an interface hands out: any other may hand them out as well. */
  private static final Set<String> HANDED_OUT =
      KINDS.stream()
          .flatMap(kind -> ProjectClasses.main().get(kind).getMethods().stream())
          .map(JavaMethod::getReturnType)
          .flatMap(returned -> returned.getAllInvolvedRawTypes().stream())
          .map(JavaClass::getName)
          .collect(Collectors.toCollection(TreeSet::new));

  private static final ArchRule HOSTS_NAME_NO_POLICY =
      noClasses()
          .that()
          .resideOutsideOfPackages(ProjectClasses.CORE, ProjectClasses.POLICIES)
          .should(nameAPolicysClass());

  @Test
  void hostsKnowPoliciesByTheirInterfaceAlone() {
    HOSTS_NAME_NO_POLICY.check(ProjectClasses.main());
  }

  static Stream<Class<?>> plantedHosts() {
    return Stream.of(PolicyClasses.class.getDeclaredClasses());
  }

  @ParameterizedTest
  @MethodSource("plantedHosts")
  void eachWayToNameAPolicysClassIsNoticed(Class<?> planted) {
    JavaClasses classes = new ClassFileImporter().importClasses(planted);

    assertThat(HOSTS_NAME_NO_POLICY.evaluate(classes).hasViolation()).isTrue();
  }

  private static ArchCondition<JavaClass> nameAPolicysClass() {
    return new ArchCondition<>("name the class of a policy") {
      @Override
      public void check(JavaClass host, ConditionEvents events) {
        for (Dependency dependency : host.getDirectDependenciesFromSelf()) {
          if (isPolicy(dependency.getTargetClass())) {
            events.add(SimpleConditionEvent.satisfied(dependency, dependency.getDescription()));
          }
        }
      }
    };
  }

  /** Whether it is one of {@code policies}: what a host wraps around a policy is the host's own. */
  private static boolean isPolicy(JavaClass named) {
    return named.getPackageName().startsWith("io.tierwise.policies.")
        && KINDS.stream().anyMatch(named::isAssignableTo)
        && !KINDS.contains(named.getName())
        && !HANDED_OUT.contains(named.getName());
  }
}
