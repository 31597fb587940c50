#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The Python module: units by pins and by arrays, devices, the program's studies, errors. The build's folder is on
PYTHONPATH, ODONATA names the program."""
import gc
import inspect
import os
import pathlib
import re
import signal
import subprocess
import sys
import tempfile
import threading
import time
import typing
import unittest
from unittest import mock
from xml.etree import ElementTree

import numpy
import odonata

sys.path.insert(0, str(pathlib.Path(__file__).parents[2] / "docs/examples"))
SIZES = {
    "arb_request": ({"dims": 2}, {"dims": 4}),
    "torus_route": ({"torus": "tiny"}, {"torus": "big"}),
    "torus_box": ({"torus": "tiny"}, {"torus": "big"}),
    "fault_region": ({},),
    **{f"vtftr_{unit}": ({"tree": "tiny"}, {"tree": "full"}) for unit in ("leaf", "root", "update", "detect")},
}  # of a unit that is no part of a dragonfly
MADE_OF_MANY = ("router", "congestion_plane")  # units: slower than the promise at full size
LEAST_RATE = int(os.environ.get("ODONATA_LEAST_RATE", 0))  # steps a second of a golden unit in batches


class Units(unittest.TestCase):
    def test_a_decision_by_pins(self):
        unit = odonata.Unit("route_compute", size="tiny")
        self.assertEqual(unit.inputs["req_dest_i"], 18)
        self.assertEqual(unit.parameters["A"], 4)
        unit.step(rst_ni=0)
        unit.step(req_valid_i=1, req_dest_i=odonata.address(0, 0, 1))
        answers = [unit.step()["resp_valid_o"] for _ in range(5)]
        self.assertEqual(answers, [0, 0, 0, 1, 0])

    def test_a_configured_unit_routes(self):
        unit = odonata.Unit("route_compute", size="tiny")
        unit.step(rst_ni=0)
        writes = odonata.configuration(1, 2, 0)
        for address, data in writes:
            unit.step(cfg_valid_i=1, cfg_write_i=1, cfg_addr_i=address, cfg_wdata_i=data)
        unit.step(req_valid_i=1, req_dest_i=odonata.address(1, 2, 1), req_src_gid_i=1)
        answer = [unit.step() for _ in range(4)][-1]
        self.assertEqual((answer["resp_valid_o"], answer["resp_port_o"]), (1, 1), "the other node of the router")
        self.assertEqual(len(writes), 3 + 14 + 12 + 4, "place, port class, seed; tables A, B and C")
        with self.assertRaisesRegex(odonata.Error, r"port 7: dfly\(2,4,2,8\).* has 0..6"):
            odonata.configuration(0, 0, 7)

    def test_reasons(self):
        unit = odonata.Unit("route_compute", size="tiny")
        inputs, outputs = unit.stimulus(300)
        last = int(numpy.flatnonzero(outputs["resp_valid_o"])[-1])
        unit.run({name: values[: last + 1] for name, values in inputs.items()})
        self.assertTrue(unit.explain())

    def test_reasons_name_every_port_of_a_large_router(self):
        unit, ports = odonata.Unit("router_data", size="full"), set()
        inputs, _ = unit.stimulus(400)
        for cycle in range(400):
            unit.run({name: values[cycle : cycle + 1] for name, values in inputs.items()})
            ports |= {int(port) for port in re.findall(r" to port (\d+)", "\n".join(unit.explain()))}
        self.assertEqual(ports, set(range(63)))

    def test_a_stimulus_is_what_was_asked_for(self):
        def requests(**asked):
            inputs, _ = odonata.Unit("route_compute").stimulus(2000, **asked)
            return inputs["req_valid_i"].sum(), inputs["req_dest_i"].tolist()

        usual = requests()
        self.assertEqual(usual, requests(traffic="ur", load=0.8, seed=1))
        self.assertTrue(1400 < usual[0] < 1700, usual[0])
        self.assertTrue(150 < requests(load=0.1)[0] < 250)
        self.assertNotEqual(usual, requests(seed=2))
        self.assertNotEqual(usual, requests(traffic="rp"))

    def test_restarted_units_are_as_new(self):
        unit = odonata.Unit("route_compute")
        inputs, expected = unit.stimulus(300)
        for _ in range(2):
            got = unit.run(inputs)
            self.assertEqual([name for name in expected if not numpy.array_equal(got[name], expected[name])], [])
            for _ in range(5):  # a request is on its way
                unit.step(req_valid_i=1)
            unit.restart()
            self.assertEqual([unit.step()["resp_valid_o"] for _ in range(5)], [0] * 5)
            unit.restart()

    def test_arrays_are_the_same_as_steps(self):
        for block in odonata.blocks():
            inputs, expected = odonata.Unit(block).stimulus(200, traffic="corner")
            got = odonata.Unit(block).run(inputs)
            single = odonata.Unit(block)
            for name in expected:
                self.assertTrue(numpy.array_equal(got[name], expected[name]), (block, name))
            for cycle in range(50):
                pins = {
                    name: sum(int(w) << 64 * k for k, w in enumerate(column[cycle].reshape(-1)))
                    for name, column in inputs.items()
                }
                self.assertEqual(
                    single.step(**pins)[next(iter(expected))],
                    int(expected[next(iter(expected))][cycle].reshape(-1)[0]),
                    (block, cycle),
                )

    def test_sizes(self):
        for block, sizes in SIZES.items():
            for size in sizes:
                self.assertEqual(odonata.Unit(block, **size).outputs.keys(), odonata.Unit(block).outputs.keys())
        self.assertEqual(odonata.Unit("router", dragonfly="1,3,2,7").parameters["A"], 3)
        own = {
            "arb_request": "dims=",
            "torus_route": "torus=KXxKY",
            "vtftr_root": "tree=N,M,P,U",
            "fault_region": "nothing: it has one size",
        }
        for block, words in own.items():
            for given in ({"size": "tiny"}, {"size": "full"}, {"dragonfly": "2,4,2,8"}):
                with self.assertRaisesRegex(
                    odonata.Error, f"^{next(iter(given))}=.*: {block}.* is no part of a dragonfly, expected {words}"
                ):
                    odonata.Unit(block, **given)
            with self.assertRaisesRegex(odonata.Error, "^--size tiny: .* is no part of a dragonfly"):
                odonata.Cosim(block, size="tiny").run(transactions=10)
        with self.assertRaisesRegex(odonata.Error, "expected one of them"):
            odonata.Unit("router", size="tiny", dragonfly="2,4,2,8")
        with self.assertRaisesRegex(odonata.Error, "'congestion_plane' is unknown, expected route_compute"):
            odonata.Cosim("congestion_plane").run()
        self.assertEqual(
            odonata.Cosim("vtftr_detect").run(transactions=500, traffic="corner", device="systemc")["verdict"], "pass"
        )
        for size, name in ((None, "dfly(2,4,2,8)"), ("paper", "dfly(6,12,6,73)")):
            result = odonata.Cosim("route_compute", size, device="systemc").run(transactions=200)
            self.assertIn(name, str(result["dragonfly"]))
        with tempfile.TemporaryDirectory() as folder:  # a recorded stimulus says for which size it is
            stimulus = str(pathlib.Path(folder) / "paper.trace")
            odonata.Cosim("route_compute", "paper", device="systemc").run(transactions=500, record=stimulus)
            again = odonata.Cosim("route_compute", device="systemc", trace_in=stimulus).run()
            self.assertEqual((again["verdict"], again["compared"]), ("pass", 500))

    def test_arrays_as_they_come(self):
        """Whatever holds integers is taken, in any layout; all else is an Error that names the pin."""
        block = "bitmap_collector"
        inputs, expected = odonata.Unit(block, size="full").stimulus(64, traffic="corner")
        wide = next(name for name, values in inputs.items() if values.ndim == 2)
        narrow = next(name for name, values in inputs.items() if values.ndim == 1 and name != "rst_ni")

        def same(changed):
            got = odonata.Unit(block, size="full").run({**inputs, **changed})
            return all(numpy.array_equal(got[name], expected[name]) for name in expected)

        every_second = numpy.zeros((128, *inputs[wide].shape[1:]), dtype="u8")
        every_second[::2] = inputs[wide]
        frozen = inputs[wide].copy()
        frozen.flags.writeable = False
        for values in (
            every_second[::2],
            numpy.asfortranarray(inputs[wide]),
            inputs[wide].astype(">u8"),
            inputs[wide][::-1][::-1],
            frozen,
            inputs[wide].tolist(),
            numpy.ma.masked_array(inputs[wide]),
        ):
            self.assertTrue(same({wide: values}))
        for kind in ("u1", "i2", ">i4", "?"):
            ones = inputs[narrow] & 1
            self.assertTrue(
                numpy.array_equal(
                    odonata.Unit(block, size="full").run({narrow: ones.astype(kind)})[next(iter(expected))],
                    odonata.Unit(block, size="full").run({narrow: ones})[next(iter(expected))],
                ),
                kind,
            )
        unit, words = odonata.Unit(block, size="full"), inputs[wide].shape[1]
        self.assertEqual(len(unit.run({narrow: numpy.zeros(0, "u8")})[next(iter(expected))]), 0)

        class Unwilling:
            def __len__(self):
                return 4

            def __array__(self, *_):
                raise KeyError("no")

        zeros = numpy.zeros(4)
        for wrong in (
            zeros,
            zeros.astype("c16"),
            zeros.astype("M8[s]"),
            zeros.astype("f2"),
            numpy.array([None] * 4),
            numpy.array([1, 2**70, 3, 4], dtype=object),
            numpy.zeros(4, dtype=[("a", "u8")]),
            numpy.full(4, -1, "i1"),
            numpy.zeros((4, 1), "u8"),
            numpy.zeros((2, 2), "u8"),
            numpy.uint8(1),
            None,
            "abcd",
            b"abcd",
            {1: 2},
            iter([1, 2]),
            [[1], [1, 2], [3], [4]],
            Unwilling(),
            numpy.full(4, 2**63, "u8"),
        ):
            with self.assertRaisesRegex(odonata.Error, narrow, msg=repr(wrong)):
                unit.run({narrow: wrong})
        for wrong in (
            numpy.zeros(4, "u8"),
            numpy.zeros((4, words + 1), "u8"),
            numpy.zeros((4, words, 1), "u8"),
            numpy.full((4, words), 2**64 - 1, "u8"),
            numpy.array([[-1] + [0] * (words - 1)] * 4, "i8"),
        ):
            with self.assertRaisesRegex(odonata.Error, wide, msg=wrong.shape):
                unit.run({wide: wrong, narrow: numpy.zeros(4, "u8")})
        self.assertEqual(
            unit.run({narrow: [0] * 4})[next(iter(expected))].shape[0], 4, "the unit is as usable as before"
        )

    def interrupted(self, call, inside=lambda: None):
        """`call` of more and more cycles, until the handler of a signal, which raises when it is asked for the third
        time, ends it. Where nobody looks for signals it is asked once, at the end. It does `inside`, too."""

        class Stop(Exception):
            pass

        asked, calling = [], [False]

        def handler(*_):
            if not calling[0]:  # a signal that comes late, on a busy machine
                return
            asked.append(1)
            inside()
            if len(asked) == 3:
                raise Stop

        before = signal.signal(signal.SIGALRM, handler)
        cycles = 1 << 16
        try:
            signal.setitimer(signal.ITIMER_REAL, 0.01, 0.01)
            while cycles <= 1 << 22:
                asked.clear()
                try:
                    calling[0] = True
                    call(cycles)
                    calling[0] = False
                except Stop:
                    return
                cycles *= 2
        finally:
            signal.setitimer(signal.ITIMER_REAL, 0)
            signal.signal(signal.SIGALRM, before)
        self.fail(f"a call of {cycles // 2} cycles was not interrupted")

    def test_signals_stop_long_calls(self):
        unit, told = odonata.Unit("credit_monitor", size="tiny"), []

        def back():
            try:
                unit.step()
            except odonata.Error as error:
                told.append(str(error))

        self.interrupted(lambda cycles: unit.run({"rst_ni": numpy.ones(cycles, int)}), back)
        self.assertEqual(set(told), {"asked for in the middle of its run"})
        unit.restart()
        self.assertEqual(unit.step(), odonata.Unit("credit_monitor", size="tiny").step())
        self.interrupted(unit.stimulus)

    def test_a_signal_stops_the_waiting_for_another_thread(self):
        """The main thread wants a unit that another one has; its turn is given back, and the other goes on."""

        class Stop(Exception):
            pass

        waiting = [False]

        def handler(*_):
            if waiting[0]:
                raise Stop

        unit, cycles, before = (
            odonata.Unit("credit_monitor", size="tiny"),
            1 << 20,
            signal.signal(signal.SIGALRM, handler),
        )
        try:
            for _ in range(8):
                got, begun, pins = [], threading.Event(), {"rst_ni": numpy.ones(cycles, int)}

                def work(pins=pins, begun=begun, got=got):
                    begun.set()
                    got.append(unit.run(pins))

                other = threading.Thread(target=work)
                other.start()
                begun.wait()
                time.sleep(0.05)
                stopped = False
                try:
                    waiting[0] = True
                    signal.setitimer(signal.ITIMER_REAL, 0.05)
                    unit.step()
                    waiting[0] = False
                except Stop:
                    stopped = other.is_alive()
                finally:
                    waiting[0] = False
                    signal.setitimer(signal.ITIMER_REAL, 0)
                other.join()
                self.assertEqual(len(next(iter(got[0].values()))), cycles)
                unit.step()
                if stopped:
                    return
                cycles *= 2
        finally:
            signal.signal(signal.SIGALRM, before)
        self.fail(f"a wait for a run of {cycles // 2} cycles was not interrupted")

    def test_threads_and_exceptions(self):
        """Units of several threads are apart; what a pin's value throws comes through, and the unit goes on."""
        inputs, expected = odonata.Unit("route_compute").stimulus(5000)
        results = [None] * 4

        def work(k):
            results[k] = odonata.Unit("route_compute").run(inputs)["resp_port_o"]

        threads = [threading.Thread(target=work, args=(k,)) for k in range(len(results))]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        for got in results:
            self.assertTrue(numpy.array_equal(got, expected["resp_port_o"]))

        class Throws:
            def __index__(self):
                raise KeyError("no")

        unit = odonata.Unit("credit_monitor")
        unit.step(rst_ni=0)
        with self.assertRaises((odonata.Error, KeyError)):
            unit.step(sent_i=Throws(), capacity_i=8)
        unit.step(sent_i=1, capacity_i=8)
        self.assertEqual(
            unit.step(sent_i=numpy.uint8(1), failed_i=True, capacity_i=numpy.int64(8))["occupancy_o"], 1, "a rank later"
        )
        self.assertEqual(unit.step(capacity_i=8)["occupancy_o"], 2)

    def test_errors(self):
        unit = odonata.Unit("credit_monitor")
        for wrong, words in (
            (lambda: odonata.Unit("crossbar"), "'crossbar' is unknown, expected one of route_compute"),
            (lambda: unit.step(sent=1), "no input pin 'sent'"),
            (lambda: unit.step(sent_i=16), "sent_i: 16 does not fit into 4 bits"),
            (lambda: unit.step(sent_i=-1), "does not fit"),
            (lambda: unit.run({"sent_i": [1, 16]}), "sent_i: 16 in cycle 1 does not fit"),
            (
                lambda: odonata.Unit("fault_router").run(
                    {"in_message_i": numpy.array([[0, 0, 0], [0, 0, 1 << 63]], numpy.uint64)}
                ),
                "in cycle 1 does not fit",
            ),
            (lambda: odonata.Unit("credit_monitor", depth=3), "--set depth=3"),
            (lambda: odonata.Unit("credit_monitor", library="nothing.so"), "nothing.so: there is no such file"),
            (lambda: odonata.command("net", size="huge"), "huge"),
            (lambda: unit.step(sent_i="x"), "sent_i: 'x' is no integer"),
            (lambda: unit.step(sent_i=0.5), "sent_i: 0.5 is no integer"),
            (lambda: unit.step(rst_ni=2), "rst_ni: 2 does not fit"),
            (lambda: unit.run({"sent_i": ["a"]}), "sent_i: expected an array of integers, got <U1"),
            (lambda: unit.run({"sent_i": [0.5]}), "got float64"),
            (lambda: unit.run({"sent_i": [1, -1]}), "sent_i: -1 does not fit"),
            (lambda: unit.run({}), "expected an array a pin"),
            (lambda: unit.run({"sent_i": 3}), "sent_i: expected an array"),
            (lambda: unit.run({"sent_i": [1, 2], "failed_i": [1]}), "failed_i: expected an array of 2"),
            (lambda: unit.stimulus(-1), "stimulus"),
            (lambda: unit.stimulus(10, traffic="rush"), "rush"),
            (lambda: odonata.Unit("credit_monitor", size="huge"), "huge"),
            (lambda: odonata.Unit("credit_monitor", size=5), "__init__"),
            (lambda: odonata.Network(size="tiny").advance(-1), "advance"),
            (lambda: odonata.command("nets"), "nets"),
            (lambda: next(odonata.Cosim("credit_monitor").cycles(3)), "expected device_lib"),
            (
                lambda: odonata.Cosim("credit_monitor", device_lib="nothing.so").run(),
                "nothing.so: there is no such file",
            ),
            (lambda: odonata.address(512, 0, 0), "group 512 is out of range, expected 0..511"),
            (lambda: odonata.address(0, 32, 0), "router 32 is out of range, expected 0..31"),
            (lambda: odonata.address(0, 0, 16), "node 16 is out of range, expected 0..15"),
            (lambda: odonata.address(0, -1, 0), "router -1 is out of range"),
            (lambda: odonata.address("a", 0, 0), "address"),
            (lambda: unit.stimulus(10**15), "stimulus"),
            (lambda: odonata.fault(), "fault"),
            (lambda: odonata.sweep({"load": 3}), "load is 3, expected a list of values"),
            (lambda: odonata.sweep({"routing": "doar"}), "routing is 'doar', expected a list of values"),
            (lambda: odonata.command(3), "command"),
            (lambda: unit.run({3: [1]}), "Unit.run"),
            (lambda: odonata.Network(size="tiny").save(""), "expected the name of a file"),
        ):
            with self.assertRaisesRegex(odonata.Error, words):
                wrong()

        with mock.patch.dict(os.environ, ODONATA="/"), self.assertRaisesRegex(odonata.Error, "^/: cannot be run: "):
            odonata.network(size="tiny")
        with tempfile.TemporaryDirectory() as folder:
            program = pathlib.Path(folder) / "odonata"

            def made(does):  # a program on the PATH; the last word that it gets is the file for its result
                program.write_text("#!/bin/sh\nfor last; do :; done\n" + does)
                program.chmod(0o755)

            paths = {"ODONATA": "", "PATH": folder + os.pathsep + os.environ["PATH"]}
            with mock.patch.dict(os.environ, paths):
                made("echo '{\"verdict\": \"fail\"}' > \"$last\"; exit 1")
                self.assertEqual(odonata.network(), {"verdict": "fail"}, "a failed check is no error")
                made("echo '{}' > \"$last\"; exit 130")
                with self.assertRaisesRegex(odonata.Error, "^odonata ended with exit code 130$"):
                    odonata.network()
                made("echo odonata: error: too bad >&2; exit 0")
                with self.assertRaisesRegex(odonata.Error, "^too bad$"):
                    odonata.network()
            with mock.patch.dict(os.environ, ODONATA="", PATH=folder):
                program.unlink()
                with self.assertRaisesRegex(odonata.Error, "odonata is not on the PATH"):
                    odonata.network()

    @unittest.skipUnless(LEAST_RATE, "ODONATA_LEAST_RATE is not set: no figure is asked of this build")
    def test_rate(self):
        """Steps in batches of arrays, by the time of the processor; docs/examples/python.md says what is usual."""
        cycles = 1000
        for block in odonata.blocks():
            for size in SIZES.get(block, ({"size": "tiny"}, {"size": "tiny" if block in MADE_OF_MANY else "full"})):
                inputs, _ = odonata.Unit(block, **size).stimulus(cycles, traffic="corner")
                unit, best = odonata.Unit(block, **size), 0
                for _ in range(4):
                    before = sum(os.times()[:2])
                    for _ in range(4):
                        unit.run(inputs)
                    best = max(best, 4 * cycles / max(sum(os.times()[:2]) - before, 0.01))
                self.assertGreater(best, LEAST_RATE, (block, size))

    def test_a_run_has_the_last_word_on_options(self):
        cosim = odonata.Cosim("route_compute", size="tiny", transactions=2000)
        self.assertEqual(cosim.run(transactions=500)["compared"], 500)
        self.assertEqual(cosim.run()["compared"], 2000)

    def test_everything_says_what_it_does(self):
        for name in odonata.__all__:
            thing = getattr(odonata, name)
            members = (
                [m for key, m in vars(thing).items() if not key.startswith("_")]
                if isinstance(thing, type) and thing is not odonata.Error
                else []
            )
            for call in [thing, *members]:
                call = call.fget if isinstance(call, property) else call
                if call is not odonata.Error:
                    self.assertTrue(call.__doc__, (name, call))
                if inspect.isfunction(call):
                    untyped = [
                        p
                        for p in inspect.signature(call).parameters.values()
                        if p.annotation is p.empty and p.name != "self"
                    ]
                    self.assertFalse(
                        untyped or inspect.signature(call).return_annotation is inspect.Signature.empty, (name, call)
                    )
                    self.assertIn(
                        "return",
                        typing.get_type_hints(call, localns={"pandas": mock.Mock(DataFrame=dict)}),
                        (name, call),
                    )

    def test_a_device_of_ones_own(self):
        with tempfile.TemporaryDirectory() as folder:
            library = pathlib.Path(folder) / "pcs.so"
            root = pathlib.Path(__file__).parents[2]
            subprocess.run(
                [
                    "cc",
                    "-shared",
                    "-fPIC",
                    "-I",
                    root / "tb/harness",
                    root / "docs/examples/own_device.c",
                    "-o",
                    library,
                ],
                check=True,
            )
            cosim = odonata.Cosim("pcs_transport", device_lib=library)
            for _, _, expected, got in cosim.cycles(300, traffic="corner"):
                self.assertEqual(got, expected)
            self.assertEqual(cosim.run(transactions=2000)["verdict"], "pass")
            failed = odonata.Cosim("pcs_transport", device_lib=library, latency=30, artifacts=folder).run(
                transactions=2000
            )
            self.assertEqual(failed["verdict"], "fail")
            self.assertIn("replay", failed["mismatch"]["shrunk"])
            self.assertTrue(failed["mismatch"]["differences"] and failed["mismatch"]["reasons"])
            other = odonata.Cosim("pcs_transport", dragonfly="1,3,2,7", device_lib=library)
            self.assertEqual(sum(expected == got for _, _, expected, got in other.cycles(100, traffic="corner")), 100)

    def test_a_pin_that_is_not_given_is_zero(self):
        """Whatever the run before has left there."""
        for block in odonata.blocks():
            inputs, _ = odonata.Unit(block).stimulus(60, traffic="corner")
            first, *others = (name for name in inputs if name != "rst_ni")
            few = {"rst_ni": [0] * 3 + [1] * 37, first: inputs[first][:40]}
            zeros = {name: numpy.zeros_like(inputs[name][:40]) for name in others}
            one, other = odonata.Unit(block), odonata.Unit(block)
            one.run(inputs)
            other.run(inputs)
            expected, got = one.run({**few, **zeros}), other.run(few)
            for pin, values in expected.items():
                self.assertTrue(numpy.array_equal(got[pin], values), (block, pin))

    def test_more_cycles_than_can_be_counted_are_all(self):
        net = odonata.Network(size="tiny", load=0.1, warmup=0, cycles=500)
        self.assertTrue(net.advance(100))
        self.assertFalse(net.advance(2**64 - 1))
        self.assertGreaterEqual(net.now, 500)

    def test_deliveries_after_load_are_those_from_there_on(self):
        options = {"size": "tiny", "load": 0.2, "warmup": 0, "cycles": 1000, "record": True}
        with tempfile.TemporaryDirectory() as folder:
            state = pathlib.Path(folder) / "net.state"
            straight = odonata.Network(**options)
            straight.advance(500)
            before = len(straight.deliveries())
            straight.save(state)
            straight.advance(500)
            rest = straight.deliveries()[before:]
            straight.load(state)
            self.assertEqual(len(straight.deliveries()), 0)
            straight.advance(500)
            self.assertGreater(len(rest), 1000)
            straight.load(state)  # what nobody has fetched yet is undone, too
            self.assertEqual(len(straight.deliveries()), 0)
            straight.advance(500)
            self.assertTrue(numpy.array_equal(straight.deliveries(), rest))

    def test_deliveries_go_on_from_a_state_of_the_program(self):
        """A torus is one domain for the program, and cut into several here."""
        options = {"torus": "8x8", "load": 0.2, "warmup": 100, "cycles": 2000}
        with tempfile.TemporaryDirectory() as folder:
            state = pathlib.Path(folder) / "net.state"
            words = [f"--{key}={value}" for key, value in options.items()]
            subprocess.run(
                [os.environ["ODONATA"], "net", *words, f"--checkpoint={state}", "--checkpoint-every=1000"],
                check=True,
                capture_output=True,
            )
            straight = odonata.Network(**options, record=True)
            straight.run()
            expected = straight.deliveries()
            loaded = odonata.Network(**options, record=True)
            loaded.load(state)
            begin = loaded.now
            loaded.run()
            got = loaded.deliveries()
        self.assertGreater(len(got), 0)
        self.assertTrue(numpy.array_equal(got, expected[len(expected) - len(got) :]))
        self.assertGreaterEqual(got["cycle"].min(), begin)

    def test_pins_of_several_words_are_one_number(self):
        class Unit:
            def __init__(self, *_, **__):
                pass

            def stimulus(self, count, **_):
                words = numpy.array([[5, 6], [2**64 - 1, 1], [0, 2**63]], dtype=numpy.uint64)
                return {"wide_i": words[:count], "narrow_i": numpy.array([7, 8, 9], dtype=numpy.uint64)}, None

            def step(self, **pins):
                return pins

        asked = []

        class Asked(Unit):
            def __init__(self, block, **given):
                asked.append((block, given))

            def stimulus(self, count, **given):
                asked.append((count, given))
                return super().stimulus(count)

        with mock.patch.object(odonata, "Unit", Asked):
            cosim = odonata.Cosim("arb_request", dims=3, set="depth=4", device_lib="x", device_limit=7)
            list(cosim.cycles(2))
            list(cosim.cycles(1, traffic="corner", seed=5))
        of_both = {"size": None, "dragonfly": "", "depth": "4", "dims": 3}
        self.assertEqual(
            asked[:3],
            [
                ("arb_request", of_both),
                ("arb_request", {"library": "x", "device_limit": 7} | of_both),
                (2, {"traffic": "ur", "seed": 1}),
            ],
        )
        self.assertEqual(asked[5], (1, {"traffic": "corner", "seed": 5}))
        with mock.patch.object(odonata, "Unit", Unit):
            cycles = list(odonata.Cosim("route_compute", device_lib="x").cycles(3))
        self.assertEqual([c[0] for c in cycles], [0, 1, 2])
        self.assertEqual([c[1]["wide_i"] for c in cycles], [5 + (6 << 64), 2**65 - 1, 1 << 127])
        self.assertEqual([c[1]["narrow_i"] for c in cycles], [7, 8, 9])

    def test_what_a_device_does_to_its_process_is_an_error(self):
        """The devices of sim/tests/odd_device.c, each wrong in one way:
        this process lives on and hears what happened."""
        root = pathlib.Path(__file__).parents[2]
        sources = ["-shared", "-fPIC", "-I", root / "tb/harness", "-I", root, root / "sim/tests/odd_device.c", "-o"]
        stimulus, expected = odonata.Unit("pcs_transport").stimulus(2500, traffic="corner")
        with tempfile.TemporaryDirectory() as folder:

            def odd(number):
                library = pathlib.Path(folder) / f"odd{number}.so"
                subprocess.run(["cc", f"-DODD={number}", *sources, library], check=True)
                return library

            for number, words in (
                (6, r"crashed \(invalid memory access\)"),
                (16, r"ended the program \(_exit\)"),
                (18, "ended by signal 9"),
                (10, r"ended by abort\(\)"),
                (7, "did not come back within 2 s"),
                (20, "did not come back within 2 s"),
            ):
                limit = 2 if number in (7, 20) else 60  # seconds: what does not hang may start on a busy machine
                unit = odonata.Unit("pcs_transport", library=odd(number), device_limit=limit)
                with self.assertRaisesRegex(odonata.Error, rf"odd{number}.so: {words} in run\(\), from cycle 0 on"):
                    unit.run(stimulus)
                with self.assertRaisesRegex(odonata.Error, words):  # it is gone for good
                    unit.step()
            slow = pathlib.Path(folder) / "sitecustomize.py"  # an interpreter that takes a while to start is no device
            slow.write_text("import time; time.sleep(2.5)")
            paths = os.pathsep.join((folder, os.environ.get("PYTHONPATH", "")))
            with mock.patch.dict(os.environ, PYTHONPATH=paths):
                self.assertEqual(odonata.Unit("pcs_transport", library=odd(33), device_limit=2).step()["valid_o"], 0)
            slow.unlink()
            late = odonata.Unit("pcs_transport", library=odd(36))
            with self.assertRaisesRegex(odonata.Error, r"memory access\) in run\(\), from cycle 2000 on"):
                late.run(stimulus)
            for number, words in (
                (28, r"crashed .* in create\(\)"),
                (29, r"ended the program \(_exit\) in create\(\)"),
                (1, "made for version 2"),
                (3, "missing: crc_i"),
                (4, "licence"),
            ):
                with self.assertRaisesRegex(odonata.Error, words):
                    odonata.Unit("pcs_transport", library=odd(number))
            with self.assertRaisesRegex(odonata.Error, r"odd16.so: ended the program \(_exit\) in step\(\)"):
                for _ in odonata.Cosim("pcs_transport", device_lib=odd(16)).cycles(300):
                    pass
            unit = odonata.Unit("pcs_transport", library=odd(33))  # a good one
            got = unit.run(stimulus)
            self.assertEqual([name for name in expected if not numpy.array_equal(got[name], expected[name])], [])
            for wrong, words in (
                (lambda: unit.step(bits_i="x"), "bits_i: 'x' is no integer"),
                (lambda: unit.step(bits_i=1 << 16), "does not fit"),
                (lambda: unit.run({"bits_i": [1 << 16]}), "in cycle 0"),
                (lambda: unit.run({}), "expected an array a pin"),
                (lambda: unit.step(nothing=1), "no input pin 'nothing'"),
            ):
                with self.assertRaisesRegex(odonata.Error, words):
                    wrong()
            self.assertEqual([len(pin) for pin in unit.run({"bits_i": []}).values()], [0] * len(expected), "no cycles")
            unit.restart()
            self.assertEqual(unit.step(rst_ni=0)["valid_o"], 0, "the unit is as usable as before")
            unit.step(valid_i=1, bits_i=5)
            self.assertEqual(sum(unit.step()["valid_o"] for _ in range(60)), 1, "it comes out")
            unit.step(valid_i=1, bits_i=5)
            unit.restart()
            self.assertEqual(sum(unit.step()["valid_o"] for _ in range(60)), 0, "a device is as new, too")
            process = unit._device._process
            del unit
            gc.collect()
            self.assertEqual(process.poll(), 0, "its process ends with it, by itself")


