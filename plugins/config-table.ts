import type { TSchema } from '@sinclair/typebox'
import { Environment, Limits } from './config.js'

const tableOf = (head: string, properties: Record<string, TSchema>): string => {
  const rows = Object.entries(properties).map(([name, { default: value, description = '' }]) =>
    `| \`${name}\` | ${value === undefined ? '–' : `\`${String(value)}\``} | ${description} |`)
  return [head, '|---|---|---|', ...rows, ''].join('\n')
}

/** @returns all that can be set, as the Markdown of docs/operating.md */
export const describeConfig = (): string => [
  tableOf('| variable | default | |', Environment.properties),
  tableOf('| key of `LIMITS` | default | |', Limits.properties)
].join('\n')
