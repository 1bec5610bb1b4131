export const languages = ['en', 'de'] as const
export type Language = typeof languages[number]

/** One text in each language; a name in braces stands for what a person chose. */
export type Text = Record<Language, string>

/** Chooses a text by the language of the conversation. */
export type Say = (en: string, de: string) => string

export const sayIn = (language: Language): Say => (en, de) => language === 'en' ? en : de

const slots: Record<string, string> = { count: '\\d{1,4}' }
const escape = (text: string) => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
const normalize = (text: string) => text.trim().replace(/\s+/g, ' ').replace(/\s*[.?!]$/, '')

/** @returns the expression of a whole message of this form */
function compile (form: string): RegExp {
  const parts = normalize(form).split(/\{(\w+)\}/)
  const body = parts.map((part, index) => index % 2 === 0 ? escape(part) : `(?<${part}>${slots[part] ?? '\\S.{0,200}?'})`)
  return new RegExp(`^${body.join('')}$`, 'iu')
}

const compiled = new Map<string, RegExp>()

/** @returns what stands in the form's places, when the message has this form and nothing else */
export function matchForm (message: string, form: string): Record<string, string> | undefined {
  const expression = compiled.get(form) ?? compile(form)
  compiled.set(form, expression)
  const found = message.length > 300 ? null : expression.exec(normalize(message))
  return found ? { ...found.groups } : undefined
}

/** @returns the form with its places filled: what a button says */
export const fillForm = (form: string, values: Record<string, string | number> = {}): string =>
  form.replace(/\{(\w+)\}/g, (_, name: string) => String(values[name] ?? ''))
