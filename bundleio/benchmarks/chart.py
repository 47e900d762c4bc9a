"""One picture as SVG, without further packages: axes from zero, bars of several parts, or lines with marks."""

import html
import math

WIDTH, HEIGHT, LEFT, RIGHT, TOP, BOTTOM = 720, 420, 70, 20, 84, 92
PLOT_WIDTH, PLOT_HEIGHT = WIDTH - LEFT - RIGHT, HEIGHT - TOP - BOTTOM
# Told apart by those who see no red or no green, too.
COLOURS = ("#4477aa", "#ee6677", "#228833", "#ccbb44", "#66ccee", "#aa3377")
TICKS_MAX = 6
LETTER_WIDTH = 7  # of sans-serif at 12, at most, on average


def tick_step(top):
    """The smallest of 1, 2, 2.5 and 5 times a power of ten that reaches `top` in TICKS_MAX steps."""
    power = 10 ** math.floor(math.log10(top / TICKS_MAX))
    return next(factor * power for factor in (1, 2, 2.5, 5, 10) if factor * power * TICKS_MAX >= top * (1 - 1e-9))


class Chart:
    """`subtitle` says what was measured, `unit` stands above the vertical axis, `axis` below the horizontal one."""

    def __init__(self, title, subtitle, unit, axis, largest):
        step = tick_step(largest if largest > 0 else 1)
        ticks = max(1, math.ceil(largest / step - 1e-9))
        self.top = step * ticks
        self.parts = [
            f'<svg xmlns="http://www.w3.org/2000/svg" role="img" viewBox="0 0 {WIDTH} {HEIGHT}" '
            'font-family="sans-serif" font-size="12">', f"<title>{html.escape(title)}</title>",
            f'<rect width="{WIDTH}" height="{HEIGHT}" fill="white"/>', self.text(WIDTH / 2, 24, title, "middle", 16),
            self.text(WIDTH / 2, 44, subtitle, "middle", 12), self.text(8, TOP - 14, unit),
            self.text(LEFT + PLOT_WIDTH / 2, HEIGHT - BOTTOM + 48, axis, "middle")]
        for number in range(ticks + 1):
            y = self.y(step * number)
            self.parts.append(f'<path d="M{LEFT} {y:.1f}H{WIDTH - RIGHT}" stroke="{"#ddd" if number else "#444"}"/>')
            self.parts.append(self.text(LEFT - 6, y + 4, f"{step * number:.4g}", "end"))

    @staticmethod
    def text(x, y, words, anchor="start", size=12):
        return f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}" font-size="{size}">{html.escape(words)}</text>'

    def y(self, value):
        return HEIGHT - BOTTOM - PLOT_HEIGHT * value / self.top

    @staticmethod
    def x(index, count):
        return LEFT + PLOT_WIDTH * (index + 0.5) / count

    def labels(self, names):
        """Below the axis; a name may have two lines."""
        for i, name in enumerate(names):
            for number, line in enumerate(name.split("\n")):
                self.parts.append(self.text(self.x(i, len(names)), HEIGHT - BOTTOM + 16 + 14 * number, line, "middle", 11))

    def legend(self, names, sign):
        """`sign` draws what stands before the name, at a place."""
        x = LEFT
        for number, name in enumerate(names):
            sign(number, x + 6, HEIGHT - 16)
            self.parts.append(self.text(x + 18, HEIGHT - 12, name))
            x += 18 + LETTER_WIDTH * len(name) + 20

    def square(self, number, x, y):
        self.parts.append(f'<rect x="{x - 6:.1f}" y="{y - 6:.1f}" width="12" height="12" fill="{COLOURS[number]}"/>')

    def mark(self, number, x, y):
        """Of another shape for each line, for prints without colours."""
        shape = (f"M{x - 5:.1f} {y:.1f}a5 5 0 1 0 10 0a5 5 0 1 0 -10 0", f"M{x - 5:.1f} {y - 5:.1f}h10v10h-10z",
                 f"M{x:.1f} {y - 6:.1f}l6 11h-12z", f"M{x:.1f} {y - 7:.1f}l6 7l-6 7l-6 -7z")[number % 4]
        self.parts.append(f'<path d="{shape}" fill="{COLOURS[number]}"/>')

    def line(self, number, values):
        points = [(self.x(i, len(values)), self.y(value)) for i, value in enumerate(values)]
        path = " L".join(f"{x:.1f} {y:.1f}" for x, y in points)
        self.parts.append(f'<path d="M{path}" fill="none" stroke="{COLOURS[number]}" stroke-width="2"/>')
        for x, y in points:
            self.mark(number, x, y)

    def stack(self, index, count, shares):
        width = min(60, 0.7 * PLOT_WIDTH / count)
        base = 0
        for number, share in enumerate(shares):
            height = self.y(base) - self.y(base + share)
            self.parts.append(f'<rect x="{self.x(index, count) - width / 2:.1f}" y="{self.y(base + share):.1f}" '
                              f'width="{width:.1f}" height="{height:.1f}" fill="{COLOURS[number]}"/>')
            base += share

    def save(self, path):
        with open(path, "w", encoding="utf-8") as file:
            file.write("\n".join([*self.parts, "</svg>"]) + "\n")
        print(path)


def text_bars(parts, bars, letters):
    """Lines for a terminal: bars of at most `letters`, a sign for each of `parts`; what is too short for one sign is left out."""
    signs = "#=-+*o"
    names = max(len(label) for label, _ in bars)
    longest = max(sum(shares) for _, shares in bars) or 1
    yield "   ".join(f"{sign} {part}" for sign, part in zip(signs, parts))
    for label, shares in bars:
        bar = ""
        for number in range(len(shares)):
            end = round(letters * sum(shares[:number + 1]) / longest)
            bar += signs[number] * (end - len(bar))
        yield f"{label:{names}s} {bar} {sum(shares):.3g}"
