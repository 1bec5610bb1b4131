/** Amounts are whole numbers of 1e-8 dollars, so that groups add up to their total exactly. */
export type Units = number

const SCALE = 100_000_000

/** Dollars as units. */
export function toUnits (dollars: number): Units {
  return Math.round(dollars * SCALE)
}

/** Units as the decimal text that Cost Explorer answers. */
export function toAmount (units: Units): string {
  const sign = units < 0 ? '-' : ''
  const whole = Math.floor(Math.abs(units) / SCALE)
  const fraction = String(Math.abs(units) % SCALE).padStart(8, '0').replace(/0+$/, '')
  return fraction === '' ? `${sign}${whole}` : `${sign}${whole}.${fraction}`
}
