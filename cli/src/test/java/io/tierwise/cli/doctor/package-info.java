package io.tierwise.cli.doctor;
