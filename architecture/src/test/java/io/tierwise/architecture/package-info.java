/**
 * Tests of the promises that hold across modules: who may import whom, what a decision may ask, how
 * long a file grows, whether the documents' links lead anywhere. Not a place for tests of
 * behaviour, which stand beside the code they test. Start reading at {@link
 * io.tierwise.architecture.LayersTest}.
 */
package io.tierwise.architecture;
