package io.tierwise.policies.text;

import io.tierwise.core.message.Nearest;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.ServiceConfigurationError;
import java.util.ServiceLoader;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * The policies of one family, by the first word of their texts: this project's own, then those of
 * other jars by name. A name that two of them want goes to neither of the other jars' classes. A
 * provider that cannot be loaded, named or described is left out, and all others stay; the message
 * about an unknown name says why.
 *
 * @param <P> the family's policies
 * @param <C> what a policy is made with, besides its settings
 */
public final class PolicyRegistry<P, C> {
  /** Own: what a text, an attribute's value and a line of a log can show as it is. */
  private static final Pattern NAME = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._-]*");

  /** In all hosts the word for their own way, which no provider is asked for. */
  private static final String STOCK = "stock";

  private final String family;
  private final int textLengthMax;
  private final Function<? super P, String> nameOf;
  private final List<PolicyProvider<P, C>> own;
  private final List<PolicyProvider<P, C>> providers;
  private final List<String> problems;

  private PolicyRegistry(
      String family,
      int textLengthMax,
      Function<? super P, String> nameOf,
      List<? extends PolicyProvider<P, C>> own,
      List<PolicyProvider<P, C>> providers,
      List<String> problems) {
    this.family = family;
    this.textLengthMax = textLengthMax;
    this.nameOf = nameOf;
    this.own = List.copyOf(own);
    this.providers = List.copyOf(providers);
    this.problems = List.copyOf(problems);
  }

  /**
   * The family's policies here.
   *
   * @param family what its texts name, for messages: "access strategy"
   * @param textLengthMax longer texts are refused unread
   * @param nameOf the canonical text of a policy
   * @param service the interface of its providers; its class loader is searched
   * @param own this project's
   */
  public static <P, C, S extends PolicyProvider<P, C>> PolicyRegistry<P, C> of(
      String family,
      int textLengthMax,
      Function<? super P, String> nameOf,
      Class<S> service,
      List<? extends PolicyProvider<P, C>> own) {
    List<String> problems = new ArrayList<>();
    List<PolicyProvider<P, C>> found = new ArrayList<>();
    Iterator<S> others = ServiceLoader.load(service, service.getClassLoader()).iterator();
    while (hasNext(others, problems)) {
      try {
        found.add(others.next());
      } catch (ServiceConfigurationError e) {
        String cause = e.getCause() == null ? "" : " (" + text(e.getCause()) + ")";
        problems.add(e.getMessage() + cause);
      }
    }
    return merged(family, textLengthMax, nameOf, own, found, problems);
  }

  private static boolean hasNext(Iterator<?> others, List<String> problems) {
    while (true) {
      try {
        return others.hasNext();
      } catch (LinkageError e) {
        // Of one class: made for a newer Java, or without what it needs. The next one may load.
        problems.add(e.toString());
      } catch (ServiceConfigurationError e) {
        // An unreadable list of providers: there is no telling what would follow.
        problems.add(e.getMessage());
        return false;
      }
    }
  }

  /** An error of somebody else's class, on one line. */
  private static String text(Throwable error) {
    String message = error.getMessage();
    return error.getClass().getName() + (message == null ? "" : ": " + SpecReader.quoted(message));
  }

  /** What keeps a provider out of the registry; empty when nothing does. */
  private static Optional<String> problemOf(PolicyProvider<?, ?> provider) {
    String itsClass = provider.getClass().getName();
    try {
      String name = provider.name();
      if (name == null || !NAME.matcher(name).matches()) {
        String shown = name == null ? "null" : SpecReader.quoted(name);
        return Optional.of(
            itsClass + ": the name " + shown + " is not made of letters, digits, '.', '_' and '-'");
      }
      if (name.equals(STOCK)) {
        return Optional.of(itsClass + ": the name \"stock\" is taken: by what hosts do themselves");
      }
      boolean isDescribed = provider.usage() != null && provider.summary() != null;
      return isDescribed ? Optional.empty() : Optional.of(itsClass + ": no usage or no summary");
    } catch (Throwable e) {
      return Optional.of(itsClass + ": " + text(e));
    }
  }

  /** Own ones first; of the others none whose name is taken. */
  static <P, C> PolicyRegistry<P, C> merged(
      String family,
      int textLengthMax,
      Function<? super P, String> nameOf,
      List<? extends PolicyProvider<P, C>> own,
      List<? extends PolicyProvider<P, C>> others,
      List<String> problems) {
    List<String> wrong = new ArrayList<>(problems);
    Map<String, List<PolicyProvider<P, C>>> byName = new TreeMap<>();
    for (PolicyProvider<P, C> provider : others) {
      Optional<String> problem = problemOf(provider);
      if (problem.isEmpty()) {
        byName.computeIfAbsent(provider.name(), name -> new ArrayList<>()).add(provider);
      }
      problem.ifPresent(wrong::add);
    }
    List<PolicyProvider<P, C>> all = new ArrayList<>(own);
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
    return new PolicyRegistry<>(family, textLengthMax, nameOf, own, all, wrong);
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
   * @throws IllegalArgumentException one line that names the bad value and what is allowed, or what
   *     failed in the provider
   */
  public P parse(String specification, C context) {
    SpecReader settings = new SpecReader(family, specification, textLengthMax);
    return settings.finish(made(named(settings.name()), settings, context));
  }

  /**
   * The canonical text of a specification's policy, for a host that keeps it where it is read
   * again.
   *
   * @param parse how the host reads a text
   * @throws IllegalArgumentException as {@link #parse}, also when the text cannot be read back
   */
  public String canonical(String specification, Function<String, P> parse) {
    String name = nameOf.apply(parse.apply(specification));
    String problem;
    try {
      String again = nameOf.apply(parse.apply(name));
      if (again.equals(name)) {
        return name;
      }
      problem = "it makes " + SpecReader.quoted(again);
    } catch (IllegalArgumentException e) {
      problem = e.getMessage();
    }
    throw new SpecReader(family, specification, textLengthMax)
        .refusal("its name() " + SpecReader.quoted(name) + " cannot be read back: " + problem);
  }

  /**
   * Reads a specification's name alone, where nobody knows yet what its settings are about.
   *
   * @throws IllegalArgumentException as {@link #parse} of a policy that is not known
   */
  public void requireKnown(String specification) {
    named(new SpecReader(family, specification, textLengthMax).name());
  }

  private PolicyProvider<P, C> named(String name) {
    for (PolicyProvider<P, C> provider : providers) {
      if (provider.name().equals(name)) {
        return provider;
      }
    }
    List<String> names = providers.stream().map(PolicyProvider::name).toList();
    String unloaded = problems.isEmpty() ? "" : "; not loaded: " + String.join("; ", problems);
    throw new IllegalArgumentException(
        "unknown " + family + " " + SpecReader.quoted(name) + Nearest.hint(name, names) + unloaded);
  }

  /** A provider of another jar may fail in any way; hosts know a text that they cannot use. */
  private P made(PolicyProvider<P, C> provider, SpecReader settings, C context) {
    try {
      P policy = Objects.requireNonNull(provider.make(settings, context), "no policy");
      // Hosts keep policies by their names, and write these into attributes.
      Objects.requireNonNull(nameOf.apply(policy), "no name");
      return policy;
    } catch (IllegalArgumentException e) {
      throw own.contains(provider) ? e : refusal(provider, settings, e);
    } catch (Throwable e) {
      throw failure(provider, settings, e);
    }
  }

  /** The refusal of another jar's class, of which nothing else says whose it is. */
  private static IllegalArgumentException refusal(
      PolicyProvider<?, ?> provider, SpecReader settings, IllegalArgumentException thrown) {
    String message = thrown.getMessage();
    if (message == null || message.isBlank() || message.lines().count() > 1) {
      return failure(provider, settings, thrown);
    }
    boolean isNamed = message.startsWith(settings.refusal("").getMessage());
    return isNamed ? thrown : settings.refusal(message, thrown);
  }

  private static IllegalArgumentException failure(
      PolicyProvider<?, ?> provider, SpecReader settings, Throwable thrown) {
    return settings.refusal(provider.getClass().getName() + " failed: " + text(thrown), thrown);
  }
}
