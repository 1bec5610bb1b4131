import type { RequirementKind } from '../schemas/document.js'
import type { Unit } from './triage.js'

/** Words of a column or a heading that name a kind. */
const categories: [RequirementKind, RegExp][] = [
  ['quality', /perform|availab|secur|accessib|usab|reliab|compatib|maintain|portab|scalab|quality|non-?functional|leistung|sicherheit|verfügbar|bedien|non fonctionnel|no funcional/i],
  ['constraint', /constraint|legal|complian|randbedingung|contrainte|restricci/i],
  ['interface', /\binterfaces?\b|integration|schnittstelle/i],
  ['data', /^data\b|^daten/i]
]

/** @returns the kind that the source names, in a column or in the headings above; functional where it names none */
export const kindOf = ({ cell, headings }: Pick<Unit, 'cell' | 'headings'>): RequirementKind => {
  for (const name of [cell?.type ?? '', ...headings.slice(1).toReversed()]) {
    const found = name === '' ? undefined : categories.find(([, words]) => words.test(name))
    if (found) return found[0]
  }
  return 'functional'
}
