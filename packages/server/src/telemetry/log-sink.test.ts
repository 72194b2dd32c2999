// Tests of the bounded log: what is written, what is dropped, and what the end waits for.

import fc from "fast-check";
import { expect, test } from "vitest";
import { jsonEvents } from "./events.ts";
import { createLogSink, type Dropped, type LogOutput } from "./log-sink.ts";

const MEBIBYTE = 2 ** 20;

/** An output that takes what `room` says, and then fails with the code. Null: it never answers. */
function outputWith(code: string | null) {
  let text = "";
  const state = { room: 0 };
  const take = (chunk: Buffer) => {
    const written = Math.min(chunk.length, state.room);
    state.room -= written;
    text += chunk.toString("latin1", 0, written);
    return written;
  };
  const refusal = () => Object.assign(new Error("refused"), { code });
  const output: LogOutput = {
    write(chunk, done) {
      const written = take(chunk);
      if (written > 0) done(null, written);
      else if (code !== null) done(refusal(), 0);
    },
    writeSync(chunk) {
      const written = take(chunk);
      if (written === 0) throw refusal();
      return written;
    },
  };
  return { output, state, text: () => text };
}

test("a line that the output refuses is dropped, and the next one does not continue its rest", () => {
  const disk = outputWith("ENOSPC");
  const sink = createLogSink(disk.output);
  const notices: Dropped[] = [];
  sink.onRecovery?.((dropped) => notices.push(dropped));
  disk.state.room = 8;
  sink.write("first\n");
  sink.write("second\n");
  sink.write("third\n");
  expect([sink.droppedLines(), notices]).toEqual([2, []]);
  disk.state.room = 100;
  sink.write("fourth\n");
  expect(disk.text()).toBe("first\nse\nfourth\n");
  expect(notices).toEqual([{ count: 2, total: 2 }]);
  disk.state.room = 0;
  sink.write("fifth\n");
  disk.state.room = 100;
  sink.write("sixth\n");
  expect(notices.slice(1)).toEqual([{ count: 1, total: 3 }]);
});

test("the notice is a line of the log", () => {
  const disk = outputWith("ENOSPC");
  const events = jsonEvents(createLogSink(disk.output));
  events.stopped();
  disk.state.room = 10_000;
  events.stopped();
  const entries = disk.text().trimEnd().split("\n");
  expect(entries.map((line) => JSON.parse(line))).toMatchObject([
    { msg: "stopped" },
    { msg: "log lines dropped", level: "warn", count: 1, total: 1 },
  ]);
});

test("what waits for a slow reader is bounded in octets", () => {
  const sink = createLogSink(outputWith(null).output);
  for (let i = 0; i < 1024; i++) sink.write("\u00e9".repeat(512));
  expect(sink.droppedLines()).toBe(0);
  sink.write("x");
  expect(sink.droppedLines()).toBe(1);
});

test("a line that is longer than the bound is dropped", () => {
  const disk = outputWith("ENOSPC");
  disk.state.room = 10 * MEBIBYTE;
  const sink = createLogSink(disk.output);
  sink.write("x".repeat(MEBIBYTE + 1));
  sink.write("");
  sink.write("next\n");
  expect([sink.droppedLines(), disk.text()]).toEqual([1, "next\n"]);
});

test("the end waits for the output for a limited time, and leaves what is being written to it", async () => {
  const stuck = outputWith(null);
  const sink = createLogSink(stuck.output);
  sink.write("first\n");
  sink.write("second\n");
  stuck.state.room = 100;
  // An error ends the process: what is with the output would be there twice.
  sink.writeRest();
  expect(stuck.text()).toBe("second\n");
  await sink.flush(1);
  sink.writeRest();
  expect(stuck.text()).toBe("second\n");
});

test("the end writes what a slow reader has not taken yet", async () => {
  const pipe = outputWith("EAGAIN");
  pipe.state.room = 3;
  const sink = createLogSink(pipe.output);
  sink.write("first\n");
  sink.write("second\n");
  pipe.state.room = 100;
  sink.writeRest();
  expect(pipe.text()).toBe("first\nsecond\n");
  await expect(sink.flush(1)).resolves.toBeUndefined();
});

test("in any order of lines and of space, each line is written whole, torn at most once, or counted", () => {
  const step = fc.oneof(
    fc.record({ room: fc.nat(30) }),
    fc.record({ line: fc.nat(20).map((length) => `${"x".repeat(length)}\n`) }),
  );
  fc.assert(
    fc.property(fc.array(step), (steps) => {
      const disk = outputWith("ENOSPC");
      const sink = createLogSink(disk.output);
      let count = 0;
      for (const taken of steps) {
        if ("room" in taken) disk.state.room = taken.room;
        else {
          count++;
          sink.write(taken.line);
        }
      }
      disk.state.room = 1000;
      sink.write("<end>\n");
      const lines = disk.text().split("\n");
      expect(lines.slice(-2)).toEqual(["<end>", ""]);
      const whole = lines.length - 2;
      expect(whole).toBeGreaterThanOrEqual(count - sink.droppedLines());
      expect(whole).toBeLessThanOrEqual(count);
    }),
  );
});
