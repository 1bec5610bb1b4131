import type { Line } from './lines.js'

/** "2.1 Product functions    11", "Alcance ........ 7": a title with its page. */
const entry = /^[ \t]*(?:[-*] )?(\d{1,3}(?:\.\d{1,3}){0,4}\\?\.?[ \t]+)?\[?([^\d\s|#>][^|]{2,110}?)(\.{4,}| {3,}|\t+| )(\d{1,4})(?:\]\([^)\s]{0,200}\))?[ \t]*$/u
const named = /^[# \t*]*(?:\d[\d.]* )?(?:table of contents|contents|inhalt(?:sverzeichnis)?|sommaire|table des matières|índice(?: general)?|contenido|index)[ \t*:]*$/iu
const fewest = 4
const maxLine = 160

interface Entry { at: number, page: number, isSure: boolean }

/**
 * Finds tables of contents: titles in a row with the numbers of their pages, which never decrease.
 * @returns the numbers of their lines
 */
export const contentsOf = (lines: readonly Line[]): ReadonlySet<number> => {
  const found = new Set<number>()
  let run: Entry[] = []
  let isNamed = false
  const close = (): void => {
    const sure = run.filter(({ isSure }) => isSure).length
    if (run.length >= fewest && (isNamed || sure * 2 >= run.length)) for (const { at } of run) found.add(at)
    run = []
  }
  lines.forEach(({ text, isBlank }, at) => {
    if (isBlank) return
    const [, number, title = '', gap, page] = (text.length <= maxLine && entry.exec(text)) || []
    const isNext = page !== undefined && Number(page) >= (run.at(-1)?.page ?? 0) && !/[.!?;:]$/.test(title.trim())
    if (!isNext) {
      close()
      isNamed = text.length <= maxLine && named.test(text)
    }
    const isSure = number !== undefined || gap !== ' '
    if (isNext) run.push({ at, page: Number(page), isSure })
  })
  close()
  return found
}
