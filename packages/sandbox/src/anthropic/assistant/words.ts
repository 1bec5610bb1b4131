const filler = new Set(`
  a an the of in on at to for from by with into onto as is are be am was were it its this that these those there
  here i you he she we they me my mine our your their us please can could would should will shall may might want
  like need input let lets just now then also too so up down and or but not no if do does did have has had which
  what whats who whom when where why how many much any some all every each both exactly about around currently
  right away again hello hi hey thanks thank ok okay yes one ones something anything everything go going named
  called name new yourself steward assistant sandbox`.trim().split(/\s+/))

const synonyms: Record<string, string> = {
  repository: 'repo',
  pr: 'pull',
  prs: 'pull',
  lambda: 'function',
  spend: 'cost',
  spent: 'cost',
  spending: 'cost',
  bill: 'cost',
  money: 'cost',
  expense: 'cost',
  application: 'app',
  conversation: 'chat',
  replica: 'count',
  instance: 'count',
  copy: 'count',
  specification: 'spec',
  draft: 'content'
}

/** The kinds of actions that a message can request; the first word of a tool's name gives its kind. */
const verbKinds: Record<string, string[]> = {
  read: ['list', 'get', 'show', 'read', 'display', 'fetch', 'describe', 'view', 'see', 'tell', 'give', 'look', 'browse',
    'check', 'find', 'count', 'summarise', 'summarize', 'which', 'what', 'whats', 'how', 'who', 'when', 'where'],
  search: ['search', 'find', 'look'],
  scale: ['scale', 'resize', 'grow', 'shrink', 'set'],
  deploy: ['deploy', 'redeploy', 'release', 'ship', 'roll'],
  create: ['create', 'add', 'make', 'connect', 'register', 'start', 'open', 'save'],
  delete: ['delete', 'remove', 'drop', 'disconnect', 'destroy'],
  update: ['update', 'change', 'edit', 'rename', 'modify', 'put', 'patch', 'set', 'replace', 'save'],
  invoke: ['invoke', 'run', 'call', 'execute', 'trigger'],
  test: ['test', 'verify', 'check', 'validate'],
  generate: ['generate', 'write', 'draft', 'compose'],
  publish: ['publish'],
  cancel: ['cancel', 'stop', 'abort'],
  rollback: ['rollback', 'revert', 'undo']
}

const weakQuestions = new Set(['is', 'are', 'do', 'does', 'have', 'any'])

function formsOf (verb: string) {
  const stem = verb.endsWith('e') ? verb.slice(0, -1) : verb
  const last = verb.at(-1) ?? ''
  return [verb, `${verb}s`, `${stem}ed`, `${stem}ing`, `${verb}${last}ed`, `${verb}${last}ing`]
}

const kindsOfForm = new Map<string, Set<string>>()
for (const [kind, verbs] of Object.entries(verbKinds)) {
  for (const form of verbs.flatMap(formsOf)) {
    kindsOfForm.set(form, (kindsOfForm.get(form) ?? new Set()).add(kind))
  }
}

/** The kinds of a verb; a verb unknown to the table is a kind of its own. */
export const kindsOf = (verb: string) => kindsOfForm.get(verb.toLowerCase()) ?? new Set([verb.toLowerCase()])

/** One spelling for the forms of a noun. */
export function stem (word: string) {
  const lower = word.toLowerCase()
  const singular = lower.length > 3
    ? lower.replace(/ies$/, 'y').replace(/(ch|sh|x|ss)es$/, '$1').replace(/([^us])s$/, '$1')
    : lower
  const root = singular.length > 7 ? singular.replace(/ment$/, '') : singular
  return synonyms[root] ?? synonyms[lower] ?? root
}

/** True for a word without meaning for the request. */
export const isFiller = (word: string) => filler.has(word.toLowerCase())

/** The words of a text: letters, digits and what joins them in names. */
export const wordsOf = (text: string) => text.match(/[\p{L}\p{N}](?:[\p{L}\p{N}_.@/~:'-]*[\p{L}\p{N}])?/gu) ?? []

/** The words of an identifier: listClusterServices, desired_count. */
export const partsOfName = (name: string) =>
  name.replace(/([a-z\d])([A-Z])/g, '$1 $2').split(/[\s_-]+/).filter(Boolean).map((part) => part.toLowerCase())

/** The requested kinds of action: those of the first verb, or "read" for a question without one. */
export function requestedKinds (text: string): Set<string> | undefined {
  const words = wordsOf(text).map((word) => word.toLowerCase())
  const verb = words.find((word) => kindsOfForm.has(word))
  if (verb) return kindsOfForm.get(verb)
  return words.some((word) => weakQuestions.has(word)) ? new Set(['read']) : undefined
}

/** True for any form of a verb that requests an action. */
export const isVerb = (word: string) => kindsOfForm.has(word.toLowerCase())

/** A count and its noun, in the right number. */
export const counted = (count: number, noun: string) => `${count} ${count === 1 ? noun : plural(noun)}`

/** The plural of a noun. */
export const plural = (noun: string) =>
  /(s|x|ch|sh)$/.test(noun) ? `${noun}es` : /[^aeiou]y$/.test(noun) ? `${noun.slice(0, -1)}ies` : `${noun}s`

const irregular: Record<string, string> = {
  run: 'ran', set: 'set', put: 'put', get: 'got', cancel: 'cancelled', write: 'wrote'
}

/** The past tense of a verb. */
export function past (verb: string) {
  if (irregular[verb]) return irregular[verb]
  if (verb.endsWith('e')) return `${verb}d`
  if (/^[^aeiou]*[aeiou][bdgmnpt]$/.test(verb)) return `${verb}${verb.at(-1)}ed`
  return /[^aeiou]y$/.test(verb) ? `${verb.slice(0, -1)}ied` : `${verb}ed`
}
