package io.tierwise.cli.cluster;

import io.tierwise.cli.output.Output;
import java.util.concurrent.Callable;
import picocli.CommandLine.Mixin;

/** A command that asks a cluster and answers; what it returns is its exit code. */
public abstract class ClusterCommand implements Callable<Integer> {
  @Mixin protected ClusterOptions cluster;
  @Mixin protected Output output;
}
