import type { Part } from './breakdown'
import { colorsOf, mostShown, restColor } from './colors'
import { say } from '../../texts/say'

export interface Series { name: string, color: string, values: number[] }

/** @returns the daily costs of the dearest, and of all others together; all in one currency */
export const seriesOf = (kind: string, parts: readonly Part[]): Series[] => {
  const named = parts.slice(0, mostShown)
  const colors = colorsOf(kind, named.map(({ name }) => name))
  const series = named.map(({ name, values }) => ({ name, color: colors.get(name) ?? restColor, values }))
  const others = parts.slice(mostShown)
  const rest = others[0]?.values.map((_, day) => others.reduce((sum, { values }) => sum + (values[day] ?? 0), 0))
  return rest ? [...series, { name: say('cost.allOthers'), color: restColor, values: rest }] : series
}
