/** How much is tried: `CHAOS=short` is for every change, the long form for releases. Single sizes can be set too. */
const isShort = process.env.CHAOS === 'short'

const size = (name: string, short: number, long: number): number => {
  const given = process.env[`CHAOS_${name}`]
  const value = given === undefined ? (isShort ? short : long) : Number(given)
  if (!(value > 0)) throw new Error(`CHAOS_${name} must be a number above 0`)
  return value
}

export const sizes = {
  isShort,
  /** The same seed kills the same instances in the same order; what they were doing is never the same twice. */
  seed: size('SEED', 1, Date.now() % 2 ** 31),
  /** Conversations with one approved write each, while instances die; at the least, until enough have died. */
  conversations: size('CONVERSATIONS', 12, 200),
  /** How many of them are under way at once. */
  atOnce: size('AT_ONCE', 6, 40),
  apis: size('APIS', 3, 3),
  /** Milliseconds between two kills. */
  killEvery: size('KILL_EVERY_MS', 1_200, 2_500),
  /** How many deaths, at most: where a start takes long, no work gets done between them. */
  deaths: size('DEATHS', 6, 10_000),
  /** Up to which hit of each failpoint a process is killed. */
  failpointHits: size('FAILPOINT_HITS', 1, 40),
  /** How long both releases serve beside each other after each step of an upgrade. */
  upgradeSeconds: size('UPGRADE_SECONDS', 2, 30),
  soakSeconds: size('SOAK_SECONDS', 20, 1_800),
  soakStreams: size('SOAK_STREAMS', 40, 300)
}

/** @returns numbers in [0, 1) that follow from the seed (mulberry32) */
export const randomFrom = (seed: number) => {
  let state = seed >>> 0
  return (): number => {
    state = (state + 0x6D2B79F5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}
