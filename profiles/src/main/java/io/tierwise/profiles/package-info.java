/**
 * What applications did before, and what they will probably do: a catalog of runs in one SQLite
 * file or a PostgreSQL database, filled from history, and estimates from it that are answered from
 * memory.
 *
 * <p>Not here: how history is read ({@link io.tierwise.history}), where it is stored, and a
 * decision about it. Start reading at {@link io.tierwise.profiles.Profiles}.
 */
package io.tierwise.profiles;
