import type { Schemas } from '../../api/client'

export type Rule = Schemas['StandardRule']
export type Check = Rule['check']
export type CheckName = Check['fn']
export type Options<F extends CheckName> = NonNullable<Extract<Check, { fn: F }>['options']>

/** What a new check begins with: each option that it needs. */
const blanks: { [F in CheckName]: Options<F> } = {
  required: {},
  pattern: { patterns: [] },
  forbid: { patterns: [] },
  substitute: { swap: [{ from: '', to: '' }] },
  occurrence: { pattern: '', max: 1 },
  length: { max: 40, unit: 'words' },
  enum: { field: '', values: [] },
  schema: { required: [] },
  ears: {},
  has_acceptance: { min: 1 },
  has_citation: { min: 1 },
  has_verification: { methods: ['test'] },
  readability: { max_grade: 12 },
  glossary_only: {},
  links_to: { field: 'story_ids' },
  review: { question: '' }
}
export const checkNames = Object.keys(blanks) as CheckName[] // The keys of a record of names are names.

// The name and the options stand under one key of the table above.
export const blankCheck = (fn: CheckName): Check => ({ fn, options: blanks[fn] }) as Check

export const blankRule = (): Rule => ({
  rule_id: '', title: '', level: 'MUST', severity: 'warn', target: 'requirements.statement', check: blankCheck('forbid')
})

/** @returns the id that a title suggests */
export const suggestId = (title: string): string => title.toLowerCase().normalize('NFKD').replaceAll(/\p{M}/gu, '')
  .replaceAll(/[^a-z0-9]+/g, '-').replace(/^-/, '').slice(0, 63).replace(/-$/, '')

type Entries = Record<string, unknown>
const isRecord = (value: unknown): value is Entries =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** One of each value that an option can have. */
const kinds: Entries = {
  patterns: [''],
  swap: [{ from: '', to: '' }],
  pattern: '',
  ignore_case: true,
  min: 0,
  max: 0,
  unit: '',
  field: '',
  values: [''],
  required: [''],
  methods: [''],
  max_grade: 0,
  question: ''
}
const texts: Entries = { rule_id: '', title: '', level: '', severity: '', target: '' }
const maybe: Entries = { statement: '', fix: '', good: [''], bad: [''], waivable: true }

/** @returns whether the value has the same kind; a record may lack entries */
const isLike = (kind: unknown, value: unknown): boolean => {
  if (Array.isArray(kind)) return Array.isArray(value) && value.every((one) => isLike(kind[0], one))
  if (!isRecord(kind)) return typeof value === typeof kind
  return isRecord(value) && Object.entries(value).every(([key, part]) => !(key in kind) || isLike(kind[key], part))
}

const hasAll = (value: Entries, keys: string[]): boolean => keys.every((key) => key in value)

const isCheck = (value: unknown): boolean => {
  if (!isRecord(value)) return false
  const { fn, options = {} } = value
  const name = checkNames.find((known) => known === fn)
  // A count may have an upper limit, a lower one, or both.
  return name !== undefined && isRecord(options) && isLike(kinds, options) &&
    hasAll(options, Object.keys(blanks[name]).filter((key) => key !== 'max'))
}

/** @returns whether the form has a field for all that the value says */
export const isRule = (value: unknown): value is Rule =>
  isRecord(value) && hasAll(value, Object.keys(texts)) && isLike({ ...texts, ...maybe }, value) && isCheck(value.check)
