import { useSignal, type Signal } from '@preact/signals'
import { api, body, type Schemas } from '../../api/client'
import { useAction } from '../../api/action'
import { useResource } from '../../api/resource'
import { Notice, ProblemNotice } from '../../parts/notice'
import { PageHead } from '../../parts/page-head'
import { Loaded } from '../../parts/states'
import { isRead, toApprove, wayOf, wordsOf, type Scope } from './words'
import { say, sayWith } from '../../texts/say'

type Asked = Schemas['AuthorizationRequest']

const Who = ({ of: { client, redirect, user_code: code } }: { of: Asked }) => <>
  {client.host === null
    ? <Notice tone='warn'>{say('connect.selfNamed', { name: client.name })}</Notice>
    : <Notice>{sayWith('connect.described', { host: <strong>{client.host}</strong>, name: client.name })}</Notice>}
  <p>
    {redirect.kind === 'web' && <>{sayWith('connect.web', { host: <strong>{redirect.host}</strong> })}</>}
    {redirect.kind === 'computer' && <>{say('connect.computer', { host: redirect.host ?? '' })}</>}
    {redirect.kind === 'app' && <>{sayWith('connect.app', { host: <strong>{redirect.host}:</strong> })}</>}
    {redirect.kind === 'device' && <>{sayWith('connect.device', { code: <strong class='mono'>{code}</strong> })}</>}
    {say('connect.yourself')}
  </p>
</>

interface ChoiceProps { title: string, scopes: Scope[], chosen: Signal<Scope[]> }

const Choices = ({ title, scopes, chosen }: ChoiceProps) => scopes.length === 0
  ? null
  : <fieldset class='stack tight'>
    <legend>{title}</legend>
    {scopes.map((scope) => <label key={scope} class='check'>
      <input
        type='checkbox' checked={chosen.value.includes(scope)}
        onChange={({ currentTarget: { checked } }) => {
          chosen.value = checked ? [...chosen.value, scope] : chosen.value.filter((one) => one !== scope)
        }}
      /> <span>{wordsOf(scope)} <code class='small muted'>{scope}</code></span>
    </label>)}
  </fieldset>

/** Off until the person says so: who holds this token decides as they do. */
const Approving = ({ chosen }: Pick<ChoiceProps, 'chosen'>) => {
  const isChosen = chosen.value.includes(toApprove)
  return (
    <fieldset class='stack tight'>
      <legend>{say('connect.approve')}</legend>
      <label class='check'>
        <input
          type='checkbox' checked={isChosen} aria-describedby='connect-approve'
          onChange={({ currentTarget: { checked } }) => {
            const others = chosen.value.filter((one) => one !== toApprove)
            chosen.value = checked ? [...others, toApprove] : others
          }}
        /> <span>{say('connect.approve.label')} <code class='small muted'>{toApprove}</code></span>
      </label>
      <p id='connect-approve' class='small muted'>{say('connect.approve.words')}</p>
    </fieldset>
  )
}

const Consent = ({ of }: { of: Asked }) => {
  const chosen = useSignal(of.scopes)
  // To approve alone opens nothing to read.
  const isEmpty = chosen.value.every((one) => one === toApprove)
  const decide = useAction(async (decision: 'allow' | 'deny') => {
    const made = await body(api.POST('/oauth/consents/{request_id}/decision', {
      params: { path: { request_id: of.id } },
      body: { decision, ...(decision === 'allow' && { scopes: chosen.value }) }
    }))
    location.assign(made.continue_url)
  })
  return (
    <form class='card stack' onSubmit={(event) => { event.preventDefault(); void decide.run('allow') }}>
      <Who of={of} />
      <p>{sayWith('connect.acts', {
        person: <strong>{of.person}</strong>,
        workspace: <strong>{of.workspace}</strong>,
        way: wayOf(of.resource)
      })}
      </p>
      <Choices title={say('connect.read')} scopes={of.scopes.filter(isRead)} chosen={chosen} />
      <Choices title={say('connect.propose')} scopes={of.scopes.filter((scope) => !isRead(scope))} chosen={chosen} />
      {of.may_approve && <Approving chosen={chosen} />}
      {!chosen.value.includes(toApprove) &&
        <p>{sayWith('connect.never', { never: <strong>{say('connect.neverApprove')}</strong> })}
        </p>}
      {decide.problem && <ProblemNotice problem={decide.problem} />}
      <div class='row'>
        <button class='primary' disabled={decide.busy || isEmpty}>{say('connect.allow')}</button>
        <button type='button' disabled={decide.busy} onClick={() => { void decide.run('deny') }}>{say('connect.deny')}
        </button>
      </div>
      <p class='small muted'>{say('connect.disconnect')}</p>
    </form>
  )
}

/** Another program asks to be let in. */
export default function ConnectPage ({ id }: { id: string }) {
  const asked = useResource([id], (signal) =>
    body(api.GET('/oauth/consents/{request_id}/request', { params: { path: { request_id: id } }, signal })))
  return (
    <div class='page'>
      <PageHead title={say('connect.title')} guide='oauth'>
        {asked.data && <>{say('connect.asks', { name: asked.data.client.name })}</>}
      </PageHead>
      {asked.problem?.code === 'not_found'
        ? <Notice tone='warn'>{say('connect.gone')}
        </Notice>
        : <Loaded of={asked}>{(of) => <Consent of={of} />}</Loaded>}
    </div>
  )
}
