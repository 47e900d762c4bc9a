/**
 * Rules that people write about files, one a line: {@code path matches /logs/** and reads(7d) < 3
 * -> secondary}.
 *
 * <p>Not here: which file a pattern means, and what is known of it, which the host says. Start
 * reading at {@link io.tierwise.policies.rules.FileRules}.
 */
package io.tierwise.policies.rules;
