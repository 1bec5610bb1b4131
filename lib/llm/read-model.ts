import { fieldsOf, textIn } from '../../schemas/unknown.js'
import type { ListedModel } from './catalog.js'

const longestName = 100

/** What is less is no window of a model that we can use, but a mistake. */
const leastTokens = 1_024

const tokensIn = (model: Record<string, unknown>, ...names: string[]): number | null => {
  const found = names.map((name) => model[name]).find((value) => Number.isSafeInteger(value))
  return typeof found === 'number' && found >= leastTokens ? found : null
}

const isSupported = (value: unknown): boolean => fieldsOf(value).supported === true

/** @returns which of the names are supported; null when nothing is said of them */
const supported = (value: unknown, names: readonly string[]): string[] | null => {
  const known = fieldsOf(value)
  return names.some((name) => name in known) ? names.filter((name) => isSupported(known[name])) : null
}

const timeIn = (model: Record<string, unknown>, name: string): string | null => {
  const time = new Date(textIn(model, name) ?? NaN)
  return Number.isNaN(time.getTime()) ? null : time.toISOString()
}

const stages = ['active', 'deprecated', 'retired'] as const

/**
 * Servers of the protocol list their models in more than one form, and leave out what they do not know.
 * @returns what can be used of it; undefined when it has no name
 */
export const readModel = (value: unknown): ListedModel | undefined => {
  const model = fieldsOf(value)
  const id = textIn(model, 'id')
  if (id === undefined || id.length > longestName) return undefined
  const capabilities = fieldsOf(model.capabilities)
  const { effort, thinking, image_input: images } = capabilities
  return {
    id,
    name: (textIn(model, 'display_name') ?? id).slice(0, longestName).toWellFormed(),
    window: tokensIn(model, 'max_input_tokens', 'max_model_len', 'context_length'),
    max_output: tokensIn(model, 'max_tokens'),
    lifecycle: stages.find((stage) => stage === model.lifecycle) ?? null,
    retires_at: timeIn(model, 'retires_at'),
    efforts: supported(effort, ['low', 'medium', 'high', 'xhigh', 'max']),
    thinking: supported(fieldsOf(thinking).types, ['adaptive', 'enabled', 'disabled']),
    images: images === undefined ? null : isSupported(images)
  }
}
