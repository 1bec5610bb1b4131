import { Problem } from 'steward-client'
import { everywhere, Input, type Command, type Option } from './command.js'
import { commands } from './commands/index.js'
import { exitOf, exits, UsageError } from './exits.js'
import { parse } from './parse.js'
import { serverCommands } from './server-commands.js'
import { Terminal } from './terminal.js'
import { oneLine, table } from './text.js'

/** Where the command was installed. */
export interface Installation {
  version: string
  /** Runs a command of the server, or without words the server; undefined where only the commands are. */
  server?: (words: string[]) => Promise<unknown>
}

const optionRow = ([name, { value, short, summary }]: [string, Option]): string[] =>
  [`  ${short ? `-${short}, ` : ''}--${name}${value === undefined ? '' : ` ${value}`}`, summary]

const usageOf = (name: string, { words }: Command): string => ['steward', name, ...words, '[options]'].join(' ')

const helpOf = (name: string, command: Command): string[] => [
  usageOf(name, command), command.summary, '',
  ...table(Object.entries({ ...command.options, ...everywhere }).map(optionRow)),
  ...(Array.isArray(command.fields) ? ['', `Fields of --json: ${command.fields.join(', ')}`] : [])
]

const listHelp = ({ server }: Installation): string[] => [
  'steward COMMAND', '',
  ...table(Object.entries(commands).map(([name, { words, summary }]) => [`  ${[name, ...words].join(' ')}`, summary])),
  '',
  ...(server
    ? ['Of a server:', '', ...table(Object.entries(serverCommands).map(([name, summary]) => [`  ${name}`, summary])), '']
    : []),
  'steward COMMAND --help shows its options, steward --version the version.'
]

const requireWords = (name: string, command: Command, words: string[]): void => {
  const needed = command.words.filter((word) => !word.startsWith('[')).length
  if (words.length >= needed && words.length <= command.words.length) return
  throw new UsageError(`Use: ${usageOf(name, command)}`)
}

const runServer = async ({ server }: Installation, name: string, args: readonly string[]): Promise<undefined> => {
  if (!server) throw new UsageError(`This package has no server: install the package steward for steward ${name}`)
  if (name === 'serve' && args.length > 0) throw new UsageError('Use: steward serve; the environment configures it')
  await server(name === 'serve' ? [] : [name, ...args])
}

/** @throws UsageError for a command that there is not */
const requireCommand = (name: string): Command => {
  const command = Object.hasOwn(commands, name) ? commands[name] : undefined
  if (command) return command
  throw new UsageError(`There is no command ${JSON.stringify(name)}: steward help lists them`)
}

const help = (terminal: Terminal, installation: Installation, name: string | undefined): number => {
  const isOwn = name === undefined || Object.hasOwn(serverCommands, name)
  terminal.print(isOwn ? listHelp(installation) : helpOf(name, requireCommand(name)))
  return exits.done
}

const execute = async (terminal: Terminal, installation: Installation, [name, ...args]: readonly string[]):
Promise<number | undefined> => {
  if (name === undefined || ['help', '--help', '-h'].includes(name)) return help(terminal, installation, args[0])
  if (name === '--version' || name === '-v') {
    terminal.print(installation.version)
    return exits.done
  }
  if (Object.hasOwn(serverCommands, name)) return runServer(installation, name, args)
  const command = requireCommand(name)
  const { values, words, json } = parse(command, args)
  if (values.help === true) return help(terminal, installation, name)
  requireWords(name, command, words)
  return command.run(new Input(terminal, words, values, json))
}

/** A field's error says more than that there is one. */
const linesOf = (error: unknown): string[] => {
  const message = error instanceof Error ? error.message : String(error)
  const fields = error instanceof Problem ? error.fieldsBut([]) : []
  const code = error instanceof Problem && error.status > 0 ? ` (${error.code})` : ''
  return [`steward: ${message}${code}`, ...fields.filter((field) => !message.includes(field))].map(oneLine)
}

/** Runs one command. @returns its exit code; undefined of a server's, which runs on or has set its own */
export const run = async (args: readonly string[], installation: Installation): Promise<number | undefined> => {
  const terminal = new Terminal(process.env)
  try {
    return await execute(terminal, installation, args)
  } catch (error) {
    terminal.note(linesOf(error))
    if (exitOf(error) === exits.signedOut) terminal.note('Sign in: steward login')
    return exitOf(error)
  } finally {
    terminal.end()
  }
}
