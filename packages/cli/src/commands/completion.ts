import { everywhere, type Command, type Option } from '../command.js'
import { exits, UsageError } from '../exits.js'

type Commands = Record<string, Pick<Command, 'summary' | 'options'>>

const optionsOf = ({ options }: Pick<Command, 'options'>): [string, Option][] =>
  Object.entries({ ...options, ...everywhere })

const flags = (command: Pick<Command, 'options'>): string =>
  optionsOf(command).flatMap(([name, { short }]) => [`--${name}`, ...(short ? [`-${short}`] : [])]).join(' ')

const bash = (commands: Commands): string[] => [
  '# steward completion bash > ~/.local/share/bash-completion/completions/steward',
  '_steward () {',
  // eslint-disable-next-line no-template-curly-in-string -- it is the shell's
  '  local word="$2" command="${COMP_WORDS[1]}" words',
  '  if [ "$COMP_CWORD" -eq 1 ]; then',
  `    words='${Object.keys(commands).join(' ')}'`,
  '  else',
  '    case "$command" in',
  ...Object.entries(commands).map(([name, command]) =>
    `      ${name}) words='${name === 'completion' ? 'bash zsh ' : ''}${flags(command)}' ;;`),
  '    esac',
  '  fi',
  '  COMPREPLY=($(compgen -W "$words" -- "$word"))',
  '}',
  'complete -F _steward steward'
]

/** Between the single quotes of a shell. */
const quoted = (text: string): string => text.replaceAll('\'', '\'\\\'\'').replaceAll('`', '')

/** In a description of zsh's `_arguments`, brackets and colons mean something. */
const described = (text: string): string => quoted(text).replace(/[[\]:]/g, '\\$&')

const argument = ([name, { value, short, summary }]: [string, Option]): string => {
  const end = `[${described(summary)}]${value === undefined ? '' : `:${value}:`}`
  return short === undefined ? `'--${name}${end}'` : `{-${short},--${name}}'${end}'`
}

const zsh = (commands: Commands): string[] => [
  '#compdef steward',
  '# steward completion zsh > a folder of $fpath, as _steward',
  '_steward () {',
  '  if (( CURRENT == 2 )); then',
  '    local -a names=(',
  ...Object.entries(commands).map(([name, { summary }]) => `      '${name}:${quoted(summary)}'`),
  '    )',
  '    _describe command names',
  '    return',
  '  fi',
  '  case $words[2] in',
  ...Object.entries(commands).map(([name, command]) => {
    const shells = name === 'completion' ? ['\'2:shell:(bash zsh)\''] : []
    return `    ${name}) _arguments ${[...shells, ...optionsOf(command).map(argument)].join(' ')} ;;`
  }),
  '  esac',
  '}',
  'compdef _steward steward'
]

const shells = { bash, zsh }

const isShell = (name: string | undefined): name is keyof typeof shells => name === 'bash' || name === 'zsh'

/** @param commands all of them, this one among them */
export const completionOf = (commands: () => Commands): Command => ({
  words: ['SHELL'],
  summary: 'prints the completion for bash or zsh',
  options: {},
  run: ({ terminal, words: [shell] }) => {
    if (!isShell(shell)) throw new UsageError(`There is no completion for ${shell}; there is bash and zsh`)
    terminal.print(shells[shell](commands()))
    return exits.done
  }
})
