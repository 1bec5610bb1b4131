import { escapeText } from '../../../lib/tools/show-text.js'
import type { Definition } from '../../../schemas/toolservers/servers.js'

/** As a person reads it: on lines, with what they would not see as escapes. */
export const textOf = (definition: Definition | null): string | null =>
  definition && escapeText(JSON.stringify(definition, null, 2))

/** Edits after which nobody looks for a shorter diff. */
const maxEdits = 2_000

const marked = (sign: string, text: string): string[] => text.split('\n').map((line) => sign + line)

/** @returns what has changed, as a unified diff without file names; null where either is missing, or nothing has */
export const diffOf = async (accepted: string | null, offered: string | null): Promise<string | null> => {
  if (accepted === null || offered === null || accepted === offered) return null
  // Loaded with the first change that is shown.
  const { structuredPatch } = await import('diff')
  const patch = structuredPatch('', '', accepted, offered, '', '', { context: 3, maxEditLength: maxEdits })
  if (!patch) return [...marked('-', accepted), ...marked('+', offered)].join('\n')
  return patch.hunks.flatMap(({ oldStart, oldLines, newStart, newLines, lines }) => [
    `@@ -${oldStart},${oldLines} +${newStart},${newLines} @@`, ...lines.filter((line) => !line.startsWith('\\'))
  ]).join('\n')
}
