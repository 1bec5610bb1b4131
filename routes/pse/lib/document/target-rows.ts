import type { Cell } from './block.js'
import { modal } from './headings.js'
import { plain } from './plain.js'

const target = /\b(?:targets?|metrics?|thresholds?|fit criteri(?:on|a)|zielwert|metrik|messgröße|valeurs? cibles?|seuil|valor objetivo|métrica|umbral)\b/i

/** What several cells of a row say together. */
export interface JoinedCells { text: string, start: number, end: number, cells: ReadonlySet<number> }

/** "Response time | < 200 ms": a name demands nothing without its target. @param own the index of the name's column */
export const targetRow = (text: string, cells: readonly Cell[], header: readonly string[] | undefined, own: number):
JoinedCells | undefined => {
  const at = header?.findIndex((name, index) => index > own && target.test(name)) ?? -1
  const [name, value] = [cells[own], cells[at]]
  if (!name || !value) return undefined
  const [named, wanted] = [name, value].map(({ start, end }) => plain(text.slice(start, end)))
  if (!named || !wanted || modal.test(named)) return undefined
  return { text: `${named.replace(/:$/, '')}: ${wanted}`, start: name.start, end: value.end, cells: new Set([own, at]) }
}
