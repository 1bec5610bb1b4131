/** One value that a service reported. */
export interface Sample { at: number, value: number }

const sum = (values: number[]) => values.reduce((total, value) => total + value, 0)

/** The nearest rank; CloudWatch interpolates between ranks, which for as few values as here is not worth the difference. */
const percentile = (values: number[], share: number) =>
  [...values].sort((a, b) => a - b)[Math.max(0, Math.ceil(values.length * share / 100) - 1)] ?? 0

const simple: Record<string, (values: number[]) => number> = {
  SampleCount: (values) => values.length,
  Sum: sum,
  Average: (values) => sum(values) / values.length,
  Minimum: (values) => Math.min(...values),
  Maximum: (values) => Math.max(...values)
}

/** The function of a statistic's name, such as `Sum` or `p95`; undefined for those that the sandbox does not know. */
export function statisticOf (name: string): ((values: number[]) => number) | undefined {
  const share = /^p(\d{1,2}(?:\.\d{1,10})?|100)$/.exec(name)?.[1]
  return share === undefined ? simple[name] : (values) => percentile(values, Number(share))
}

/** One point for each period in which something was reported, oldest first: a period without a sample has no point. */
export function pointsOf (
  samples: Iterable<Sample>, periodMs: number, statistic: (values: number[]) => number
): Sample[] {
  const periods = new Map<number, number[]>()
  for (const { at, value } of samples) {
    const start = Math.floor(at / periodMs) * periodMs
    const held = periods.get(start)
    if (held) held.push(value)
    else periods.set(start, [value])
  }
  return [...periods].sort(([a], [b]) => a - b).map(([at, values]) => ({ at, value: round(statistic(values)) }))
}

const round = (value: number) => Math.round(value * 1e6) / 1e6
