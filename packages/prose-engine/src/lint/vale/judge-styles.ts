import type { Style } from '../../schemas/styles.js'
import { about, type Draft, type Finding, type Rule } from '../rule.js'
import { blocksOf, inScope, type Block } from './blocks.js'
import { isCased } from './casing.js'
import { compileRule, type CompiledRule } from './compile.js'
import { groupsIn, matchesIn, type Match } from './matches.js'
import { countsOf } from './counts.js'

/** The findings of one rule: who has more learns nothing from the rest. */
const maxOfRule = 100
const maxKept = 20

/** Compiled styles by their hash: an expression takes longer to compile than to run. */
const kept = new Map<string, CompiledRule[]>()

const compiledOf = ({ hash, rules }: Style): CompiledRule[] => {
  const known = kept.get(hash)
  if (known) return known
  // A style holds only rules that were compiled when it was uploaded.
  const compiled = rules.map(compileRule).filter((one): one is CompiledRule => typeof one !== 'string')
  if (kept.size >= maxKept) kept.clear()
  kept.set(hash, compiled)
  return compiled
}

/** What is found in a block: from and to, what the message shows, and what may stand there instead. */
interface Hit { start: number, end: number, shown: string[], suggestions?: string[], fixable?: boolean }

const exists = ({ patterns: [pattern] }: CompiledRule, text: string): Hit[] =>
  matchesIn(pattern, text).map(({ start, end }) => ({ start, end, shown: [text.slice(start, end)] }))

const capitalized = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1)

const substitutes = ({ rule, patterns: [pattern] }: CompiledRule, text: string): Hit[] => {
  const pairs = [...rule.pairs].sort(([one], [other]) => other.length - one.length)
  return groupsIn(pattern, text).flatMap(({ start, end, group }): Hit[] => {
    const observed = text.slice(start, end)
    const to = pairs[group]?.[1] ?? ''
    const alternatives = to.split('|').filter((one) => one !== '')
      .map((one) => rule.capitalize && observed === capitalized(observed) ? capitalized(one) : one)
    if (alternatives.includes(observed)) return []
    const [only] = alternatives
    return [{
      start,
      end,
      shown: [alternatives.join('\' or \''), observed],
      suggestions: alternatives,
      fixable: rule.replaces && alternatives.length === 1 && only !== undefined && !/\$\d/.test(only)
    }]
  })
}

const occurs = ({ rule: { max, min }, patterns: [pattern] }: CompiledRule, text: string): Hit[] => {
  const all = matchesIn(pattern, text, Infinity)
  const isWrong = (max > 0 && all.length > max) || (min > 0 && all.length < min)
  const first = all[0] ?? { start: 0, end: 0 }
  return isWrong ? [{ ...first, shown: [String(all.length)] }] : []
}

const repeats = ({ rule: { max, alpha, ignorecase }, patterns: [pattern] }: CompiledRule, text: string): Hit[] => {
  const hits: Hit[] = []
  const keyOf = ({ start, end }: Match) => {
    const found = text.slice(start, end).trim()
    return ignorecase ? found.toLowerCase() : found
  }
  let count = 0
  let last: Match | undefined
  for (const match of matchesIn(pattern, text, Infinity)) {
    const key = keyOf(match)
    const isSame = last !== undefined && key !== '' && key === keyOf(last) && (!alpha || /^\p{L}+$/u.test(key))
    count = isSame ? count + 1 : count
    if (isSame && last && count > max) {
      hits.push({ start: last.start, end: match.end, shown: [text.slice(match.start, match.end).trim()] })
      count = 0
    }
    last = match
  }
  return hits
}

const isCapitalized = ({ rule, patterns: [pattern], except }: CompiledRule, text: string): Hit[] =>
  isCased(rule, text, pattern, except) ? [] : [{ start: 0, end: text.length, shown: [text] }]

const byBlock: Partial<Record<CompiledRule['rule']['kind'], (rule: CompiledRule, text: string) => Hit[]>> = {
  existence: exists, substitution: substitutes, occurrence: occurs, repetition: repeats, capitalization: isCapitalized
}

