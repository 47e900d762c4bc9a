/**
 * Tests of {@code tierwise advise}, on the sample of its guide and on what a real NameNode wrote.
 */
package io.tierwise.cli.advise;
