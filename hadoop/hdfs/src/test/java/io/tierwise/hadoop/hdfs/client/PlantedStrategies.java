package io.tierwise.hadoop.hdfs.client;

import io.tierwise.core.view.ReadView;
import io.tierwise.hadoop.hdfs.topology.AsListed;
import io.tierwise.policies.access.AccessProvider;
import io.tierwise.policies.access.AccessReason;
import io.tierwise.policies.access.AccessRequest;
import io.tierwise.policies.access.AccessSession;
import io.tierwise.policies.access.AccessStrategy;
import io.tierwise.policies.access.AfterRefusal;
import io.tierwise.policies.access.AnswerCounts;
import io.tierwise.policies.text.PolicyProvider.Nothing;
import io.tierwise.policies.text.SpecReader;
import java.util.random.RandomGenerator;

/** Strategies that break their promises. */
public final class PlantedStrategies {
  private PlantedStrategies() {}

  /** Throws. */
  public record Throwing() implements AccessStrategy {
    @Override
    public String name() {
      return "throwing";
    }

    @Override
    public AccessReason order(
        AccessRequest request, ReadView view, RandomGenerator random, int[] order) {
      throw new IllegalStateException("planted");
    }
  }

  /** Needs a class or a method that another version of the jar had. */
  public record OfAnotherVersion() implements AccessStrategy {
    @Override
    public String name() {
      return "of-another-version";
    }

    @Override
    public AccessReason order(
        AccessRequest request, ReadView view, RandomGenerator random, int[] order) {
      throw new NoSuchMethodError("planted");
    }
  }

  /** Throws at every question but the one for an order. */
  public record ThrowingAside() implements AsListed {
    static final String NAME = "throwing-aside";

    @Override
    public String name() {
      return NAME;
    }

    @Override
    public void answered(
        AccessRequest request, ReadView view, int replica, double share, AnswerCounts counts) {
      throw new IllegalStateException("planted");
    }

    @Override
    public void takenBack(AnswerCounts counts) {
      throw new IllegalStateException("planted");
    }

    @Override
    public AfterRefusal afterRefusal() {
      throw new IllegalStateException("planted");
    }
  }

  /** Makes no session. */
  public record WithoutSession() implements AsListed {
    static final String NAME = "without-session";

    @Override
    public String name() {
      return NAME;
    }

    @Override
    public AccessSession newSession() {
      throw new NoSuchMethodError("planted");
    }
  }

  private abstract static class Failing implements AccessProvider {
    @Override
    public String usage() {
      return name();
    }

    @Override
    public String summary() {
      return "fails";
    }
  }

  /** Makes {@link ThrowingAside} known by its name. */
  public static final class Provider extends Failing {
    @Override
    public String name() {
      return ThrowingAside.NAME;
    }

    @Override
    public AccessStrategy make(SpecReader settings, Nothing nothing) {
      return new ThrowingAside();
    }
  }

  /** Makes {@link WithoutSession} known by its name. */
  public static final class WithoutSessionProvider extends Failing {
    @Override
    public String name() {
      return WithoutSession.NAME;
    }

    @Override
    public AccessStrategy make(SpecReader settings, Nothing nothing) {
      return new WithoutSession();
    }
  }
}
