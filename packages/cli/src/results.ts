import type { Terminal } from './terminal.js'
import { oneLine, table } from './text.js'

export interface Column<T> {
  title: string
  of: (item: T) => string | number | null | undefined
  /** For a person, where a program reads something else, such as a time. */
  shown?: (item: T) => string
}

/** What a command found: a table at a terminal, fields between tabs in a pipe, or lines of JSON. */
export class Results {
  constructor (private readonly terminal: Terminal, private readonly fields: readonly string[] | undefined) {}

  get isJson (): boolean {
    return this.fields !== undefined
  }

  /** One line of JSON, of the fields that were chosen. */
  json (value: object): void {
    const chosen = this.fields ?? []
    // What a command shows is an object of the API, or an event.
    const known = value as Record<string, unknown>
    this.terminal.json(chosen.length === 0 ? value : Object.fromEntries(chosen.map((name) => [name, known[name] ?? null])))
  }

  /** @param none what a person reads where there is nothing */
  list<T extends object> (items: readonly T[], columns: readonly Column<T>[], none: string): void {
    const { terminal } = this
    if (this.isJson) {
      for (const item of items) this.json(item)
      return
    }
    if (!terminal.isScreen) {
      return terminal.print(items.map((item) => columns.map(({ of }) => oneLine(String(of(item) ?? ''))).join('\t')))
    }
    if (items.length === 0) return terminal.print(none)
    terminal.print(table([
      columns.map(({ title }) => title),
      ...items.map((item) => columns.map(({ of, shown }) => shown?.(item) ?? String(of(item) ?? '–')))
    ]))
  }
}
