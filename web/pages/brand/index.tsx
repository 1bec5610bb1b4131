import { useSignal } from '@preact/signals'
import { api, body, type Schemas } from '../../api/client'
import { useAction } from '../../api/action'
import { useResource } from '../../api/resource'
import { Crumbs } from '../../parts/crumbs'
import { tidy, type Cell } from '../../parts/cell'
import { Form } from '../../parts/form'
import { Notice, ProblemNotice } from '../../parts/notice'
import { PageHead } from '../../parts/page-head'
import { Loaded } from '../../parts/states'
import { Tabs } from '../../parts/tabs'
import { Rules } from './rules'
import { Targets } from './targets'
import { Terms } from './terms'
import { Voice } from './voice'
import { Whole } from './whole'
import { say } from '../../texts/say'

export type Brand = Schemas['Brand']
interface Props { id: string, tab?: string }

const tabs = {
  voice: 'brand.voice', terms: 'brand.terms', rules: 'brand.rules', targets: 'brand.publishing', whole: 'brand.whole'
} as const
type TabName = keyof typeof tabs
const isTab = (text: string): text is TabName => text in tabs
const parts: Record<TabName, (props: { brand: Cell<Brand> }) => preact.JSX.Element> =
  { voice: Voice, terms: Terms, rules: Rules, targets: Targets, whole: Whole }

interface EditProps { project: Schemas['Project'], brand: Brand, tab: TabName, onChange: () => void }

const Edit = ({ project, brand, tab, onChange }: EditProps) => {
  const edited = useSignal(brand)
  const Part = parts[tab]
  const { run, busy, problem } = useAction(async () => {
    const params = { path: { project_id: project.id }, header: { 'If-Match': `"r${brand.revision}"` } }
    await body(api.PUT('/content/brands/{project_id}', { params, body: tidy(edited.value) }))
    onChange()
  })
  return (
    <>
      {!brand.configured && <Notice>{say('brand.unset')}</Notice>}
      <Tabs
        label={say('brand.parts')} current={`/projects/${project.id}/${tab}`}
        tabs={Object.entries(tabs).map(([name, label]) => [say(label), `/projects/${project.id}/${name}`])}
      />
      <Form class='card stack' label={say(tabs[tab])} within={`/projects/${project.id}`} onSubmit={() => run()}>
        <Part brand={edited} />
        {problem && <ProblemNotice problem={problem} />}
        <div class='actions'>
          <span class='small muted grow'>
            {edited.value === brand ? say('brand.version', { version: String(brand.version) }) : say('brand.unsaved')}
          </span>
          <button class='primary' disabled={busy || edited.value === brand}>{say('brand.save')}</button>
        </div>
      </Form>
    </>
  )
}

const load = async (id: string, signal: AbortSignal) => {
  const params = { path: { project_id: id } }
  const [project, brand] = await Promise.all([
    body(api.GET('/account/projects/{project_id}', { params, signal })),
    body(api.GET('/content/brands/{project_id}', { params, signal }))
  ])
  return { project, brand }
}

/** A project's brand: its voice, the rules for its content, and the targets of publication. */
export default function BrandPage ({ id, tab = 'voice' }: Props) {
  const both = useResource([id], (signal) => load(id, signal))
  return (
    <div class='page'>
      <Crumbs to={[[say('nav.projects'), '/projects']]} />
      <Loaded of={both}>{({ project, brand }) => <>
        <PageHead title={project.name}>{project.description ?? say('brand.words')}</PageHead>
        <Edit
          key={brand.revision} project={project} brand={brand} tab={isTab(tab) ? tab : 'voice'}
          onChange={both.reload}
        />
      </>}
      </Loaded>
    </div>
  )
}
