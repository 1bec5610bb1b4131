import { FileCheck2, Sparkles } from 'lucide-preact'
import { api, baseUrl, body, type Schemas } from '../../api/client'
import { useAction } from '../../api/action'
import { useResource } from '../../api/resource'
import { StateBadge } from '../../parts/badge'
import { Crumbs } from '../../parts/crumbs'
import { ProblemNotice } from '../../parts/notice'
import { PageHead } from '../../parts/page-head'
import { Empty, Loaded } from '../../parts/states'
import { Tabs } from '../../parts/tabs'
import { Checks } from './checks'
import { Inputs } from './inputs'
import { Requirements } from './requirements'
import { Versions } from './versions'

type Session = Schemas['SpecSession']
type Version = Schemas['SpecVersion']

const tabs = { requirements: 'Requirements', checks: 'Checks', inputs: 'Inputs', versions: 'Versions' }

const NotGenerated = () => <div class='card'>
  <Empty icon={FileCheck2} title='No version yet'><p>Generate one of the inputs above.</p></Empty>
</div>

const Tab = ({ tab, session, version }: { tab: string, session: Session, version: Version | null }) => {
  if (tab === 'inputs') return <Inputs id={session.session_id} />
  if (tab === 'versions') return <Versions id={session.session_id} />
  if (!version) return <NotGenerated />
  return tab === 'checks' ? <Checks report={version.checks} /> : <Requirements document={version.document} />
}

const Actions = ({ session, onChange }: { session: Session, onChange: () => void }) => {
  const { run, busy, problem } = useAction(async () => {
    const params = { path: { session_id: session.session_id } }
    await body(api.POST('/pse/sessions/{session_id}/generate', { params, body: {} }))
    onChange()
  })
  return (
<>
    {problem && <ProblemNotice problem={problem} />}
    {session.current_version !== null && <a
      class='button' target='_blank' rel='noopener noreferrer'
      href={`${baseUrl}/pse/sessions/${session.session_id}/export`}
    >Export
    </a>}
    <button
      type='button' class='primary' disabled={busy || session.active_generation_id !== null}
      onClick={() => { void run() }}
    >
      <Sparkles size={16} aria-hidden='true' />{busy || session.active_generation_id ? 'Generating …' : 'Generate'}
    </button>
</>
  )
}

const load = async (id: string, signal: AbortSignal) => {
  const path = { session_id: id }
  const session = await body(api.GET('/pse/sessions/{session_id}', { params: { path }, signal }))
  const number = session.current_version
  if (number === null) return { session, version: null }
  const params = { path: { ...path, version: number } }
  return { session, version: await body(api.GET('/pse/sessions/{session_id}/versions/{version}', { params, signal })) }
}

/** One spec: its requirements with what they cite, what the checks found, its inputs and its versions. */
export default function SpecPage ({ id, tab = 'requirements' }: { id: string, tab?: string }) {
  const spec = useResource([id], (signal) => load(id, signal), { every: 5_000 })
  const here = `/specs/${id}`
  return (
    <div class='page'>
      <Crumbs to={[['Specs', '/specs']]} />
      <Loaded of={spec}>{({ session, version }) => <>
        <PageHead title={session.title} actions={<Actions session={session} onChange={spec.reload} />}>
          <StateBadge state={session.state} /> {session.spec_type} · {session.inputs} inputs
        </PageHead>
        <Tabs
          label='Parts of the spec' current={`${here}/${tab}`}
          tabs={Object.entries(tabs).map(([name, label]) => [label, `${here}/${name}`])}
        />
        <Tab tab={tab} session={session} version={version} />
      </>}
      </Loaded>
    </div>
  )
}
