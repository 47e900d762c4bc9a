package io.tierwise.simulator.bound;

import java.util.Arrays;

/**
 * A linear program whose variables can all be zero: variables not negative, each row's sum at most
 * its bound. Objectives are maximised one after another, each as far as those before it keep what
 * they have. Own: the simplex method on a dense tableau, with Bland's rule where it stands still.
 *
 * <p>Cost: a step takes rows x columns multiplications; in practice there are about as many steps
 * as rows.
 */
final class Tableau {
  /** Numbers here are about 1: callers scale. */
  private static final double EPSILON = 1e-9;

  /** Steps without gain after which Bland's rule sees to it that no basis comes again. */
  private static final int STALLED_STEPS_MAX = 20;

  private static final int STEPS_PER_LINE_MAX = 200;

  private final int rowCount;
  private final int firstSlack;
  private int columnCount;
  private int variableCount;
  private final double[][] cells;
  private final double[] bounds;

  /** By column and by row, which variable stands there; slacks are numbered behind all others. */
  private int[] columnVariable;

  private final int[] rowVariable;

  /** By variable, its column, or -1 - row. */
  private int[] place;

  /** The loss of the objectives by one unit of a column; the last one is being maximised. */
  private double[] prices = new double[0];

  /** Columns that would take from what an earlier objective has. */
  private boolean[] closed;

  /**
   * @param variables numbered from 0; the slack of a row r is variable {@code variables + r}
   */
  Tableau(int variables, int rows) {
    rowCount = rows;
    firstSlack = variables;
    columnCount = variables;
    variableCount = variables + rows;
    cells = new double[rows][variables];
    bounds = new double[rows];
    columnVariable = new int[variables];
    rowVariable = new int[rows];
    place = new int[variableCount];
    closed = new boolean[variables];
    for (int column = 0; column < variables; column++) {
      columnVariable[column] = column;
      place[column] = column;
    }
    for (int row = 0; row < rows; row++) {
      rowVariable[row] = variables + row;
      place[variables + row] = -1 - row;
    }
  }

  /** To be called before anything is maximised, as {@link #bound}. */
  void add(int row, int variable, double coefficient) {
    cells[row][variable] += coefficient;
  }

  void bound(int row, double most) {
    bounds[row] = most;
  }

  /**
   * Maximises the sum of some variables. To be called first, if at all: the first columns are taken
   * for them.
   */
  void maximiseSum(int first, int count) {
    prices = new double[columnCount];
    Arrays.fill(prices, first, first + count, -1);
    maximise();
  }

  /**
   * Raises some variables together as far as possible: takes a new variable, the level, out of each
   * of them and maximises it. From here on each of them is what it has above all its levels.
   *
   * @return the level
   */
  double raise(int[] group) {
    int column = columnCount++;
    columnVariable = Arrays.copyOf(columnVariable, columnCount);
    closed = Arrays.copyOf(closed, columnCount);
    place = Arrays.copyOf(place, variableCount + 1);
    int level = variableCount++;
    columnVariable[column] = level;
    place[level] = column;
    for (int row = 0; row < rowCount; row++) {
      cells[row] = Arrays.copyOf(cells[row], columnCount);
    }
    for (int variable : group) {
      if (place[variable] < 0) {
        cells[-1 - place[variable]][column] += 1;
      } else {
        for (int row = 0; row < rowCount; row++) {
          cells[row][column] += cells[row][place[variable]];
        }
      }
    }
    prices = new double[columnCount];
    prices[column] = -1;
    maximise();
    return value(level);
  }

  /** The value of a variable. */
  double value(int variable) {
    return place[variable] < 0 ? bounds[-1 - place[variable]] : 0;
  }

  /** Whether a variable is zero in whatever gives the objectives what they have. */
  boolean isFixed(int variable) {
    return place[variable] >= 0 && closed[place[variable]];
  }

  /** By how much the last objective gains with a unit more of a row's bound. */
  double worth(int row) {
    int column = place[firstSlack + row];
    return column < 0 ? 0 : Math.max(0, prices[column]);
  }

  private void maximise() {
    int stalled = 0;
    long stepsMax = (long) STEPS_PER_LINE_MAX * (rowCount + columnCount);
    for (long step = 0; step < stepsMax; step++) {
      boolean bland = stalled > STALLED_STEPS_MAX;
      int column = entering(bland);
      if (column < 0) {
        close();
        return;
      }
      int row = leaving(column, bland);
      if (row < 0) {
        throw new IllegalStateException("nothing limits a read: a path needs a device");
      }
      stalled = bounds[row] > EPSILON ? 0 : stalled + 1;
      pivot(row, column);
    }
    throw new IllegalStateException("no end after " + stepsMax + " steps");
  }

  /** Columns that would change this objective stay out of the basis from here on. */
  private void close() {
    for (int column = 0; column < columnCount; column++) {
      closed[column] |= prices[column] > EPSILON;
    }
  }

  private int entering(boolean bland) {
    int best = -1;
    for (int column = 0; column < columnCount; column++) {
      if (closed[column] || prices[column] >= -EPSILON) {
        continue;
      }
      boolean better =
          best < 0
              || (bland
                  ? columnVariable[column] < columnVariable[best]
                  : prices[column] < prices[best]);
      best = better ? column : best;
    }
    return best;
  }

  private int leaving(int column, boolean bland) {
    int best = -1;
    double least = Double.POSITIVE_INFINITY;
    for (int row = 0; row < rowCount; row++) {
      double cell = cells[row][column];
      if (cell <= EPSILON) {
        continue;
      }
      double ratio = bounds[row] / cell;
      boolean tie = best >= 0 && ratio <= least + EPSILON * EPSILON;
      boolean better =
          best < 0
              || ratio < least - EPSILON * EPSILON
              || (tie
                  && (bland ? rowVariable[row] < rowVariable[best] : cell > cells[best][column]));
      if (better) {
        best = row;
        least = ratio;
      }
    }
    return best;
  }

  private void pivot(int pivotRow, int pivotColumn) {
    double[] line = cells[pivotRow];
    double by = line[pivotColumn];
    int[] used = new int[columnCount];
    int count = 0;
    for (int column = 0; column < columnCount; column++) {
      if (line[column] != 0) {
        line[column] /= by;
        used[count++] = column;
      }
    }
    line[pivotColumn] = 1 / by;
    bounds[pivotRow] /= by;
    int[] columns = Arrays.copyOf(used, count);
    for (int row = 0; row < rowCount; row++) {
      if (row != pivotRow && cells[row][pivotColumn] != 0) {
        double factor = cells[row][pivotColumn];
        subtract(cells[row], line, columns, factor, pivotColumn);
        bounds[row] = Math.max(0, bounds[row] - factor * bounds[pivotRow]);
      }
    }
    subtract(prices, line, columns, prices[pivotColumn], pivotColumn);
    int enters = columnVariable[pivotColumn];
    int leaves = rowVariable[pivotRow];
    columnVariable[pivotColumn] = leaves;
    rowVariable[pivotRow] = enters;
    place[leaves] = pivotColumn;
    place[enters] = -1 - pivotRow;
  }

  /** Most of a line is zero. */
  private static void subtract(
      double[] from, double[] line, int[] columns, double factor, int pivotColumn) {
    for (int column : columns) {
      from[column] -= factor * line[column];
    }
    from[pivotColumn] = -factor * line[pivotColumn];
  }
}
