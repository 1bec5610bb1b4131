interface Common {
  origin: string
  path: string
  headers: Record<string, string>
  /** How many streams or requests are under way at once. */
  concurrency: number
  /** Ends after this many, or, if it is not given, after `durationMs`. */
  total?: number
  durationMs?: number
}

export interface StreamJob extends Common {
  kind: 'streams'
  body: string
  /** Tokens that every stream must carry. */
  tokens: number
  /** Whether every stream must hold a tool call. */
  tool: boolean
  /** Spreads the opening of the streams over this time. */
  rampMs?: number
}

export interface RequestJob extends Common { kind: 'requests' }
export type Job = StreamJob | RequestJob

/** How many streams were open, by the clock of the machine. */
export interface OpenCount { at: number, count: number }

/** Times in milliseconds. */
export interface Load {
  /** To the first `content` event, or to the whole answer of a plain request. */
  first: number[]
  /** To the first `tool_call` event. */
  tool: number[]
  total: number[]
  tokens: number
  finished: number
  errors: Record<string, number>
  wallMs: number
  clientCpuMs: number
  /** Every tenth of a second, while streams run. */
  open: OpenCount[]
}

export const emptyLoad = (): Load => ({
  first: [],
  tool: [],
  total: [],
  tokens: 0,
  finished: 0,
  errors: {},
  wallMs: 0,
  clientCpuMs: 0,
  open: []
})

/** Adds a later round to an earlier one. */
export const mergeLoads = (loads: Load[]): Load => loads.reduce((sum, load) => {
  for (const key of ['first', 'tool', 'total'] as const) sum[key] = sum[key].concat(load[key])
  sum.open = sum.open.concat(load.open)
  for (const key of ['tokens', 'finished', 'wallMs', 'clientCpuMs'] as const) sum[key] += load[key]
  for (const [error, count] of Object.entries(load.errors)) sum.errors[error] = (sum.errors[error] ?? 0) + count
  return sum
}, emptyLoad())
