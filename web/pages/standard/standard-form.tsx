import { useSignal } from '@preact/signals'
import type { Schemas } from '../../api/client'
import { useAction } from '../../api/action'
import { field, filled } from '../../parts/cell'
import { AreaField, Choice, Form, TextField } from '../../parts/form'
import { ProblemNotice } from '../../parts/notice'
import { kinds } from './kinds'
import type { Rule } from './rule'
import { useRuleList } from './rule-list'
import { RulesEditor } from './rules-editor'
import { say, sayEach } from '../../texts/say'

export type StandardContent =
  Pick<Schemas['PutStandard'], 'title' | 'description' | 'kind' | 'body_markdown' | 'rules'>

interface Props { standard: StandardContent, verb: string, save: (standard: StandardContent) => Promise<unknown> }

/** The fields of a standard, and its rules. */
export const StandardForm = ({ standard, verb, save }: Props) => {
  const { title, description, kind, body_markdown } = standard
  const edited = useSignal<StandardContent>({ title, description, kind, body_markdown })
  const list = useRuleList(standard.rules ?? [])
  const sent = useSignal<Rule[]>([])
  const { run, busy, problem } = useAction(async () => {
    sent.value = list.entries.value.map(({ rule }) => rule)
    await save({ ...edited.value, rules: list.read() })
  })
  // In the form each rule says itself what is wrong with it.
  const atRules = list.text.value !== undefined
    ? []
    : problem?.body?.errors?.flatMap(({ pointer }) => pointer.startsWith('/rules/') ? [pointer] : [])
  return (
    <Form class='card stack' label={say('standard.standard')} onSubmit={() => run()}>
      <div class='fields'>
        <TextField label={say('specs.title')} value={field(edited, 'title')} required maxLength={200} />
        <Choice label={say('standard.kind')} value={field(edited, 'kind')} options={sayEach(kinds)} />
      </div>
      <TextField label={say('standard.purpose')} value={filled(edited, 'description', '')} maxLength={2000} />
      <AreaField label={say('standard.text')} value={filled(edited, 'body_markdown', '')} rows={8} maxLength={65_536} />
      <RulesEditor list={list} judged={{ rules: sent.value, problem }} />
      {problem && <ProblemNotice problem={problem} shown={atRules} />}
      <div class='actions'><button class='primary' disabled={busy}>{verb}</button></div>
    </Form>
  )
}
