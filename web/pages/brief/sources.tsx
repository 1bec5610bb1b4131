import { useSignal } from '@preact/signals'
import { useAction } from '../../api/action'
import { api, body, type Schemas } from '../../api/client'
import { useResource } from '../../api/resource'
import { Badge } from '../../parts/badge'
import { toBase64 } from '../../parts/base64'
import { Form, TextField } from '../../parts/form'
import { Notice, ProblemNotice } from '../../parts/notice'
import { Loaded } from '../../parts/states'
import { say } from '../../texts/say'

type Brief = Schemas['Brief']
type Source = Schemas['ReadBriefSource']

const paramsOf = (brief: Brief) => ({ path: { brief_id: brief.id } })

/** The sentences of a source: Tab and Space choose, Enter accepts. */
const Proposed = ({ brief, source, onChange }: { brief: Brief, source: Source, onChange: () => void }) => {
  const chosen = useSignal<readonly number[]>([])
  const { run, busy, problem } = useAction(async () => {
    await body(api.POST('/content/briefs/{brief_id}/sources/{source_id}/facts', {
      params: { path: { brief_id: brief.id, source_id: source.id }, header: { 'If-Match': `"r${brief.revision}"` } },
      body: { sentences: [...chosen.value], read_at: source.read_at }
    }))
    onChange()
  })
  const toggle = (number: number) => {
    chosen.value = chosen.value.includes(number) ? chosen.value.filter((one) => one !== number) : [...chosen.value, number]
  }
  return (
    <Form label={source.name} unguarded onSubmit={() => run()}>
      <ol class='plain findings' aria-label={say('sources.proposed')}>
        {source.proposed.map(({ number, text, headings, fact_id: fact }) => <li key={number} class='finding'>
          {headings.length > 0 && <span class='small muted'>{headings.join(' › ')}</span>}
          <label class='check'>
            <input
              type='checkbox' checked={fact !== null || chosen.value.includes(number)} disabled={fact !== null}
              onChange={() => toggle(number)}
            />
            <span>{text} {fact !== null && <code>{fact}</code>}</span>
          </label>
        </li>)}
      </ol>
      {source.omitted > 0 && <p class='small muted'>{say('sources.omitted', { count: source.omitted })}</p>}
      {problem && <ProblemNotice problem={problem} />}
      <div class='actions'>
        <button class='primary' disabled={busy || chosen.value.length === 0}>
          {say('sources.accept', { count: chosen.value.length })}
        </button>
      </div>
    </Form>
  )
}

interface OpenProps { brief: Brief, id: string, onChange: () => void }

const Opened = ({ brief, id, onChange }: OpenProps) => {
  const source = useResource([id, brief.revision], (signal) => body(api.GET('/content/briefs/{brief_id}/sources/{source_id}',
    { params: { path: { brief_id: brief.id, source_id: id } }, signal })))
  return <Loaded of={source}>{(data) => <Proposed brief={brief} source={data} onChange={onChange} />}</Loaded>
}

/** Documents that the brief's facts are from: each is read, and what it says is proposed. */
export const Sources = ({ brief, onChange }: { brief: Brief, onChange: () => void }) => {
  const open = useSignal<string | undefined>(undefined)
  const url = useSignal('')
  const list = useResource([brief.id, brief.revision], (signal) =>
    body(api.GET('/content/briefs/{brief_id}/sources', { params: paramsOf(brief), signal })))
  const { run, busy, problem } = useAction(async (input: Schemas['AddBriefSource']) => {
    const { id } = await body(api.POST('/content/briefs/{brief_id}/sources', { params: paramsOf(brief), body: input }))
    open.value = id
    url.value = ''
    list.reload()
    onChange()
  })
  const upload = async (files: FileList | null) => {
    const file = files?.[0]
    if (file) await run({ kind: 'file', filename: file.name, data: await toBase64(file) })
  }
  return (
    <section class='card stack' aria-label={say('sources.title')}>
      <h2>{say('sources.title')}</h2>
      <p class='small muted'>{say('sources.words')}</p>
      <label class='field'><span>{say('sources.file')}</span>
        <input
          type='file' disabled={busy} accept='.md,.txt,.csv,.html,.pdf,.docx'
          onChange={({ currentTarget }) => { void upload(currentTarget.files) }}
        />
      </label>
      <Form label={say('sources.address')} unguarded onSubmit={() => run({ kind: 'url', url: url.value })}>
        <TextField label={say('sources.address')} value={url} type='url' required maxLength={2000} />
        <div class='actions'><button disabled={busy}>{say('sources.read')}</button></div>
      </Form>
      {problem && <ProblemNotice problem={problem} />}
      <Loaded of={list}>{({ items }) => <ul class='plain'>{items.map(({ id, name, facts, changed }) => <li key={id} class='stack tight'>
        <div class='row'>
          <button
            type='button' class='small' aria-expanded={open.value === id}
            onClick={() => { open.value = open.value === id ? undefined : id }}
          >
            {name}
          </button>
          <Badge>{say('sources.facts', { count: facts })}</Badge>
        </div>
        {changed.length > 0 && <Notice tone='warn'>{say('sources.changed', { facts: changed.join(', ') })}</Notice>}
        {open.value === id && <Opened brief={brief} id={id} onChange={onChange} />}
      </li>)}
      </ul>}
      </Loaded>
    </section>
  )
}
