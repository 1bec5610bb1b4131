/** An aligned Markdown table: the first column to the left, figures to the right. */
export const table = (columns: string[], rows: string[][]): string => {
  const widths = columns.map((title, at) => Math.max(title.length, ...rows.map((row) => row[at]?.length ?? 0), 3))
  const pad = (cell: string, at: number) => at === 0 ? cell.padEnd(widths[at]!) : cell.padStart(widths[at]!)
  const line = (cells: string[]) => `| ${cells.map(pad).join(' | ')} |`
  const rule = widths.map((width, at) => at === 0 ? '-'.repeat(width) : '-'.repeat(width - 1) + ':')
  return [line(columns), line(rule), ...rows.map(line)].join('\n')
}
