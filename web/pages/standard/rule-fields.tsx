import { useRef } from 'preact/hooks'
import { field, filled, optional, type Cell } from '../../parts/cell'
import { AreaField, Choice, TextField } from '../../parts/form'
import { ListEditor } from '../../parts/list-editor'
import { blankCheck, suggestId, type Check, type CheckName, type Rule } from './rule'
import { RuleOptions } from './rule-options'
import { RuleTarget } from './rule-target'
import { Tick } from './ticks'
import { say, sayEach, type Key } from '../../texts/say'

export const checks: Record<CheckName, Key> = {
  forbid: 'standard.check.forbid',
  pattern: 'standard.check.pattern',
  substitute: 'standard.check.substitute',
  occurrence: 'standard.check.occurrence',
  length: 'standard.check.length',
  required: 'standard.check.required',
  readability: 'standard.check.readability',
  ears: 'standard.check.ears',
  has_acceptance: 'standard.check.acceptance',
  has_citation: 'standard.check.citation',
  has_verification: 'standard.check.verification',
  links_to: 'standard.check.links',
  glossary_only: 'standard.check.glossary',
  enum: 'standard.check.enum',
  schema: 'standard.check.schema',
  review: 'standard.check.review'
}
export const tones = { error: 'bad', warn: 'warn', info: 'info', off: 'plain' } as const
export const severities = {
  error: 'standard.severity.error',
  warn: 'standard.severity.warn',
  info: 'standard.severity.info',
  off: 'standard.severity.off'
} as const
const levels = { MUST: 'spec.must', SHOULD: 'spec.should', MAY: 'spec.may' } as const
const fixes = {
  '': 'standard.fix.usual',
  deterministic: 'standard.fix.words',
  model: 'standard.fix.model',
  human: 'standard.fix.person'
} as const

/** The id follows the title until a person writes one. */
const titleOf = (rule: Cell<Rule>): Cell<string> => ({
  get value () { return rule.value.title },
  set value (title) {
    const { title: before, rule_id: id } = rule.value
    rule.value = { ...rule.value, title, rule_id: id === suggestId(before) ? suggestId(title) : id }
  }
})

const fixOf = (rule: Cell<Rule>): Cell<keyof typeof fixes> => ({
  get value () { return rule.value.fix ?? '' },
  set value (next) {
    const { fix: _, ...rest } = rule.value
    rule.value = next === '' ? rest : { ...rest, fix: next }
  }
})

const Examples = ({ name, of }: { name: Key, of: Cell<string[]> }) => <ListEditor
  label={say(name)} one={say('standard.rule.example')} of={of} blank={() => ''}
>
  {(example, index) => <AreaField
    label={say('spec.nth', { name: say(name), number: String(index + 1) })} value={example} rows={2} required
    maxLength={500}
  />}
</ListEditor>

const CheckFields = ({ of }: { of: Cell<Check> }) => {
  // What was typed for another check is there again when it is chosen again.
  const kept = useRef<Partial<Record<CheckName, Check>>>({})
  const name: Cell<CheckName> = {
    get value () { return of.value.fn },
    set value (next) {
      kept.current[of.value.fn] = of.value
      of.value = kept.current[next] ?? blankCheck(next)
    }
  }
  return (
    <>
      <Choice label={say('standard.rule.check')} value={name} options={sayEach(checks)} />
      <div class='fields'><RuleOptions of={of} /></div>
    </>
  )
}

/** The fields of one rule. */
export const RuleFields = ({ rule }: { rule: Cell<Rule> }) => <>
  <div class='fields'>
    <TextField label={say('standard.rule.name')} value={titleOf(rule)} required maxLength={200} />
    <TextField
      label={say('standard.rule.id')} class='mono' value={field(rule, 'rule_id')} required maxLength={63}
      pattern='[a-z0-9][a-z0-9._\-]*' title={say('standard.rule.id.form')}
    />
    <Choice label={say('spec.level')} value={field(rule, 'level')} options={sayEach(levels)} />
    <Choice label={say('spec.severity')} value={field(rule, 'severity')} options={sayEach(severities)} />
  </div>
  <AreaField label={say('standard.rule.asks')} value={filled(rule, 'statement', '')} rows={2} maxLength={1000} />
  <div class='fields'><RuleTarget of={field(rule, 'target')} /></div>
  <CheckFields of={field(rule, 'check')} />
  <div class='fields'>
    <Choice label={say('standard.rule.fix')} value={fixOf(rule)} options={sayEach(fixes)} />
    <Tick label={say('standard.rule.waivable')} of={optional(rule, 'waivable', true)} />
  </div>
  <Examples name='standard.rule.good' of={optional(rule, 'good', [])} />
  <Examples name='standard.rule.bad' of={optional(rule, 'bad', [])} />
</>
