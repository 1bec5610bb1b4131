import { unzipSync } from 'fflate'
import { ruleKinds, type PutStyle, type RefusedRule, type ValeRule } from '../../schemas/styles.js'
import { isOneOf } from '../../schemas/values.js'
import { compileRule, withoutInexpressible } from './compile.js'
import { readDefinition, type Broken } from './read-definition.js'

export interface ReadStyle { rules: ValeRule[], refused: RefusedRule[], broken: Broken[] }

const maxFiles = 300
const maxFileBytes = 200_000

/** Rules that Steward does not apply, and what does their work. */
const refusals: Record<string, string> = {
  script: 'script runs a program: no code of a style is run',
  sequence: 'sequence needs the part-of-speech tags of Vale: the brand report judges passives and nouns itself',
  spelling: 'spelling is checked by the dictionaries of the brand: set style.spelling',
  readability: 'readability is what style.max_grade checks; a metric rule can have another formula'
}

interface RuleFile { path: string, content: string }

const isRuleFile = (path: string): boolean => /\.ya?ml$/.test(path) && !/(?:^|\/)[.]/.test(path)

const unzipped = (zip: string): RuleFile[] | Broken => {
  try {
    const files = unzipSync(Buffer.from(zip, 'base64'),
      { filter: ({ name, originalSize }) => isRuleFile(name) && originalSize <= maxFileBytes })
    return Object.entries(files).map(([path, bytes]) => ({ path, content: Buffer.from(bytes).toString('utf8') }))
  } catch {
    return { file: '', line: 0, message: 'is no zip archive' }
  }
}

const nameOf = (path: string): string => path.replace(/^.*\//, '').replace(/\.ya?ml$/, '')

/** @returns the files of rules: fixtures and tests of a package's repository are none */
const ruleFiles = ({ files, zip_base64: zip }: PutStyle): RuleFile[] | Broken => {
  const all = zip === undefined ? files ?? [] : unzipped(zip)
  return Array.isArray(all) ? all.filter(({ path }) => isRuleFile(path)) : all
}

/**
 * Reads the rules of a Vale style. One that cannot be applied is refused with the reason; a broken file breaks the
 * style, with file and line. Runs in the process for texts.
 */
export const readStyle = (input: PutStyle): ReadStyle => {
  const files = ruleFiles(input)
  if (!Array.isArray(files)) return { rules: [], refused: [], broken: [files] }
  const rules: ValeRule[] = []
  const refused: RefusedRule[] = []
  const broken: Broken[] = []
  for (const { path: file, content } of files.slice(0, maxFiles)) {
    const rule = nameOf(file)
    const read = readDefinition(file, rule, content)
    if ('broken' in read) {
      broken.push(...read.broken)
      continue
    }
    const whole = refusals[read.extends] ?? read.refused
    const { rule: left, reasons } = whole === undefined
      ? withoutInexpressible(read.rule)
      : {
          rule: read.rule,
          reasons: []
        }
    const why = whole ?? problemOf(left)
    if (why === undefined) rules.push(left)
    const all = why === undefined ? reasons.map((one) => `${one}: the others of the rule apply`) : [why]
    refused.push(...all.map((reason) => ({ rule, file, reason })))
  }
  if (files.length === 0) broken.push({ file: '', line: 0, message: 'has no file that ends in .yml' })
  return { rules, refused, broken }
}

const problemOf = (rule: ValeRule): string | undefined => {
  if (!isOneOf(ruleKinds, rule.kind)) return 'is of an unknown kind'
  const compiled = compileRule(rule)
  return typeof compiled === 'string' ? compiled : undefined
}
