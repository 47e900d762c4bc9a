/** {@code tierwise advise}: advice from a log and an image, which touches no cluster. */
package io.tierwise.cli.advise;
