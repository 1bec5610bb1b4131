import type { MessageCreateParamsBase } from '@anthropic-ai/sdk/resources/messages'
import { textOf } from '../text.js'

const longestSystem = 2000
const mostLines = 20
const longestLine = 200

/** True when a request asks for notes of a conversation, not for an answer in it. */
export function isNotesRequest ({ system, tools, output_config: output }: MessageCreateParamsBase) {
  if ((tools?.length ?? 0) > 0 || output?.format) return false
  const instructions = textOf(system)
  return instructions.length <= longestSystem && /\bkeep notes of a conversation\b/i.test(instructions)
}

/** Repeats the last of what was said in the conversation, line by line. */
export function notesOf ({ messages }: MessageCreateParamsBase): string {
  const lines = textOf(messages.at(-1)?.content).split('\n')
    .filter((line) => /^(user|assistant): (?!result )/.test(line))
    .map((line) => line.slice(0, longestLine))
  return ['This sandbox is no language model; it repeats what was said last.', ...lines.slice(-mostLines)].join('\n')
}
