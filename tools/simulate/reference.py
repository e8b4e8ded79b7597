#!/usr/bin/env python3
"""Reference values for test-models/simulate, computed with another solver (SciPy) at tight tolerance.

Run `pip install scipy`, then `python3 tools/simulate/reference.py`: it prints the numbers that the headers of the
models state. Each function writes the equations down by hand in another form than the model does.
"""

import math

import numpy as np
from scipy.integrate import solve_ivp

TIGHT = {"method": "DOP853", "rtol": 1e-13, "atol": 1e-14}
G = 9.81


def last(f, start, stop, y0, **options):
    """The state at the end of the interval."""
    return solve_ivp(f, (start, stop), y0, **(TIGHT | options)).y[:, -1]


def pendulum(angle, speed, stop):
    """The angle of the rope instead of coordinates and a constraint."""
    a, w = last(lambda t, y: [y[1], -G * math.cos(y[0])], 0, stop, [angle, speed])
    return {"x": math.cos(a), "y": math.sin(a), "vx": -math.sin(a) * w, "vy": math.cos(a) * w}


def cauer(stop):
    """Node voltages and coil currents; the capacitors as one matrix."""
    c1, c3, c5 = 1.072, 1.682, 0.7262
    l1, l2 = 1.304, 0.8586
    c2, c4 = 1 / (1.704992**2 * l1), 1 / (1.179945**2 * l2)
    c = np.array([[c1 + c2, -c2, 0], [-c2, c2 + c3 + c4, -c4], [0, -c4, c4 + c5]])
    inverse = np.linalg.inv(c)

    def f(_, y):
        v, i1, i2 = y[:3], y[3], y[4]
        currents = np.array([1 - v[0] - i1, i1 - i2, i2 - v[2]])
        return np.concatenate([inverse @ currents, [(v[0] - v[1]) / l1, (v[1] - v[2]) / l2]])

    # The source steps from 0 to 1 at time 1; before, everything is at rest.
    y = last(f, 1, stop, np.zeros(5))
    return {"C1.v": y[0], "C3.v": y[1], "C5.v": y[2]}


def rldc2(stop):
    """The mode in which the second diode passes."""
    r1, r2, l1, l2, c2 = 10, 15, 1, 1.5, 0.15

    def f(_, y):
        j1, j2, v2 = y
        return [(v2 - r1 * j1) / l1, (v2 - r2 * j2) / l2, -(j1 + j2) / c2]

    j1, j2, v2 = last(f, 0, stop, [-1, 0.2, -0.8])
    return {"j1": j1, "j2": j2, "v2": v2}


def rldc2_diodes(stop):
    """One diode passes, then both, then none."""
    r1, r2, l1, l2, c1, c2 = 10, 15, 1, 1.5, 0.1, 0.15

    def in_mode(capacity, share):
        def f(_, y):
            j1, j2, v1, _ = y
            e = v1 if capacity else 0
            slope = -(j1 + j2) / capacity if capacity else 0
            return [(e - r1 * j1) / l1, (e - r2 * j2) / l2, slope, share * slope]

        return f

    def meet(_, y):
        return y[2] - y[3]

    def rest(_, y):
        return y[0] + y[1]

    meet.terminal = rest.terminal = True
    meet.direction = rest.direction = 1
    one = solve_ivp(in_mode(c1, 0), (0, stop), [-2, -1, -0.5, -0.2], events=meet, **TIGHT)
    both = solve_ivp(in_mode(c1 + c2, 1), (one.t[-1], stop), one.y[:, -1], events=rest, **TIGHT)
    # With R1/L1 = R2/L2 the voltage at the node is zero while both block.
    y = last(in_mode(0, 0), both.t[-1], stop, both.y[:, -1])
    return {"event 0": one.t[-1], "event 1": both.t[-1], "j1": y[0], "v1": y[2], "v2": y[3]}


def cup_and_ball():
    """Free fall from (0.6, 0), then the inelastic impact of a straight rope."""
    time = math.sqrt(2 * 0.8 / G)
    x, y, vy = 0.6, -0.8, -G * time
    radial = y * vy
    return {"time": time, "vx after": -radial * x, "vy after": vy - radial * y}


def clutch(stop):
    """Closed form: both shafts slow down exponentially, together between 5 and 7."""
    w1, w2 = math.exp(-0.05), 1.5 * math.exp(-0.0125 / 2 * 5)
    w = (w1 + 2 * w2) / 3
    at7 = w * math.exp(-0.0225 / 3 * 2)
    return {"w at 5": w, "w1": at7 * math.exp(-0.01 * (stop - 7))}


def brake(stop):
    """The two modes of the brake as ordinary differential equations, with the events of SciPy."""
    f1, f2, rho, v, p0, s, k, length = 1, 0.1, 1.2, 1, 1, 0.1, 10, 1

    def phi(p):
        return math.copysign(math.sqrt(abs(p)), p)

    def flows(t, pr, pt):
        return f1 * phi(1 + 0.3 * math.sin(t) - pr), f2 * phi(pt - pr)

    def shut(t, y):
        pr, pt = y
        fb, fl = flows(t, pr, pt)
        x = s * (pt - pr) / k
        # fcl and fch are linear in the derivatives (pr', pt'), with x' = s (pt' − pr')/k.
        fcl = -rho * s / p0 * np.array([-s / k * pr + x - length, s / k * pr])
        fch = rho * s / p0 * np.array([-s / k * s * pt, s / k * s * pt + x])
        ft = np.array([0, rho * v / p0])
        return np.linalg.solve([-fcl, -fch - ft], [-fb - fl, fl])

    def fill(t, p):
        fb, _ = flows(t, p, p)
        slope = fb / (rho * s / p0 * length + rho * v / p0)
        return slope, fb + rho * s / p0 * (0 - length) * slope

    def opened(t, y):
        return [fill(t, y[0])[0]] * 2

    def leaves_open(t, y):
        return fill(t, y[0])[1]

    def leaves_shut(_, y):
        return y[1] - y[0]

    leaves_open.terminal = leaves_shut.terminal = True
    leaves_open.direction = leaves_shut.direction = -1
    t, y, is_open, events = 0, [1, 1], True, []
    while t < stop:
        f, event = (opened, leaves_open) if is_open else (shut, leaves_shut)
        run = solve_ivp(f, (t, stop), y, events=event, max_step=0.01, **TIGHT)
        t, y = run.t[-1], run.y[:, -1]
        if run.status == 1:
            events.append(t)
            is_open = not is_open
    return {f"event {i}": t for i, t in enumerate(events)} | {
        "pr": y[0],
        "pt": y[1],
        "x": s * (y[1] - y[0]) / k,
    }


def main():
    for name, values in {
        "Pendulum": pendulum(0, 0, 10),
        "PendulumRound": pendulum(-math.pi / 2, 7, 10),
        "CauerFilter": cauer(10),
        "RLDC2": rldc2(0.1),
        "RLDC2Diodes": rldc2_diodes(1),
        "CupAndBall": cup_and_ball(),
        "ClutchBasic": clutch(10),
        "WestinghouseBrake": brake(10),
    }.items():
        print(name)
        for variable, value in values.items():
            print(f"  {variable} = {value:.12g}")


if __name__ == "__main__":
    main()
