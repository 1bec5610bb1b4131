/** Months by the first letters of their names in English, German, French and Spanish. */
const months: readonly RegExp[] = [/^(?:jan|ene)/, /^(?:feb|f[ée]v)/, /^(?:mar|mär|mrz)/, /^(?:apr|avr|abr)/, /^(?:ma[iy])/,
  /^(?:jun|juin)/, /^(?:jul|juil)/, /^(?:aug|ao[uû]|ago)/, /^(?:sep)/, /^(?:o[ck]t)/, /^(?:nov)/, /^(?:de[czs]|déc|dic)/]

const iso = /\b(\d{4})-(\d\d)-(\d\d)/
const named = /\b(\d{1,2})(?:st|nd|rd|th|er|\.)?,? (?:de )?(\p{L}{3,10})\.?,? (?:de )?(\d{4})\b/iu
const american = /(?<!\p{L})(\p{L}{3,10})\.? (\d{1,2})(?:st|nd|rd|th)?,? (\d{4})\b/iu
const figures = /\b(\d{1,2})[./](\d{1,2})[./](\d{4}|\d\d)\b/
const clock = /\b(\d{1,2})[:.h](\d\d)(?::(\d\d))?(?: ?([ap])\.?m\b)?(?: ?([+-]\d\d):?(\d\d))?/i

const monthOf = (word: string): number => months.findIndex((month) => month.test(word.toLowerCase())) + 1

/** @returns year, month and day; of 03/06/2024 the day stands first, unless it cannot be a month */
const dayOf = (text: string): [number, number, number] | undefined => {
  const found = iso.exec(text)
  if (found) return [Number(found[1]), Number(found[2]), Number(found[3])]
  const words = named.exec(text)
  if (words && monthOf(words[2] ?? '') > 0) return [Number(words[3]), monthOf(words[2] ?? ''), Number(words[1])]
  const month = american.exec(text)
  if (month && monthOf(month[1] ?? '') > 0) return [Number(month[3]), monthOf(month[1] ?? ''), Number(month[2])]
  const numbers = figures.exec(text)
  if (!numbers) return undefined
  const [first, second, year] = [Number(numbers[1]), Number(numbers[2]), Number(numbers[3])]
  return [year < 100 ? 2000 + year : year, second > 12 ? first : second, second > 12 ? second : first]
}

const minutesOf = (text: string): number => {
  const found = clock.exec(text)
  if (!found) return 0
  const half = (found[4] ?? '').toLowerCase()
  const hour = half === '' ? Number(found[1]) : Number(found[1]) % 12 + (half === 'p' ? 12 : 0)
  const offset = Number(found[5] ?? 0) * 60 + Math.sign(Number(found[5] ?? 0)) * Number(found[6] ?? 0)
  return hour * 60 + Number(found[2]) + Number(found[3] ?? 0) / 60 - offset
}

/** @returns when a message was written, to compare it with others, in ms; undefined where its date is not known */
export const timeOf = (written: string): number | undefined => {
  const day = dayOf(written)
  if (!day) return undefined
  const [year, month, date] = day
  // The day's own numbers must not be read as the clock.
  const rest = written.replace(iso, ' ').replace(figures, ' ')
  return Date.UTC(year, month - 1, date) + minutesOf(rest) * 60_000
}

const ago = /(?:(\d{1,4}) ?)?(second|minute|min|hour|day|week|month|year|sekunde|stunde|tag|woche|monat|jahr|heure|jour|semaine|mois|an|hora|día|semana|mes|año)/iu
const spans: readonly [RegExp, number][] = [[/^sec|^sek/i, 1], [/^min/i, 60], [/^h/i, 3_600], [/^stu/i, 3_600],
  [/^(?:da|ta|jo|dí)/i, 86_400], [/^(?:we|wo|se)/i, 604_800], [/^(?:mo|me)/i, 2_592_000], [/./, 31_536_000]]

/** @returns how long before now a message was written, in negative seconds: "3 days ago" */
export const ageOf = (written: string): number | undefined => {
  if (/^(?:just now|today|heute|hoy)$/i.test(written)) return 0
  if (/^(?:yesterday|gestern|hier|ayer)$/i.test(written)) return -86_400
  const [, count = '1', unit] = ago.exec(written) ?? []
  const span = unit === undefined ? undefined : spans.find(([pattern]) => pattern.test(unit))?.[1]
  return span === undefined ? undefined : -Number(count) * span
}
