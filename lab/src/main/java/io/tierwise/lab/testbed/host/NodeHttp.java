package io.tierwise.lab.testbed.host;

import io.tierwise.lab.testbed.plan.TestbedPlan;
import java.util.Optional;

/**
 * Asks a web server inside a node. This JVM stands outside all nodes and has no route to them, so
 * bash speaks HTTP from within the node's namespace.
 */
public final class NodeHttp {
  private static final String GET =
      """
      exec 3<>"/dev/tcp/$0/$1" || exit 1
      printf 'GET %s HTTP/1.0\\r\\nHost: %s\\r\\n\\r\\n' "$2" "$0" >&3
      cat <&3
      """;

  private NodeHttp() {}

  /** The body of the answer; empty when nobody answers or the answer is an error. */
  public static Optional<String> get(
      TestbedPlan plan, String node, String address, int port, String pathAndQuery) {
    HostCommand.Result result =
        HostCommand.attempt(
            "nsenter",
            "--net=/run/netns/" + plan.namespace(node),
            "timeout",
            "10",
            "bash",
            "-c",
            GET,
            address,
            Integer.toString(port),
            pathAndQuery);
    if (!result.succeeded() || !result.output().startsWith("HTTP/1.1 200")) {
      return Optional.empty();
    }
    int body = result.output().indexOf("\r\n\r\n");
    return body < 0 ? Optional.empty() : Optional.of(result.output().substring(body + 4));
  }
}
