import { useSignal, type Signal } from '@preact/signals'
import { Link } from 'wouter-preact'
import type { Schemas } from '../../api/client'
import { useResource } from '../../api/resource'
import { ProposalDialog } from '../../approvals/proposal'
import { field } from '../../parts/cell'
import { Combobox, findAmong } from '../../parts/combobox'
import { Choice, TextField } from '../../parts/form'
import { ProblemNotice } from '../../parts/notice'
import { findRepositories } from '../../parts/repository-choice'
import { Loading } from '../../parts/states'
import { readServices, type Service } from '../services/read-services'
import { blank, chooseContainer, chooseRepository, chooseService, containersOf, inputOf, type Draft } from './draft'
import { say, sayWith } from '../../texts/say'

/** @returns the services to choose from */
const readDeployable = async (signal: AbortSignal): Promise<Service[]> =>
  (await readServices(signal)).services.filter(({ deployable }) => deployable)

const labelOf = ({ name, cluster, account_name: account, region }: Service): string =>
  `${name} (${cluster}, ${account}, ${region})`

const optionsOf = (names: readonly string[]): Record<string, string> =>
  Object.fromEntries([['', say('app.choose')], ...names.map((name) => [name, name])])

const builderWords = {
  '': 'app.builder.words.none',
  'image': 'app.builder.words.image',
  'actions': 'app.builder.words.actions',
  'codebuild': 'app.builder.words.codebuild'
} as const

/** How the image of a commit comes to be. */
const BuilderFields = ({ draft }: { draft: Signal<Draft> }) => <>
  <Choice
    label={say('app.builder')} value={field(draft, 'builder')}
    options={{
      '': say('app.builder.none'),
      'image': say('app.builder.image'),
      'actions': say('app.builder.actions'),
      'codebuild': say('app.builder.codebuild')
    }}
  />
  {draft.value.builder === 'actions' && <TextField
    label={say('app.builder.workflow')} class='mono' value={field(draft, 'workflow')} required
  />}
  {draft.value.builder === 'codebuild' && <TextField
    label={say('app.builder.project')} class='mono' value={field(draft, 'project')} required
  />}
  <p class='small muted'>{say(builderWords[draft.value.builder])}</p>
</>

interface FieldsProps { draft: Signal<Draft>, services: Service[] }

const Fields = ({ draft, services }: FieldsProps) => {
  const service = services.find(({ id }) => id === draft.value.service)
  return (
    <>
      <Combobox
        label={say('app.repository')} chosen={draft.value.repo} find={findRepositories}
        onChoose={(repository) => { draft.value = chooseRepository(draft.value, repository) }}
      />
      <Combobox
        label={say('app.service')} chosen={service ? labelOf(service) : ''} chosenKey={draft.value.service}
        find={findAmong<Service>(services.map((item) => ({ key: item.id, label: labelOf(item), item })))}
        onChoose={(one) => { draft.value = chooseService(draft.value, one) }}
      />
      {service && containersOf(service).length > 1 && <Choice
        label={say('app.container')} options={optionsOf(containersOf(service))}
        value={{
          get value () { return draft.value.container },
          set value (name) { draft.value = chooseContainer(draft.value, service, name) }
        }}
      />}
      <TextField label={say('app.name')} value={field(draft, 'name')} required maxLength={100} />
      <TextField label={say('app.branch')} class='mono' value={field(draft, 'branch')} required />
      <TextField label={say('app.image')} class='mono' value={field(draft, 'image')} placeholder='registry/app:{sha}' />
      <p class='small muted'>{sayWith('app.sha', { sha: <code>{'{sha}'}</code> })}</p>
      <BuilderFields draft={draft} />
      <label class='check'>
        <input
          type='checkbox' checked={draft.value.auto}
          onChange={({ currentTarget }) => { draft.value = { ...draft.value, auto: currentTarget.checked } }}
        />{say('app.autoBuild')}
      </label>
    </>
  )
}

const isMade = (result: unknown): result is Schemas['App'] =>
  typeof result === 'object' && result !== null && 'id' in result

/** Creates an app by choosing a repository and the service that runs it. */
export const NewApp = ({ onClose, onChange }: { onClose: () => void, onChange: () => void }) => {
  const services = useResource([], readDeployable)
  const draft = useSignal<Draft>(blank)
  const { repo, service, container, name } = draft.value
  return (
    <ProposalDialog
      title={say('app.new')} name='createApp' args={() => inputOf(draft.value)} onDone={onChange} onClose={onClose}
      ready={repo !== '' && service !== '' && container !== '' && name.trim() !== ''}
      done={({ result }) => <p role='status'>{say('app.made')}{' '}
        {isMade(result) && <Link href={`/apps/${result.id}`}>{say('app.made.open', { name: result.name })}</Link>}
      </p>}
    >
      {services.problem && <ProblemNotice problem={services.problem} retry={services.reload} />}
      {services.data ? <Fields draft={draft} services={services.data} /> : !services.problem && <Loading />}
    </ProposalDialog>
  )
}
