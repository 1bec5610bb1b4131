import { isRecord } from './validate/shape.js'

/** The text of a content: a string, or its text blocks; optionally with the tools' results. */
export function textOf (content: unknown, withResults = false): string {
  if (typeof content === 'string') return content
  if (!Array.isArray(content)) return ''
  return content.flatMap((block: unknown) => {
    if (!isRecord(block)) return []
    if (block.type === 'text') return [String(block.text)]
    return withResults && block.type === 'tool_result' ? [textOf(block.content)] : []
  }).join('\n')
}
