import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

export interface Call { name: string, input: Record<string, unknown> }

/** What the model answered to one request. */
export interface Turn { text?: string, calls?: Call[] }

/** A model's part of a conversation. `{{2.1.items.0.id}}` is a value of the second turn's first result. */
export interface Transcript { task: string, made_by: string, turns: Turn[] }

export const ownTranscripts = join(import.meta.dirname, '..', '..', '..', 'eval', 'transcripts')

export const readTranscript = (task: string, folder = ownTranscripts): Transcript | undefined => {
  const file = join(folder, `${task}.json`)
  // It is checked by being replayed.
  return existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) as Transcript : undefined
}

export const writeTranscript = (transcript: Transcript, folder: string): void => {
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, `${transcript.task}.json`), `${JSON.stringify(transcript, null, 2)}\n`)
}

interface Table { columns: string[], rows: unknown[][], same?: object }

const isTable = (value: object): value is Table => 'columns' in value && 'rows' in value && 'count' in value

/** @returns the value as the API has it: a model gets lists of like objects as tables */
export const untable = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(untable)
  if (typeof value !== 'object' || value === null) return value
  if (!isTable(value)) return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, untable(inner)]))
  const { columns, rows, same } = value
  return rows.map((row) => untable({ ...same, ...Object.fromEntries(columns.map((name, at) => [name, row[at]])) }))
}

/** @returns the member, the item of that number, or the item of a list that has such a member: `name=web` */
const step = (value: unknown, key: string): unknown => {
  const [name = '', wanted] = key.split('=')
  if (wanted === undefined || !Array.isArray(value)) return Object(value)[key]
  return value.find((item: unknown) => String(Object(item)[name]) === wanted)
}

/** The results of each turn's calls, in order. */
export type Results = unknown[][]

const resolveOne = (path: string, results: Results): string => {
  const [turn = '', call = '', ...keys] = path.split('.')
  const found = keys.reduce(step, results[Number(turn) - 1]?.[Number(call) - 1])
  if (found === undefined || found === null) throw new Error(`The results have no ${path}`)
  return String(found)
}

/** @returns the turn, its references replaced by what the results have there */
export const resolveTurn = (turn: Turn, results: Results): Turn => {
  const resolve = (value: unknown): unknown => {
    if (typeof value === 'string') {
      return value.replaceAll(/\{\{([^}]+)\}\}/g, (_, path: string) => resolveOne(path, results))
    }
    if (Array.isArray(value)) return value.map(resolve)
    if (typeof value !== 'object' || value === null) return value
    return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, resolve(inner)]))
  }
  return resolve(turn) as Turn // Only strings in it are others.
}
