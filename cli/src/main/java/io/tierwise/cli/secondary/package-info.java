/**
 * The commands of the secondary store. Not here: what they do ({@code hadoop/secondary}). Start
 * reading at {@link io.tierwise.cli.secondary.SecondaryRunCommand}.
 */
package io.tierwise.cli.secondary;
