/**
 * A class outside the adapters that names an engine's type, on purpose. Not an example. Start
 * reading at {@link io.tierwise.architecture.planted.engine.NamesHadoop}.
 */
package io.tierwise.architecture.planted.engine;
