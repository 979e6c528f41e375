# SPDX-License-Identifier: Apache-2.0
"""Makes a Markdown table of medians from rows of figures, with kinf's ratio to the best peer."""

import os
import statistics
import subprocess
import tempfile


def per_event(row, column):
    return float(row[column]) * 1e6 / float(row["burst_events"])


# heading, format, figure of a row, and which is better: -1 less, 1 more
FIGURES = [
    ("sync CPU s", "{:.3f}", lambda r: float(r["sync_cpu_s"]), -1),
    ("sync wall s", "{:.3f}", lambda r: float(r["sync_s"]), -1),
    ("RSS synced MiB", "{:.0f}", lambda r: float(r["rss_sync_kb"]) / 1024, -1),
    ("peak MiB", "{:.0f}", lambda r: float(r["hwm_end_kb"] or r["hwm_sync_kb"]) / 1024, -1),
    ("events/s", "{:,.0f}", lambda r: float(r["burst_eps"]), 1),
    ("CPU µs/event", "{:.1f}", lambda r: per_event(r, "burst_cpu_s"), -1),
    ("p50 µs", "{:.0f}", lambda r: float(r["lat_p50_us"]), -1),
    ("p99 µs", "{:.0f}", lambda r: float(r["lat_p99_us"]), -1),
    ("relist CPU s", "{:.3f}", lambda r: float(r["relist_cpu_s"]), -1),
    ("lines printed by it", "{:,.0f}", lambda r: float(r["relist_lines"]), -1),
]
COLD = [
    ("first row ms", "{:.1f}", lambda r: float(r["first_byte_s"]) * 1e3, -1),
    ("CPU ms", "{:.1f}", lambda r: float(r["sync_cpu_s"]) * 1e3, -1),
]


def median(rows, figure):
    values = []
    for row in rows:
        try:
            values.append(figure(row))
        except (ValueError, KeyError, ZeroDivisionError):
            pass
    return statistics.median(values) if values else None


def cells(figures, rows, best, is_kinf):
    result = []
    for (_, form, figure, _), top in zip(figures, best):
        value = median(rows, figure)
        if value is None:
            result.append("")
        elif is_kinf and top:
            result.append(f"{form.format(value)} ({value / top:.2f}×)")
        else:
            result.append(form.format(value))
    return result


def best_of(figures, by_name, clients):
    best = []
    for _, _, figure, better in figures:
        values = [median(rows, figure) for name, rows in by_name.items()
                  if clients[name].kind == "peer"]
        values = [v for v in values if v is not None]
        best.append((max if better > 0 else min)(values) if values else None)
    return best


def stripped_size(program):
    with tempfile.NamedTemporaryFile() as copy:
        subprocess.run(["strip", "-o", copy.name, program], check=True)
        return os.path.getsize(copy.name)


def libraries_size(program):
    """Returns the size in bytes of its shared libraries, without the C and C++ runtimes."""
    runtime = ("libc.so", "libm.so", "libstdc++", "libgcc_s", "ld-linux", "linux-vdso")
    linked = subprocess.run(["ldd", program], capture_output=True, text=True)
    paths = [line.split("=>")[1].split()[0] for line in linked.stdout.splitlines() if "=> /" in line]
    return sum(os.path.getsize(os.path.realpath(path)) for path in paths
               if not os.path.basename(path).startswith(runtime))


def size_cell(program):
    if not program.exists():
        return ""
    own, shared = stripped_size(program), libraries_size(program)
    return f"{own / 1e6:.1f}" + (f" + {shared / 1e6:.1f} shared" if shared else "")


def grouped(rows, clients):
    groups = {}
    for row in rows:
        if row["status"] == "ok" and row["name"] in clients:
            key = (int(row["n"]), row["transport"])
            groups.setdefault(key, {}).setdefault(row["name"], []).append(row)
    return groups


def markdown(rows, clients, programs):
    groups = grouped(rows, clients)
    cold = {transport: groups.pop((1, transport), {}) for transport in ("http", "tls")}
    best_cold = {t: best_of(COLD, cold[t], clients) for t in cold}
    heads = ["client", "runs"] + [f[0] for f in FIGURES]
    heads += [f"{head}, cold {t}" for t in cold for head, *_ in COLD] + ["binary MB"]
    lines = ["| " + " | ".join(heads) + " |", "|" + "---|" * len(heads)]
    first = True
    for (pods, transport), by_name in sorted(groups.items()):
        title = f"**{pods:,} pods, {transport}**"
        lines.append(f"| {title} |" + " |" * (len(heads) - 1))
        best = best_of(FIGURES, by_name, clients)
        for name, client in clients.items():
            if name not in by_name:
                continue
            is_kinf = client.kind == "kinf"
            line = [name, str(len(by_name[name]))]
            line += cells(FIGURES, by_name[name], best, is_kinf)
            for t in cold:
                known = cold[t].get(name, []) if first else []
                line += cells(COLD, known, best_cold[t], is_kinf)
            line.append(size_cell(programs / client.program) if first else "")
            lines.append("| " + " | ".join(line) + " |")
        first = False
    loads = [float(r["load1"]) for r in rows]
    others = [float(r["other_cpu_frac"]) * 100 for r in rows if r["other_cpu_frac"]]
    if loads and others:
        lines.append(f"\nLoad average {min(loads):.1f} to {max(loads):.1f}; other processes took "
                     f"{statistics.median(others):.0f} % of the CPU in the median row, "
                     f"{max(others):.0f} % in the worst.")
    return "\n".join(lines)
