package com.example.policies;

import io.tierwise.policies.scheduling.SchedulingContract;
import io.tierwise.policies.scheduling.SchedulingPolicies;
import io.tierwise.policies.scheduling.SchedulingPolicy;

class KeepKindSchedulingTest extends SchedulingContract {
  @Override
  protected SchedulingPolicy policy() {
    return SchedulingPolicies.parse("keep-kind:kind=0");
  }
}
