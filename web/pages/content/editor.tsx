import { useEffect, useRef } from 'preact/hooks'
import { useSignal, useSignalEffect } from '@preact/signals'
import { useLocation } from 'wouter-preact'
import { api, body, type Schemas } from '../../api/client'
import { useAction } from '../../api/action'
import { field, optional, type Cell } from '../../parts/cell'
import { AreaField, Form, TextField } from '../../parts/form'
import { forget } from '../../parts/kept'
import { ListEditor } from '../../parts/list-editor'
import { Notice, ProblemNotice } from '../../parts/notice'
import { CheckNow } from './check-now'
import { keep, keyFor, readKept, type Kept } from './draft'
import { Pictures } from './pictures'
import { say } from '../../texts/say'

type Content = Schemas['Content']

/** The fields that only some channels have. */
const ChannelFields = ({ content }: { content: Cell<Content> }) => {
  const fields = field(content, 'fields')
  switch (content.value.channel) {
    case 'email': return (
      <div class='fields'>
        <TextField label={say('content.subject')} value={optional(fields, 'subject', '')} maxLength={300} />
        <TextField label={say('content.preheader')} value={optional(fields, 'preheader', '')} maxLength={300} />
        <TextField label={say('content.sender')} value={optional(fields, 'from_name', '')} maxLength={100} />
      </div>
    )
    case 'social': return (
      <ListEditor
        label={say('content.posts')} one={say('content.post.one')} of={optional(fields, 'posts', [])}
        blank={() => ({ text: '' })}
      >
        {(post, index) =>
          <AreaField
            label={say('content.post', { number: index + 1 })} value={field(post, 'text')} required rows={4}
          />}
      </ListEditor>
    )
    default: return null
  }
}

const Search = ({ content }: { content: Cell<Content> }) => {
  const seo = field(content, 'seo')
  return (
    <details><summary>{say('content.search')}</summary>
      <div class='fields'>
        <TextField label={say('contents.title')} value={optional(seo, 'title', '')} maxLength={200} />
        <TextField label={say('content.description')} value={optional(seo, 'description', '')} maxLength={500} />
      </div>
    </details>
  )
}

/** What a person writes; all else is the server's, as it is now. */
const writtenOf = ({ title, slug, summary, body_markdown, fields, seo, media }: Content): Partial<Content> =>
  ({ title, slug, summary, body_markdown, fields, seo, media })

interface KeptProps { isOld: boolean, onTake: () => void, onForget: () => void }

const KeptNotice = ({ isOld, onTake, onForget }: KeptProps) => <Notice
  action={<>
    <button type='button' class='small' onClick={onTake}>{say('content.kept.take')}</button>
    <button type='button' class='small' onClick={onForget}>{say('content.kept.forget')}</button>
  </>}
>
  {say(isOld ? 'content.kept.old' : 'content.kept')}
</Notice>

/** What is typed, kept in this browser until it is saved, and what other editors have kept of the same content. */
const useTyped = (content: Content) => {
  const edited = useSignal<Content>(content)
  const own = useRef(keyFor(content)).current
  const kept = useSignal(readKept(content, own))
  useSignalEffect(() => { if (edited.value !== content) keep(own, content, edited.value) })
  /** What another has kept as well is offered next. */
  const drop = (key: string) => {
    forget(key)
    kept.value = readKept(content, own)
  }
  const take = ({ key, content: typed }: Kept) => {
    // What stands here is offered in its place.
    if (edited.value !== content) keep(keyFor(content), content, edited.value)
    edited.value = { ...content, ...writtenOf(typed) }
    drop(key)
  }
  return { edited, kept: kept.value, own, drop, take }
}

/** Writes the next version, which is always a draft. */
export const Editor = ({ content, onChange }: { content: Content, onChange: () => void }) => {
  const [, navigate] = useLocation()
  const { edited, kept, own, drop, take } = useTyped(content)
  const isShown = useRef(true)
  useEffect(() => () => { isShown.current = false }, [])
  const { run, busy, problem } = useAction(async () => {
    const params = { path: { content_id: content.id }, header: { 'If-Match': `"r${content.revision}"` } }
    await body(api.PUT('/content/{content_id}', { params, body: edited.value }))
    forget(own)
    onChange()
    // Who has gone on to another page stays there.
    if (isShown.current) navigate(`/content/${content.id}/text`)
  })
  return (
    <Form class='card stack' label={say('content.text')} onSubmit={() => run()}>
      {kept && <KeptNotice
        isOld={kept.revision !== content.revision} onTake={() => take(kept)} onForget={() => drop(kept.key)}
      />}
      <div class='fields'>
        <TextField label={say('contents.title')} value={field(edited, 'title')} required maxLength={200} />
        <TextField
          label={say('content.address')} value={field(edited, 'slug')} required pattern='[a-z0-9]+(-[a-z0-9]+)*'
        />
      </div>
      <AreaField label={say('content.summary')} value={optional(edited, 'summary', '')} rows={2} maxLength={500} />
      <ChannelFields content={edited} />
      <AreaField
        label={say('content.markdown')} class='mono' value={optional(edited, 'body_markdown', '')} rows={18}
        maxLength={200_000}
      />
      <Pictures content={edited} />
      <Search content={edited} />
      <CheckNow content={edited.value} />
      {problem && <ProblemNotice problem={problem} />}
      <div class='actions'><button class='primary' disabled={busy}>{say('content.saveVersion')}</button></div>
    </Form>
  )
}
