package io.tierwise.cli.bench;

import picocli.CommandLine.Command;

/** {@code tierwise bench}: the benchmarks of a running cluster. */
@Command(
    name = "bench",
    description = "Measures a running cluster.",
    subcommands = DfsioCommand.class)
public final class BenchCommand {}
