package io.tierwise.simulator.hardware;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * Generations of InfiniBand: what a link of four lanes carries.
 *
 * <p>A link is sold by the rate of its signal, of which the line code takes a part: eight of ten
 * bits are data up to QDR, 64 of 66 from FDR on. Ethernet is sold by the rate of its data, so that
 * only InfiniBand needs this. Source: Linux 71eeba161d76 (FDR 14.0625 and EDR 25.78125 Gbps a lane,
 * 64b/66b rather than 8b/10b); Oracle, QDR InfiniBand Adapter M4 (10, 20 and 40 Gbps for four lanes
 * of SDR, DDR and QDR). Own: headers of packets take nothing, as those of Ethernet do.
 */
public enum InfiniBand {
  SDR(2.5e9, 8, 10),
  DDR(5e9, 8, 10),
  QDR(10e9, 8, 10),
  FDR(14.0625e9, 64, 66),
  EDR(25.78125e9, 64, 66);

  private static final String PREFIX = "infiniband-";
  private static final int LANES = 4;
  private static final int BITS_A_BYTE = 8;

  private final double bytesPerSecond;

  InfiniBand(double bitsPerSecondOfLane, int dataBits, int sentBits) {
    this.bytesPerSecond = LANES * bitsPerSecondOfLane * dataBits / sentBits / BITS_A_BYTE;
  }

  /** Data that the link carries each way. */
  public double bytesPerSecond() {
    return bytesPerSecond;
  }

  /** The word for it in a scenario: {@code infiniband-qdr}. */
  public String word() {
    return PREFIX + name().toLowerCase(Locale.ROOT);
  }

  /** All words. */
  public static List<String> words() {
    return Arrays.stream(values()).map(InfiniBand::word).collect(Collectors.toList());
  }

  /** The generation with that word. */
  public static Optional<InfiniBand> named(String word) {
    return Arrays.stream(values()).filter(kind -> kind.word().equals(word)).findFirst();
  }
}
