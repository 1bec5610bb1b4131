import type { Arguments, PreviewRow, ToolOptions } from '../../../plugins/tool-options.js'

export type WriteTool = Exclude<ToolOptions, 'read'>

const maxShown = 500

/** @returns a value for a preview: text as it is, the rest as JSON, long ones cut */
export const show = (value: unknown): string | null => {
  if (value === undefined || value === null) return null
  const text = typeof value === 'string' ? value : JSON.stringify(value)
  return text.length > maxShown ? `${text.slice(0, maxShown - 1)}…`.toWellFormed() : text
}

/** @returns a row for each argument that differs from what is there */
export const changedRows = (args: Arguments, before: Arguments, hidden: readonly string[]): PreviewRow[] =>
  Object.keys(args).filter((name) => !hidden.includes(name))
    .map((name) => ({ label: name, before: show(before[name]), after: show(args[name]) }))
    .filter((row) => row.before !== row.after)
