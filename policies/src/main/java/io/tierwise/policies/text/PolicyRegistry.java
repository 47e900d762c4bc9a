package io.tierwise.policies.text;

import io.tierwise.core.message.Nearest;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.ServiceConfigurationError;
import java.util.ServiceLoader;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * The policies of one family, by the first word of their texts: this project's own, then those of
 * other jars by name. A name that two of them want goes to neither of the other jars' classes, and
 * a provider that cannot be loaded takes nothing else with it: the message about an unknown name
 * says so.
 *
 * @param <P> the family's policies
 * @param <C> what a policy is made with, besides its settings
 */
public final class PolicyRegistry<P, C> {
  private final String family;
  private final int textLengthMax;
  private final List<PolicyProvider<P, C>> providers;
  private final List<String> problems;

  private PolicyRegistry(
      String family,
      int textLengthMax,
      List<PolicyProvider<P, C>> providers,
      List<String> problems) {
    this.family = family;
    this.textLengthMax = textLengthMax;
    this.providers = List.copyOf(providers);
    this.problems = List.copyOf(problems);
  }

  /**
   * The family's policies here.
   *
   * @param family what its texts name, for messages: "access strategy"
   * @param textLengthMax longer texts are refused unread
   * @param service the interface of its providers; its class loader is searched
   * @param own this project's
   */
  public static <P, C, S extends PolicyProvider<P, C>> PolicyRegistry<P, C> of(
      String family,
      int textLengthMax,
      Class<S> service,
      List<? extends PolicyProvider<P, C>> own) {
    List<String> problems = new ArrayList<>();
    List<PolicyProvider<P, C>> found = new ArrayList<>();
    Iterator<S> others = ServiceLoader.load(service, service.getClassLoader()).iterator();
    while (hasNext(others, problems)) {
      try {
        found.add(others.next());
      } catch (ServiceConfigurationError e) {
        problems.add(e.getMessage());
      }
    }
    return merged(family, textLengthMax, own, found, problems);
  }

  private static boolean hasNext(Iterator<?> others, List<String> problems) {
    try {
      return others.hasNext();
    } catch (ServiceConfigurationError e) {
      // An unreadable list of providers: there is no telling what would follow.
      problems.add(e.getMessage());
      return false;
    }
  }

  /** Own ones first; of the others none whose name is taken. */
  static <P, C> PolicyRegistry<P, C> merged(
      String family,
      int textLengthMax,
      List<? extends PolicyProvider<P, C>> own,
      List<? extends PolicyProvider<P, C>> others,
      List<String> problems) {
    Map<String, List<PolicyProvider<P, C>>> byName = new TreeMap<>();
    for (PolicyProvider<P, C> provider : others) {
      byName.computeIfAbsent(provider.name(), name -> new ArrayList<>()).add(provider);
    }
    List<PolicyProvider<P, C>> all = new ArrayList<>(own);
    List<String> wrong = new ArrayList<>(problems);
    byName.forEach(
        (name, sameName) -> {
          if (sameName.size() == 1 && own.stream().noneMatch(p -> p.name().equals(name))) {
            all.add(sameName.get(0));
            return;
          }
          String classes =
              sameName.stream()
                  .map(provider -> provider.getClass().getName())
                  .sorted(Comparator.naturalOrder())
                  .collect(Collectors.joining(", "));
          wrong.add("the name " + SpecReader.quoted(name) + " is taken: " + classes);
        });
    return new PolicyRegistry<>(family, textLengthMax, all, wrong);
  }

  /** All providers, this project's first. */
  public List<PolicyProvider<P, C>> providers() {
    return providers;
  }

  /** Why providers of other jars are not among {@link #providers}: a line each. */
  public List<String> problems() {
    return problems;
  }

  /**
   * The policy of that specification.
   *
   * @throws IllegalArgumentException one line that names the bad value and what is allowed
   */
  public P parse(String specification, C context) {
    SpecReader settings = new SpecReader(family, specification, textLengthMax);
    for (PolicyProvider<P, C> provider : providers) {
      if (provider.name().equals(settings.name())) {
        return settings.finish(provider.make(settings, context));
      }
    }
    List<String> names = providers.stream().map(PolicyProvider::name).toList();
    String unloaded = problems.isEmpty() ? "" : "; not loaded: " + String.join("; ", problems);
    throw new IllegalArgumentException(
        "unknown "
            + family
            + " "
            + SpecReader.quoted(settings.name())
            + Nearest.hint(settings.name(), names)
            + unloaded);
  }
}
