import type { Schemas } from 'steward-client'
import type { Terminal } from './terminal.js'
import { oneLine, plain, table, when } from './text.js'

export type Approval = Schemas['ConfirmationDetails']
type Row = Schemas['PreviewRow']

const shown = (value: string | null): string => value === null ? '–' : oneLine(value)

/** Each line stands behind a bar, so that no text of a plan can look like a line of the command's. */
const rowLines = (terminal: Terminal, { label, before, after, shown: earlier, diff, truncated }: Row): string[] => {
  const lines = diff === undefined
    ? [`${oneLine(label)}: ${shown(before)} → ${terminal.paint(shown(after), 'bold')}`]
    : [`${oneLine(label)}:`, ...plain(diff).split('\n').map((line) => {
        const style = line.startsWith('+') ? 'green' : line.startsWith('-') ? 'red' : 'dim'
        return `  ${terminal.paint(line, style)}`
      })]
  return [
    ...lines,
    ...(earlier != null ? [`  it was ${oneLine(earlier)} when this was asked first`] : []),
    ...(truncated ? [terminal.paint('  it is longer: the browser shows all of it', 'yellow')] : [])
  ]
}

const risks = { low: 'green', medium: 'yellow', high: 'red' } as const

const headOf = (terminal: Terminal, { risk, target, requested_by: by, expires_at }: Approval): string[] => [
  `Risk: ${terminal.paint(risk, risks[risk])}`,
  ...(target ? [`Target: ${oneLine(`${target.kind} ${target.id}`)}`] : []),
  `Asked by: ${oneLine(by.name)}, ends ${when(expires_at)}`
]

const tailOf = (terminal: Terminal, approval: Approval): string[] => [
  ...(approval.waits_for !== null ? [`Waits for: ${oneLine(approval.waits_for)}`] : []),
  ...(approval.changes !== null ? [`Changes asked for: ${oneLine(approval.changes)}`] : []),
  terminal.paint(`${oneLine(approval.name)} ${oneLine(JSON.stringify(approval.arguments))}`, 'dim'),
  terminal.paint(`${approval.id} ${approval.input_digest}`, 'dim')
]

/** @returns the lines of an approval: all that its digest binds */
export const cardOf = (terminal: Terminal, approval: Approval): string[] => {
  const lines = [
    ...headOf(terminal, approval),
    '',
    ...approval.preview.flatMap((row) => rowLines(terminal, row)),
    '',
    ...tailOf(terminal, approval)
  ]
  return [
    `┌ ${terminal.paint(oneLine(approval.summary), 'bold')}`,
    ...lines.map((line) => line === '' ? '│' : `│ ${line}`),
    '└'
  ]
}

/** @returns the lines of a list of approvals */
export const listOf = (approvals: readonly Schemas['Confirmation'][]): string[] => table([
  ['ID', 'RISK', 'ENDS', 'ASKED BY', 'SUMMARY'],
  ...approvals.map(({ id, risk, expires_at, requested_by, summary }) =>
    [id, risk, when(expires_at), requested_by.name, summary])
])
