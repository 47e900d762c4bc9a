/** Tests of what policies ask for. */
package io.tierwise.core.action;
