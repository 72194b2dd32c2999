// Rooms that hold whatever they are given, for parts of a service whose tests are about something else.

import type { StoredRoom } from "../../src/http/stored-room.ts";

const room: StoredRoom = {
  networksFor: () => "",
  enter() {},
  touch() {},
  leave() {},
  walk: async () => {},
};

export const ROOMS = { unproved: room, keptEvidence: room, unusedClients: room };
