import { useSignal, type Signal } from '@preact/signals'
import { Link } from 'wouter-preact'
import { api, body, type Schemas } from '../../api/client'
import { useResource } from '../../api/resource'
import { ProposalDialog } from '../../approvals/proposal'
import { field } from '../../parts/cell'
import { Choice, TextField } from '../../parts/form'
import { ProblemNotice } from '../../parts/notice'
import { Loading } from '../../parts/states'
import { readServices, type Service } from '../clusters/read-services'
import { blank, chooseContainer, chooseRepository, chooseService, containersOf, inputOf, type Draft } from './draft'
import { say, sayWith } from '../../texts/say'

type Repository = Schemas['Repository']

const most = 100

/** @returns repositories and services to choose from */
const readChoices = async (signal: AbortSignal) => {
  const [repositories, { services }] = await Promise.all([
    body(api.GET('/codehost/repos', { params: { query: { limit: most } }, signal })), readServices(signal)
  ])
  return { repositories: repositories.items, services: services.filter(({ deployable }) => deployable) }
}

const labelOf = ({ name, cluster, account_name: account, region }: Service): string =>
  `${name} (${cluster}, ${account}, ${region})`

const optionsOf = <T,>(items: readonly T[], entry: (item: T) => [string, string]): Record<string, string> =>
  Object.fromEntries([['', say('app.choose')], ...items.map(entry)])

interface FieldsProps { draft: Signal<Draft>, repositories: Repository[], services: Service[] }

const Fields = ({ draft, repositories, services }: FieldsProps) => {
  const service = services.find(({ id }) => id === draft.value.service)
  const choose = (name: 'repo' | 'service' | 'container', of: (id: string) => Draft) => ({
    get value () { return draft.value[name] },
    set value (next: string) { draft.value = of(next) }
  })
  return (
    <>
      <Choice
        label={say('app.repository')} options={optionsOf(repositories, ({ full_name: name }) => [name, name])}
        value={choose('repo', (name) => chooseRepository(draft.value, name, repositories))}
      />
      <Choice
        label={say('app.service')} options={optionsOf(services, (one) => [one.id, labelOf(one)])}
        value={choose('service', (id) => chooseService(draft.value, services.find((one) => one.id === id)))}
      />
      {service && containersOf(service).length > 1 && <Choice
        label={say('app.container')} options={optionsOf(containersOf(service), (name) => [name, name])}
        value={choose('container', (name) => chooseContainer(draft.value, service, name))}
      />}
      <TextField label={say('app.name')} value={field(draft, 'name')} required maxLength={100} />
      <TextField label={say('app.branch')} class='mono' value={field(draft, 'branch')} required />
      <TextField label={say('app.image')} class='mono' value={field(draft, 'image')} placeholder='registry/app:{sha}' />
      <p class='small muted'>{sayWith('app.sha', { sha: <code>{'{sha}'}</code> })}</p>
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
  const choices = useResource([], readChoices)
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
      {choices.problem && <ProblemNotice problem={choices.problem} retry={choices.reload} />}
      {choices.data ? <Fields draft={draft} {...choices.data} /> : !choices.problem && <Loading />}
    </ProposalDialog>
  )
}
