import { parseArgs } from 'node:util'
import { Problem } from 'steward-client'
import { commands as own, everywhere, type Command, type Option, type Values } from './commands.js'
import type { shells } from './completion.js'
import { completionFor } from './completion.js'
import { exitOf, exits, UsageError } from './exits.js'
import { Terminal } from './terminal.js'
import { oneLine, table } from './text.js'

const isShell = (name: string | undefined): name is keyof typeof shells => name === 'bash' || name === 'zsh'

const commands: Record<string, Command> = {
  ...own,
  completion: {
    words: ['SHELL'],
    summary: 'prints the completion for bash or zsh',
    options: {},
    run: ({ terminal, words: [shell] }) => {
      if (!isShell(shell)) throw new UsageError(`There is no completion for ${shell}; there is bash and zsh`)
      terminal.print(completionFor(shell, commands))
      return exits.done
    }
  }
}

/** The commands of a server, which deploy/steward.mjs runs; `steward` alone starts one. */
export const names: ReadonlySet<string> = new Set([...Object.keys(commands), 'help', '--help', '-h'])

const optionRow = ([name, { value, short, summary }]: [string, Option]): string[] =>
  [`  ${short ? `-${short}, ` : ''}--${name}${value === undefined ? '' : ` ${value}`}`, summary]

const usageOf = (name: string, { words }: Command): string => ['steward', name, ...words, '[options]'].join(' ')

const helpOf = (name: string | undefined): string[] => {
  const command = name === undefined ? undefined : commands[name]
  if (name !== undefined && command) {
    return [usageOf(name, command), command.summary, '',
      ...table(Object.entries({ ...command.options, ...everywhere }).map(optionRow))]
  }
  return ['steward COMMAND', '', ...table(Object.entries(commands).map(([name, { words, summary }]) =>
    [`  ${[name, ...words].join(' ')}`, summary])), '', 'steward COMMAND --help shows its options. ' +
    'Without a command, steward starts a server.']
}

const parse = (command: Command, args: string[]): { values: Values, words: string[] } => {
  const options = Object.fromEntries(Object.entries({ ...command.options, ...everywhere }).map(([name, option]) =>
    [name, {
      type: option.value === undefined ? 'boolean' as const : 'string' as const,
      ...(option.short !== undefined && { short: option.short })
    }]))
  try {
    const { values, positionals } = parseArgs({ args, options, allowPositionals: true, strict: true })
    return { values: values as Values, words: positionals }
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message.split('. ')[0] : 'The options were not understood')
  }
}

const requireWords = (name: string, command: Command, words: string[]): void => {
  const needed = command.words.filter((word) => !word.startsWith('[')).length
  if (words.length >= needed && words.length <= command.words.length) return
  throw new UsageError(`Use: ${usageOf(name, command)}`)
}

const execute = async (terminal: Terminal, [name, ...args]: string[]): Promise<number> => {
  const command = name === undefined ? undefined : commands[name]
  if (!command || name === undefined) {
    terminal.print(helpOf(name === 'help' ? args[0] : undefined))
    return exits.done
  }
  const { values, words } = parse(command, args)
  if (values.help === true) {
    terminal.print(helpOf(name))
    return exits.done
  }
  requireWords(name, command, words)
  return command.run({ terminal, values, words })
}

/** A field's error says more than that there is one. */
const linesOf = (error: unknown): string[] => {
  const message = error instanceof Error ? error.message : String(error)
  const fields = error instanceof Problem ? error.fieldsBut([]) : []
  const code = error instanceof Problem && error.status > 0 ? ` (${error.code})` : ''
  return [`steward: ${message}${code}`, ...fields.filter((field) => !message.includes(field))].map(oneLine)
}

/** Runs one command. @returns its exit code */
export const run = async (args: string[]): Promise<number> => {
  const terminal = new Terminal(process.env)
  try {
    return await execute(terminal, args)
  } catch (error) {
    terminal.note(linesOf(error))
    if (exitOf(error) === exits.signedOut) terminal.note('Sign in: steward login')
    return exitOf(error)
  }
}
