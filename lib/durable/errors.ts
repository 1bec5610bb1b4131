/** Another process has the work, or it has ended: what this process still wants to write does not count. */
export class LostLease extends Error {
  override name = 'LostLease'
}

/** This process stops: another one, or the next start, goes on. */
export class Stopping extends Error {
  override name = 'Stopping'
}

/** A person asked to cancel the work. */
export class CancelRequested extends Error {
  override name = 'CancelRequested'
}

/** Each process that took the work up was lost with it: it is given up. */
export class LostTooOften extends Error {
  override name = 'LostTooOften'
}
