/** The value below which the share `q` of the samples lies. */
export const quantile = (samples: number[], q: number): number => {
  const sorted = Float64Array.from(samples).sort()
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * q))] ?? NaN
}

export const median = (samples: number[]): number => quantile(samples, 0.5)

/** Three significant digits, or – for what was not measured. */
export const number = (value: number | undefined): string => {
  if (value === undefined || !Number.isFinite(value)) return '–'
  if (Math.abs(value) >= 100) return Math.round(value).toLocaleString('en')
  return String(Number(value.toPrecision(value < 10 ? 2 : 3)))
}

export const ratio = (value: number, base: number | undefined): string => {
  const times = value / (base ?? NaN)
  return Number.isFinite(times) ? `×${number(times)}` : '–'
}