class Wrong(odonata.Unit):
    """Its virtual channel is another one."""

    def step(self, **pins):
        out = super().step(**pins)
        return {**out, "resp_vc_o": out["resp_vc_o"] ^ out["resp_valid_o"]}


class Bench(unittest.TestCase):
    """docs/examples/cocotb_like.py with the stand-in of cocotb's handles."""

    def test_a_good_design_and_a_wrong_one(self):
        import asyncio

        import cocotb_like

        design = cocotb_like.StandIn(odonata.Unit("route_compute"))
        asyncio.run(cocotb_like.compare(design, design, odonata.Unit("route_compute"), cycles=300))
        other = cocotb_like.StandIn(Wrong("route_compute"))
        with self.assertRaisesRegex(AssertionError, "cycle .* expected"):
            asyncio.run(cocotb_like.compare(other, other, odonata.Unit("route_compute"), cycles=300))


class Plot(unittest.TestCase):
    """docs/examples/plot.py, with matplotlib where it is."""

    def test_curve(self):
        import plot

        latencies = plot.curve("doar")
        self.assertEqual(latencies, sorted(latencies))
        with tempfile.TemporaryDirectory() as folder:
            plot.main(f"{folder}/curve.svg")
            self.assertIn("<svg", pathlib.Path(folder, "curve.svg").read_text())
        ElementTree.fromstring(plot.picture({"doar": [1.0, 2.0, None], "min": [1.5]}))


