package io.tierwise.simulator.report;

import java.util.Locale;

/** How a figure is printed for people. Decimal units: 1 GB is 10^9 bytes, as on data sheets. */
public enum Format {
  SECONDS {
    @Override
    public String text(double value) {
      double size = Math.abs(value);
      if (size < 120) {
        return decimal(value) + " s";
      }
      return size < 7200 ? decimal(value / 60) + " min" : decimal(value / 3600) + " h";
    }
  },
  BYTES {
    @Override
    public String text(double value) {
      return scaled(value, "B");
    }
  },
  RATE {
    @Override
    public String text(double value) {
      return scaled(value, "B/s");
    }
  },
  JOULES {
    @Override
    public String text(double value) {
      return scaled(value, "J");
    }
  },
  DOLLARS {
    @Override
    public String text(double value) {
      return "$"
          + (Math.abs(value) >= 1000
              ? String.format(Locale.ROOT, "%,.0f", value)
              : String.format(Locale.ROOT, "%.3f", value));
    }
  },
  SHARE {
    @Override
    public String text(double value) {
      return String.format(Locale.ROOT, "%.1f%%", 100 * value);
    }
  },
  RISK {
    @Override
    public String text(double value) {
      return String.format(Locale.ROOT, "%.2g", value);
    }
  },
  COUNT {
    @Override
    public String text(double value) {
      return value == Math.rint(value)
          ? String.format(Locale.ROOT, "%,.0f", value)
          : String.format(Locale.ROOT, "%,.1f", value);
    }
  };

  private static final String[] PREFIXES = {"", "k", "M", "G", "T", "P"};

  /** The figure with its unit. */
  public abstract String text(double value);

  private static String scaled(double value, String unit) {
    double scaled = value;
    int prefix = 0;
    while (Math.abs(scaled) >= 1000 && prefix < PREFIXES.length - 1) {
      scaled /= 1000;
      prefix++;
    }
    String number =
        prefix == 0 && scaled == Math.rint(scaled)
            ? String.format(Locale.ROOT, "%.0f", scaled)
            : decimal(scaled);
    return number + " " + PREFIXES[prefix] + unit;
  }

  /** About three digits. */
  private static String decimal(double value) {
    double size = Math.abs(value);
    String format = size >= 100 ? "%.0f" : size >= 10 ? "%.1f" : "%.2f";
    return String.format(Locale.ROOT, format, value);
  }
}