/** As in Vale, each `%s` of a message takes the next text; a message with fewer leaves the rest out. */
const messageOf = (message: string, shown: readonly string[]): string => {
  let next = 0
  return message.replace(/%s/g, () => shown[next++] ?? '').slice(0, 500)
}

const findingOf = (style: string, { rule }: CompiledRule, block: Block, hit: Hit): Finding => {
  const { start, end, shown, suggestions = [], fixable = false } = hit
  const from = block.offsets[start] ?? block.passage.start
  const to = (block.offsets[end - 1] ?? from - 1) + 1
  const { field } = block.passage
  const match = block.text.slice(start, end)
  const base = about(`VALE-${style}.${rule.name}`, rule.level, field, messageOf(rule.message, shown), match, from)
  // What markup stands in cannot be replaced by a word.
  return { ...base, end: Math.max(from, to), suggestions, fixable: fixable && to - from === match.length }
}

const isExcepted = ({ except, rule }: CompiledRule, text: string): boolean =>
  rule.kind !== 'capitalization' && except !== undefined && except.matcher(text).find()

const inBlocks = (style: string, compiled: CompiledRule, blocks: readonly Block[]): Finding[] => {
  const hitsOf = byBlock[compiled.rule.kind]
  if (!hitsOf) return []
  return blocks.flatMap((block) => hitsOf(compiled, block.text)
    .filter(({ start, end }) => !isExcepted(compiled, block.text.slice(start, end).trim()))
    .map((hit) => findingOf(style, compiled, block, hit)))
}

/** Of two spellings, the one that comes first in the record counts; each other one is a finding. */
const consistent = (style: string, compiled: CompiledRule, blocks: readonly Block[]): Finding[] =>
  compiled.patterns.flatMap((pattern) => {
    let chosen: number | undefined
    return blocks.flatMap((block) => groupsIn(pattern, block.text).flatMap(({ start, end, group }): Finding[] => {
      chosen ??= group
      return group === chosen
        ? []
        : [findingOf(style, compiled, block, { start, end, shown: [block.text.slice(start, end)] })]
    }))
  })

/** What `second` explains anywhere before, `first` may name. */
const conditional = (style: string, compiled: CompiledRule, blocks: readonly Block[]): Finding[] => {
  const [second, first] = compiled.patterns
  const known = new Set<string>()
  return blocks.flatMap((block) => {
    for (const { text } of groupsIn(second, block.text)) known.add(text)
    return matchesIn(first, block.text).flatMap(({ start, end }): Finding[] => {
      const name = block.text.slice(start, end)
      if (known.has(name) || isExcepted(compiled, name)) return []
      return [findingOf(style, compiled, block, { start, end, shown: [name] })]
    })
  })
}

const measured = (draft: Draft, style: string, { rule, measure }: CompiledRule): Finding[] => {
  const result = measure?.(countsOf(draft))
  if (!result?.isBroken) return []
  const message = messageOf(rule.message, [result.value.toFixed(2)])
  return [about(`VALE-${style}.${rule.name}`, rule.level, 'body_markdown', message)]
}

const judgeRule = (draft: Draft, style: string, compiled: CompiledRule, blocks: readonly Block[]): Finding[] => {
  const own = inScope(blocks, compiled.rule.scope)
  switch (compiled.rule.kind) {
    case 'metric': return measured(draft, style, compiled)
    case 'consistency': return consistent(style, compiled, own)
    case 'conditional': return conditional(style, compiled, own)
    default: return inBlocks(style, compiled, own)
  }
}

/** Applies the uploaded Vale styles of the brand. */
export const judgeStyles: Rule = (draft) => {
  if (draft.styles.length === 0) return []
  const blocks = blocksOf(draft)
  return draft.styles.flatMap((style) => compiledOf(style).flatMap((compiled) => {
    const { limit } = compiled.rule
    const most = limit > 0 ? Math.min(limit, maxOfRule) : maxOfRule
    return judgeRule(draft, style.name, compiled, blocks).slice(0, most)
  }))
}
