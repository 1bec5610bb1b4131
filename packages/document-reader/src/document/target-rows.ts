import type { Cell } from './block.js'
import { modal } from './headings.js'
import { plain } from './plain.js'

/** "99.95 % over 30 days rolling": how long a target is measured. */
const measuredOver = /^(?:window|period|measurement (?:window|period)|measured over|zeitraum|messzeitraum|période|periodo)$/i
/** What is done when a target is reached: "Logs | 30 days | delete". */
const after = /^(?:then|afterwards|action|danach|anschließend|ensuite|después)$/i
const target = /^(?:keep for|then|afterwards|action|danach|anschließend|aufbewahrung|conservation|conservación|ensuite|después|objectives?|slos?|window|period|measurement (?:window|period)|measured over|zeitraum|messzeitraum|période|periodo)$|\b(?:service[- ]level objectives?|targets?|metrics?|thresholds?|retention(?: period)?|aufbewahrungs?(?:frist|dauer)|fit criteri(?:on|a)|zielwert|metrik|messgröße|valeurs? cibles?|seuil|valor objetivo|métrica|umbral)\b/i

/** What several cells of a row say together. */
export interface JoinedCells { text: string, start: number, end: number, cells: ReadonlySet<number> }

/** What stands between the cells of a row, in the words of its header: " over ", ", danach ". */
const joinOf = (title: string): string => {
  if (after.test(title)) return `, ${/^action$/i.test(title) ? 'then' : title.toLowerCase()} `
  if (!measuredOver.test(title)) return ' '
  return /^(?:window|period|measure)/i.test(title) ? ' over ' : `, ${title} `
}

/** What a case of a test shows: "TC-02 | Wrong password | … | An error is shown". */
const shown = /^(?:expected (?:results?|outcomes?|output|behaviou?r)|erwartetes (?:ergebnis|verhalten)|résultats? attendus?|resultados? esperados?)$/i
const called = /^(?:(?:test ?case |case )?(?:titles?|names?|summary|description|scenario)|test ?cases?|testfall|titel|bezeichnung|beschreibung|cas de test|titre|intitulé|caso de prueba|título|nombre|descripción)$/i

/** @returns the case of a test with what it shows; undefined = its table is not one of tests */
export const testRow = (text: string, cells: readonly Cell[], header: readonly string[] | undefined):
JoinedCells | undefined => {
  const find = (column: RegExp): number => header?.findIndex((title) => column.test(title)) ?? -1
  const [at, of] = [find(called), find(shown)]
  const [name, result] = [cells[at], cells[of]]
  if (!name || !result || at > of || name.start === name.end || result.start === result.end) return undefined
  const [title = '', outcome = ''] = [name, result].map(({ start, end }) => plain(text.slice(start, end)))
  return { text: `${title.replace(/[.:]$/, '')}: ${outcome}`, start: name.start, end: result.end, cells: new Set([at, of]) }
}

/** What such a column alone is called. */
export const targetHeader = /^(?:objectives?|slos?|service[- ]level objectives?|targets?(?: values?)?|keep for|retention(?: period)?|aufbewahrung|conservation|conservación|aufbewahrungs?(?:frist|dauer)|thresholds?|fit criteri(?:on|a)|zielwerte?|sollwerte?|valeurs? cibles?|seuils?|valor(?:es)? objetivo|umbral(?:es)?)$/i

/**
 * "Response time | p95 | < 200 ms": a name demands nothing without its measure and its target.
 * @param own the index of the name's column
 */
export const targetRow = (text: string, cells: readonly Cell[], header: readonly string[] | undefined, own: number):
JoinedCells | undefined => {
  const wordsOf = ({ start, end }: Cell): string => plain(text.slice(start, end))
  const aims = (header ?? []).flatMap((title, index) => {
    const cell = index > own && target.test(title) ? cells[index] : undefined
    return cell && !/^(?:any|all|always|n\/a|[-–—])?$/i.test(wordsOf(cell)) ? [{ cell, index, join: joinOf(title) }] : []
  })
  const [name, last] = [cells[own], aims.at(-1)]
  if (!name || !last || name.start === name.end) return undefined
  const [named, wanted] = [wordsOf(name).replace(/[:.]$/, ''), aims.map(({ cell, join }) => join + wordsOf(cell)).join('').replace(/^,? /, '')]
  return {
    text: modal.test(named) ? `${named} (${wanted})` : `${named}: ${wanted}`,
    start: name.start,
    end: last.cell.end,
    cells: new Set([own, ...aims.map(({ index }) => index)])
  }
}
