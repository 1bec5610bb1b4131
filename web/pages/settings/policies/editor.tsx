import { useRef } from 'preact/hooks'
import { useSignal } from '@preact/signals'
import { api, body, type Schemas } from '../../../api/client'
import { useAction } from '../../../api/action'
import type { Cell } from '../../../parts/cell'
import { AreaField } from '../../../parts/form'
import { Notice } from '../../../parts/notice'
import { firstPolicy, isSame, keepTyped, readTyped, savedIn, type Draft } from './draft'
import { Examples } from './examples'
import { Problems } from './problems'
import { RowsTable } from './rows-table'
import { useChoice } from '../../../shell/location'
import { say } from '../../../texts/say'

type Policies = Schemas['Policies']

/** Selects the place in the text. */
const goTo = (field: HTMLTextAreaElement | null, line: number, column: number) => {
  if (!field) return
  const lines = field.value.split('\n')
  const start = lines.slice(0, line - 1).reduce((sum, text) => sum + text.length + 1, 0) + column - 1
  field.focus()
  field.setSelectionRange(start, start + 1)
  field.scrollTop = (field.scrollHeight / lines.length) * Math.max(0, line - 4)
}

const Warnings = ({ of }: { of: Schemas['PolicyWarning'][] }) => of.length === 0
  ? null
  : <Notice tone='warn'><ul>{of.map(({ message, line }, index) => <li key={index}>
    {line !== null && say('policy.lineOf', { line })}{message}
  </li>)}
  </ul>
  </Notice>

const views = { rows: 'policy.view.rows', text: 'policy.view.text' } as const
// The keys of the views are views.
const viewNames = Object.keys(views) as (keyof typeof views)[]

/** Rows, or for experts the text that they are written as; which of them is in the address. */
const ViewSwitch = ({ view }: { view: Cell<keyof typeof views> }) => <div
  class='row tight' role='group' aria-label={say('policy.view')}
>
  {viewNames.map((name) => <button
    key={name} type='button' class='small' aria-pressed={view.value === name} onClick={() => { view.value = name }}
  >{say(views[name])}
  </button>)}
</div>

interface Props { policies: Policies, onSaved: (policies: Policies) => void, onStale: () => void }

const useDraft = ({ policies, onSaved, onStale }: Props) => {
  const saved = savedIn(policies)
  const typed = useSignal<Draft | undefined>(readTyped())
  const sent = useSignal('')
  const draft = typed.value ?? saved
  const type = (change: Partial<Draft>) => {
    const next = { ...draft, ...change }
    typed.value = isSame(next, saved) ? undefined : next
    keepTyped(typed.value)
  }
  const discard = () => {
    typed.value = undefined
    keepTyped(undefined)
  }
  const save = useAction(async () => {
    sent.value = draft.text
    const params = { header: { 'If-Match': `"r${policies.revision}"` } }
    const now = await body(api.PUT('/account/policies', { params, body: draft }))
    discard()
    onSaved(now)
  })
  const run = async () => {
    if (!await save.run()) onStale()
  }
  return { draft, isTyped: typed.value !== undefined, type, discard, save: { ...save, run }, sent: sent.value }
}

/** The policies with their examples. What is typed survives a reload, and is saved on request. */
export const Editor = (props: Props) => {
  const element = useRef<HTMLElement>(null)
  const { draft, isTyped, type, discard, save, sent } = useDraft(props)
  const { policies } = props
  const view = useChoice<keyof typeof views>('view', views, 'rows')
  const text = {
    get value () { return draft.text },
    set value (next: string) { type({ text: next }) }
  }
  const go = (line: number, column: number) => {
    view.value = 'text'
    // Once the text is drawn.
    requestAnimationFrame(() => goTo(element.current?.querySelector('textarea') ?? null, line, column))
  }
  return (
    <>
      <section ref={element} class='card stack' aria-label={say('policy.draft')}>
        <h2>{policies.draft || isTyped ? say('policy.draft') : say('policy.holdsToChange')}</h2>
        <ViewSwitch view={view} />
        {view.value === 'rows'
          ? <RowsTable text={draft.text} onText={(next) => type({ text: next })} />
          : <AreaField
              label={say('policy.cedar')} value={text}
              rows={Math.min(24, Math.max(8, draft.text.split('\n').length + 1))} class='mono' spellcheck={false}
              maxLength={65_536}
          />}
        {draft.text === '' && !policies.enabled?.text && <div>
          <button type='button' onClick={() => type({ text: firstPolicy })}>{say('policy.begin')}</button>
        </div>}
        {save.problem && <Problems problem={save.problem} text={sent} onGo={go} />}
        {!isTyped && policies.draft && <Warnings of={policies.draft.warnings} />}
        <div class='row'>
          <button type='button' class='primary' disabled={save.busy || !isTyped} onClick={() => { void save.run() }}>
            {say('policy.save')}
          </button>
          {isTyped && <button type='button' onClick={discard}>{say('policy.discard')}</button>}
          <span class='small muted' role='status'>
            {isTyped ? say('policy.unsaved') : say('policy.saved')}
          </span>
        </div>
      </section>
      <Examples
        examples={draft.examples} results={isTyped ? undefined : policies.draft?.results}
        onChange={(examples) => type({ examples })}
      />
    </>
  )
}
