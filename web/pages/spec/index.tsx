import { useSignal } from '@preact/signals'
import { FileCheck2 } from '../../parts/icons'
import type { Schemas } from '../../api/client'
import { useResource } from '../../api/resource'
import { Badge, StateBadge } from '../../parts/badge'
import { Crumbs } from '../../parts/crumbs'
import { Notice } from '../../parts/notice'
import { PageHead } from '../../parts/page-head'
import { Empty, Loaded } from '../../parts/states'
import { Tabs } from '../../parts/tabs'
import { profiles, types } from '../specs/spec-fields'
import { Actions } from './actions'
import { Checks } from './checks'
import { InputText } from './input-text'
import { Inputs } from './inputs'
import { SpecProgress } from './progress'
import { readSpec } from './read-spec'
import { Requirements } from './requirements'
import { TraceTab } from './trace'
import { Versions } from './versions'
import { say } from '../../texts/say'

export type Session = Schemas['SpecSession']
export type Version = Schemas['SpecVersion']
/** The props of the page's parts. */
export interface Spec { session: Session, version: Version | null, onChange: () => void }
/** The props of what a version consists of; `edit` opens the editor of an id, or of sections.<key>. */
export interface Written { session: Session, version: Version, onChange: () => void, edit: (target: string) => void }

const tabs = {
  requirements: 'spec.requirements',
  checks: 'specs.checks',
  trace: 'spec.trace',
  inputs: 'spec.inputs',
  versions: 'spec.versions'
} as const

const NotGenerated = () => <div class='card'>
  <Empty icon={FileCheck2} title={say('spec.noVersion')}><p>{say('spec.noVersion.words')}</p></Empty>
</div>

interface TabProps { tab: string, spec: Spec, part?: string, at?: string }

const Tab = ({ tab, spec, part, at }: TabProps) => {
  if (tab === 'inputs') return part ? <InputText key={part} spec={spec} input={part} at={at} /> : <Inputs {...spec} />
  if (tab === 'versions') return <Versions {...spec} />
  if (!spec.version) return <NotGenerated />
  if (tab === 'trace') return <TraceTab {...spec} version={spec.version} />
  return tab === 'checks'
    ? <Checks {...spec} version={spec.version} />
    : <Requirements {...spec} version={spec.version} />
}

/** The obstacles to the next step. */
const Hints = ({ session }: { session: Session }) => <>
  {session.blocking_questions > 0 && <Notice tone='warn'>
    {say('spec.questionsWait', { count: session.blocking_questions })}
  </Notice>}
  {session.stale && session.current_version !== null && session.active_generation_id === null && <Notice>
    {say('spec.staleVersion')}
  </Notice>}
</>

const Detail = ({ spec, tab, part, at }: TabProps) => {
  const { session, onChange } = spec
  const here = `/specs/${session.session_id}`
  // The generation that is live now, or was live since the page opened.
  const followed = useSignal<string | null>(null)
  if (session.active_generation_id !== null) followed.value = session.active_generation_id
  return (
    <>
      <PageHead title={session.title} actions={<Actions {...spec} onStart={(id) => { followed.value = id }} />}>
        <StateBadge state={session.state} /> {say(types[session.spec_type])} · {say(profiles[session.profile])} ·{' '}
        {say('spec.inputs.count', { count: session.inputs })}{' '}
        {session.check_verdict && <StateBadge state={session.check_verdict} />}{' '}
        {session.approved_version !== null && <Badge tone='good'>
          {say('spec.approvedVersion', { version: String(session.approved_version) })}
        </Badge>}
      </PageHead>
      {followed.value && <SpecProgress
        key={followed.value} session={session} generation={followed.value} onChange={onChange}
      />}
      <Hints session={session} />
      <Tabs
        label={say('spec.parts')} current={`${here}/${tab}`}
        tabs={Object.entries(tabs).map(([name, label]) => [say(label), `${here}/${name}`])}
      />
      <Tab tab={tab} spec={spec} part={part} at={at} />
    </>
  )
}

interface Props { id: string, tab?: string, part?: string, at?: string }

/** One spec: its requirements with citations, its checks, inputs and versions. */
export default function SpecPage ({ id, tab = 'requirements', part, at }: Props) {
  const spec = useResource([id], (signal) => readSpec(id, signal), { every: 10_000 })
  return (
    <div class='page'>
      <Crumbs to={[[say('nav.specs'), '/specs']]} />
      <Loaded of={spec}>
        {(data) => <Detail spec={{ ...data, onChange: spec.reload }} tab={tab} part={part} at={at} />}
      </Loaded>
    </div>
  )
}
