import { useSignal, type Signal } from '@preact/signals'
import { Problem } from '../../api/problem'
import { isRule, type Rule } from './rule'
import { say } from '../../texts/say'

/** A rule in the form; its key stays while its place and its fields change. */
export interface Entry { key: number, rule: Rule, isNew: boolean }

let keys = 0
export const entryOf = (rule: Rule, isNew = false): Entry => ({ key: keys++, rule, isNew })

/** @throws Problem */
const parse = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch (error) {
    throw new Problem('not_json', 0, say('standard.notJson', { error: String(error) }))
  }
}

/** @returns the rules in a text, each of which the form has fields for. @throws Problem */
const parseForForm = (text: string): Rule[] => {
  const found = parse(text)
  if (!Array.isArray(found)) throw new Problem('not_json', 0, say('standard.notList'))
  return found.map((one: unknown, index) => {
    if (isRule(one)) return one
    throw new Problem('not_a_rule', 0, say('standard.notRule', { number: index + 1 }))
  })
}

const filledIn = (lines: string[]): string[] => lines.filter((line) => line !== '')
const lists = ['patterns', 'values', 'required'] as const

/** @returns the rule for a request: without empty lines, and without a list that may be missing and is empty */
const ready = (rule: Rule): Rule => {
  if (!rule.check.options) return rule
  const options: Record<string, unknown> = { ...rule.check.options }
  for (const name of lists) {
    const list = options[name]
    if (Array.isArray(list)) options[name] = filledIn(list.map(String))
  }
  if (rule.check.fn === 'ears' && rule.check.options.patterns?.length === 0) delete options.patterns
  // The options are those of the same check.
  return { ...rule, check: { ...rule.check, options } as Rule['check'] }
}

export interface RuleList {
  entries: Signal<Entry[]>
  /** The rules as JSON while they are edited so. */
  text: Signal<string | undefined>
  /** @returns the rules for a request. @throws Problem */
  read: () => Rule[]
  asJson: () => void
  /** @throws Problem while the form has no fields for what the text says */
  asForm: () => void
}

/** The rules of a standard while they are edited, as a form or as JSON. */
export const useRuleList = (rules: Rule[]): RuleList => {
  const entries = useSignal(rules.map((rule) => entryOf(rule)))
  const write = () => JSON.stringify(entries.value.map(({ rule }) => ready(rule)), null, 2)
  // What a newer server knows is shown as it is.
  const text = useSignal(rules.every(isRule) ? undefined : write())
  return {
    entries,
    text,
    // The API validates what the text says.
    read: () => text.value === undefined ? entries.value.map(({ rule }) => ready(rule)) : parse(text.value) as Rule[],
    asJson: () => { text.value = write() },
    asForm: () => {
      if (text.value === undefined) return
      entries.value = parseForForm(text.value).map((rule) => entryOf(rule))
      text.value = undefined
    }
  }
}
