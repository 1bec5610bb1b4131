import { unifiedDiff } from '../../../lib/tools/show-changes.js'
import { escapeText } from '../../../lib/tools/show-text.js'
import type { Definition } from '../../../schemas/toolservers/servers.js'

/** As a person reads it: on lines, with what they would not see as escapes. */
export const textOf = (definition: Definition | null): string | null =>
  definition && escapeText(JSON.stringify(definition, null, 2))

/** @returns what has changed, as a unified diff without file names; null where either is missing, or nothing has */
export const diffOf = async (accepted: string | null, offered: string | null): Promise<string | null> =>
  accepted === null || offered === null || accepted === offered ? null : unifiedDiff(accepted, offered)
