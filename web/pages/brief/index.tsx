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

type Brief = Schemas['Brief']

/** The transitions that people make; the first draft puts a brief in use. */
const moves: Record<Brief['status'], [verb: string, to: Schemas['BriefTransition']['to']][]> = {
  draft: [['Mark as ready', 'ready'], ['Archive', 'archived']],
  ready: [['Back to draft', 'draft'], ['Archive', 'archived']],
  in_use: [['Mark as done', 'done'], ['Archive', 'archived']],
  done: [['Archive', 'archived']],
  archived: [['Restore', 'draft']]
}

const New = () => {
  const [, navigate] = useLocation()
  const project = useSignal('')
  const brief = useSignal<FullBrief>(blankBrief)
  const save = async (next: FullBrief) => { navigate(`/briefs/${(await createBrief(project.value, next)).id}`) }
  return (
    <>
      <PageHead title='New brief'>The message, its audience, and the facts behind it.</PageHead>
      <div class='card'><ProjectChoice value={project} /></div>
      <BriefForm brief={brief} verb='Create' save={save} />
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
  >{verb}
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
  return <BriefForm brief={edited} verb='Save' save={save} />
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
      <Edit key={data.revision} brief={data} onChange={brief.reload} />
    </>}
    </Loaded>
  )
}

/** Edits one brief, and shows the drafts made from it. */
export default function BriefPage ({ id }: { id: string }) {
  return (
    <div class='page'>
      <Crumbs to={[['Briefs', '/briefs']]} />
      {id === 'new' ? <New /> : <Existing id={id} />}
    </div>
  )
}
