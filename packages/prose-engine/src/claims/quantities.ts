import { itemAt } from '../schemas/values.js'

/** A number of a text with what it counts: a unit in its base ("half an hour" and "30 minutes" are 1800 s), or a noun. */
export interface Quantity { value: string, unit: string, nouns: string[], start: number, end: number, isSpelled: boolean }

const range = (from: number, words: string): [string, number][] =>
  words.split(' ').map((word, index) => [word, from + index])
const tens = (words: string): [string, number][] => words.split(' ').map((word, index) => [word, 20 + index * 10])

const german = (): [string, number][] => {
  const ones = range(1, 'ein zwei drei vier fünf sechs sieben acht neun')
  const all = tens('zwanzig dreißig vierzig fünfzig sechzig siebzig achtzig neunzig')
  return all.flatMap(([ten, value]) =>
    [[ten, value], ...ones.map(([one, more]): [string, number] => [`${one}und${ten}`, value + more])])
}

const spelled: Record<string, Map<string, number>> = {
  en: new Map([
    ...range(0, 'zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen ' +
      'seventeen eighteen nineteen'),
    ...tens('twenty thirty forty fifty sixty seventy eighty ninety'), ['dozen', 12], ['twice', 2]
  ]),
  de: new Map([
    ...range(0, 'null eins zwei drei vier fünf sechs sieben acht neun zehn elf zwölf dreizehn vierzehn fünfzehn sechzehn ' +
      'siebzehn achtzehn neunzehn'), ...german(), ['dutzend', 12]
  ]),
  fr: new Map([
    ...range(2, 'deux trois quatre cinq six sept huit neuf dix onze douze treize quatorze quinze seize'),
    ...tens('vingt trente quarante cinquante soixante')
  ]),
  es: new Map([
    ...range(2, 'dos tres cuatro cinco seis siete ocho nueve diez once doce trece catorce quince'),
    ...tens('veinte treinta cuarenta cincuenta sesenta setenta ochenta noventa')
  ])
}

const scales = new Map(Object.entries({
  hundred: 100,
  thousand: 1e3,
  million: 1e6,
  billion: 1e9,
  bn: 1e9,
  k: 1e3,
  hundert: 100,
  tausend: 1e3,
  millionen: 1e6,
  milliarden: 1e9,
  cent: 100,
  mille: 1e3,
  millions: 1e6,
  mil: 1e3,
  millones: 1e6
}))

const each = (words: string, unit: string, factor = 1): [string, [string, number]][] =>
  words.split(' ').map((word) => [word, [unit, factor]])

const units = new Map<string, [string, number]>([
  ...each('% percent prozent pct', '%'), ...each('$ usd dollar dollars', '$'), ...each('€ eur euro euros', '€'),
  ...each('£ gbp pound pounds pfund', '£'), ...each('¥ jpy yen', '¥'),
  ...each('ms millisecond milliseconds', 's', 0.001), ...each('s sec second seconds sekunde sekunden seconde secondes segundos', 's'),
  ...each('min minute minutes minuten minutos', 's', 60), ...each('h hour hours stunde stunden heure heures hora horas', 's', 3600),
  ...each('day days tag tage tagen jour jours día días', 's', 86_400),
  ...each('week weeks woche wochen semaine semaines semana semanas', 's', 604_800),
  ...each('month months monat monate monaten mois mes meses', 'month'),
  ...each('year years jahr jahre jahren ans années años año', 'month', 12),
  ...each('kb', 'byte', 1e3), ...each('mb megabyte megabytes', 'byte', 1e6), ...each('gb gigabyte gigabytes', 'byte', 1e9),
  ...each('tb terabyte terabytes', 'byte', 1e12), ...each('km kilometre kilometres kilometer kilometers', 'm', 1e3),
  ...each('m metre metres meter meters', 'm'), ...each('kg kilogram kilograms', 'g', 1e3)
])

/** Words between a number and its noun, or that end it. */
const joints = new Set(('of to in on at by for from with and or than the a an is are was were per as that which more less ' +
  'von in auf mit und oder als der die das den dem ist sind de du des et ou que est sont y o es son').split(' '))

const decimal = (digits: string): string => {
  const isGrouped = /^\d{1,3}(?:,\d{3})+(?:\.\d+)?$/.test(digits)
  const plain = isGrouped ? digits.replaceAll(',', '') : digits.replace(/,(?=\d+$)/, '.')
  return /^\d+(?:\.\d+)?$/.test(plain) ? String(Number(plain)) : plain
}

