import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parse } from 'yaml'

/** A passage, and the mark that an editor gave it: 0 to 100. */
export interface Passage { brand: string, mark: number, kind: string, text: string }

export interface CalibrationBrand { key: string, settings: object, passages: Passage[] }

const folder = join(process.cwd(), 'bench/calibration')

const passageOf = (brand: string, block: string): Passage => {
  const [head = '', ...lines] = block.split('\n')
  const [mark = '', kind = ''] = head.trim().split(' ')
  return { brand, mark: Number(mark), kind, text: lines.join('\n').trim() }
}

/** @returns the brands of bench/calibration with their passages, which were marked before any rule was tuned */
export const readCalibration = (): CalibrationBrand[] => readdirSync(folder).filter((name) =>
  name.endsWith('.md')).sort()
  .map((name) => {
    const key = name.replace('.md', '')
    const [, front = '', rest = ''] = /^---\n([^]*?)\n---\n([^]*)$/.exec(readFileSync(join(folder, name), 'utf8')) ?? []
    return { key, settings: parse(front) as object, passages: rest.split(/^=== /m).slice(1).map((one) => passageOf(key, one)) }
  })

/** @returns ranks from 1, equal values sharing theirs */
const ranksOf = (values: readonly number[]): number[] => {
  const sorted = [...values].sort((one, other) => one - other)
  return values.map((value) => (sorted.indexOf(value) + sorted.lastIndexOf(value)) / 2 + 1)
}

const mean = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length

/** Spearman's rank correlation: Pearson's of the ranks, which holds with ties. */
export const rankCorrelation = (one: readonly number[], other: readonly number[]): number => {
  const [first, second] = [ranksOf(one), ranksOf(other)]
  const [middle, otherMiddle] = [mean(first), mean(second)]
  const product = first.reduce((sum, rank, at) => sum + (rank - middle) * ((second[at] ?? 0) - otherMiddle), 0)
  const spread = (ranks: readonly number[], of: number) => Math.sqrt(ranks.reduce((sum, rank) =>
    sum + (rank - of) ** 2, 0))
  return product / (spread(first, middle) * spread(second, otherMiddle))
}
