import type { Grammar } from './language.js'

const separable = /^(ab|an|auf|aus|bei|ein|frei|fort|herunter|heraus|her|hinzu|hoch|los|nach|raus|runter|um|vor|weg|weiter|wieder|zurück|zusammen)(\p{L}{2,}(?:en|ern|eln))$/u

const pronouns = /(?:me|te|se|nos)?(?:l[aeo]s?|nos|me)$/

export const germanGrammar: Grammar = {
  hasCompounds: true,
  apart (verb) {
    const [, prefix, base] = separable.exec(verb) ?? []
    return prefix !== undefined && base !== undefined ? [base, prefix] : undefined
  }
}

export const spanishGrammar: Grammar = {
  bare: (word) => {
    const verb = word.replace(pronouns, '')
    return verb.length < 4 ? word : verb
  }
}
