package io.tierwise.architecture.planted.host;

import io.tierwise.policies.access.AccessStrategy;
import io.tierwise.policies.access.AutoAccess;
import io.tierwise.policies.scheduling.DelayScheduling;
import io.tierwise.policies.scheduling.SchedulingPolicy;

/** One class per way to treat a policy by its class. */
public final class PolicyClasses {
  private PolicyClasses() {}

  static final class ChecksForIt {
    boolean isAuto(AccessStrategy strategy) {
      return strategy instanceof AutoAccess;
    }
  }

  static final class ComparesWithIt {
    boolean isAuto(AccessStrategy strategy) {
      return strategy.getClass() == AutoAccess.class;
    }
  }

  static final class CastsToIt {
    String orderOf(SchedulingPolicy policy) {
      return ((DelayScheduling) policy).name();
    }
  }

  static final class KeepsIt {
    DelayScheduling policy;
  }
}
