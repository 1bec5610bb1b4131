import type { ReadLanguage } from '../classify/language.js'

/** Names of units by what they measure, with their size in the smallest one; months have no number of days. */
const spelled: Record<string, readonly (readonly [size: number, names: string])[]> = {
  time: [
    [1, 'ms msec millisecond milliseconds millisekunde millisekunden milliseconde millisecondes ' +
      'milisegundo milisegundos'],
    [1_000, 's sec secs second seconds sekunde sekunden seconde secondes segundo segundos'],
    [60_000, 'min mins minute minutes minuten minuto minutos'],
    [3_600_000, 'h hr hrs hour hours std stunde stunden heure heures hora horas'],
    [86_400_000, 'd day days tag tage tagen jour jours día días dia dias'],
    [604_800_000, 'week weeks woche wochen semaine semaines semana semanas']
  ],
  months: [
    [1, 'month months monat monate monaten mois mes meses'],
    [12, 'year years jahr jahre jahren an ans année années año años']
  ],
  share: [[1, '% percent prozent pourcent']],
  bytes: [
    [1, 'b byte bytes octet octets'], [1e3, 'kb kib kilobyte kilobytes ko'], [1e6, 'mb mib megabyte megabytes mo'],
    [1e9, 'gb gib gigabyte gigabytes go'], [1e12, 'tb tib terabyte terabytes to']
  ],
  euro: [[1, 'eur euro euros €']],
  dollar: [[1, 'usd dollar dollars $']],
  length: [
    [1, 'mm millimetre millimetres millimeter millimeters'], [10, 'cm centimetre centimetres centimeter centimeters'],
    [1_000, 'm metre metres meter meters'], [1e6, 'km kilometre kilometres kilometer kilometers']
  ],
  mass: [[1, 'g gram grams gramm'], [1_000, 'kg kilogram kilograms kilogramm']],
  characters: [[1, 'character characters char chars zeichen caractère caractères carácter caracteres']]
}

const units = new Map<string, { of: string, size: number }>()
for (const [of, list] of Object.entries(spelled)) {
  for (const [size, names] of list) for (const name of names.split(' ')) units.set(name, { of, size })
}

const spoken = ('two 2 three 3 four 4 five 5 six 6 seven 7 eight 8 nine 9 ten 10 twelve 12 fifteen 15 twenty 20 ' +
  'thirty 30 forty 40 fifty 50 sixty 60 ninety 90 zwei 2 drei 3 vier 4 fünf 5 sechs 6 sieben 7 acht 8 ' +
  'zehn 10 zwölf 12 ' +
  'fünfzehn 15 zwanzig 20 dreißig 30 sechzig 60 deux 2 trois 3 quatre 4 cinq 5 dix 10 quinze 15 vingt 20 trente 30 ' +
  'soixante 60 dos 2 tres 3 cuatro 4 cinco 5 diez 10 quince 15 veinte 20 treinta 30 sesenta 60').split(' ')
const numerals = new Map<string, number>()
spoken.forEach((word, at) => { if (at % 2 === 0) numerals.set(word, Number(spoken[at + 1])) })
const numeral = new RegExp(`(?<!\\p{L})(?:${[...numerals.keys()].join('|')})(?!\\p{L})`, 'giu')

const groupedByComma = /^\d{1,3}(?:,\d{3})+(?:\.\d+)?$/
const groupedByPoint = /^\d{1,3}(?:\.\d{3})+(?:,\d+)?$/

/** "1.000" is a thousand in German, French and Spanish, and "0,5" a half. */
const valueOf = (digits: string, language: ReadLanguage): number => {
  const [thousands, grouped] = language === 'en' ? [',', groupedByComma] as const : ['.', groupedByPoint] as const
  const plain = grouped.test(digits) ? digits.replaceAll(thousands, '') : digits
  return Number(plain.replace(',', '.'))
}

export interface Quantity {
  /** What it measures: a dimension, or what is counted. */
  of: string
  value: number
  bound: 'least' | 'most' | 'exact'
  /** In the text. */
  start: number
  end: number
}

/** Words that say nothing of what is demanded, or only how. */
export const empty = new Set((
  'a an the of to in on at by for with and or as is are be been it its that this these those their his ' +
  'her our your from into than then so system any all least most within after before every per exceed ' +
  'more less only always also below under above over up able allowed permitted self without must shall ' +
  'should may will can der die das den dem des ein eine einen einer eines im in am an zu mit von für ' +
  'nach ohne und oder ist sind wird werden mindestens höchstens muss müssen darf dürfen soll sollen ' +
  'kann können innerhalb le la les un une du de des et ou à au aux en par pour sur avec dans sans après ' +
  'est sont doit doivent peut peuvent ne pas el los las del y o con por para se es tras debe deben ' +
  'puede pueden que'
).split(' '))

const least = /\b(?:at least|minimum(?: of)?|no less than|not less than|more than|longer than|mindestens|au moins|al menos|mínimo(?: de)?|wenigstens)\W*$/i
const most = /\b(?:at most|maximum(?: of)?|max\.?|no more than|not exceed|not be (?:larger|longer|more|greater) than|within|below|under|less than|up to|not take longer than|höchstens|maximal|innerhalb von|unter|au plus|moins de|maximum de|como máximo|menos de|hasta)\W*$/i