class Networks(unittest.TestCase):
    def test_a_run(self):
        result = odonata.network(size="tiny", load=0.2, warmup=200, cycles=1000)
        self.assertEqual(result["command"], "net")
        self.assertGreater(result["delivered"], 0)

    def test_options_are_the_programs(self):
        """Zero is a value, True a flag, a list one word or the option again; what is None or False is not said."""
        with tempfile.TemporaryDirectory() as folder:
            says = pathlib.Path(folder) / "says"
            says.write_text('#!/bin/sh\nprintf "%s\\n" "$@" >"$SAYS"\nexit 2\n')
            says.chmod(0o755)
            with mock.patch.dict(os.environ, ODONATA=str(says), SAYS=f"{folder}/words"):
                with self.assertRaisesRegex(odonata.Error, "exit code 2"):
                    odonata.command(
                        "net", "file", warmup=0, load=0.0, ideal=True, check=False, plot=None, class_="local",
                        fail_at=[0, 7], set=["a=1", "b=2"], hardware="full",
                        repair=["all@7", "none"], pipelined=[True, False],
                    )  # fmt: skip
            words = pathlib.Path(f"{folder}/words").read_text().split("\n")
        self.assertEqual(words[words.index("--json") + 2 :], [""])
        self.assertEqual(
            words[: words.index("--json")],
            "net file --warmup 0 --load 0.0 --ideal=true --class local --fail-at 0,7 --set a=1 --set b=2 "
            "--hardware full --repair all@7 --repair none --pipelined true,false".split(),
        )

    def test_networks_of_every_kind_in_this_process(self):
        """Each way to say which one stands for itself: none of them is given the default's size as well."""
        for which in (
            dict(size="tiny"),
            dict(dragonfly="2,4,2,8"),
            dict(topology="dragonfly:2,4,2,8"),
            dict(mesh="4x4", routing="dyxy"),
            dict(torus="4x4", routing="ecube"),
            dict(fat_tree="4,4,2,2"),
        ):
            settings = dict(which, load=0.1, warmup=100, cycles=300)
            self.assertEqual(odonata.Network(**settings).run()["digest"], odonata.network(**settings)["digest"], which)

    def test_a_parameter_that_is_none_is_not_given(self):
        settings = dict(size="tiny", load=0.1, warmup=100, cycles=300)
        plain = odonata.Network(**settings).run()["digest"]
        self.assertEqual(odonata.Network(**settings, fail=None, workload=None, seed=None).run()["digest"], plain)

    def test_a_parameter_that_is_0_is_given(self):
        nothing = dict(size="tiny", load=0.3, warmup=0, cycles=300, drain=0, watchdog=0)
        inside = odonata.Network(**nothing).run()
        self.assertEqual(inside["cycles"], 300)
        self.assertEqual(inside["digest"], odonata.network(**nothing)["digest"])

    def test_the_same_in_this_process(self):
        settings = dict(size="tiny", load=0.4, warmup=300, cycles=1000, timeline=100, seed=5)
        expected = odonata.network(**settings)
        for threads in (1, 2):
            net = odonata.Network(record=True, threads=threads, **settings)
            windows = 0
            while net.advance(100):
                windows += 1
            self.assertGreater(windows, 5)
            got = net.result()
            for key in ("digest", "delivered", "latency", "hops", "timeline", "accepted"):
                self.assertEqual(got[key], expected[key], key)
            rows = net.deliveries()
            self.assertEqual(len(rows), expected["delivered"])
            sample = rows[(rows["born"] >= 300) & (rows["born"] < 1300)]
            latency = sample["cycle"].astype(int) - sample["born"] - 1
            self.assertEqual(len(sample), expected["latency"]["packets"])
            self.assertAlmostEqual(latency.mean(), expected["latency"]["mean"], places=9)
            self.assertEqual(len(net.timeline()), len(expected["timeline"]))
        idle = odonata.Network(size="tiny", load=0, warmup=0, cycles=100, timeline=50)
        idle.run()
        self.assertIsNone(idle.result()["latency"]["mean"])
        self.assertEqual(len(idle.timeline()), 1)
        for none in ({}, {"timeline": 0}, {"timeline": None}):
            with self.assertRaisesRegex(odonata.Error, r"expected Network\(timeline=CYCLES\)"):
                odonata.Network(size="tiny", cycles=100, **none).timeline()
        self.assertTrue(numpy.isnan(idle.timeline()["latency"]).all())

    def test_a_delivery_says_from_where_to_where_and_a_window_what_was_in_it(self):
        """Rows against what the program says of the same packets; every one goes to the next group."""
        net = odonata.Network(
            record=True, size="tiny", load=0.1, warmup=0, cycles=1000, traffic="adv+1", packet=3, timeline=200
        )
        result, rows = net.run(), net.deliveries()
        rows = rows[rows["born"] < 1000]
        groups = [rows[end].astype(int) >> 9 for end in ("source", "dest")]
        self.assertEqual(set((groups[1] - groups[0]) % 8), {1})
        self.assertEqual(len(set(groups[0])), 8)
        self.assertEqual(set(rows["flits"]), {3})
        shares = numpy.bincount(rows["hops"]) / len(rows)
        self.assertGreater(len(shares), 3)
        self.assertTrue(numpy.allclose(shares, result["hops"][: len(shares)]), (shares, result["hops"]))
        self.assertGreater(len(result["timeline"]), 3)
        for row, window in zip(net.timeline(), result["timeline"]):
            self.assertEqual({name: row[name] for name in row.dtype.names}, window)

    def test_a_configuration_of_any_dragonfly(self):
        given = odonata.configuration(1, 2, 3, dragonfly="6,12,6,73")
        self.assertEqual(given, odonata.configuration(1, 2, 3, "paper"))
        self.assertNotEqual(given, odonata.configuration(1, 2, 3))

    def test_saved_and_loaded(self):
        settings = dict(size="tiny", load=0.4, warmup=300, cycles=1000)
        whole = odonata.Network(**settings).run()
        with tempfile.TemporaryDirectory() as folder:
            first, second = odonata.Network(**settings), odonata.Network(**settings)
            first.advance(400)
            first.save(f"{folder}/state")
            second.load(f"{folder}/state")
            self.assertEqual(second.run()["digest"], whole["digest"])
            self.assertFalse(second.advance(1))
            second.load(f"{folder}/state")  # into one that is over
            self.assertEqual(second.now, 400)
            self.assertTrue(second.advance(1))
            self.assertEqual(second.run()["digest"], whole["digest"])
            with self.assertRaisesRegex(odonata.Error, "cannot be read"):
                second.load(f"{folder}/nothing")
            with self.assertRaisesRegex(odonata.Error, "cannot be read: a directory"):
                second.load(folder)
        for wrong, words in (
            (dict(size="huge"), "huge"),
            (dict(size="tiny", load=2), "load"),
            (dict(size="tiny", colour=1), "colour"),
            (dict(size="tiny", jitter=5), "jitter: of programs"),
            (dict(size="tiny", bias=5), "doar weighs no paths"),
            (dict(size="tiny", fail_at=5), "nothing is to fail"),
        ):
            with self.assertRaisesRegex(odonata.Error, words):
                odonata.Network(**wrong)
        with self.assertRaisesRegex(odonata.Error, "record=True"):
            odonata.Network(**settings).deliveries()

    def test_sweep(self):
        table = odonata.sweep({"load": [0.1, 0.2], "routing": ["doar", "min"]}, size="tiny", warmup=100, cycles=300)
        self.assertEqual(len(table), 4)
        rows = table if isinstance(table, list) else table.to_dict("records")
        self.assertEqual({row["routing"] for row in rows}, {"doar", "min"})
        self.assertTrue(all(row["latency.p50"] <= row["latency.max"] for row in rows))
        lengths = odonata.sweep({"cycles": [50, 80]}, size="tiny", load=0.1, warmup=100)
        lengths = lengths if isinstance(lengths, list) else lengths.to_dict("records")
        self.assertEqual(list(lengths[0])[0], "cycles")
        self.assertEqual([row["cycles"] for row in lengths], [50, 80])  # what was varied, not the length of the run
        with mock.patch.dict(sys.modules, pandas=None):  # not installed
            self.assertIsInstance(odonata.sweep({"load": [0.1]}, size="tiny", warmup=100, cycles=300), list)

    def test_sweep_to_pandas(self):
        try:
            import pandas
        except ImportError:
            self.skipTest("python3-pandas is not installed")
        loads, routings = [0.1, 0.2], ["doar", "min"]
        table = odonata.sweep({"load": loads, "routing": routings}, size="tiny", warmup=100, cycles=300)
        self.assertIsInstance(table, pandas.DataFrame)
        self.assertEqual(
            list(zip(table["load"], table["routing"])), [(load, routing) for load in loads for routing in routings]
        )
        self.assertTrue(
            (table.groupby("load")["accepted"].mean().diff().dropna() > 0).all(), "accepted grows with the load"
        )
        one = odonata.network(size="tiny", warmup=100, cycles=300, load=0.2, routing="min")
        self.assertEqual(table.iloc[3]["digest"], one["digest"])
        self.assertEqual(table.iloc[3]["delivered"], one["delivered"])
        self.assertEqual(table.iloc[3]["latency.mean"], one["latency"]["mean"])
        self.assertFalse([name for name in table if isinstance(table[name][0], (dict, list))])

    def test_other_threads_go_on(self):
        net, ticks, over = odonata.Network(size="tiny", load=0.3, warmup=0, cycles=100_000), [], threading.Event()

        def count():
            while not over.wait(0.001):
                ticks.append(1)

        counting = threading.Thread(target=count)
        counting.start()
        before = len(ticks)
        net.advance(100_000)
        during = len(ticks) - before
        over.set()
        counting.join()
        self.assertGreater(during, 5)

    def test_threads_that_read_deliveries_lose_none(self):
        settings = {"size": "tiny", "load": 0.3, "warmup": 0, "cycles": 3000}
        net = odonata.Network(record=True, **settings)

        def work():
            while net.advance(50):
                net.deliveries()

        threads = [threading.Thread(target=work) for _ in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        alone = odonata.Network(record=True, **settings)
        alone.run()
        self.assertEqual(sorted(net.deliveries().tolist()), sorted(alone.deliveries().tolist()))

    def test_what_is_no_path_is_refused_in_words(self):
        net = odonata.Network(size="tiny", load=0.3, cycles=300)
        for call in (net.save, net.load):
            with self.assertRaisesRegex(odonata.Error, "null byte"):
                call("a\0b")
            for path in (3, None):
                with self.assertRaises(odonata.Error):
                    call(path)

    def test_values_of_numpy_are_parameters(self):
        flagged = odonata.Network(
            size="tiny", load=0.1, cycles=300, live_traffic=numpy.True_, fail="local:G0.s0-s1@200"
        )
        named = odonata.Network(size="tiny", load=0.1, cycles=300, live_traffic=True, fail="local:G0.s0-s1@200")
        self.assertEqual(flagged.run()["digest"], named.run()["digest"])
        mixed = odonata.Network(size="tiny", load=0.1, cycles=300, packet_mix=numpy.array([1, 5]))
        self.assertEqual(
            mixed.run()["digest"], odonata.Network(size="tiny", load=0.1, cycles=300, packet_mix=[1, 5]).run()["digest"]
        )
        self.assertEqual(
            odonata.network(size="tiny", load=0.1, cycles=300, hardware=[10, 40], fail="local:G0.s0-s1@200")["faults"][
                "router"
            ]["stations"],
            10,
        )
        failed = numpy.array(["local:G0.s0-s1@200", "local:G0.s0-s2@210"])
        self.assertEqual(
            odonata.network(size="tiny", cycles=300, fail=failed, live_traffic=numpy.True_, pipelined=numpy.False_)[
                "digest"
            ],
            odonata.network(size="tiny", cycles=300, fail=list(failed), live_traffic=True)["digest"],
        )

    def test_threads_share_a_network_and_a_unit(self):
        net, seen = odonata.Network(size="tiny", load=0.3, warmup=0, cycles=20_000, record=True), []
        running = threading.Thread(target=net.advance)
        running.start()
        while running.is_alive():
            seen.append((net.now, net.result()["cycles"], len(net.deliveries())))
        running.join()
        self.assertEqual(seen, sorted(seen), "nothing goes back")
        self.assertEqual(
            net.run()["digest"], odonata.Network(size="tiny", load=0.3, warmup=0, cycles=20_000).run()["digest"]
        )
        unit = odonata.Unit("route_compute")
        inputs, outputs = unit.stimulus(20_000)
        running = threading.Thread(target=lambda: seen.append(unit.run(inputs)))
        running.start()
        while running.is_alive():
            unit.explain()
            unit.restart()
        running.join()
        self.assertTrue(numpy.array_equal(seen[-1]["resp_port_o"], outputs["resp_port_o"]))

    def test_faults(self):
        self.assertEqual(odonata.fault(fail="global:G0-G2", size="tiny", verify=True)["command"], "fault")
        study = odonata.fault_study(size="tiny", class_="local", samples=3, hardware=["full", "native"], no_repair=True)
        self.assertEqual((study["command"], len(study["designs"])), ("fault-study", 2))
        self.assertEqual(odonata.fault_study(size="tiny", class_="local", samples=3, pipelined=True)["verdict"], "pass")
        self.assertEqual(len(odonata.fault(fail=["global:G0-G2", "global:G0-G3"], size="tiny")["faults"]), 2)
        with self.assertRaisesRegex(odonata.Error, "class"):
            odonata.fault_study(size="tiny", class_="globe")


if __name__ == "__main__":
    unittest.main()
