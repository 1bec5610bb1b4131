import type { SpecDocument } from '../schemas/document.js'
import type { RuleCheck } from '../schemas/rules.js'
import { parseEars } from '../engine/ears.js'
import { splitRange } from 'steward-document-reader/document'
import { keyOf, wordsOf } from '../engine/words.js'
import { compilePattern, countMatches, firstMatch, isFound } from './patterns.js'
import type { Selection, Subject } from './rule-targets.js'
import { commonAcronyms } from './word-lists.js'

type Fn = RuleCheck['fn']
type Options<F extends Fn> = Extract<RuleCheck, { fn: F }>['options']

/** @returns what is wrong with the subject; undefined = nothing */
type Test<F extends Fn> = (subject: Subject, options: Options<F>, document: SpecDocument) => string | undefined

const isBlank = (value: unknown): boolean => value === undefined || value === null || value === false ||
  (typeof value === 'string' && value.trim() === '') || (Array.isArray(value) && value.length === 0)

const between = (count: number, what: string, { min, max }: { min?: number, max?: number }): string | undefined => {
  if (min !== undefined && count < min) return `${count} ${what}; at least ${min}`
  return max !== undefined && count > max ? `${count} ${what}; at most ${max}` : undefined
}

const maxCounted = 100_001

/** The automated readability index: the school grade that can read the text. */
const gradeOf = (text: string): number => {
  const words = wordsOf(text)
  const letters = words.reduce((sum, word) => sum + word.length, 0)
  const sentences = Math.max(1, splitRange(text, 0, text.length).length)
  return words.length === 0 ? 0 : 4.71 * (letters / words.length) + 0.5 * (words.length / sentences) - 21.43
}

const unknownTerms = (text: string, { glossary }: SpecDocument): string[] => {
  const known = new Set(glossary.flatMap(({ term, aliases }) => [term, ...aliases]).map(keyOf))
  const mentioned = [...text.matchAll(/(?<![\p{L}\p{N}-])\p{Lu}{2,8}(?![\p{L}\p{N}-])|[“"]([^”"\n]{2,60})[”"]/gu)]
    .map(({ 0: word, 1: quoted }) => quoted ?? word)
  return [...new Set(mentioned)].filter((term) => !known.has(keyOf(term)) && !commonAcronyms.has(term))
}

/** The expression that finds a literal word at word boundaries. */
const quoted = (word: string): string => `\\b\\Q${word.replaceAll('\\E', '')}\\E\\b`

const tests: { [F in Exclude<Fn, 'review'>]: Test<F> } = {
  required: ({ text }) => isBlank(text) ? 'It is empty' : undefined,
  pattern: ({ text }, { patterns, ignore_case: ignoreCase }) =>
    patterns.some((one) => isFound(compilePattern(one, ignoreCase), text)) ? undefined : 'None of the patterns fits',
  forbid: ({ text }, { patterns, ignore_case: ignoreCase }) => {
    const found = patterns.map((one) => firstMatch(compilePattern(one, ignoreCase), text))
      .find((match) => match !== undefined)
    return found === undefined ? undefined : `“${found.slice(0, 120)}” is not to be used`
  },
  substitute: ({ text }, { swap }) => {
    const used = swap.find(({ from }) => isFound(compilePattern(quoted(from)), text))
    return used && `“${used.to}” is to be used in place of “${used.from}”`
  },
  occurrence: ({ text }, { pattern, ignore_case: ignoreCase, ...limits }) =>
    between(countMatches(compilePattern(pattern, ignoreCase), text, maxCounted), 'matches', limits),
  length: ({ text, items }, { unit, ...limits }) => {
    const count = { characters: () => text.length, words: () => wordsOf(text).length, items: () => items }[unit]()
    return between(count, unit, limits)
  },
  enum: ({ fields }, { field, values }) =>
    values.includes(String(fields[field] ?? '')) ? undefined : `${field} is none of ${values.join(', ')}`,
  schema: ({ fields }, { required }) => {
    const absent = required.filter((name) => isBlank(fields[name]))
    return absent.length > 0 ? `It lacks ${absent.join(', ')}` : undefined
  },
  ears: ({ text, requirement }, { patterns }) => {
    const parsed = parseEars(requirement?.statement ?? text)
    if (!parsed) return 'It has none of the EARS patterns'
    return patterns && !patterns.some((one) => one === parsed.pattern)
      ? `Its pattern is ${parsed.pattern}, not ${patterns.join(' or ')}`
      : undefined
  },
  has_acceptance: ({ fields }, { min }) => between(lengthOf(fields.acceptance), 'acceptance criteria', { min }),
  has_citation: ({ fields }, { min }) => between(lengthOf(fields.citations), 'citations', { min }),
  has_verification: ({ fields }, { methods }) => methods.some((method) => method === fields.verification)
    ? undefined
    : `It is not verified by ${methods.join(' or ')}`,
  readability: ({ text }, { max_grade: limit }) => {
    const grade = Math.round(gradeOf(text) * 10) / 10
    return grade > limit ? `Grade ${grade}; at most ${limit}` : undefined
  },
  glossary_only: ({ text }, _, document) => {
    const unknown = unknownTerms(text, document)
    return unknown.length > 0 ? `The glossary does not have ${unknown.slice(0, 10).join(', ')}` : undefined
  },
  links_to: ({ fields, target }, { field }, { tasks }) => {
    const isLinked = field === 'tasks'
      ? tasks.some(({ requirement_ids: ids, story_id: story }) => ids.includes(target) || story === target)
      : !isBlank(fields[field])
    return isLinked ? undefined : `It links to no ${field.replace('_ids', 's').replace('storys', 'stories')}`
  }
}

const lengthOf = (value: unknown): number => Array.isArray(value) ? value.length : 0

export interface Failure { target: string, message: string }

/**
 * Runs a rule's function over its target. An empty target fails only the functions that require items; for the others
 * the rule is not applicable.
 * @returns undefined = not applicable
 */
export const runFunction = (check: RuleCheck, selection: Selection, target: string, document: SpecDocument):
Failure[] | undefined => {
  const { subjects, count, isEmpty } = selection
  if (check.fn === 'review') return isEmpty ? undefined : [{ target, message: check.options.question }]
  if (check.fn === 'required' && isEmpty) return [{ target, message: 'There is none' }]
  if (check.fn === 'length' && check.options.unit === 'items') {
    const message = between(count, 'items', check.options)
    return message === undefined ? [] : [{ target, message }]
  }
  if (isEmpty) return undefined
  // The function and its options belong to one union member, which the compiler cannot infer from the lookup.
  const test = tests[check.fn] as Test<Fn>
  return subjects.flatMap((subject) => {
    const message = test(subject, check.options, document)
    return message === undefined ? [] : [{ target: subject.target, message }]
  })
}