const roman = (word: string): number | undefined => {
  if (word.length < 2 || !/^X{0,3}(?:IX|IV|V?I{0,3})$/.test(word)) return undefined
  const of = (letter: string | undefined) => letter === 'X' ? 10 : letter === 'V' ? 5 : letter === 'I' ? 1 : 0
  return [...word].reduce((sum, letter, at) => of(letter) < of(word[at + 1]) ? sum - of(letter) : sum + of(letter), 0)
}

interface Token { text: string, word: string, start: number, end: number }

const tokensOf = (text: string): Token[] =>
  [...text.matchAll(/(?<![\p{L}\p{N}_])\d+(?:[.,]\d+)*|[%$€£¥]|\p{L}[\p{L}\p{M}'’]*|[^\s]/gu)]
    .map(({ 0: found, index }) => ({ text: found, word: found.toLowerCase(), start: index, end: index + found.length }))

const times = (value: string, factor: number): string =>
  /^\d+(?:\.\d+)?$/.test(value) ? String(Number((Number(value) * factor).toPrecision(12))) : value

/** @returns the numbers of a text in digits, words and Roman numerals, with unit or noun */
export const quantitiesIn = (text: string, locale: string, stem: (word: string) => string): Quantity[] => {
  const own = spelled[locale.slice(0, 2)] ?? new Map<string, number>()
  const tokens = tokensOf(text)
  const found: Quantity[] = []
  const wordAt = (at: number) => tokens[at]?.word ?? ''
  let at = 0
  while (at < tokens.length) {
    const first = itemAt(tokens, at)
    let [value, next, isSpelled] = ['', at + 1, false]
    const half = /^(?:half|quarter)$/.test(first.word)
    if (/^\d/.test(first.text)) value = decimal(first.text)
    else if (half && /^(?:an?|of)$/.test(wordAt(next))) {
      value = first.word === 'half' ? '0.5' : '0.25'
      isSpelled = true
      while (/^(?:an?|of)$/.test(wordAt(next))) next++
    } else if (/^an?$/.test(first.word) && (scales.has(wordAt(next)) || units.get(wordAt(next))?.[0] === 's' ||
      wordAt(next) === 'dozen')) [value, isSpelled] = ['1', true]
    else {
      const number = own.get(first.word) ?? roman(first.text)
      if (number !== undefined) {
        isSpelled = true
        const hyphen = wordAt(next) === '-' ? next + 1 : next
        const more = number >= 20 && number % 10 === 0 ? own.get(wordAt(hyphen)) : undefined
        const isCompound = more !== undefined && more > 0 && more < 10
        value = String(number + (isCompound ? more : 0))
        if (isCompound) next = hyphen + 1
      }
    }
    if (value === '') { at++; continue }
    for (let scale = scales.get(wordAt(next)); scale !== undefined; scale = scales.get(wordAt(++next))) {
      value = times(value, scale)
    }
    if (isSpelled && wordAt(next) === 'dozen') { value = times(value, 12); next++ }
    if (wordAt(next) === '-') next++
    if (wordAt(next) === 'per' && wordAt(next + 1) === 'cent') next++
    const before = tokens[at - 1]
    const [unit, factor] = units.get(before?.word ?? '')?.[0].match(/[$€£¥]/) && before?.end === first.start
      ? [itemAt(units.get(before.word) ?? ['', 1], 0) as string, 1]
      : wordAt(next) === 'cent' ? ['%', 1] : units.get(wordAt(next)) ?? ['', 1]
    if (unit !== '' && wordAt(next + 1) === 'and' && wordAt(next + 2) === 'a' && wordAt(next + 3) === 'half') {
      value = String(Number(value) + 0.5)
    }
    const nouns: string[] = []
    for (let ahead = unit === '' ? next : next + 1; nouns.length < 2; ahead++) {
      const word = wordAt(ahead)
      if (!/^\p{L}/u.test(word) || joints.has(word)) break
      nouns.push(stem(word))
    }
    const sign = unit !== '' && before !== undefined && units.get(before.word)?.[0] === unit && before.end === first.start
    const end = itemAt(tokens, wordAt(next) === '%' ? next : next - 1).end
    found.push({ value: times(value, factor), unit, nouns, start: sign ? before.start : first.start, isSpelled, end })
    at = next
  }
  // "12 to 80 people" and "3 of 10 checks": the first has the noun of the second.
  for (const [index, one] of found.entries()) {
    const other = found[index + 1]
    if (!other || one.unit !== '' || one.nouns.length > 0) continue
    if (!/^\s*(?:to|or|and|of|bis|oder|und|von|à|ou|et|a|o|y|de|[-–])\s*$/i.test(text.slice(one.end, other.start))) continue
    one.nouns = other.nouns
    if (other.unit !== '') one.unit = other.unit
  }
  return found
}
