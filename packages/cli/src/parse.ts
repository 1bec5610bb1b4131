import { parseArgs } from 'node:util'
import { everywhere, type Command, type Values } from './command.js'
import { UsageError } from './exits.js'

/** What the words and options of a command line are; `json` has the fields that were chosen, or none for all. */
export interface Parsed { values: Values, words: string[], json: string[] | undefined }

const fieldList = /^[A-Za-z_][A-Za-z0-9_]*(,[A-Za-z_][A-Za-z0-9_]*)*$/

/** What may stand after `--json` where any name is a field, and is none. */
const method = /^(get|head|post|put|patch|delete)$/i

/** @returns whether the word after `--json` chooses fields: a list does, or the name of one */
const choosesFields = ({ fields }: Command, word: string | undefined): word is string => {
  if (word === undefined || fields === undefined || !fieldList.test(word)) return false
  return word.includes(',') || (fields === 'any' ? !method.test(word) : fields.includes(word))
}

/** @throws UsageError for a field that there is not */
const requireFields = ({ fields }: Command, text: string): string[] => {
  if (fields === undefined) throw new UsageError('--json takes no fields here: it shows whole events')
  const chosen = text.split(',')
  const unknown = chosen.find((name) => fields === 'any' ? !fieldList.test(name) : !fields.includes(name))
  if (unknown === undefined) return chosen
  const known = fields === 'any' ? '' : `; there is ${fields.join(', ')}`
  throw new UsageError(`There is no field ${JSON.stringify(unknown)}${known}`)
}

/** `--json` takes fields or nothing, which node:util knows no option for: takes it out. */
const takeJson = (command: Command, args: readonly string[]): { rest: string[], json: string[] | undefined } => {
  const rest: string[] = []
  let json: string[] | undefined
  for (let index = 0; index < args.length; index++) {
    const word = args[index] ?? ''
    if (word === '--') return { rest: [...rest, ...args.slice(index)], json }
    if (word === '--json') {
      const next = args[index + 1]
      json = choosesFields(command, next) ? requireFields(command, next) : []
      if (json.length > 0) index++
    } else if (word.startsWith('--json=')) json = requireFields(command, word.slice('--json='.length))
    else rest.push(word)
  }
  return { rest, json }
}

/** @throws UsageError */
export const parse = (command: Command, args: readonly string[]): Parsed => {
  const { rest, json } = takeJson(command, args)
  const options = Object.fromEntries(Object.entries({ ...command.options, ...everywhere }).map(([name, option]) =>
    [name, {
      type: option.value === undefined ? 'boolean' as const : 'string' as const,
      multiple: option.isMany === true,
      ...(option.short !== undefined && { short: option.short })
    }]))
  try {
    const { values, positionals } = parseArgs({ args: rest, options, allowPositionals: true, strict: true })
    return { values: values as Values, words: positionals, json }
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message.split('. ')[0] : 'The options were not understood')
  }
}
