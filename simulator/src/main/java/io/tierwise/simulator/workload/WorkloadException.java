package io.tierwise.simulator.workload;

import java.io.IOException;

/** A workload that cannot be had. The message is one line: the bad value and what to change. */
public class WorkloadException extends IOException {
  public WorkloadException(String message) {
    super(message);
  }

  public WorkloadException(String message, Throwable cause) {
    super(message, cause);
  }
}
