package io.tierwise.architecture;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;

/** The main classes of all modules, read once for all tests. */
final class ProjectClasses {
  static final String CORE = "io.tierwise.core..";
  static final String POLICIES = "io.tierwise.policies..";

  static final String SIMULATOR = "io.tierwise.simulator..";
  static final String SIMULATOR_ENGINE = "io.tierwise.simulator.engine..";
  static final String SIMULATOR_NETWORK = "io.tierwise.simulator.network..";
  static final String SIMULATOR_REPORT = "io.tierwise.simulator.report..";

  static final String EXPERIMENTS = "io.tierwise.experiments..";
  static final String HISTORY = "io.tierwise.history..";
  static final String PROFILES = "io.tierwise.profiles..";
  static final String INSPECT = "io.tierwise.hadoop.inspect..";
  static final String MOVER = "io.tierwise.hadoop.mover..";
  static final String AUTOTIER = "io.tierwise.hadoop.autotier..";
  static final String LAB = "io.tierwise.lab..";
  static final String COMMANDS = "io.tierwise.cli..";

  /** Where commands and a daemon alike find their work. */
  static final String[] ROOMS_WITHOUT_TERMINAL = {
    HISTORY, PROFILES, EXPERIMENTS, INSPECT, MOVER, AUTOTIER, LAB
  };

  private static final JavaClasses MAIN =
      new ClassFileImporter()
          .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
          .importPackages("io.tierwise");

  private ProjectClasses() {}

  static JavaClasses main() {
    return MAIN;
  }
}
