import { useSignal } from '@preact/signals'
import { useLocation } from 'wouter-preact'
import { api, body, type Schemas } from '../../api/client'
import { useResource } from '../../api/resource'
import { ActionButton } from '../../parts/action-button'
import { StateBadge } from '../../parts/badge'
import { Crumbs } from '../../parts/crumbs'
import { PageHead } from '../../parts/page-head'
import { ProjectChoice } from '../../parts/project-choice'
import { Loaded } from '../../parts/states'
import { blankBrief, BriefForm, createBrief, type FullBrief } from './brief-form'
import { Drafts } from './drafts'
import { Generate } from './generate'
import { Sources } from './sources'
import { say, type Key } from '../../texts/say'

type Brief = Schemas['Brief']

/** The transitions that people make; the first draft puts a brief in use. */
const moves: Record<Brief['status'], [verb: Key, to: Schemas['BriefTransition']['to']][]> = {
  draft: [['brief.move.ready', 'ready'], ['brief.move.archive', 'archived']],
  ready: [['brief.move.draft', 'draft'], ['brief.move.archive', 'archived']],
  in_use: [['brief.move.done', 'done'], ['brief.move.archive', 'archived']],
  done: [['brief.move.archive', 'archived']],
  archived: [['content.restore', 'draft']]
}

const New = () => {
  const [, navigate] = useLocation()
  const project = useSignal('')
  const brief = useSignal<FullBrief>(blankBrief)
  const save = async (next: FullBrief) => { navigate(`/briefs/${(await createBrief(project.value, next)).id}`) }
  return (
    <>
      <PageHead title={say('brief.new')}>{say('brief.words')}</PageHead>
      <div class='card'><ProjectChoice value={project} /></div>
      <BriefForm brief={brief} verb={say('common.create')} save={save} />
    </>
  )
}

const Moves = ({ brief, onChange }: { brief: Brief, onChange: () => void }) => <>
  {moves[brief.status].map(([verb, to]) => <ActionButton
    key={to} act={async () => {
      const params = { path: { brief_id: brief.id } }
      await body(api.POST('/content/briefs/{brief_id}/transitions', { params, body: { to } }))
      onChange()
    }}
  >{say(verb)}
  </ActionButton>)}
</>

interface EditProps { brief: Brief, onChange: () => void }

const Edit = ({ brief, onChange }: EditProps) => {
  const edited = useSignal<Brief>(brief)
  const save = async (next: FullBrief) => {
    const params = { path: { brief_id: brief.id }, header: { 'If-Match': `"r${brief.revision}"` } }
    await body(api.PUT('/content/briefs/{brief_id}', { params, body: next }))
    onChange()
  }
  return <BriefForm brief={edited} verb={say('common.save')} save={save} />
}

const Existing = ({ id }: { id: string }) => {
  const brief = useResource([id], (signal) =>
    body(api.GET('/content/briefs/{brief_id}', { params: { path: { brief_id: id } }, signal })))
  return (
    <Loaded of={brief}>{(data) => <>
      <PageHead title={data.title} actions={<Moves brief={data} onChange={brief.reload} />}>
        <StateBadge state={data.status} /> {data.key_message}
      </PageHead>
      {data.status !== 'archived' && <Generate brief={data} onMade={brief.reload} />}
      <Drafts brief={data} />
      {data.status !== 'archived' && <Sources brief={data} onChange={brief.reload} />}
      <Edit key={data.revision} brief={data} onChange={brief.reload} />
    </>}
    </Loaded>
  )
}

/** Edits one brief, and shows the drafts made from it. */
export default function BriefPage ({ id }: { id: string }) {
  return (
    <div class='page'>
      <Crumbs to={[[say('palette.briefs'), '/briefs']]} />
      {id === 'new' ? <New /> : <Existing id={id} />}
    </div>
  )
}
