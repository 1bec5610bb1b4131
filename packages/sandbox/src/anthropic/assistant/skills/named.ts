/** Whether a message names something, as whole words: "web" is not in "web-staging" or "webhook". */
export const mentions = (message: string, name: string): boolean => {
  const form = name.toLowerCase().replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
  return new RegExp(`(?<![\\w-])${form}(?![\\w-])`).test(message.toLowerCase())
}

/** A value of a result that is to be a text. */
export const text = (value: unknown): string => typeof value === 'string' ? value : ''
