import { useSignal } from '@preact/signals'
import type { Schemas } from '../../api/client'
import { useAction } from '../../api/action'
import { Problem } from '../../api/problem'
import { field, filled } from '../../parts/cell'
import { AreaField, Choice, Form, TextField } from '../../parts/form'
import { ProblemNotice } from '../../parts/notice'
import { say, sayEach } from '../../texts/say'

export type StandardContent =
  Pick<Schemas['PutStandard'], 'title' | 'description' | 'kind' | 'body_markdown' | 'rules'>

const kinds = {
  ruleset: 'standard.rules',
  guideline: 'standard.kind.guideline',
  template: 'standard.kind.template',
  glossary: 'standard.kind.glossary'
} as const

const example = '[{ "rule_id": "no-vague-words", "title": "No vague words", "level": "MUST", "severity": "error", …'

/** @returns the rules in the text, which the API validates. @throws Problem */
const parseRules = (text: string): Schemas['StandardRule'][] => {
  try {
    return JSON.parse(text) as Schemas['StandardRule'][]
  } catch (error) {
    throw new Problem('not_json', 0, say('standard.notJson', { error: String(error) }))
  }
}

interface Props { standard: StandardContent, verb: string, save: (standard: StandardContent) => Promise<unknown> }

/** The fields of a standard. Its rules are JSON, because there are many kinds of rules. */
export const StandardForm = ({ standard, verb, save }: Props) => {
  const { title, description, kind, body_markdown } = standard
  const edited = useSignal<StandardContent>({ title, description, kind, body_markdown })
  const rules = useSignal(JSON.stringify(standard.rules ?? [], null, 2))
  const { run, busy, problem } = useAction(() => save({ ...edited.value, rules: parseRules(rules.value) }))
  return (
    <Form class='card stack' label={say('standard.standard')} onSubmit={() => run()}>
      <div class='fields'>
        <TextField label={say('specs.title')} value={field(edited, 'title')} required maxLength={200} />
        <Choice label={say('standard.kind')} value={field(edited, 'kind')} options={sayEach(kinds)} />
      </div>
      <TextField label={say('standard.purpose')} value={filled(edited, 'description', '')} maxLength={2000} />
      <AreaField label={say('standard.text')} value={filled(edited, 'body_markdown', '')} rows={8} maxLength={65_536} />
      <AreaField
        label={say('standard.rules.json')} class='mono' value={rules} rows={14} spellcheck={false} placeholder={example}
      />
      {problem && <ProblemNotice problem={problem} />}
      <div class='actions'><button class='primary' disabled={busy}>{verb}</button></div>
    </Form>
  )
}