const half = /\b(?:half an hour|eine(?:r)? halbe(?:n)? stunde|une demi-heure|media hora)\b/gi
const number = /(?<![\p{L}\p{N}.,-])([€$]?)(\d+(?:[.,]\d+)*)(?: ?(%)|([\p{L}]{1,12})(?![\p{L}\p{N}])|)/gu
const word = /^[ -]?(?:more |further |weitere |full )?([\p{L}€$]{1,20})/u
const label = /(?:^|[^\p{L}])(?:tier|level|version|phase|stage|step|section|chapter|rule|article|release|priority|type|class|zone|group|stufe|phase|ebene|niveau|étape|fase|nivel|status|code|port|page|table|figure|no|nr)\.? ?$/iu

/** "TLS 1.2": a version of what it follows. */
const versioned = /(?:^|[^\p{L}])(\p{Lu}[\p{Lu}\d]{1,9}) ?$/u

/** Characters in front of a number that say how it bounds. */
const looked = 40

/** What may stand before a number that counts: "keep 3 copies", "the 3 doors", "at least 3 doors", "und 3 Türen". */
const counting = new Set(('keep keeps store stores retain retains save saves allow allows show shows send sends use ' +
  'uses make makes limit limits create creates support supports have has provide provides offer offers list lists ' +
  'display displays retry retries try tries wait waits log logs delete deletes accept accepts reject rejects return ' +
  'returns require requires contain contains hold holds take takes get gets print prints read reads write writes run ' +
  'runs open opens close closes need needs include includes process processes handle handles serve serves maintain ' +
  'maintains add adds fetch fetches load loads give gives about around exactly only every each another but ' +
  'not').split(' '))
const plural: Record<ReadLanguage, RegExp> =
  { en: /s$|^(?:people|children|men|women|data)$/i, de: /^\p{Lu}/u, fr: /[sx]$/i, es: /s$/i }
const verbAfter = /^ ?\p{L}+ (?:with|in|at|on|after|before|when|if|for|by|to|and|auto\p{L}*|under|from|until|nach|innerhalb|bei|en|après|tras|dans)(?!\p{L})/iu

/**
 * "Door 3 closes within a minute": the number names the door. A verb in the third person looks like the plural of a
 * noun, so that a number behind the first noun of a sentence names it where a preposition follows the verb.
 */
const namesThing = (text: string, { index }: { index: number }, after: string, next: string,
  language: ReadLanguage): boolean => {
  const before = /(?:^|[^\p{L}])(\p{L}+) $/u.exec(text.slice(Math.max(0, index - looked), index))?.[1]
  if (before === undefined || empty.has(before.toLowerCase()) || counting.has(before.toLowerCase())) return false
  if (!plural[language].test(next)) return true
  const head = text.slice(0, index).trim().split(' ')
  return language !== 'de' && head.length <= 2 && verbAfter.test(after)
}

const boundOf = (before: string): Quantity['bound'] =>
  least.test(before) ? 'least' : most.test(before) ? 'most' : 'exact'

/** Replaces spoken numbers by digits of the same length with blanks, so that offsets stay. */
const inDigits = (text: string): string => text
  .replace(half, (found) => '30 minutes'.padEnd(found.length))
  .replace(numeral, (found) => String(numerals.get(found.toLowerCase())).padEnd(found.length))

const quantityOf = (text: string, found: RegExpExecArray, language: ReadLanguage): Quantity | string => {
  const [whole, currency = '', digits = '', percent, glued] = found
  const before = text.slice(Math.max(0, found.index - looked), found.index)
  if (label.test(before)) return digits
  const after = found.index + whole.length
  const next = word.exec(text.slice(after, after + looked).replace(/^ +/, ' '))?.[1]
  const name = (currency || percent || (glued ?? next ?? '')).toLowerCase()
  const unit = units.get(name)
  const version = unit ? undefined : versioned.exec(before)?.[1]
  const isJoined = Boolean(glued ?? percent) || currency !== ''
  const end = isJoined || next === undefined ? after : text.indexOf(next, after) + next.length
  const bounded = { bound: boundOf(before), start: found.index, end }
  if (unit) return { ...bounded, of: unit.of, value: valueOf(digits, language) * unit.size }
  if (version !== undefined) return { ...bounded, of: version, value: Number(digits), bound: 'exact', end: after }
  // "Door 3 must open": the number names the door, and counts nothing.
  return name.length < 3 || glued !== undefined || empty.has(name) ||
    namesThing(text, found, text.slice(after), next ?? '', language)
    ? digits
    : { ...bounded, of: name.replace(/s$/, ''), value: valueOf(digits, language), end: after }
}

/** @returns the quantities of a text, and the numbers that only name things, such as "tier 2" */
export const quantitiesOf = (text: string, language: ReadLanguage): { quantities: Quantity[], names: string[] } => {
  const digits = inDigits(text)
  const all = [...digits.matchAll(number)].map((found) => quantityOf(digits, found, language))
  return {
    quantities: all.filter((one) => typeof one !== 'string'), names: all.filter((one) => typeof one === 'string')
  }
}
