/** The roles of sections, by the words of their headings. */
const roles = [
  ['non_goals', /\b(?:non-?goals?|out of scope|not in scope|excluded|exclusions|not included|nicht im umfang|hors p[ée]rim[èe]tre)\b/],
  ['questions', /\b(?:open (?:questions?|issues?|points?)|questions?|unresolved|to be decided|offene (?:fragen|punkte))\b/],
  ['assumptions', /\b(?:assumptions?|preconditions?|annahmen|hypoth[èe]ses)\b/],
  ['acceptance', /\b(?:acceptance|scenarios?|definition of done|akzeptanz)\b/],
  ['success', /\b(?:success|metrics?|kpis?|measures? of|outcomes?|erfolg)\b/],
  ['edge_cases', /\b(?:edge cases?|corner cases?|exceptions?|error cases?|failure modes?)\b/],
  ['risks', /\b(?:risks?|concerns|risiken|risques)\b/],
  ['decisions', /\b(?:decisions?|decided|entscheidungen)\b/],
  ['glossary', /\b(?:glossary|definitions?|terms|terminology|glossar|begriffe|glossaire)\b/],
  ['stories', /\b(?:user stor(?:y|ies)|stories|use cases?|user journeys?)\b/],
  ['requirements', /\b(?:requirements?|features?|functionality|capabilities|constraints?|rules|must[- ]haves?|needs|behaviou?r|in scope|scope|security|privacy|performance|accessibility|availability|reliability|anforderungen|funktionen|exigences|requisitos)\b/],
  ['actors', /\b(?:users|actors?|personas?|roles|stakeholders?|audience|who (?:is|will|uses)|nutzer|akteure)\b/],
  ['interfaces', /\b(?:interfaces?|apis?|endpoints?|integrations?|schnittstellen)\b/],
  ['entities', /\b(?:data model|entities|entity|data|records|fields|datenmodell)\b/],
  ['goals', /\b(?:goals?|objectives?|aims?|ziele|objectifs|objetivos)\b/],
  ['problem', /\b(?:problem|background|context|motivation|why|pain|current situation|ausgangslage|contexte)\b/],
  ['summary', /\b(?:summary|overview|introduction|abstract|about|tl;?dr|[üu]berblick|r[ée]sum[ée])\b/]
] as const

export type Role = typeof roles[number][0]

const known = new Map<string, Role | undefined>()

const roleOfTitle = (title: string): Role | undefined => {
  const words = title.toLowerCase().slice(0, 200)
  return roles.find(([, pattern]) => pattern.test(words))?.[0]
}

/** Caches roles by title, because every sentence repeats the headings above it. */
const remember = (title: string): Role | undefined => {
  if (!known.has(title)) {
    if (known.size > 2_000) known.clear()
    known.set(title, roleOfTitle(title))
  }
  return known.get(title)
}

/** @returns the role of the innermost heading that has one */
export const roleOf = (headings: string[]): Role | undefined => {
  for (let at = headings.length - 1; at >= 0; at--) {
    const role = remember(headings[at] ?? '')
    if (role) return role
  }
  return undefined
}
