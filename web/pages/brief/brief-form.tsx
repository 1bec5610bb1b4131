import { api, body, type Schemas } from '../../api/client'
import { useAction } from '../../api/action'
import { asLines, asWords, field, optional, tidy, type Cell } from '../../parts/cell'
import { AreaField, Form, TextField } from '../../parts/form'
import { ProblemNotice } from '../../parts/notice'
import { BriefChannels } from './brief-channels'
import { BriefFacts, BriefPoints } from './brief-facts'
import { say } from '../../texts/say'

export type BriefBody = Omit<Schemas['CreateBrief'], 'project_id'>
/** A brief with the API's defaults filled in, so that every field has a value. */
export type FullBrief = BriefBody & Required<Pick<BriefBody,
  'goal' | 'facts' | 'keywords' | 'must_include' | 'must_avoid' | 'locales'>>

export const blankBrief: FullBrief = {
  title: '',
  goal: '',
  key_message: '',
  points: [{ text: '', fact_ids: [] }],
  facts: [],
  channels: [{ channel: 'blog', length: 'medium' }],
  locales: [],
  keywords: [],
  must_include: [],
  must_avoid: []
}

const cellOfCall = (brief: Cell<FullBrief>): Cell<{ text: string, url?: string }> => ({
  get value () { return brief.value.cta ?? { text: '' } },
  set value (next) { brief.value = { ...brief.value, cta: next.text === '' && !next.url ? null : next } }
})

const Words = ({ brief }: { brief: Cell<FullBrief> }) => <div class='fields'>
  <TextField label={say('brief.keywords')} value={asWords(field(brief, 'keywords'))} />
  <AreaField label={say('brief.required')} rows={2} value={asLines(field(brief, 'must_include'))} />
  <AreaField label={say('brief.forbidden')} rows={2} value={asLines(field(brief, 'must_avoid'))} />
</div>

interface Props { brief: Cell<FullBrief>, verb: string, save: (brief: FullBrief) => Promise<unknown> }

/** All fields of a brief. */
export const BriefForm = ({ brief, verb, save }: Props) => {
  const { run, busy, problem } = useAction(() => save(tidy(brief.value)))
  const call = cellOfCall(brief)
  return (
    <Form class='card stack' label={say('brief.brief')} onSubmit={() => run()}>
      <TextField label={say('contents.title')} value={field(brief, 'title')} required maxLength={200} />
      <TextField label={say('brief.keyMessage')} value={field(brief, 'key_message')} required maxLength={500} />
      <div class='fields'>
        <TextField label={say('brief.goal')} value={field(brief, 'goal')} maxLength={1000} />
        <TextField label={say('brief.audience')} value={optional(brief, 'audience', '')} maxLength={500} />
      </div>
      <BriefFacts of={field(brief, 'facts')} />
      <BriefPoints of={field(brief, 'points')} />
      <BriefChannels of={field(brief, 'channels')} />
      <div class='fields'>
        <TextField label={say('brief.call')} value={field(call, 'text')} maxLength={200} />
        <TextField label={say('brief.call.address')} type='url' value={optional(call, 'url', '')} maxLength={2000} />
      </div>
      <Words brief={brief} />
      {problem && <ProblemNotice problem={problem} />}
      <div class='actions'><button class='primary' disabled={busy}>{verb}</button></div>
    </Form>
  )
}

export const createBrief = (projectId: string, brief: BriefBody) =>
  body(api.POST('/content/briefs', { body: { ...brief, project_id: projectId } }))
