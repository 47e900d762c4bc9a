package io.tierwise.architecture;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.lang.ArchRule;
import org.junit.jupiter.api.Test;

/** Keeps invariant 1: the nouns know nobody, the decisions know the nouns, adapters know Hadoop. */
class LayersTest {
  /**
   * Where an engine's types may be named: the adapters, and what talks to a live cluster for a
   * person or a measurement. How results are printed is no business of an engine.
   */
  private static final String[] ENGINE_FACING = {
    "io.tierwise.hadoop..", "io.tierwise.lab..", "io.tierwise.cli..", "io.tierwise.benchmarks.."
  };

  private static final String OUTPUT = "io.tierwise.cli.output..";

  private static final ArchRule CORE_IS_JDK_ONLY =
      classes()
          .that()
          .resideInAPackage(ProjectClasses.CORE)
          .should()
          .onlyDependOnClassesThat()
          .resideInAnyPackage("java..", ProjectClasses.CORE);

  private static final ArchRule POLICIES_KNOW_CORE_ONLY =
      classes()
          .that()
          .resideInAPackage(ProjectClasses.POLICIES)
          .should()
          .onlyDependOnClassesThat()
          .resideInAnyPackage("java..", ProjectClasses.CORE, ProjectClasses.POLICIES);

  private static final ArchRule SIMULATED_TIME_KNOWS_THE_JDK_ONLY =
      classes()
          .that()
          .resideInAPackage(ProjectClasses.SIMULATOR_ENGINE)
          .should()
          .onlyDependOnClassesThat()
          .resideInAnyPackage("java..", ProjectClasses.SIMULATOR_ENGINE);

  private static final ArchRule FLOWS_KNOW_SIMULATED_TIME_ONLY =
      classes()
          .that()
          .resideInAPackage(ProjectClasses.SIMULATOR_NETWORK)
          .should()
          .onlyDependOnClassesThat()
          .resideInAnyPackage(
              "java..", ProjectClasses.SIMULATOR_ENGINE, ProjectClasses.SIMULATOR_NETWORK);

  private static final ArchRule RUNS_KNOW_NO_REPORT =
      noClasses()
          .that()
          .resideInAPackage(ProjectClasses.SIMULATOR)
          .and()
          .resideOutsideOfPackage(ProjectClasses.SIMULATOR_REPORT)
          .should()
          .dependOnClassesThat()
          .resideInAPackage(ProjectClasses.SIMULATOR_REPORT);

  private static final ArchRule EXPERIMENTS_KNOW_THE_SIMULATOR_PROFILES_AND_BELOW =
      classes()
          .that()
          .resideInAPackage(ProjectClasses.EXPERIMENTS)
          .should()
          .onlyDependOnClassesThat()
          .resideInAnyPackage(
              "java..",
              "org.snakeyaml..",
              ProjectClasses.CORE,
              ProjectClasses.POLICIES,
              ProjectClasses.PROFILES,
              ProjectClasses.SIMULATOR,
              ProjectClasses.EXPERIMENTS);

  private static final ArchRule NOBODY_KNOWS_COMMANDS =
      noClasses()
          .that()
          .resideOutsideOfPackage(ProjectClasses.COMMANDS)
          .should()
          .dependOnClassesThat()
          .resideInAPackage(ProjectClasses.COMMANDS);

  /** A process of the testbed: its standard output is a pipe to its parent. */
  private static final String WORKER = "io.tierwise.lab.testbed.bench.NodeWorker";

  /** Only commands print: a daemon uses the same rooms. */
  private static final ArchRule ONLY_COMMANDS_KNOW_A_TERMINAL =
      noClasses()
          .that()
          .resideInAnyPackage(ProjectClasses.ROOMS_WITHOUT_TERMINAL)
          .and()
          .doNotHaveFullyQualifiedName(WORKER)
          .should()
          .dependOnClassesThat()
          .resideInAPackage("picocli..")
          .orShould()
          .accessField(System.class, "out")
          .orShould()
          .accessField(System.class, "err")
          .orShould()
          .dependOnClassesThat()
          .haveFullyQualifiedName("java.io.PrintWriter");

  private static final ArchRule ONLY_ADAPTERS_KNOW_APACHE =
      noClasses()
          .that()
          .resideOutsideOfPackages(ENGINE_FACING)
          .or()
          .resideInAPackage(OUTPUT)
          .should()
          .dependOnClassesThat()
          .resideInAPackage("org.apache..");

  @Test
  void coreImportsOnlyTheJdk() {
    CORE_IS_JDK_ONLY.check(ProjectClasses.main());
  }

  @Test
  void policiesImportOnlyCore() {
    POLICIES_KNOW_CORE_ONLY.check(ProjectClasses.main());
  }

  @Test
  void theSimulatorsEngineImportsOnlyTheJdk() {
    SIMULATED_TIME_KNOWS_THE_JDK_ONLY.check(ProjectClasses.main());
  }

  @Test
  void theSimulatorsNetworkImportsOnlyItsEngine() {
    FLOWS_KNOW_SIMULATED_TIME_ONLY.check(ProjectClasses.main());
  }

  @Test
  void nobodyInARunImportsReports() {
    RUNS_KNOW_NO_REPORT.check(ProjectClasses.main());
  }

  @Test
  void experimentsImportOnlyTheSimulatorProfilesAndBelow() {
    EXPERIMENTS_KNOW_THE_SIMULATOR_PROFILES_AND_BELOW.check(ProjectClasses.main());
  }

  @Test
  void nobodyImportsCommands() {
    NOBODY_KNOWS_COMMANDS.check(ProjectClasses.main());
  }

  @Test
  void onlyCommandsPrintAndParseOptions() {
    ONLY_COMMANDS_KNOW_A_TERMINAL.check(ProjectClasses.main());
  }

  @Test
  void onlyAdaptersCommandsAndBenchmarksImportApacheHadoop() {
    ONLY_ADAPTERS_KNOW_APACHE.check(ProjectClasses.main());
  }

  @Test
  void namingHadoopOutsideTheAdaptersIsNoticed() {
    JavaClasses planted =
        new ClassFileImporter().importPackages("io.tierwise.architecture.planted.engine");

    assertThat(ONLY_ADAPTERS_KNOW_APACHE.evaluate(planted).hasViolation()).isTrue();
  }
}
