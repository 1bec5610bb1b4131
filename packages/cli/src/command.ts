import { connect, type Connection } from './connect.js'
import { UsageError } from './exits.js'
import { Results } from './results.js'
import type { Terminal } from './terminal.js'

export interface Option {
  /** The name of its value; without one it is a switch. */
  value?: string
  short?: string
  /** It may be given several times. */
  isMany?: true
  summary: string
}

export type Values = Record<string, string | string[] | boolean | undefined>

export interface Command {
  /** Names of its words; those in brackets may be left out. */
  words: readonly string[]
  summary: string
  options: Record<string, Option>
  /** What `--json` chooses among; without them it shows whole values. */
  fields?: readonly string[] | 'any'
  run: (input: Input) => Promise<number> | number
}

export const everywhere: Record<string, Option> = {
  server: { value: 'URL', summary: 'the Steward to talk to; else STEWARD_SERVER, else that of `steward servers`' },
  token: { value: 'TOKEN', summary: 'a token for this command; else STEWARD_TOKEN, else what `steward login` kept' },
  json: { summary: 'JSON, one value a line; --json=FIELD,FIELD chooses fields' },
  help: { short: 'h', summary: 'this text' }
}

/** What a command works with: the person's terminal, and the Steward that they talk to. */
export interface Context { terminal: Terminal, connection: Connection }

/** What one command was given. */
export class Input {
  readonly results: Results
  #context: Context | undefined

  /** @param json the fields that were chosen; none = whole values; undefined = no JSON */
  constructor (readonly terminal: Terminal, readonly words: readonly string[], private readonly values: Values,
    json: readonly string[] | undefined) {
    this.results = new Results(terminal, json)
  }

  text (name: string): string | undefined {
    const value = this.values[name]
    return typeof value === 'string' ? value : undefined
  }

  /** @throws UsageError for what is no whole number from 1 on */
  count (name: string): number | undefined {
    const text = this.text(name)
    if (text === undefined) return undefined
    if (!/^[1-9]\d{0,5}$/.test(text)) throw new UsageError(`--${name} takes a number from 1 to 999999`)
    return Number(text)
  }

  all (name: string): string[] {
    const value = this.values[name]
    return Array.isArray(value) ? value : []
  }

  is (name: string): boolean {
    return this.values[name] === true
  }

  get server () {
    return { server: this.text('server'), token: this.text('token') }
  }

  get context (): Context {
    const { terminal } = this
    this.#context ??= { terminal, connection: connect(terminal, this.server) }
    return this.#context
  }
}

/** @returns the options that were given, without those that were not */
export const given = <K extends string>(values: Record<K, string | undefined>): Partial<Record<K, string>> =>
  // The keys are those of the argument.
  Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as Partial<Record<K, string>>

/** @returns the names, of which the compiler knows that the type has them */
export const fieldsOf = <T>() => (...names: (keyof T & string)[]): readonly string[] => names
