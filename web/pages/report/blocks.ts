import type { Schemas } from '../../api/client'

export type Sentence = Schemas['ReportSentence']
export type BlockKind = 'heading' | 'bullets' | 'numbers' | 'table' | 'code' | 'text'

/** A line of the report: sentences never go on over a line break. */
export type Line = Sentence[]
export interface Block { kind: BlockKind, lines: Line[] }

const signs: [BlockKind, RegExp][] = [
  ['heading', /^\s*#{1,6}\s+/], ['bullets', /^\s*[-*+]\s+/], ['numbers', /^\s*\d{1,2}[.)]\s+/], ['table', /^\s*(?=\|)/]
]
const fence = /^\s*```/

const linesOf = (sentences: readonly Sentence[]): Line[] => {
  const lines: Line[] = [[]]
  for (const sentence of sentences) {
    lines.at(-1)?.push(sentence)
    if (sentence.text.endsWith('\n')) lines.push([])
  }
  return lines.filter((line) => line.some(({ text }) => text.trim() !== ''))
}

/** @returns the line without the sign of its kind */
const without = (sign: RegExp, [first, ...rest]: Line): Line =>
  first ? [{ ...first, text: first.text.replace(sign, '') }, ...rest] : []

const read = (line: Line): { kind: BlockKind, line: Line } => {
  const [kind, sign] = signs.find(([, sign]) => sign.test(line[0]?.text ?? '')) ?? ['text', /^\s+/] as const
  return { kind, line: without(sign, line) }
}

/** Lines of these kinds belong together. */
const isJoined: Record<BlockKind, boolean> =
  { heading: false, bullets: true, numbers: true, table: true, code: true, text: false }

/** @returns the report in blocks, as its Markdown has them; each sentence stays one, with its state */
export const blocksOf = (sentences: readonly Sentence[]): Block[] => {
  const blocks: Block[] = []
  let isCode = false
  for (const line of linesOf(sentences)) {
    if (fence.test(line[0]?.text ?? '')) {
      isCode = !isCode
      continue
    }
    const { kind, line: shown } = isCode ? { kind: 'code' as const, line } : read(line)
    const last = blocks.at(-1)
    if (last && last.kind === kind && isJoined[kind]) last.lines.push(shown)
    else blocks.push({ kind, lines: [shown] })
  }
  return blocks
}

/** @returns the cells of a line of a table; undefined for the line below its head */
export const cellsOf = (line: Line): string[] | undefined => {
  const cells = line.map(({ text }) => text).join('').trim().replace(/^\||\|$/g, '').split(/(?<!\\)\|/)
  return cells.every((cell) => /^\s*:?-+:?\s*$/.test(cell)) ? undefined : cells.map((cell) => cell.trim())
}

export const isMarked = ({ status }: Sentence): boolean => status === 'unsupported' || status === 'uncited'

/** @returns the calls that the report cites, in the order in which it does */
export const citedOf = (sentences: readonly Sentence[]): string[] =>
  [...new Set(sentences.flatMap(({ tool_call_ids: ids }) => ids))]
