import type { Schemas } from 'steward-client'
import { exits } from './exits.js'
import type { Terminal } from './terminal.js'
import { oneLine } from './text.js'

/** Says which sources did not answer. @returns the exit code: what is missing is no success */
export const reportErrors = (terminal: Terminal, errors: readonly Schemas['SourceError'][]): number => {
  for (const { region, detail, code } of errors) {
    terminal.note(oneLine(`${region === null ? '' : `${region}: `}${detail} (${code})`))
  }
  return errors.length > 0 ? exits.failed : exits.done
}
