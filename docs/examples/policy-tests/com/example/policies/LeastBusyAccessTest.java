package com.example.policies;

import io.tierwise.policies.access.AccessStrategy;
import io.tierwise.policies.access.AccessStrategyContract;
import java.util.List;

class LeastBusyAccessTest extends AccessStrategyContract {
  @Override
  protected List<AccessStrategy> strategies() {
    return List.of(new LeastBusyAccess());
  }
}
