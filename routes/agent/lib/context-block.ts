import type { ChatContext } from '../../../schemas/agent/chat.js'

export interface PromptPreference { key: string, kind: string, value: unknown }

const maxPreferenceCharacters = 8_000

const preferenceLines = (preferences: readonly PromptPreference[]): string[] => {
  const lines: string[] = []
  let used = 0
  for (const { key, kind, value } of preferences) {
    const line = `- ${kind} ${key}: ${typeof value === 'string' ? value : JSON.stringify(value)}`
    used += line.length
    if (used > maxPreferenceCharacters) break
    lines.push(line)
  }
  return lines
}

/**
 * Facts of the moment, as the first block of a person's message: they are stored with it, so that the conversation
 * before it stays byte for byte what the prompt cache holds.
 */
export const contextBlock = (now: Date, person: { name: string, role: string }, context: ChatContext | undefined,
  preferences: readonly PromptPreference[]) => {
  const lines = [
    `Time: ${now.toISOString().slice(0, 16)}Z`,
    `Person: ${JSON.stringify(person.name)}, role ${person.role}`,
    ...(context?.current_page === undefined ? [] : [`They look at: ${JSON.stringify(context.current_page)}`]),
    ...(context?.selected_project_id === undefined ? [] : [`Selected project: ${context.selected_project_id}`]),
    ...(preferences.length > 0 ? ['Their preferences:', ...preferenceLines(preferences)] : [])
  ]
  return { type: 'text' as const, text: `<context>\n${lines.join('\n')}\n</context>` }
}
