import { stemmer as stemEnglish } from '@orama/stemmers/english'
import { stemmer as stemFrench } from '@orama/stemmers/french'
import { stemmer as stemGerman } from '@orama/stemmers/german'
import { stemmer as stemSpanish } from '@orama/stemmers/spanish'

const stemmers: Record<string, (word: string) => string> =
  { en: stemEnglish, de: stemGerman, fr: stemFrench, es: stemSpanish }

/** @returns what makes a word the same as its other forms in a language; itself in one that is not known */
export const stemOf = (locale: string): ((word: string) => string) => {
  const stem = stemmers[locale.slice(0, 2)] ?? ((word: string) => word)
  return (word) => stem(word.toLowerCase().replace(/['’]s?$/, ''))
}

const common = new Set(('a an the this that these those it its they their them he she his her we our us you your i is are was ' +
  'were be been being am do does did has have had having will would shall should can could may might must of to in on at by ' +
  'for from with into over under as and or but so if than then there here when while which who whom whose what where how also ' +
  'just very too more most much many some such own same other each now not no nor never only all any both about up out off ' +
  'der die das den dem des ein eine einen einem einer und oder aber ist sind war waren wird werden hat haben von zu im in auf ' +
  'mit für bei als auch nicht kein keine le la les un une des du de et ou est sont a ont dans pour par avec sur ne pas el los ' +
  'las una y o es son ha han en para por con del se no').split(' '))

/** @returns the stems of the words that say something */
export const contentOf = (text: string, locale: string): Set<string> => {
  const stem = stemOf(locale)
  return new Set((text.toLowerCase().match(/\p{L}[\p{L}\p{M}'’]*/gu) ?? []).filter((word) => !common.has(word)).map(stem))
}

export const sharedBy = (one: ReadonlySet<string>, other: ReadonlySet<string>): number =>
  [...one].filter((word) => other.has(word)).length
