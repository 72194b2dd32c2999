// Items in the order in which they were added, each in one order at a time.
//
// The order of a Map would do as well, but to find its first key takes as long as there are keys that were deleted before
// it: up to a millisecond for each request of a flood.

export interface Ordered<Item> {
  before: Item | null;
  after: Item | null;
}

export interface Order<Item> {
  first: Item | null;
  last: Item | null;
}

export function append<Item extends Ordered<Item>>(order: Order<Item>, item: Item): void {
  item.before = order.last;
  item.after = null;
  if (order.last === null) order.first = item;
  else order.last.after = item;
  order.last = item;
}

export function unlink<Item extends Ordered<Item>>(order: Order<Item>, item: Item): void {
  if (item.before === null) order.first = item.after;
  else item.before.after = item.after;
  if (item.after === null) order.last = item.before;
  else item.after.before = item.before;
}
