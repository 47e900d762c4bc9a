/**
 * {@code tierwise profile}: what applications did before. Not here: the catalog and the estimates
 * ({@link io.tierwise.profiles}). Start reading at {@link io.tierwise.cli.profile.ProfileCommand}.
 */
package io.tierwise.cli.profile;
