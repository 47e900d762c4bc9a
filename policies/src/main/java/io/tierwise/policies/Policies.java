package io.tierwise.policies;

import io.tierwise.policies.access.AccessStrategies;
import io.tierwise.policies.placement.PlacementPolicies;
import io.tierwise.policies.popularity.PopularityPredictors;
import io.tierwise.policies.scheduling.SchedulingPolicies;
import io.tierwise.policies.text.PolicyFamily;
import io.tierwise.policies.text.PolicyForm;
import java.util.List;

/** All families of policies that have texts. */
public final class Policies {
  private Policies() {}

  /**
   * The families with the policies that are at hand, those of other jars included, and why others
   * are not.
   */
  public static List<PolicyFamily> families() {
    return List.of(
        new PolicyFamily(
            "placement",
            "Placement policies (--placement)",
            PolicyForm.of(PlacementPolicies.all()),
            PlacementPolicies.problems()),
        new PolicyFamily(
            "access",
            "Access strategies (--access, or the key tierwise.access.strategy)",
            PolicyForm.of(AccessStrategies.all()),
            AccessStrategies.problems()),
        new PolicyFamily(
            "scheduling",
            "Scheduling policies (policies.scheduler of a scenario)",
            PolicyForm.of(SchedulingPolicies.all()),
            SchedulingPolicies.problems()),
        new PolicyFamily(
            "popularity",
            "Popularity predictors",
            PolicyForm.of(PopularityPredictors.all()),
            PopularityPredictors.problems()));
  }
}
